//! Games: a game that was read is written, and read again as the same. It leads to a position that
//! games reach, and that comes back through its key.

#![no_main]

use fuzz::{boards, seeds};
use libfuzzer_sys::fuzz_target;
use strong4::board::{Board, Moves, NotationError};
use strong4::tromp::Key;

fn check(board: Board, moves: Result<Moves, NotationError>) {
    match moves {
        Ok(moves) => {
            let position = moves.position();
            assert_eq!(Key::of(position).decode(board), Ok(*position));
            assert_eq!(Moves::parse(board, &moves.to_string()), Ok(moves));
        }
        Err(error) => drop(error.to_string()),
    }
}

const SEEDS: [(u8, &str); 6] =
    [(0, "4453"), (0, "4,4 5,3"), (2, "1aw9"), (3, "1111"), (8, "9,10"), (4, "12345678")];

fuzz_target!(init: seeds::plant_texts(&SEEDS), |bytes: &[u8]| {
    let Some((board, text)) = boards::take(bytes) else { return };
    let text = String::from_utf8_lossy(text);
    check(board, Moves::parse(board, &text));
    check(board, Moves::parse_loose(board, &text));
});
