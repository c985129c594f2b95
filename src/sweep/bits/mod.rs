//! How bits lie in words, and how they move: the bottom of the sweep, which knows nothing of games.
//!
//! ```text
//!     panels    the two planes of a tile, 512 columns at a time
//!     moves     bits move apart under a mask, and from rows to columns
//! ```
//!
//! The words of large buffers lie in pages of their own, and buffers are lent out and reused.

mod moves;
mod panels;

pub(super) use moves::{DepositWord, WINDOW, deposit_words, first_free, transpose_block};
pub use panels::Planes;
pub(super) use panels::{
    FEW_BLOCKS, LINE, MOST_BLOCKS, MatrixShape, PanelTile, Panels, block, blocks_in_frame,
    first_columns, is_plain_for_long, is_plain_in_memory,
};
pub(crate) use panels::{PANEL, PLANES, width};

use std::sync::{Mutex, MutexGuard};

use memmap2::MmapMut;
#[cfg(target_os = "linux")]
use memmap2::UncheckedAdvice;

use crate::memory;

/// Before taking this many bytes or more, it is worth checking whether memory is running out.
const MANY_BYTES: usize = 1 << 22;

/// Bytes of a large page. Memory of this size or more is taken in large pages.
const PAGE: usize = 1 << 21;

/// Memory for words, to be reused. The system clears memory before a process gets it, which takes
/// longer than filling it. So as much of it as possible is kept when more is needed, or less.
#[derive(Default)]
pub(super) struct AlignedWords {
    /// `None` without a word.
    pages: Option<MmapMut>,
    len: usize,
    /// The most words that were in use at a time: no others take memory.
    most: usize,
}

impl AlignedWords {
    /// This many words, all 0.
    pub(super) fn new(len: usize) -> AlignedWords {
        let pages = (len > 0).then(|| {
            let bytes = bytes_in_pages(len);
            make_room(bytes);
            let pages = MmapMut::map_anon(bytes);
            let pages = pages.unwrap_or_else(|_| memory::has_run_out());
            // A hint; without it everything works too, but more slowly.
            #[cfg(target_os = "linux")]
            let _ = pages.advise(memmap2::Advice::HugePage);
            pages
        });
        AlignedWords { pages, len, most: len }
    }

    /// This many words with arbitrary content; grows as needed.
    pub(super) fn resize(&mut self, len: usize) -> &mut [u64] {
        self.reserve(len);
        self.len = len;
        self.most = self.most.max(len);
        self.as_mut_slice()
    }

    /// Lets this many words fit without growing again. They take memory once they are in use.
    pub(super) fn reserve(&mut self, len: usize) {
        if len > self.capacity() {
            self.grow(len.next_power_of_two());
        }
    }

    /// Lets this many words fit, and hardly more.
    pub(super) fn grow(&mut self, len: usize) {
        if len <= self.capacity() {
            return;
        }
        self.len = 0;
        if !self.pages.as_mut().is_some_and(|pages| have_grown(pages, bytes_in_pages(len))) {
            *self = AlignedWords::default();
            *self = AlignedWords { len: 0, most: 0, ..AlignedWords::new(len) };
        }
    }

    /// Gives back to the system what takes more memory than this many words do.
    pub(super) fn free_beyond(&mut self, len: usize) {
        if len < self.most {
            self.len = 0;
            self.most = len;
            if !self.pages.as_mut().is_some_and(|pages| are_freed(pages, bytes_in_pages(len))) {
                *self = AlignedWords::default();
            }
        }
    }

    /// The words that were requested last.
    pub(super) fn as_slice(&self) -> &[u64] {
        &self.all()[..self.len]
    }

    /// The same, to be changed.
    pub(super) fn as_mut_slice(&mut self) -> &mut [u64] {
        // Pages start at a word, and were mapped word by word.
        let words = self.pages.as_deref_mut().map_or(&mut [][..], bytemuck::cast_slice_mut);
        &mut words[..self.len]
    }

    /// The number of words that fit without growing.
    pub(super) fn capacity(&self) -> usize {
        self.all().len()
    }

    /// Bytes that it has.
    pub(super) fn bytes(&self) -> u64 {
        size_of_val(self.all()) as u64
    }

    /// Bytes of memory that it takes, since they have been in use.
    pub(super) fn touched(&self) -> u64 {
        (self.most * size_of::<u64>()) as u64
    }

    /// All words that fit without growing.
    fn all(&self) -> &[u64] {
        self.pages.as_deref().map_or(&[][..], bytemuck::cast_slice)
    }
}

/// The bytes that are taken for this many words.
fn bytes_in_pages(len: usize) -> usize {
    let bytes = len * size_of::<u64>();
    if bytes < PAGE { bytes } else { bytes.next_multiple_of(PAGE) }
}

/// Called before this many bytes are taken.
fn make_room(bytes: usize) {
    if bytes >= MANY_BYTES {
        memory::make_room(bytes as u64);
    }
}

/// Grows these pages to this many bytes, moving them if need be. Returns whether this system can.
#[cfg(target_os = "linux")]
fn have_grown(pages: &mut MmapMut, bytes: usize) -> bool {
    make_room(bytes - pages.len());
    let may_move = memmap2::RemapOptions::new().may_move(true);
    // SAFETY: nobody else borrows the pages, so nobody misses those that move.
    unsafe { pages.remap(bytes, may_move) }.is_ok()
}

/// Frees the memory of all pages from byte `from` on. Returns whether this system can.
#[cfg(target_os = "linux")]
fn are_freed(pages: &mut MmapMut, from: usize) -> bool {
    let rest = pages.len().saturating_sub(from);
    // SAFETY: nobody else borrows the pages, and words may become 0.
    from > 0
        && unsafe { pages.unchecked_advise_range(UncheckedAdvice::DontNeed, from, rest) }.is_ok()
}

#[cfg(not(target_os = "linux"))]
fn have_grown(_: &mut MmapMut, _: usize) -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
fn are_freed(_: &mut MmapMut, _: usize) -> bool {
    false
}

/// Things that are lent out one at a time, and made when none is free. A thread mostly gets what it
/// gave back, so threads do not wait for each other. Large things are best boxed, as they are
/// moved.
pub(super) struct Pool<T>([FreeThings<T>; Pool::<()>::PLACES]);

/// Things that threads have given back, in cache lines of their own.
#[repr(align(128))]
struct FreeThings<T>(Mutex<Vec<T>>);

impl Pool<()> {
    const PLACES: usize = 32;
}

impl<T> Default for Pool<T> {
    fn default() -> Pool<T> {
        Pool(std::array::from_fn(|_| FreeThings(Mutex::default())))
    }
}

impl<T: Default> Pool<T> {
    /// Calls `work` with a thing that nobody else uses meanwhile.
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut T) -> R) -> R {
        let mut thing = self.take();
        let done = work(&mut thing);
        self.give_back(thing);
        done
    }

    /// Lends a thing to somebody who will give it back.
    pub(super) fn take(&self) -> T {
        let (others, from_here) = self.0.split_at(here());
        let mut places = from_here.iter().chain(others);
        places.find_map(|place| place.lock().pop()).unwrap_or_default()
    }

    /// Takes a thing back.
    pub(super) fn give_back(&self, thing: T) {
        self.0[here()].lock().push(thing);
    }

    /// Frees what is not lent out.
    pub(super) fn clear(&self) {
        self.0.iter().for_each(|place| place.lock().clear());
    }
}

/// Where this thread looks first.
fn here() -> usize {
    rayon::current_thread_index().unwrap_or(0) % Pool::<()>::PLACES
}

impl<T> FreeThings<T> {
    fn lock(&self) -> MutexGuard<'_, Vec<T>> {
        // Nothing panics while it is locked.
        self.0.lock().expect("no thread has panicked")
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn words_begin_at_the_start_of_a_line() {
        let mut words = AlignedWords::default();
        assert!(words.as_slice().is_empty() && words.as_mut_slice().is_empty());
        for len in [0, 1, 100, 7, 1 << 20, 3] {
            let some = words.resize(len);
            assert_eq!((some.len(), some.as_ptr() as usize % 64 * len.min(1)), (len, 0));
            some.fill(!0);
            assert_eq!(words.as_slice().len(), len);
        }
        words.reserve(1 << 21);
        let kept = if cfg!(target_os = "linux") { 1 << 23 } else { 0 };
        assert_eq!((words.as_slice().len(), words.touched()), (0, kept));
        let start = words.resize(10).as_ptr();
        assert_eq!((words.resize(1 << 21).as_ptr(), words.touched()), (start, 1 << 24));
        assert!(AlignedWords::new(1000).as_slice().iter().all(|word| *word == 0));
    }

    #[test]
    fn memory_is_kept_when_more_is_needed_or_less() {
        // Half a large page.
        const HALF: usize = PAGE / size_of::<u64>() / 2;
        let mut words = AlignedWords::default();
        for (halves, capacity) in [(1, 1), (3, 4), (2, 4), (7, 8), (4, 8), (40, 40)] {
            words.grow(halves * HALF);
            assert_eq!(words.capacity(), capacity * HALF);
            words.resize(halves * HALF).fill(1);
        }
        assert_eq!(words.touched(), 20 * PAGE as u64);
        words.free_beyond(50 * HALF);
        assert_eq!((words.as_slice().len(), words.touched()), (40 * HALF, 20 * PAGE as u64));
        words.free_beyond(5 * HALF);
        if cfg!(target_os = "linux") {
            assert_eq!((words.capacity(), words.touched()), (40 * HALF, 5 * PAGE as u64 / 2));
            let (kept, freed) = words.resize(40 * HALF).split_at(6 * HALF);
            assert!(kept.iter().all(|word| *word == 1) && freed.iter().all(|word| *word == 0));
        }
        words.free_beyond(0);
        assert_eq!((words.capacity(), words.touched()), (0, 0));
    }

    #[test]
    fn what_is_free_is_lent_to_whoever_asks_and_there_is_never_more_than_was_in_use() {
        let (made, pool) = (AtomicUsize::new(0), Pool::default());
        let lend = |work: &(dyn Fn() + Sync)| {
            pool.with(|number: &mut usize| {
                if *number == 0 {
                    *number = made.fetch_add(1, Ordering::Relaxed) + 1;
                }
                work();
            });
        };
        lend(&|| lend(&|| {}));
        // One after the other, on any thread.
        let threads = rayon::ThreadPoolBuilder::new().num_threads(40).build().unwrap();
        for _ in 0..100 {
            threads.install(|| lend(&|| {}));
        }
        assert_eq!(made.load(Ordering::Relaxed), 2);
        // All at once: 40 and what is still out.
        lend(&|| {
            let all = std::sync::Barrier::new(40);
            threads.broadcast(|_| lend(&|| _ = all.wait()));
        });
        assert_eq!(made.load(Ordering::Relaxed), 41);
        let (first, second) = (pool.take(), pool.take());
        assert!(first != second && first * second > 0);
        pool.give_back(first);
        pool.clear();
        assert_eq!(pool.take(), 0);
    }
}
