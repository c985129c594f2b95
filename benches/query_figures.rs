//! The cost of an answer.
//!
//! `cargo bench --bench query_figures -- FOLDER FILE` takes the positions in FILE, as
//! `strong4 sample --csv` prints them, of the board whose tables are in FOLDER, and prints for each
//! tier, on one thread:
//!
//! ```text
//!     outcomes/s        positions per second: win, draw or loss of each and of all its moves
//!     moves µs, worst   the exact score of each move of a position
//!     alone µs, worst   the exact score of a position without tables and openings, from 14
//!                       stones on; both must be equal
//! ```
//!
//! and on all threads:
//!
//! ```text
//!     scores/s          exact scores of positions per second
//! ```
//!
//! and finally the mean over the tiers. Everything is asked for twice, and the second time counts.
//! By then the system has cached the tables and the lists of the index exist, but no block is
//! decoded and nothing is learnt, because each time begins with new sessions.

use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use strong4::board::{Board, Moves, Position, Tier};
use strong4::inside::index::Finder;
use strong4::inside::probe::TableProbe;
use strong4::inside::session::Session;
use strong4::inside::table::{Tables, board_of};
use strong4::query::{Question, Value};

const SCORE: Question =
    Question { outcome_only: false, limit: None, whole_line: false, stop: None, threads: None };
const OUTCOME: Question = Question { outcome_only: true, ..SCORE };
/// With fewer stones, a search without tables takes seconds.
const ALONE_FROM: Tier = Tier::new(14).unwrap();

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    let [folder, file] = &arguments[..] else {
        return println!(
            "a folder and a file are needed: see the head of benches/query_figures.rs"
        );
    };
    let folder = Path::new(folder);
    let board = board_of(folder).expect("a folder of tables");
    let positions = positions(board, file);
    let finder = Arc::new(Finder::new(board).expect("a board with an index"));
    let tables = Arc::new(Tables::open(folder, finder.census()));
    let session = || Session::new(board).with_tables(TableProbe::new(&finder, &tables));
    let threads = thread::available_parallelism().map_or(1, usize::from);

    println!("tier  positions  outcomes/s  moves µs  worst µs  scores/s  alone µs  worst µs");
    let (mut means, mut alone_means) = (Vec::new(), Vec::new());
    for positions in positions.chunk_by(|one, next| one.tier() == next.tier()) {
        let tier = positions[0].tier();
        let outcomes = twice(|| {
            let (mut time, mut asked) = (Duration::default(), session());
            for position in positions {
                time.time(|| asked.analyze(position, OUTCOME).expect("sound tables"));
            }
            time
        });
        let moves = twice(|| {
            let (mut time, mut asked) = (Duration::default(), session());
            for position in positions {
                let told = time.time(|| asked.answer(position, SCORE).expect("sound tables"));
                assert!(told.columns.iter().flatten().all(|value| value.score().is_some()));
            }
            time
        });
        let values = || {
            let shares = positions.chunks(positions.len().div_ceil(threads));
            thread::scope(|scope| {
                let asked = |share: &[Position]| {
                    let mut asked = session();
                    let value = |p: &Position| asked.value(p, SCORE).expect("sound tables");
                    share.iter().map(value).collect::<Vec<Value>>()
                };
                let shares: Vec<_> =
                    shares.map(|share| scope.spawn(move || asked(share))).collect();
                let told = shares.into_iter().map(|share| share.join().expect("sound tables"));
                told.collect::<Vec<_>>().concat()
            })
        };
        values();
        let start = Instant::now();
        let values = values();
        let scores = positions.len() as f64 / start.elapsed().as_secs_f64();
        let mut alone = Duration::default();
        if tier >= ALONE_FROM {
            let mut asked = Session::new(board).without_openings();
            for (position, value) in positions.iter().zip(&values) {
                let found = alone.time(|| asked.value(position, SCORE).expect("no tables"));
                assert_eq!(found, *value, "\n{position}");
            }
            alone_means.push(alone.mean());
        }
        means.push(moves.mean());
        println!(
            "{tier:>4} {:>10} {:>11.0} {:>9.1} {:>9.0} {:>9.0} {:>9.1} {:>9.0}",
            positions.len(),
            1e6 / outcomes.mean(),
            moves.mean(),
            moves.worst,
            scores,
            alone.mean(),
            alone.worst
        );
    }
    let mean = |numbers: Vec<f64>| numbers.iter().sum::<f64>() / numbers.len().max(1) as f64;
    println!("mean {:>32.1} {:>29.1}", mean(means), mean(alone_means));
}

/// The second of two times, on a thread that has not decoded any block.
fn twice(work: impl Fn() -> Duration + Sync) -> Duration {
    let once = || thread::scope(|scope| scope.spawn(&work).join().expect("sound tables"));
    once();
    once()
}

/// A sum of microseconds, and the number of its terms.
#[derive(Default)]
struct Duration {
    sum: f64,
    worst: f64,
    count: f64,
}

impl Duration {
    fn time<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let start = Instant::now();
        let result = work();
        let took = 1e6 * start.elapsed().as_secs_f64();
        (self.sum, self.worst) = (self.sum + took, self.worst.max(took));
        self.count += 1.0;
        result
    }

    fn mean(&self) -> f64 {
        if self.count == 0.0 { 0.0 } else { self.sum / self.count }
    }
}

/// The positions after the games in the second column of a file, without its header.
fn positions(board: Board, file: &str) -> Vec<Position> {
    let text = std::fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let position = |line: &str| {
        let moves = Moves::parse(board, line.split(',').nth(1)?).ok()?;
        Some(*moves.position())
    };
    text.lines().skip(1).map(|line| position(line).unwrap_or_else(|| panic!("{line}"))).collect()
}
