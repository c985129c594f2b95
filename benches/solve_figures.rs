//! What does a tier cost, and how far is that from moving its bytes?
//!
//! `cargo bench --bench solve_figures -- 7x4 7x5` prints for each board and tier
//! the time of the sweep; beside it the bytes that have to be moved at least,
//! both planes of every cell and of each of its children once, and how fast that
//! was. A plain copy of memory, on as many threads, says how fast it could be.

use std::time::Instant;

use rayon::prelude::*;
use strong4::board::{Board, Tier};
use strong4::index::{Census, Centre, Class, Index, Tile};
use strong4::sweep::{BackwardSweep, Cpu};

/// Two planes of a bit for each cell.
const BYTES_PER_CELL: f64 = 2.0 / 8.0;

fn main() {
    let named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let mut boards: Vec<Board> = named.map(|name| name.parse().expect("a board")).collect();
    if boards.is_empty() {
        boards.push(Board::new(7, 4).expect("a board"));
    }
    let threads = rayon::current_num_threads();
    println!("{threads} threads, {} kernels", Cpu::widest().form());
    println!("copying memory moves {:.1} GB/s, reading and writing", copy_bandwidth());
    boards.into_iter().for_each(measure);
}

fn measure(board: Board) {
    let start = Instant::now();
    let index = Index::new(board).expect("a board that can be indexed");
    let census = index.census();
    let indexed = start.elapsed().as_secs_f64();
    println!("{board}\ntier    stored cells   seconds  ns/cell  bytes/cell   GB/s");
    let line = |name: &str, cells: u64, bytes: f64, seconds: f64| {
        let (nanoseconds, each) = (1e9 * seconds / cells as f64, bytes / cells as f64);
        let bandwidth = bytes / seconds / 1e9;
        println!(
            "{name:>4} {cells:>15} {seconds:>9.3} {nanoseconds:>8.3} {each:>11.2} {bandwidth:>6.1}"
        );
    };
    let start = Instant::now();
    let mut sweep =
        BackwardSweep::new(&index, Cpu::widest(), Tier(0)).expect("a board that can be solved");
    let (mut seconds, mut cells, mut bytes) = (start.elapsed().as_secs_f64(), 0, 0.0);
    println!("{indexed:.3} s for the index, {seconds:.3} s for move orders and the last tier");
    loop {
        let tier = sweep.outcomes().tier();
        let start = Instant::now();
        if !sweep.advance() {
            break;
        }
        let tier = Tier(tier.0 - 1);
        let (took, moved) = (start.elapsed().as_secs_f64(), bytes_moved(census, tier));
        line(&tier.to_string(), census.stored_cells(tier), moved, took);
        seconds += took;
        cells += census.stored_cells(tier);
        bytes += moved;
    }
    line("sum", cells, bytes, seconds);
}

/// The bytes of the tiles of a tier and of their children, each as often as it
/// is one.
fn bytes_moved(census: &Census, tier: Tier) -> f64 {
    let stone = Class::one(tier.mover());
    let children = |tile: Tile| {
        let left = Tile { left: tile.left.plus(stone), ..tile };
        let right = Tile { right: tile.right.plus(stone), ..tile };
        let centre = census.centre(tile.centre);
        let (height, mover) = (census.board().height(), tier.mover());
        let dropped = |code: strong4::tromp::ColumnCode| {
            (code.stones() < height).then(|| code.dropped(mover))
        };
        let far = dropped(centre.far()).map(|far| Centre::new(centre.near(), far));
        let near = centre.near().and_then(dropped);
        let near = near.map(|near| Centre::new(Some(near), centre.far()));
        let centres = [far, near].into_iter().flatten();
        let beside = centres.filter_map(|centre| census.find_centre(centre));
        let cells = beside.map(|centre| census.tile_cells(Tile { centre, ..tile })).sum::<u64>();
        cells + census.tile_cells(left) + census.tile_cells(right)
    };
    let cells: u64 = census.tiles(tier).map(|tile| census.tile_cells(tile) + children(tile)).sum();
    cells as f64 * BYTES_PER_CELL
}

/// GB/s of reading and writing at once, on all threads.
fn copy_bandwidth() -> f64 {
    const WORDS: usize = 1 << 25;
    let from = vec![1u64; WORDS];
    let mut to = vec![2u64; WORDS];
    let part = WORDS.div_ceil(rayon::current_num_threads());
    let copy = |to: &mut [u64]| {
        let start = Instant::now();
        let parts = to.par_chunks_mut(part).zip(from.par_chunks(part));
        parts.for_each(|(to, from)| to.copy_from_slice(from));
        start.elapsed().as_secs_f64()
    };
    let mut times: Vec<f64> = (0..9).map(|_| copy(&mut to)).collect();
    times.sort_by(f64::total_cmp);
    2.0 * 8.0 * WORDS as f64 / times[times.len() / 2] / 1e9
}
