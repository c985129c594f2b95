//! A plan file: what is accepted is read back as it was written.

#![no_main]

use fuzz::seeds;
use libfuzzer_sys::fuzz_target;

fuzz_target!(init: seeds::plant(seeds::plan_files), |bytes: &[u8]| {
    strong4::fuzzing::plan_file(&String::from_utf8_lossy(bytes));
});
