//! A piece: label, seal, directory, and the blocks, which go into tables.

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
        let file = folder.put("piece", bytes);
        let read = strong4::fuzzing::piece(&file, census, batch as usize, folder.path());
        if let Err(error) = read {
            drop(error.to_string());
        }
    });
}

fuzz_target!(init: seeds::plant(seeds::pieces), |bytes: &[u8]| {
    read(bytes);
    let mut bytes = bytes.to_vec();
    if let Some((label, _)) = bytes.split_first_chunk::<64>() {
        let tiers = boards::small([label[13], label[14]]).board().cells() + 1;
        fit::sealed(&mut bytes, |directory, body| fit::piece(directory, body, tiers));
        read(&bytes);
    }
});
