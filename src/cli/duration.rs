//! Durations as users type them, and as messages print them.

use std::time::Duration;

/// Reads `2s`, `500ms`, `1.5m`, `1h`, or a number of seconds.
pub fn parse(text: &str) -> Result<Duration, String> {
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

/// An estimated time.
pub fn rough(seconds: f64) -> String {
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
    fn times_are_guessed_in_few_digits() {
        let told = [3.4, 65.0, 200.0, 7300.0, 400_000.0].map(rough);
        assert_eq!(told, ["3 s", "65 s", "3 min", "2 h", "5 days"]);
    }

    #[test]
    fn times_have_a_number_and_a_unit() {
        let millis = |text| parse(text).unwrap().as_millis();
        assert_eq!(
            ["2s", "500ms", "1.5m", "3", "1h"].map(millis),
            [2000, 500, 90_000, 3000, 3_600_000]
        );
        let refused = |text, reason: &str| {
            assert!(
                parse(text).unwrap_err().starts_with(&format!("'{text}' is {reason}")),
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
