//! The allocator of the program: that of the system, except that a program out of memory says so
//! and ends, instead of being aborted by the standard library.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

use strong4::memory;

use super::exit::Exit;

const WORDS: &str = "strong4: error: there is not enough memory: take fewer --threads or a smaller \
    board, or raise the limit shown by 'ulimit -v'\n";

/// The allocator of the program.
#[derive(Debug)]
pub struct Allocator;

// SAFETY: the system's allocator does all of it. What it refuses is passed on as it is, or ends the
// program.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of this function, which are those of the system's.
        given(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the promises of this function, which are those of the system's.
        given(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the promises of this function, which are those of the system's.
        given(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the promises of this function, which are those of the system's.
        unsafe { System.dealloc(block, layout) }
    }
}

fn given(block: *mut u8) -> *mut u8 {
    if block.is_null() && !memory::is_optional() {
        end();
    }
    block
}

/// Says that there is not enough memory, and ends the program. Allocates nothing, and waits for no
/// lock.
pub(super) fn end() -> ! {
    static IS_SAID: AtomicBool = AtomicBool::new(false);
    // Other threads may run out of memory at the same time.
    while IS_SAID.swap(true, Relaxed) {
        thread::yield_now();
    }
    #[cfg(unix)]
    // SAFETY: the bytes are there, and nothing of the program runs afterwards.
    unsafe {
        libc::write(libc::STDERR_FILENO, WORDS.as_ptr().cast(), WORDS.len());
        libc::_exit(Exit::Bad as i32);
    }
    #[cfg(not(unix))]
    {
        use std::io::Write;
        let _ = std::io::stderr().write_all(WORDS.as_bytes());
        std::process::exit(Exit::Bad as i32);
    }
}
