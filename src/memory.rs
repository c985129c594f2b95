//! How much memory the machine has to spare.

use std::fs;

/// Bytes that could be used now without swapping, where the system tells:
/// `MemAvailable` of Linux.
pub fn available() -> Option<u64> {
    available_in(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn available_in(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_of_the_system_is_understood() {
        let meminfo = "MemTotal:       24624104 kB\nMemAvailable:   24000000 kB\n";
        assert_eq!(available_in(meminfo), Some(24_576_000_000));
        for text in ["", "MemAvailable: lots", "MemAvailable: 12 MB", "MemFree: 1 kB"] {
            assert_eq!(available_in(text), None);
        }
    }
}
