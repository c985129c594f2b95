//! How much memory is available, amounts of it in words, and what happens when there is no more.

use std::cell::Cell;
use std::fmt;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Bytes available without swapping, where the system says so: `MemAvailable` on Linux, or what the
/// process may still map under a limit (`ulimit -v`).
pub fn available() -> Option<u64> {
    let free = available_in(&fs::read_to_string("/proc/meminfo").ok()?)?;
    Some(allowed().map_or(free, |allowed| free.min(allowed)))
}

/// Bytes that this process may still map; `None` without a limit.
fn allowed() -> Option<u64> {
    let read = |name| fs::read_to_string(Path::new("/proc/self").join(name)).ok();
    allowed_in(&read("limits")?, &read("status")?)
}

fn allowed_in(limits: &str, status: &str) -> Option<u64> {
    let limit = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    let limit: u64 = limit.split_whitespace().next()?.parse().ok()?;
    let mapped = status.lines().find_map(|line| line.strip_prefix("VmSize:"))?;
    Some(limit.saturating_sub(kibibytes(mapped)?))
}

/// Ends the program when it needs memory and gets none.
static LAST_RESORT: OnceLock<fn() -> !> = OnceLock::new();

thread_local! {
    static IS_OPTIONAL: Cell<bool> = const { Cell::new(false) };
}

/// Lets this end the program when memory has run out. Without it, the thread panics.
pub fn set_last_resort(end: fn() -> !) {
    let _ = LAST_RESORT.set(end);
}

/// Called where memory is needed that the system refuses.
pub(crate) fn has_run_out() -> ! {
    match LAST_RESORT.get() {
        Some(end) => end(),
        None => panic!("there is not enough memory"),
    }
}

/// The most bytes that this process should take, and how many it took when freed memory was last
/// returned to the system.
static LIMIT: AtomicU64 = AtomicU64::new(u64::MAX);
static TAKEN_BEFORE: AtomicU64 = AtomicU64::new(0);

/// When the system was last asked how much memory the process takes: the answer takes tens of
/// microseconds.
static LAST_LOOK: Mutex<Option<Instant>> = Mutex::new(None);

/// In this time, small pieces of memory cannot add up to much.
const SOON: Duration = Duration::from_millis(10);

/// From now on, this process should take no more than this many bytes.
pub(crate) fn keep_within(bytes: u64) {
    LIMIT.store(bytes, Ordering::Relaxed);
}

/// Call before allocating `bytes`, or with 0 after many small allocations. The allocator keeps
/// freed memory in gaps too small for large blocks; near the limit it is returned to the system.
pub(crate) fn make_room(bytes: u64) {
    let limit = LIMIT.load(Ordering::Relaxed);
    if limit == u64::MAX {
        return;
    }
    if bytes == 0 && !is_time_to_look() {
        return;
    }
    let Some(taken) = taken() else { return };
    let before = TAKEN_BEFORE.fetch_min(taken, Ordering::Relaxed);
    if is_near(limit, taken.saturating_add(bytes), before) {
        give_back();
        TAKEN_BEFORE.store(self::taken().unwrap_or(taken), Ordering::Relaxed);
    }
}

fn is_time_to_look() -> bool {
    // Another thread that looks is enough.
    let Ok(mut last) = LAST_LOOK.try_lock() else { return false };
    let is_time = last.is_none_or(|last| last.elapsed() >= SOON);
    if is_time {
        *last = Some(Instant::now());
    }
    is_time
}

/// Whether taking this many bytes in all comes near the limit, and enough has been allocated since
/// memory was last returned that returning it again may help.
fn is_near(limit: u64, taking: u64, before: u64) -> bool {
    taking > limit / 8 * 7 && taking > before.saturating_add(limit / 16)
}

/// Bytes of memory that this process takes, where the system says so. Pages of files do not count.
fn taken() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    kibibytes(status.lines().find_map(|line| line.strip_prefix("RssAnon:"))?)
}

/// Returns freed memory to the system, where its allocator would keep it.
fn give_back() {
    #[cfg(all(feature = "tables", target_os = "linux", target_env = "gnu"))]
    // SAFETY: it may be called at any time, by any thread.
    unsafe {
        libc::malloc_trim(0);
    }
}

/// Allocates what may be refused.
pub(crate) fn optional<T>(allocate: impl FnOnce() -> T) -> T {
    IS_OPTIONAL.set(true);
    let allocated = allocate();
    IS_OPTIONAL.set(false);
    allocated
}

/// Whether this thread allocates what may be refused.
pub(crate) fn is_optional() -> bool {
    IS_OPTIONAL.get()
}

fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    kibibytes(line)
}

fn kibibytes(text: &str) -> Option<u64> {
    let number: u64 = text.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1024)
}

/// Bytes in a readable unit, rounded up: `10.4 TiB`, or `10.4TiB` in the alternate form, which
/// options accept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bytes(pub u64);

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [&str; 5] = ["B", "KiB", "MiB", "GiB", "TiB"];
        let power = (self.0.max(1).ilog2() as usize / 10).min(UNITS.len() - 1);
        let blank = if f.alternate() { "" } else { " " };
        let tenths = (u128::from(self.0) * 10).div_ceil(1 << (10 * power));
        match tenths {
            _ if power == 0 => write!(f, "{}{blank}B", self.0),
            1000.. => write!(f, "{}{blank}{}", tenths.div_ceil(10), UNITS[power]),
            _ => write!(f, "{}.{}{blank}{}", tenths / 10, tenths % 10, UNITS[power]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_told_in_a_unit_that_fits() {
        let told = |bytes| Bytes(bytes).to_string();
        assert_eq!([0, 1023, 1024].map(told), ["0 B", "1023 B", "1.0 KiB"]);
        assert_eq!([10_886_771 << 20, 7 << 30].map(told), ["10.4 TiB", "7.0 GiB"]);
        assert_eq!([1025 << 10, 600 << 20].map(told), ["1.1 MiB", "600 MiB"]);
        assert_eq!(format!("{:#}", Bytes(3 << 29)), "1.5GiB");
        assert_eq!(told(u64::MAX), "16777216 TiB");
    }

    #[test]
    fn freed_memory_is_given_back_near_the_limit_and_again_when_there_may_be_more() {
        assert!(is_near(160, 141, 0) && !is_near(160, 140, 0));
        assert!(!is_near(160, 150, 140) && is_near(160, 151, 140));
        if let Some(before) = taken() {
            let bytes = vec![1_u8; 64 << 20];
            assert!(taken().unwrap() > before + (32 << 20), "after {before}");
            drop(bytes);
        }
    }

    #[test]
    fn a_limit_on_addresses_counts_what_is_mapped_already() {
        let limits = |soft: &str| {
            format!(
                "Max cpu time  unlimited  unlimited  seconds\nMax address space         {soft}            unlimited            bytes     \n"
            )
        };
        let status = "Name:\tstrong4\nVmPeak:\t   90000 kB\nVmSize:\t   80000 kB\n";
        assert_eq!(allowed_in(&limits("153600000"), status), Some(153_600_000 - 81_920_000));
        assert_eq!(allowed_in(&limits("1"), status), Some(0));
        for (limits, status) in
            [(limits("unlimited"), status), (limits("7"), ""), (String::new(), status)]
        {
            assert_eq!(allowed_in(&limits, status), None);
        }
    }

    #[test]
    fn the_line_of_the_system_is_understood() {
        let meminfo = "MemTotal:       24624104 kB\nMemAvailable:   24000000 kB\n";
        assert_eq!(available_in(meminfo), Some(24_576_000_000));
        for text in ["", "MemAvailable: lots", "MemAvailable: 12 MB", "MemFree: 1 kB"] {
            assert_eq!(available_in(text), None);
        }
    }
}
