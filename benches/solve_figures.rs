//! The cost of a tier, compared with that of moving its bytes.
//!
//! `cargo bench --bench solve_figures -- 7x4 7x5` prints, for each board and tier, the time of the
//! sweep per cell. It also prints the bytes that have to be moved at least, where both planes of
//! every cell are written once and read twice, and how fast that was. A plain copy of memory, on
//! equally many threads, shows how fast it could be, and the shares of each kind of work show where
//! the rest of the time goes. Nothing is written: what is kept stays in memory, unless the board is
//! named `7x5+files`: then it goes to files, packed quickly. The games of `7x5-20` are cut off after
//! ply 20.

use std::time::Instant;

use rayon::prelude::*;
use strong4::board::{Board, Tier};
use strong4::inside::index::Index;
use strong4::inside::sweep::{
    Cpu, End, Extent, FolderSweep, MemorySweep, Scope, Start, TierWork, Work, WorkTimes,
};

/// Two planes of a bit for each cell.
const BYTES_PER_CELL: f64 = 2.0 / 8.0;

/// How often the planes of a cell are moved: written once, read from its row and its column.
const MOVED: f64 = 3.0;

fn main() {
    let named = std::env::args().skip(1).filter(|argument| !argument.starts_with('-'));
    let mut boards: Vec<String> = named.collect();
    if boards.is_empty() {
        boards.push("7x4".to_owned());
    }
    let threads = rayon::current_num_threads();
    println!("{threads} threads, {} kernels", Cpu::widest());
    let copying = copy_bandwidth();
    println!("copying memory moves {copying:.1} GB/s, reading and writing");
    boards.into_iter().for_each(|board| measure(&board, copying));
}

fn measure(named: &str, copying: f64) {
    let plain = named.strip_suffix("+files");
    let (board, ply) = match plain.unwrap_or(named).split_once('-') {
        Some((board, ply)) => {
            (board, Some(Tier::new(ply.parse().expect("a ply")).expect("a tier")))
        }
        None => (plain.unwrap_or(named), None),
    };
    let board: Board = board.parse().expect("a board");
    let start = Instant::now();
    let index = Index::new(board).expect("a board that can be indexed");
    let census = index.census();
    let indexed = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let extent = Extent::new(index.census(), Scope::InDoubt);
    let full_board = End::full_board(board);
    let end =
        ply.map_or(full_board, |ply| End::cut_off(&extent, ply).expect("a ply before the last"));
    let tiers = end.tiers(Tier::new(0).unwrap());
    let began = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let work = if plain.is_some() { in_files(&extent, end) } else { in_memory(&extent, end) };
    let swept = start.elapsed().as_secs_f64();
    println!(
        "\n{named}: {indexed:.3} s for the index, {began:.3} s for sizes, {swept:.3} s for the rest"
    );
    println!("{}", Figures::head());
    let mut all = Figures::default();
    for tier in tiers.iter().rev() {
        let work = work[tier.stones()];
        let figures = Figures {
            cells: extent.sizes().cells(tier),
            tiles: census.tiles(tier).count(),
            bytes: extent.sizes().cells(tier) as f64 * BYTES_PER_CELL * MOVED,
            seconds: work.seconds,
            times: work.times,
        };
        println!("{}", figures.line(&tier.to_string(), copying));
        all = all.plus(figures);
    }
    println!("{}", Figures { seconds: swept, ..all }.line("sum", copying));
}

fn in_memory(extent: &Extent, end: End) -> Vec<TierWork> {
    let sweep = MemorySweep::new(extent, Cpu::widest(), end, Tier::new(0).unwrap());
    let mut sweep = sweep.expect("a board that can be solved");
    sweep.take_time();
    while sweep.advance(&()).expect("nothing is written") {}
    sweep.work().to_vec()
}

fn in_files(extent: &Extent, end: End) -> Vec<TierWork> {
    let folder = tempfile::tempdir().expect("a folder");
    let (start, cpu) = (Start::AtEnd(end), Cpu::widest());
    let sweep =
        FolderSweep::new(extent, cpu, start, Tier::new(0).unwrap(), folder.path(), 0, u64::MAX);
    let mut sweep = sweep.expect("a board that can be solved");
    sweep.take_time();
    sweep.solve_in_order(&()).expect("room for what is kept")
}

/// The figures of a tier, or of all of them.
#[derive(Clone, Copy, Default)]
struct Figures {
    cells: u64,
    tiles: usize,
    bytes: f64,
    seconds: f64,
    times: WorkTimes,
}

impl Figures {
    fn plus(self, other: Figures) -> Figures {
        Figures {
            cells: self.cells + other.cells,
            tiles: self.tiles + other.tiles,
            bytes: self.bytes + other.bytes,
            seconds: self.seconds + other.seconds,
            times: self.times.plus(other.times),
        }
    }

    fn head() -> String {
        let works = Work::ALL.map(|work| format!("{:>7}", work.name())).concat();
        format!(
            "tier         cells   tiles   seconds  ns/cell  bytes/cell   GB/s  x copy{works}   else"
        )
    }

    /// One line of the table. The shares are of the time of all threads, and `else` is what they
    /// spend waiting for each other.
    fn line(self, name: &str, copying: f64) -> String {
        let Figures { cells, tiles, bytes, seconds, times } = self;
        let bandwidth = bytes / seconds / 1e9;
        let of_all = |seconds: f64| {
            format!(
                "{:>6.1}%",
                100.0 * seconds / self.seconds / rayon::current_num_threads() as f64
            )
        };
        let works = Work::ALL.map(|work| of_all(times.of(work).as_secs_f64())).concat();
        let waiting = seconds * rayon::current_num_threads() as f64 - times.sum().as_secs_f64();
        format!(
            "{name:>4} {cells:>13} {tiles:>7} {seconds:>9.4} {:>8.3} {:>11.2} {bandwidth:>6.1} \
             {:>7.1}{works}{}",
            1e9 * seconds / cells as f64,
            bytes / cells as f64,
            copying / bandwidth,
            of_all(waiting)
        )
    }
}

/// GB/s of simultaneous reading and writing, on all threads.
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
