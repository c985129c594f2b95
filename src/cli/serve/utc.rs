//! Moments as the log writes them: `2026-11-22T15:04:05.678Z`.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A moment, as the time since 1970.
pub struct Utc(Duration);

/// The end of the year 9999, but for a day.
const LAST: Duration = Duration::from_secs(253_402_214_400);

impl Utc {
    /// This moment.
    pub fn now() -> Utc {
        Utc(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
    }

    /// Whether the clock shows a time that replies can carry as their date.
    pub fn can_be_written() -> bool {
        SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|since| since < LAST)
    }
}

impl fmt::Display for Utc {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (seconds, millis) = (self.0.as_secs(), self.0.subsec_millis());
        let (days, of_day) = (seconds / 86_400, seconds % 86_400);
        let (year, month, day) = date(days);
        let (hour, minute, second) = (of_day / 3600, of_day / 60 % 60, of_day % 60);
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
    }
}

/// The date of a day since 1970. Years begin in March here, so that a leap day is the last one.
fn date(days: u64) -> (u64, u64, u64) {
    const DAYS_OF_ERA: u64 = 400 * 365 + 97;
    let days = days + 719_468; // From 1 March of the year 0.
    let (era, day) = (days / DAYS_OF_ERA, days % DAYS_OF_ERA);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_as_dates() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_827_696, "2000-02-29T12:34:56.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
        ] {
            assert_eq!(Utc(Duration::from_secs(seconds)).to_string(), text);
        }
        // Every day has the date that follows the one before.
        let mut before = (1970, 1, 1);
        for days in 1..60_000 {
            let (year, month, day) = date(days);
            let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
            let lengths = [31, if leap { 29 } else { 28 }, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
            let (_, last_month, last_day) = before;
            let next = match before {
                (y, 12, 31) => (y + 1, 1, 1),
                (y, m, d) if d == lengths[m as usize - 1] => (y, m + 1, 1),
                (y, m, d) => (y, m, d + 1),
            };
            assert_eq!((year, month, day), next, "after {last_month}-{last_day}");
            before = next;
        }
    }
}
