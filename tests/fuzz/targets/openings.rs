//! Openings: in sound ones, each entry is found again.

#![no_main]

use fuzz::seeds;
use libfuzzer_sys::fuzz_target;
use strong4::board::{Board, Position};
use strong4::query::Openings;

fn read(openings: Openings, board: Board) {
    let sound = openings.validate();
    for (key, score) in openings.iter_further() {
        let position = key.decode(board);
        if let (Ok(()), Ok(position)) = (&sound, &position)
            && position.tier() > openings.last_tier()
        {
            assert_eq!(openings.score(position), score);
        }
        let _ = position.map(|position| openings.score(&position));
    }
    let _ = openings.score(&Position::empty(board));
    sound.err().iter().for_each(|error| drop(error.to_string()));
}

fuzz_target!(init: seeds::plant(seeds::openings), |bytes: &[u8]| {
    let leaked: *mut [u8] = Box::into_raw(bytes.into());
    // SAFETY: these bytes are ours until they are freed below, when the openings are gone.
    let bytes: &'static [u8] = unsafe { &*leaked };
    if let Ok(openings) = Openings::parse(bytes) {
        let board = Board::new(bytes[5].into(), bytes[6].into()).expect("it was accepted");
        read(openings, board);
    }
    // SAFETY: they were made above, and nothing reads them any more.
    drop(unsafe { Box::from_raw(leaked) });
});
