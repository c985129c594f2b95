//! Numbers, sizes and durations as people read and type them.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

pub(crate) use crate::numerals::{counted, grouped};

/// Numbers in order, with runs abbreviated: `1..4, 7`.
pub(crate) fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b).map(|run| match run {
        [first, .., last] => format!("{first}..{last}"),
        _ => run[0].to_string(),
    });
    runs.collect::<Vec<_>>().join(", ")
}

/// The number with at most this many decimals, for programs to read.
pub(crate) fn rounded(number: f64, decimals: i32) -> f64 {
    let unit = 10f64.powi(decimals);
    (number * unit).round() / unit
}

/// A parser of whole numbers in a range.
pub(crate) fn whole<N>(range: RangeInclusive<N>) -> impl Fn(&str) -> Result<N, String> + Clone
where
    N: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| {
            let (first, last) = (range.start(), range.end());
            format!("'{text}' is invalid: expected a whole number from {first} to {last}")
        })
    }
}

/// `10¹²`.
pub(crate) fn power_of_ten(exponent: u32) -> String {
    const RAISED: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = exponent.to_string();
    let raised = digits.bytes().map(|digit| RAISED[usize::from(digit - b'0')]);
    "10".chars().chain(raised).collect()
}

/// A number of bytes: `16GiB`, `500 MB`, `4096`.
pub(crate) fn size(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size: expected something like 16GiB or 500MB");
    let unit_at = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(unit_at);
    let number: f64 = number.parse().map_err(|_| wrong())?;
    let factor: u64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "kb" => 1_000,
        "mb" => 1_000_000,
        "gb" => 1_000_000_000,
        "tb" => 1_000_000_000_000,
        "k" | "kib" => 1 << 10,
        "m" | "mib" => 1 << 20,
        "g" | "gib" => 1 << 30,
        "t" | "tib" => 1 << 40,
        _ => return Err(wrong()),
    };
    Ok((number * factor as f64) as u64)
}

/// Reads `2s`, `500ms`, `1.5m`, `1h`, or a number of seconds.
pub(crate) fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match &text[digits.len()..] {
        "ms" => Some(0.001),
        "s" | "" => Some(1.0),
        "m" | "min" => Some(60.0),
        "h" => Some(3600.0),
        _ => None,
    };
    let plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let number: Option<f64> = if plain { digits.parse().ok() } else { None };
    let Some((number, unit)) = number.zip(seconds) else {
        return Err(format!("'{text}' is not a duration: expected something like 2s, 500ms or 1h"));
    };
    match Duration::try_from_secs_f64(number * unit) {
        Ok(Duration::ZERO) => Err(format!("'{text}' is too short: expected a time longer than 0")),
        Ok(time) if time <= LONGEST => Ok(time),
        _ => Err(format!("'{text}' is too long: expected a year at most")),
    }
}

/// The same, or no time at all.
pub(crate) fn duration_or_zero(text: &str) -> Result<Duration, String> {
    if matches!(text, "0" | "0s") { Ok(Duration::ZERO) } else { duration(text) }
}

/// An estimated time.
pub(crate) fn rough(seconds: f64) -> String {
    match seconds {
        ..90.0 => format!("{seconds:.0} s"),
        ..5400.0 => format!("{:.0} min", seconds / 60.0),
        ..172_800.0 => format!("{:.0} h", seconds / 3600.0),
        _ => format!("{:.0} days", seconds / 86_400.0),
    }
}

/// A year; a clock may overflow with much more.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 60 * 60);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("4096", 4096), ("16GiB", 16 << 30), ("1.5 GB", 1_500_000_000), ("2m", 2 << 20)]
        {
            assert_eq!(size(text), Ok(bytes));
        }
        for text in ["", "GiB", "-1", "5 parsecs", "1..2", "0x10"] {
            assert!(size(text).unwrap_err().contains(text));
        }
    }

    #[test]
    fn whole_numbers_are_in_their_range() {
        let read = whole(4..=20u32);
        assert_eq!([read("4"), read("20")], [Ok(4), Ok(20)]);
        for text in ["3", "21", "-1", "", "ten", "99999999999", "4.0"] {
            let error = format!("'{text}' is invalid: expected a whole number from 4 to 20");
            assert_eq!(read(text), Err(error));
        }
    }

    #[test]
    fn programs_read_no_more_decimals_than_were_measured() {
        assert_eq!(rounded(18.899999618530273, 3).to_string(), "18.9");
        assert_eq!(rounded(0.0004, 3), 0.0);
    }

    #[test]
    fn exponents_are_raised() {
        assert_eq!([0, 12].map(power_of_ten), ["10⁰", "10¹²"]);
    }

    #[test]
    fn times_are_guessed_in_few_digits() {
        let told = [3.4, 65.0, 200.0, 7300.0, 400_000.0].map(rough);
        assert_eq!(told, ["3 s", "65 s", "3 min", "2 h", "5 days"]);
    }

    #[test]
    fn times_have_a_number_and_a_unit() {
        let millis = |text| duration(text).unwrap().as_millis();
        assert_eq!(
            ["2s", "500ms", "1.5m", "3", "1h"].map(millis),
            [2000, 500, 90_000, 3000, 3_600_000]
        );
        let refused = |text, reason: &str| {
            assert!(
                duration(text).unwrap_err().starts_with(&format!("'{text}' is {reason}")),
                "{text}"
            );
        };
        for text in ["", "s", "2d", "-1s", "1e9s", "two", "1.2.3s", "2 s", "inf"] {
            refused(text, "not a duration: expected something like 2s");
        }
        for text in ["0", "0s", "0.0h", "0.0000000001s"] {
            refused(text, "too short: expected a time longer than 0");
        }
        for text in ["99999999999999m", "8761h"] {
            refused(text, "too long: expected a year at most");
        }
    }
}
