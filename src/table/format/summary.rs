//! The summary of a table: how the positions of its tier end, in four numbers, and the digest that
//! identifies the table by its content.
//!
//! The digest is a SHA-256 over the header and the whole block index, which contains the checksum
//! of every block. `head -c N FILE | sha256sum` gives the same, where N is 512 bytes plus 16 per
//! block.

use std::fmt;
use std::str::FromStr;

use sha2::{Digest as _, Sha256};

use crate::board::{OutcomeCounts, Player, Tier};
use crate::parse_error::ParseError;

/// How the positions of a tier end, for the mover; mirror images count separately.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct TierCounts {
    /// Live positions that the mover wins.
    pub won: u64,
    /// Live positions that are drawn.
    pub drawn: u64,
    /// Live positions that the other player wins.
    pub lost: u64,
    /// Positions whose last move made a four.
    pub terminal: u64,
}

/// A summary of a finished table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableSummary {
    /// The tier.
    pub tier: Tier,
    /// Bytes of the file.
    pub bytes: u64,
    /// The digest, which the table of the previous tier names.
    pub digest: Digest,
    /// How the positions of the tier end.
    pub counts: TierCounts,
}

impl TierCounts {
    /// The counts of live positions by their outcome, and of terminal ones.
    pub fn new(live: OutcomeCounts, terminal: u64) -> TierCounts {
        let OutcomeCounts { won, drawn, lost } = live;
        TierCounts { won, drawn, lost, terminal }
    }

    /// The live positions.
    pub fn live(&self) -> OutcomeCounts {
        let TierCounts { won, drawn, lost, .. } = *self;
        OutcomeCounts { won, drawn, lost }
    }

    /// All positions, for the player to move, who has lost the terminal ones.
    pub(crate) fn all(&self) -> OutcomeCounts {
        OutcomeCounts { lost: self.lost + self.terminal, ..self.live() }
    }

    /// All positions, which are of this tier, for the first player.
    pub(crate) fn all_for_first(&self, tier: Tier) -> OutcomeCounts {
        match tier.mover() {
            Player::First => self.all(),
            Player::Second => self.all().for_other(),
        }
    }

    /// The sum of both, unless it overflows.
    pub(crate) fn checked_add(&self, other: TierCounts) -> Option<TierCounts> {
        Some(TierCounts {
            won: self.won.checked_add(other.won)?,
            drawn: self.drawn.checked_add(other.drawn)?,
            lost: self.lost.checked_add(other.lost)?,
            terminal: self.terminal.checked_add(other.terminal)?,
        })
    }

    /// The number of all positions of the tier, unless it overflows.
    pub fn checked_total(&self) -> Option<u64> {
        self.won.checked_add(self.drawn)?.checked_add(self.lost)?.checked_add(self.terminal)
    }

    /// The number of all positions of the tier.
    pub fn total(&self) -> u64 {
        self.checked_total().expect("no board has 2^64 positions")
    }
}

impl fmt::Display for TierCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TierCounts { won, drawn, lost, terminal } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost and {terminal} terminal")
    }
}

/// The SHA-256 of a table's header and block index.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Digest {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Digest, ParseError> {
        let refused = || ParseError::new(text, "a digest", "64 digits from 0 to f");
        let digits = text.as_bytes();
        if digits.len() != 64 || !digits.iter().all(u8::is_ascii_hexdigit) {
            return Err(refused());
        }
        let mut bytes = [0; 32];
        for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
            let pair = std::str::from_utf8(pair).map_err(|_| refused())?;
            *byte = u8::from_str_radix(pair, 16).map_err(|_| refused())?;
        }
        Ok(Digest(bytes))
    }
}

/// A digest in the making.
pub(in crate::table) struct Hasher(Sha256);

impl Hasher {
    pub(crate) fn new() -> Hasher {
        Hasher(Sha256::new())
    }

    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    pub(crate) fn digest(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_read_as_they_are_printed() {
        let mut hasher = Hasher::new();
        hasher.add(b"abc");
        let digest = hasher.digest();
        let text = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digest.to_string(), text);
        assert_eq!(text.parse(), Ok(digest));
        for bad in ["", "ba78", &text[1..], &text.replace('b', "g"), &text.replace("ba", "é")] {
            assert_eq!(
                bad.parse::<Digest>(),
                Err(ParseError::new(bad, "a digest", "64 digits from 0 to f"))
            );
        }
    }
}
