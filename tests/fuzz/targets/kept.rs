//! What a batch passes on: label, seal, directory, and every block, which all kernels unpack alike.

#![no_main]

use fuzz::{boards, files::Folder, fit, seeds};
use libfuzzer_sys::fuzz_target;

thread_local! {
    static FOLDER: Folder = Folder::default();
}

fn read(bytes: &[u8]) {
    let Some((label, _)) = bytes.split_first_chunk::<64>() else { return };
    let census = boards::small([label[13], label[14]]);
    let batch = u32::from_le_bytes([label[20], label[21], label[22], label[23]]);
    FOLDER.with(|folder| {
        let file = folder.put("kept", bytes);
        if let Err(error) = strong4::fuzzing::kept(&file, census, batch as usize) {
            drop(error.to_string());
        }
    });
}

fuzz_target!(init: seeds::plant(seeds::kept), |bytes: &[u8]| {
    read(bytes);
    let mut bytes = bytes.to_vec();
    fit::sealed(&mut bytes, fit::kept);
    read(&bytes);
});
