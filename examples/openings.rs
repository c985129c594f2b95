//! Writes the openings that are built into the program, from the tables of a board.
//!
//! ```text
//!     cargo run --release --example openings -- tables/7x6 6 data/openings_7x6.bin
//! ```
//!
//! writes the scores of tiers 0 to 6, and of what can be played along a best line. Only the last tier is searched, guided by the
//! tables, on all cores; those before it follow. Each score is noted in a file beside
//! the one to write, `.found` after its name, as soon as it is found: stopped at any
//! moment, the same command goes on. How far it is, it tells on standard error.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, bail};
use strong4::board::{Board, Column, Position, Status, Tier};
use strong4::index::Finder;
use strong4::oracle::Oracle;
use strong4::query::{Expert, Openings};
use strong4::search::Score;
use strong4::table::{Tables, board_of};
use strong4::tromp::Key;

/// Bytes of the table of each thread's search.
const SEARCH_BYTES: usize = 1 << 29;

/// The line is followed to so many stones.
const LINE_TO: Tier = Tier(16);

/// Neighbours share much of what is searched: so many go to the same thread.
const NEIGHBOURS: usize = 64;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [folder, last, file] = &arguments[..] else {
        bail!("expected a folder of tables, the last tier, and a file to write");
    };
    let folder = Path::new(folder);
    let board = board_of(folder).context("expected a folder of tables")?;
    let last = Tier(last.parse().context("expected a tier")?);
    let found = PathBuf::from(format!("{file}.found"));

    let known = read_found(&found)?;
    let positions = Openings::to_search(board, last);
    let unknown: Vec<_> = positions.iter().filter(|(key, _)| !known.contains_key(key)).collect();
    let notes = OpenOptions::new().create(true).append(true).open(&found)?;
    let notes = Mutex::new((known, notes));

    let finder = Finder::new(board)?;
    let tables = Tables::open(folder, finder.census());
    let next = AtomicUsize::new(0);
    let chunks: Vec<_> = unknown.chunks(NEIGHBOURS).collect();
    let work = || -> anyhow::Result<()> {
        let oracle = Oracle::new(&finder, &tables);
        let mut expert = Expert::new(board).without_openings().with_tables(oracle);
        expert.search_in(SEARCH_BYTES);
        while let Some(chunk) = chunks.get(next.fetch_add(1, Relaxed)) {
            for (key, position) in *chunk {
                let (value, _) = expert.value(position, Default::default())?;
                let score = value.score().expect("a search without a limit finds the score");
                let (known, notes) = &mut *notes.lock().expect("no thread panicked");
                known.insert(*key, score);
                writeln!(notes, "{key} {score}").context("can not note a score")?;
                if known.len().is_multiple_of(100) {
                    eprintln!("{} of {}", known.len(), positions.len());
                }
            }
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..rayon::current_num_threads()).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| thread.join().expect("no thread panicked"))
    })?;

    let (known, _) = notes.into_inner().expect("no thread panicked");
    let mut expert = Expert::new(board).without_openings();
    expert = expert.with_tables(Oracle::new(&finder, &tables));
    let further = along_a_line(board, &known, &mut expert)?;
    let bytes = Openings::build(board, last, &known, &further).context("a score is missing")?;
    fs::write(file, bytes).with_context(|| file.clone())?;
    fs::remove_file(found).context("can not remove the notes")
}

/// What can be played along a best line from the empty board, with scores, until a search
/// goes on from there in no time. Of moves that are as good, the line takes the one nearest to the
/// middle, and of two such the left one.
fn along_a_line(
    board: Board,
    known: &HashMap<Key, Score>,
    expert: &mut Expert,
) -> anyhow::Result<Vec<(Position, Score)>> {
    let from_middle = |column: Column| (2 * column.index() + 1).abs_diff(board.width());
    let (mut position, mut further) = (Position::empty(board), Vec::new());
    while position.tier() < LINE_TO && position.status() == Status::Open {
        let mut best = None;
        for (column, child) in position.children() {
            let keys = [Key::of(&child), Key::of(&child.mirror())];
            let score = match keys.iter().find_map(|key| known.get(key)) {
                Some(score) => *score,
                None => expert.value(&child, Default::default())?.0.score().expect("no limit"),
            };
            if child.status() == Status::Open {
                further.push((child, score));
            }
            let rank = (-score, Reverse((from_middle(column), column)));
            if best.as_ref().is_none_or(|(most, _)| rank > *most) {
                best = Some((rank, child));
            }
        }
        position = best.context("an open position has moves")?.1;
    }
    Ok(further)
}

/// The scores that an earlier run has noted; a last line that was cut off is none.
fn read_found(file: &Path) -> anyhow::Result<HashMap<Key, Score>> {
    if !file.exists() {
        return Ok(HashMap::new());
    }
    let text = fs::read_to_string(file)?;
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    if whole.len() + 1 < text.len() {
        fs::write(file, format!("{whole}\n"))?;
    }
    let scores = whole.lines().map(|line| {
        let (key, score) = line.split_once(' ')?;
        Some((Key(key.parse().ok()?), Score::new(score.parse().ok()?)?))
    });
    scores.collect::<Option<_>>().with_context(|| format!("{}: not what was noted", file.display()))
}
