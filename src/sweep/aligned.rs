//! Words in pages of their own: rows of eight never straddle a cache line, and
//! where the system has huge pages, the first touch of a gigabyte takes about five
//! hundred faults instead of a quarter of a million.

use memmap2::MmapMut;

/// Memory for words, to be reused.
#[derive(Default)]
pub(super) struct AlignedWords {
    /// `None` until there is room for a word.
    pages: Option<MmapMut>,
    len: usize,
}

impl AlignedWords {
    /// This many words, all 0.
    pub fn new(len: usize) -> AlignedWords {
        let pages = (len > 0).then(|| {
            let pages = MmapMut::map_anon(len * size_of::<u64>()).expect("memory for words");
            // A hint; without it everything works too, but more slowly.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            pages
        });
        AlignedWords { pages, len }
    }

    /// This many words with arbitrary content; grows as needed.
    pub fn room(&mut self, len: usize) -> &mut [u64] {
        if len > self.all().len() {
            *self = AlignedWords::new(len.next_power_of_two());
        }
        self.len = len;
        self.as_mut_slice()
    }

    /// The words that were requested last.
    pub fn as_slice(&self) -> &[u64] {
        &self.all()[..self.len]
    }

    /// The same, to be changed.
    pub fn as_mut_slice(&mut self) -> &mut [u64] {
        // Pages start at a word, and were mapped word by word.
        let words = self.pages.as_deref_mut().map_or(&mut [][..], bytemuck::cast_slice_mut);
        &mut words[..self.len]
    }

    /// All words that there is room for.
    fn all(&self) -> &[u64] {
        self.pages.as_deref().map_or(&[][..], bytemuck::cast_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_from_the_start_of_a_line() {
        let mut words = AlignedWords::default();
        assert!(words.as_slice().is_empty() && words.as_mut_slice().is_empty());
        for len in [0, 1, 100, 7, 1 << 20, 3] {
            let room = words.room(len);
            assert_eq!((room.len(), room.as_ptr() as usize % 64 * len.min(1)), (len, 0));
            room.fill(!0);
            assert_eq!(words.as_slice().len(), len);
        }
        assert!(AlignedWords::new(1000).as_slice().iter().all(|word| *word == 0));
    }
}
