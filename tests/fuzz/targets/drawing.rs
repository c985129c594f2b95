//! Drawings: a position that was read is drawn, and read again as the same.

#![no_main]

use fuzz::{boards, seeds};
use libfuzzer_sys::fuzz_target;
use strong4::board::{Board, Position};
use strong4::inside::drawing::DrawingSplitter;

fn read(board: Board, text: &str) {
    match Position::from_drawing(board, text) {
        Ok(position) => {
            assert_eq!(Position::from_drawing(board, &position.to_string()), Ok(position))
        }
        Err(error) => drop(error.to_string()),
    }
}

const SEEDS: [(u8, &str); 5] = [
    (7, ". . . .\n. O . .\nO X X .\n1 2 3 4"),
    (7, ".... .O.. OXX."),
    (1, "X\n1\n\nX, the first player, is to move\n\n."),
    (0, "......./......./......./......./......./...X..."),
    (2, "xxxxxxxxoooooooo................"),
];

fuzz_target!(init: seeds::plant_texts(&SEEDS), |bytes: &[u8]| {
    let Some((board, text)) = boards::take(bytes) else { return };
    let text = String::from_utf8_lossy(text);
    read(board, &text);
    let mut splitter = DrawingSplitter::new(board);
    let drawings: Vec<String> = text.lines().filter_map(|line| splitter.push(line)).collect();
    drawings.iter().for_each(|drawing| read(board, drawing));
    splitter.finish().iter().for_each(|drawing| read(board, drawing));
});
