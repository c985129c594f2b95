//! The instruction sets that the kernels, the inner loops, can use.

use std::fmt;
use std::str::FromStr;

use crate::parse_error::ParseError;

/// An instruction set for the kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum CpuForm {
    /// Whatever the program was compiled for.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT, as in Haswell and Zen.
    Avx2,
    /// x86-64 with AVX-512, as in Ice Lake and Zen 4.
    Avx512,
}

impl CpuForm {
    /// All forms, the widest last.
    const ALL: [CpuForm; 3] = [CpuForm::Portable, CpuForm::Avx2, CpuForm::Avx512];

    fn name(self) -> &'static str {
        match self {
            CpuForm::Portable => "portable",
            CpuForm::Avx2 => "avx2",
            CpuForm::Avx512 => "avx512",
        }
    }

    /// Whether this machine has the instructions.
    fn is_available(self) -> bool {
        #[cfg(target_arch = "x86_64")]
        macro_rules! has {
            ($($feature:tt)*) => { $(is_x86_feature_detected!($feature))&&* };
        }
        match self {
            CpuForm::Portable => true,
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx2 => has!("avx2" "bmi1" "bmi2" "lzcnt" "popcnt"),
            #[cfg(target_arch = "x86_64")]
            CpuForm::Avx512 => {
                CpuForm::Avx2.is_available()
                    && has!("avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi")
                    && has!("avx512vbmi2" "avx512vpopcntdq" "gfni")
            }
            #[cfg(not(target_arch = "x86_64"))]
            CpuForm::Avx2 | CpuForm::Avx512 => false,
        }
    }
}

/// A form of the kernels that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cpu(CpuForm);

/// Why a form of the kernels is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CpuError {
    /// No form has this name.
    #[error(transparent)]
    Unknown(#[from] ParseError),
    /// The processor lacks instructions.
    #[error("this machine lacks the instructions of {form}: its widest form is {widest}")]
    Missing {
        /// The form asked for.
        form: &'static str,
        /// The widest form that the machine has.
        widest: Cpu,
    },
}

impl Cpu {
    /// Every form that this machine has, the widest last.
    pub fn all() -> impl DoubleEndedIterator<Item = Cpu> {
        CpuForm::ALL.into_iter().filter(|form| form.is_available()).map(Cpu)
    }

    /// The widest form that this machine has.
    pub fn widest() -> Cpu {
        Cpu::all().next_back().expect("the portable form is available")
    }

    /// The form.
    pub(crate) fn form(self) -> CpuForm {
        self.0
    }
}

impl fmt::Display for Cpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl FromStr for Cpu {
    type Err = CpuError;

    fn from_str(text: &str) -> Result<Cpu, CpuError> {
        let named = CpuForm::ALL.into_iter().find(|form| form.name() == text);
        let form = named.ok_or_else(|| {
            ParseError::new(text, "a form of the kernels", "portable, avx2 or avx512")
        })?;
        if !form.is_available() {
            return Err(CpuError::Missing { form: form.name(), widest: Cpu::widest() });
        }
        Ok(Cpu(form))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_this_machine_go_by_their_names_and_others_are_refused() {
        assert_eq!("portable".parse::<Cpu>().map(Cpu::form), Ok(CpuForm::Portable));
        for form in CpuForm::ALL {
            match form.name().parse::<Cpu>() {
                Ok(cpu) => assert!(form.is_available() && cpu.to_string() == form.name()),
                Err(error) => assert!(
                    !form.is_available() && error.to_string().contains("lacks the instructions")
                ),
            }
        }
        assert!(Cpu::widest().form().is_available());
        let error = "sse9".parse::<Cpu>().unwrap_err().to_string();
        assert_eq!(error, "'sse9' is not a form of the kernels: expected portable, avx2 or avx512");
    }
}
