//! The blocks that a thread decoded last.
//!
//! The positions that a search looks up are neighbours: children of one position, whose sides
//! differ in one stone. So the next cell is often in a block that was just decoded.

use std::cell::RefCell;

use super::super::format::{BlockNumber, BlockShape, Decoder, MOST_STORED};

/// Blocks that each thread keeps: at most eight megabytes, enough for all blocks of the first tiers
/// of 7x6, which a guided search looks up again and again.
const KEPT: usize = 256;

/// Identifies a table among all that this process has opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableId(pub u64);

/// What a thread needs to decode blocks.
pub(super) struct Workshop {
    pub decoder: Decoder,
    /// A buffer for the stored bytes of a block.
    pub stored: Vec<u8>,
    /// A buffer for the decoded bytes of a block.
    pub plain: Vec<u8>,
}

impl Default for Workshop {
    fn default() -> Workshop {
        let (stored, plain) = (vec![0; MOST_STORED], vec![0; BlockShape::LARGEST.bytes()]);
        Workshop { decoder: Decoder::new(), stored, plain }
    }
}

struct Cache {
    workshop: Workshop,
    blocks: Vec<Kept>,
    clock: u64,
}

struct Kept {
    block: Option<(TableId, BlockNumber)>,
    used: u64,
    bytes: Vec<u8>,
}

thread_local! {
    static CACHE: RefCell<Cache> = RefCell::new(Cache {
        workshop: Workshop::default(),
        blocks: Vec::with_capacity(KEPT),
        clock: 0,
    });
}

/// Calls `read` with the bytes of a block, which `decode` leaves in the workshop, now or when the
/// block was last decoded.
pub(super) fn with_block<R, E>(
    block: (TableId, BlockNumber),
    decode: impl FnOnce(&mut Workshop) -> Result<(), E>,
    read: impl FnOnce(&[u8]) -> R,
) -> Result<R, E> {
    CACHE.with_borrow_mut(|cache| {
        cache.clock += 1;
        let at = match cache.blocks.iter().position(|kept| kept.block == Some(block)) {
            Some(at) => at,
            None => {
                decode(&mut cache.workshop)?;
                let at = cache.least_recent();
                cache.blocks[at].block = Some(block);
                std::mem::swap(&mut cache.blocks[at].bytes, &mut cache.workshop.plain);
                at
            }
        };
        cache.blocks[at].used = cache.clock;
        Ok(read(&cache.blocks[at].bytes))
    })
}

impl Cache {
    /// A slot for a new block.
    fn least_recent(&mut self) -> usize {
        if self.blocks.len() < KEPT {
            let bytes = vec![0; BlockShape::LARGEST.bytes()];
            self.blocks.push(Kept { block: None, used: 0, bytes });
            return self.blocks.len() - 1;
        }
        (0..KEPT).min_by_key(|at| self.blocks[*at].used).expect("there are some")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_decoded_again_only_when_many_others_came_between() {
        let mut decoded = Vec::new();
        let mut ask = |table, block: u64| {
            let decode = |workshop: &mut Workshop| {
                decoded.push((table, block));
                workshop.plain.fill(block as u8);
                Ok::<(), ()>(())
            };
            let first = |bytes: &[u8]| bytes[0];
            let read = with_block((TableId(table), BlockNumber(block)), decode, first);
            assert_eq!(read, Ok(block as u8));
        };
        let kept = KEPT as u64;
        for block in (0..kept).chain(0..kept) {
            ask(u64::MAX, block);
        }
        ask(u64::MAX, kept);
        ask(u64::MAX, 1);
        ask(u64::MAX, 0);
        ask(u64::MAX - 1, 0);
        let expected = (0..kept + 1).chain([0]).map(|block| (u64::MAX, block));
        assert!(decoded.into_iter().eq(expected.chain([(u64::MAX - 1, 0)])));
        let failed = with_block((TableId(u64::MAX), BlockNumber(999)), |_| Err(7), |_| ());
        assert_eq!(failed, Err(7));
    }
}
