//! The instruction sets that the kernels, the inner loops, can use.

use std::fmt;
use std::str::FromStr;

/// An instruction set for the kernels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CpuForm {
    /// Whatever the program was compiled for.
    Portable,
    /// x86-64 with AVX2, BMI1, BMI2, LZCNT and POPCNT, as in Haswell and Zen.
    Avx2,
    /// x86-64 with AVX-512, as in Ice Lake and Zen 4.
    Avx512,
}

impl CpuForm {
    /// All forms, the widest last.
    pub const ALL: [CpuForm; 3] = [CpuForm::Portable, CpuForm::Avx2, CpuForm::Avx512];

    /// Whether this machine has the instructions.
    pub(crate) fn is_available(self) -> bool {
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

impl fmt::Display for CpuForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CpuForm::Portable => "portable",
            CpuForm::Avx2 => "avx2",
            CpuForm::Avx512 => "avx512",
        })
    }
}

/// Why a form of the kernels is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CpuError {
    /// No form has this name.
    #[error("'{found}' is not a form of the kernels: expected portable, avx2 or avx512")]
    Unknown {
        /// The text that was given.
        found: String,
    },
    /// The processor lacks instructions.
    #[error("this machine lacks the instructions of {form}: its widest form is {widest}")]
    Missing {
        /// The form asked for.
        form: CpuForm,
        /// The widest form that the machine has.
        widest: CpuForm,
    },
}

impl FromStr for CpuForm {
    type Err = CpuError;

    fn from_str(text: &str) -> Result<CpuForm, CpuError> {
        let named = CpuForm::ALL.into_iter().find(|form| form.to_string() == text);
        named.ok_or_else(|| CpuError::Unknown { found: text.to_owned() })
    }
}

/// A form of the kernels that this machine has.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cpu(CpuForm);

impl Cpu {
    /// The widest form that this machine has.
    pub fn widest() -> Cpu {
        let available = CpuForm::ALL.into_iter().rfind(|form| form.is_available());
        Cpu(available.expect("the portable form is available"))
    }

    /// This form, if the machine has it.
    pub fn with(form: CpuForm) -> Result<Cpu, CpuError> {
        if !form.is_available() {
            return Err(CpuError::Missing { form, widest: Cpu::widest().form() });
        }
        Ok(Cpu(form))
    }

    /// The form.
    pub fn form(self) -> CpuForm {
        self.0
    }

    /// Every form that this machine has.
    pub fn all() -> impl Iterator<Item = Cpu> {
        CpuForm::ALL.into_iter().filter(|form| form.is_available()).map(Cpu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_go_by_their_names() {
        for form in CpuForm::ALL {
            assert_eq!(form.to_string().parse(), Ok(form));
        }
        let error = "sse9".parse::<CpuForm>().unwrap_err().to_string();
        assert_eq!(error, "'sse9' is not a form of the kernels: expected portable, avx2 or avx512");
    }

    #[test]
    fn the_widest_form_is_available_and_the_portable_one_is_everywhere() {
        assert!(Cpu::widest().form().is_available());
        assert_eq!(Cpu::with(CpuForm::Portable).map(Cpu::form), Ok(CpuForm::Portable));
        for form in CpuForm::ALL {
            assert_eq!(Cpu::with(form).is_ok(), form.is_available());
        }
    }
}
