//! An allocator that aborts the process if it asks for far more than small files need.

use std::alloc::{GlobalAlloc, Layout, System};

/// More than any reader may allocate at once.
const TOO_MUCH: usize = 64 << 20;

/// The allocator of the system, for small requests only.
pub struct Bounded;

fn check(bytes: usize) {
    if bytes > TOO_MUCH {
        // A message would have to be allocated.
        std::process::abort();
    }
}

// SAFETY: everything is passed to the allocator of the system unchanged.
unsafe impl GlobalAlloc for Bounded {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        check(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        check(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        check(bytes);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, bytes) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
