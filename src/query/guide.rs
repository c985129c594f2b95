//! What guided searches remember from one question to the next.

use std::collections::HashMap;

use super::finding::Finding;
use crate::board::Column;
use crate::tromp::Key;

/// The most positions to remember: a few hundred megabytes.
const MOST_REMEMBERED: usize = 1 << 22;

/// Positions, each with what was found out about it.
#[derive(Default)]
pub(super) struct Guide(HashMap<Key, Remembered>);

/// What was found out about a position.
#[derive(Clone, Copy)]
pub(super) struct Remembered {
    pub known: Finding,
    /// The move that settled the last question.
    pub best: Option<Column>,
}

impl Guide {
    pub fn get(&self, key: Key) -> Option<Remembered> {
        self.0.get(&key).copied()
    }

    /// Remembers a position. When there would be too many, the others are forgotten.
    pub fn remember(&mut self, key: Key, found: Remembered) {
        if self.0.len() >= MOST_REMEMBERED {
            self.0.clear();
        }
        self.0.insert(key, found);
    }
}
