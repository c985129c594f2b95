//! The cost of finding the score of a position.
//!
//! `cargo bench --bench search_figures -- NAME…` searches the positions of
//! `data/positions/NAME.txt`, or of a file, and prints for each the mean of nodes and time.
//! `NAME:20` takes only 20 positions, spread as far apart as possible, and `empty` is the empty
//! board. Before each position, the table of 64 MiB is cleared. After a plus sign, `outcome` asks
//! only for win, draw or loss, `fold` folds dead stones, `avx2` and `portable` replace the best
//! instructions of the machine, and `threads` searches on all threads: `NAME+outcome+portable`.
//!
//! `cargo bench --bench search_figures -- generate STONES PLIES COUNT SEED` writes such a file:
//! `generate 15..28 14..28 1000 1`. The number of stones, within the range, and the column of each
//! move are chosen at random. Texts that are not a game, games that are over, duplicates, and
//! positions whose end is not within the range of plies are skipped.

use std::collections::HashSet;
use std::time::Instant;

use strong4::board::{Board, Moves, Position, Status};
use strong4::inside::cpu::Cpu;
use strong4::inside::random::SplitMix64;
use strong4::search::{Limit, Score, Search};

const BOARD: Board = Board::STANDARD;
const TABLE_BYTES: usize = 64 << 20;

fn main() {
    let arguments: Vec<String> =
        std::env::args().skip(1).filter(|argument| !argument.starts_with("--")).collect();
    match arguments.split_first() {
        Some((first, rest)) if first == "generate" => generate(rest),
        Some(_) => measure(&arguments),
        None => measure(&["15-28_14-28:100".to_owned()]),
    }
}

fn measure(sets: &[String]) {
    println!("positions                  number        nodes        µs  worst µs  Mnodes/s  wrong");
    let mut search = Search::new(BOARD, TABLE_BYTES);
    for set in sets {
        let (set, options) = set.split_once('+').unwrap_or((set, ""));
        let (name, most) = match set.rsplit_once(':') {
            Some((name, most)) => (name, most.parse().expect("a number of positions")),
            None => (set, usize::MAX),
        };
        let only_outcome = options.split('+').any(|option| option == "outcome");
        let forms = ["portable", "avx2", "avx512"];
        let form = options.split('+').find(|option| forms.contains(option));
        search.use_cpu(form.map_or(Cpu::widest(), |form| form.parse().expect("the form")));
        let threads = options.split('+').any(|option| option == "threads");
        search.use_threads(if threads { rayon::current_num_threads() } else { 1 });
        search.fold_dead_stones(options.split('+').any(|option| option == "fold"));

        let (mut seconds, mut worst, mut wrong, mut count) = (0.0, 0.0f64, 0, 0);
        let before = search.nodes();
        let all = positions(name);
        let step = (all.len() / most).max(1);
        for (moves, known) in all.into_iter().step_by(step).take(most) {
            search.forget();
            let start = Instant::now();
            let right = if only_outcome {
                search.outcome(moves.position()) == known.outcome()
            } else {
                search.score(moves.position()) == known
            };
            let took = start.elapsed().as_secs_f64();
            seconds += took;
            worst = worst.max(took);
            wrong += usize::from(!right);
            count += 1;
        }
        let nodes = (search.nodes() - before) as f64;
        let (each, micros) = (nodes / f64::from(count), 1e6 * seconds / f64::from(count));
        let name = name.rsplit('/').next().unwrap_or(name);
        println!(
            "{:<24} {count:>8} {each:>12.1} {micros:>9.2} {:>9.0} {:>9.2} {wrong:>6}",
            format!("{name} {options}"),
            1e6 * worst,
            nodes / seconds / 1e6,
        );
    }
}

/// Games and their scores: from a file, from one in `data/positions`, or for the empty board.
fn positions(name: &str) -> Vec<(Moves, Score)> {
    if name == "empty" {
        return vec![(Moves::parse(BOARD, "").expect("no moves"), Score::new(1).expect("a score"))];
    }
    let own = format!("{}/data/positions/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&own).or_else(|_| std::fs::read_to_string(name));
    let text = text.unwrap_or_else(|error| panic!("neither {own} nor {name}: {error}"));
    let parse = |line: &str| {
        let (moves, score) = line.split_once(' ')?;
        Some((Moves::parse(BOARD, moves).ok()?, Score::new(score.parse().ok()?)?))
    };
    text.lines().map(|line| parse(line).expect("moves and a score")).collect()
}

fn generate(arguments: &[String]) {
    let [stones, plies, count, seed] = arguments else { panic!("STONES PLIES COUNT SEED") };
    let range = |text: &str| {
        let (first, last) = text.split_once("..").expect("FIRST..LAST");
        let number = |text: &str| text.parse::<u64>().expect("a number");
        number(first)..=number(last)
    };
    let (stones, plies) = (range(stones), range(plies));
    let count: usize = count.parse().expect("how many");
    let mut random = SplitMix64(seed.parse().expect("a seed"));
    let mut search = Search::new(BOARD, 4 * TABLE_BYTES);
    let mut seen = HashSet::new();
    let mut kept = 0;
    while kept < count {
        let length = stones.start() + random.below(stones.end() - stones.start() + 1);
        let column = |_| char::from(b'1' + random.below(BOARD.width() as u64) as u8);
        let text: String = (0..length).map(column).collect();
        let Ok(moves) = Moves::parse(BOARD, &text) else { continue };
        let position = moves.position();
        if position.status() != Status::Open || !seen.insert(*position) {
            continue;
        }
        let in_range = |score: Score| {
            plies.contains(&score.plies(BOARD, position.tier()).unwrap().get().into())
        };
        if let Some(score) = score_if(&mut search, position, in_range) {
            println!("{moves} {score}");
            kept += 1;
        }
    }
}

/// The score, if it is a wanted one; if not, that is often soon clear.
fn score_if(
    search: &mut Search,
    position: &Position,
    wanted: impl Fn(Score) -> bool,
) -> Option<Score> {
    let mut nodes = 1 << 10;
    loop {
        match search.try_score(position, Limit { nodes: Some(nodes), ..Limit::default() }) {
            Ok(score) => return wanted(score).then_some(score),
            Err(between) => {
                let mut possible =
                    (between.lower().get()..=between.upper().get()).filter_map(Score::new);
                if !possible.any(&wanted) {
                    return None;
                }
            }
        }
        nodes *= 4;
    }
}
