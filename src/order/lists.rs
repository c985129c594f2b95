//! Lists of numbers, end to end in one piece of memory.

use std::ops::Range;

/// A list of lists.
#[derive(Clone, PartialEq, Eq, Default)]
pub(super) struct Lists {
    /// Where each list ends.
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// No lists yet, and memory for this many with this many items in all.
    pub(super) fn with_capacity(lists: usize, items: usize) -> Lists {
        Lists { ends: Vec::with_capacity(lists), items: Vec::with_capacity(items) }
    }

    pub(super) fn push(&mut self, list: impl IntoIterator<Item = u32>) {
        self.items.extend(list);
        self.ends.push(self.items.len() as u32);
    }

    /// Adds copies of other lists, in order.
    pub(super) fn append(&mut self, other: &Lists) {
        let before = self.items.len() as u32;
        self.ends.extend(other.ends.iter().map(|end| before + end));
        self.items.extend_from_slice(&other.items);
    }

    pub(super) fn get(&self, index: usize) -> &[u32] {
        &self.items[self.range(index)]
    }

    pub(super) fn get_mut(&mut self, index: usize) -> &mut [u32] {
        let range = self.range(index);
        &mut self.items[range]
    }

    /// All items, list after list.
    pub(super) fn items_mut(&mut self) -> &mut [u32] {
        &mut self.items
    }

    fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start as usize..self.ends[index] as usize
    }
}
