//! Whole numbers as JSON. Many readers store numbers as floating point, which is exact only up to
//! 2^53, so larger numbers are written as strings.

use serde::{Serialize, Serializer};

const EXACT: u128 = 1 << 53;

/// A whole number that every reader gets exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct JsonInteger(pub u128);

impl From<u64> for JsonInteger {
    fn from(number: u64) -> JsonInteger {
        JsonInteger(number.into())
    }
}

impl Serialize for JsonInteger {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(number) if self.0 <= EXACT => serializer.serialize_u64(number),
            _ => serializer.collect_str(&self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_would_lose_digits_are_strings() {
        let json = |number| serde_json::to_string(&JsonInteger(number)).unwrap();
        assert_eq!(json(9_007_199_254_740_992), "9007199254740992");
        assert_eq!(json(9_007_199_254_740_993), "\"9007199254740993\"");
        assert_eq!(json(u128::MAX), format!("\"{}\"", u128::MAX));
    }
}
