//! An allocator that ends the process if somebody wants far more than small files need.

use std::alloc::{GlobalAlloc, Layout, System};

/// More than any reader may ask for at once.
const TOO_MUCH: usize = 64 << 20;

/// The allocator of the system, for small wants.
pub struct Bounded;

fn check(bytes: usize) {
    if bytes > TOO_MUCH {
        // A message would have to be allocated.
        std::process::abort();
    }
}

// SAFETY: everything is handed on to the allocator of the system as it is.
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
