//! Keys, as text and as numbers: a key decodes to the position with this key.

#![no_main]

use fuzz::{boards, seeds};
use libfuzzer_sys::fuzz_target;
use strong4::board::Board;
use strong4::tromp::Key;

fn read(board: Board, key: Key) {
    assert_eq!(key.to_string().parse(), Ok(key));
    match key.decode_stones(board) {
        Ok(position) => {
            assert_eq!(Key::of(&position), key);
            assert_eq!(position.mirror().mirror(), position);
        }
        Err(error) => drop(error.to_string()),
    }
    match key.decode(board) {
        Ok(position) => assert_eq!(Key::of(&position), key),
        Err(error) => drop(error.to_string()),
    }
}

const SEEDS: [(u8, &str); 4] =
    [(0, "4433219977345"), (1, "3"), (3, "9223372036854775807"), (7, "4369")];

fuzz_target!(init: seeds::plant_texts(&SEEDS), |bytes: &[u8]| {
    let Some((board, bytes)) = boards::take(bytes) else { return };
    match String::from_utf8_lossy(bytes).parse() {
        Ok(key) => read(board, key),
        Err(error) => drop(error.to_string()),
    }
    if let Some((number, _)) = bytes.split_first_chunk() {
        read(board, Key(u64::from_le_bytes(*number)));
    }
});
