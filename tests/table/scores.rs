//! Tables of scores: by plain minimax, and through files and back. Whatever happens to a file, no
//! score is wrong.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::LazyLock;

use proptest::prelude::*;
use rayon::prelude::*;
use strong4::board::{Board, Outcome, Player, Status, Tier, TierRange};
use strong4::inside::index::{Cell, Finder, Tile};
use strong4::inside::probe::Evidence;
use strong4::inside::session::Session;
use strong4::inside::table::{
    Block, BlockReader, Content, EncodedBlocks, Encoder, Horizon, Table, TableError, Tables,
    TierPart, check, score_folder, table_file, table_header, tier_plies,
};
use strong4::inside::tabulate::{Request, tabulate};
use strong4::query::Question;
use strong4::tromp::Key;
use tempfile::{TempDir, tempdir};

use crate::minimax::scores;

use super::build::{copied, index, probe, request, tier_of, write_counting};
use super::damage::{Damage, apply, apply_all, damage, faults_of};
use super::program::strong4;

/// Solves a board, and stores in tables everything with more empty cells than the horizon.
pub fn solve(board: Board, folder: &Path, horizon: Horizon) {
    let request = Request { horizon: Some(horizon), ..request(board, folder) }.with_scores();
    tabulate(&request, &()).unwrap();
}

fn agree_with_minimax(boards: &str) {
    for name in boards.split(' ') {
        let board: Board = name.parse().unwrap();
        let folder = tempdir().unwrap();
        solve(board, folder.path(), Horizon(0));
        let mut probe = probe(board, folder.path());
        for (position, score) in scores(board) {
            let (told, evidence) = probe.score(&position).unwrap().expect("a table of each tier");
            assert_eq!(told.get(), score, "{board}\n{position}");
            // Nothing is searched, and stored scores are read.
            assert_ne!(evidence, Evidence::Search);
            let stored = position.is_quiet() && position.status() == Status::Open;
            assert_eq!(evidence == Evidence::Table(position.tier()), stored, "{board}\n{position}");
        }
        let checked = check(folder.path(), index(name).census(), &()).unwrap();
        assert!(checked.faults.is_empty(), "{:?}", checked.faults);
        assert_eq!(checked.tables, 2 * (board.cells() + 1));
    }
}

#[test]
fn scores_of_small_boards_are_those_of_minimax() {
    agree_with_minimax("1x1 1x2 1x5 1x9 2x1 2x2 2x4 2x6 3x1 3x3 3x4 4x1 9x1 4x2 6x2 4x3 4x4");
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn scores_of_larger_boards_are_those_of_minimax() {
    agree_with_minimax("1x20 1x63 2x7 2x8 3x5 5x3 3x6 12x1 8x2 6x3 5x4");
}

/// The same for quiet positions only, from which all others follow: block by block, as they are
/// stored, for boards on which each lookup would decode another block.
fn stored_scores_agree_with_minimax(boards: &str) {
    for name in boards.split(' ') {
        let board: Board = name.parse().unwrap();
        let folder = tempdir().unwrap();
        solve(board, folder.path(), Horizon(0));
        let (index, scores) = (index(name), scores(board));
        let tables = Tables::with(&score_folder(folder.path()), index.census(), Content::Scores);
        let mut compared = 0;
        for tier in TierRange::all(board) {
            let table = tables.table(tier).unwrap();
            let blocks: Vec<(Tile, Block)> = table
                .layout()
                .tiles()
                .flat_map(|(tile, blocks)| blocks.iter().map(move |block| (tile, block)))
                .collect();
            let compare = |reader: &mut BlockReader, (tile, block): &(Tile, Block)| {
                let decoded = reader.read(table, block).unwrap();
                let mut compared = 0;
                for (at, row) in block.rows.clone().enumerate() {
                    let plies = decoded.row(at).as_flattened();
                    for (ply, column) in plies.iter().zip(block.columns.clone()) {
                        let cell = Cell { tile: *tile, row: row as u32, column: column as u32 };
                        let position = index.unrank(cell);
                        // Cells that no game reaches have no score, and full boards no cell.
                        let Some(score) = scores.get(&position) else { continue };
                        if position.is_quiet() {
                            let plies = ply.saturating_sub(tier.get());
                            let outcome = match plies {
                                0 => Outcome::Draw,
                                plies if plies % 2 == 1 => Outcome::Win,
                                _ => Outcome::Loss,
                            };
                            let told = score_of(board, tier, (outcome, plies.into()));
                            assert_eq!(told, *score, "{board}\n{position}");
                            compared += 1;
                        }
                    }
                }
                compared
            };
            compared += blocks.par_iter().map_init(BlockReader::default, compare).sum::<usize>();
        }
        assert!(compared > scores.len() / 20, "{compared} of {}", scores.len());
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn stored_scores_of_boards_of_up_to_25_cells_are_those_of_minimax() {
    stored_scores_agree_with_minimax("2x9 3x7 3x8 3x9 13x1 14x1 15x1 16x1 9x2 10x2");
    stored_scores_agree_with_minimax("4x4 4x5 7x3 4x6 6x4 5x5");
}

/// Answers are the same with scores in tables or without them, and with openings or without.
#[test]
fn answers_are_those_of_a_search() {
    for (name, horizon) in [("4x4", 5), ("5x3", 2), ("3x5", 0)] {
        let board: Board = name.parse().unwrap();
        let folder = tempdir().unwrap();
        solve(board, folder.path(), Horizon(horizon));
        let mut with = Session::new(board).with_tables(probe(board, folder.path()));
        let mut without = Session::new(board);
        let scores = scores(board);
        for (position, score) in scores.iter().filter(|(p, _)| Key::of(p).0.is_multiple_of(50)) {
            let told = with.analyze(position, Question::default()).unwrap();
            let found = without.analyze(position, Question::default()).unwrap();
            assert_eq!(told.value, found.value, "{position}");
            assert_eq!(told.value.score().map(|score| score.get()), Some(*score));
            assert_eq!((told.columns, told.best), (found.columns, found.best), "{position}");
            // A line goes to the end, and keeps the worth of the position.
            let mut at = *position;
            let plies = told.line.len();
            told.line.iter().for_each(|column| at = at.play(*column).unwrap());
            assert_ne!(at.status(), Status::Open);
            assert_eq!(plies, found.line.len());
        }
    }
}

/// The content of the score tables of a board.
struct Sound {
    finder: Arc<Finder>,
    folder: TempDir,
    tiers: Vec<Vec<(Cell, i32)>>,
}

static SOUND: LazyLock<Sound> = LazyLock::new(|| {
    let (board, folder): (Board, _) = ("5x3".parse().unwrap(), tempdir().unwrap());
    solve(board, folder.path(), Horizon(1));
    let finder = Arc::new(Finder::new(board).unwrap());
    let mut tiers = vec![Vec::new(); board.cells() + 1];
    let quiet = scores(board).into_iter().filter(|(position, _)| position.is_quiet());
    for (position, score) in quiet.filter(|(p, _)| p.tier() <= tier_of(13)) {
        let cell = finder.rank(&position).unwrap().cell;
        tiers[position.tier().stones()].push((cell, score));
    }
    Sound { finder, folder, tiers }
});

impl Sound {
    fn table(&self, tier: Tier) -> PathBuf {
        table_file(&score_folder(self.folder.path()), tier)
    }

    fn open(&self, tier: Tier, bytes: Vec<u8>) -> Result<Table, TableError> {
        let (path, census) = (self.table(tier), self.finder.census());
        Table::with_bytes(&path, Box::new(bytes), census, tier, Content::Scores)
    }
}

/// The score of an ending, for the mover of a tier.
fn score_of(board: Board, tier: Tier, (outcome, plies): (Outcome, usize)) -> i32 {
    let score = (board.cells() - tier.stones() - plies) as i32 / 2 + 1;
    match outcome {
        Outcome::Win => score,
        Outcome::Draw => 0,
        Outcome::Loss => -score,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_damaged_table_of_scores_answers_right_or_not_at_all(
        stones in 0u8..=13, damages in proptest::collection::vec(damage(), 1..4),
    ) {
        let (sound, tier) = (&*SOUND, tier_of(stones));
        let mut bytes = fs::read(sound.table(tier)).unwrap();
        apply_all(&damages, &mut bytes);
        if let Ok(table) = sound.open(tier, bytes) {
            for (cell, expected) in &sound.tiers[tier.stones()] {
                match table.ending(*cell) {
                    Ok(ending) => {
                        prop_assert_eq!(score_of(sound.finder.board(), tier, ending), *expected);
                    }
                    Err(error) => {
                        let name = sound.table(tier).display().to_string();
                        prop_assert!(error.to_string().contains(&name));
                    }
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn verify_finds_whatever_was_damaged_in_scores(stones in 0u8..=15, damage in damage()) {
        let folder = copied(SOUND.folder.path());
        let scores = score_folder(folder.path());
        let file = table_file(&scores, tier_of(stones));
        let faults = faults_of(&damage, &file, folder.path(), SOUND.finder.census())?;
        prop_assert!(faults.iter().all(|fault| fault.file.starts_with(&scores)), "{:?}", faults);
    }
}

/// Every byte in turn, and every length.
#[test]
fn no_byte_of_a_table_of_scores_changes_unnoticed() {
    let (sound, tier) = (&*SOUND, tier_of(7));
    let whole = fs::read(sound.table(tier)).unwrap();
    let (cells, expected): (Vec<Cell>, Vec<i32>) = sound.tiers[7].iter().copied().unzip();
    let all = |bytes: Vec<u8>| -> Option<Vec<i32>> {
        let table = sound.open(tier, bytes).ok()?;
        let score =
            |cell: &Cell| Some(score_of(sound.finder.board(), tier, table.ending(*cell).ok()?));
        cells.iter().map(score).collect()
    };
    assert_eq!(all(whole.clone()).as_ref(), Some(&expected));
    let mut unnoticed = 0;
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        apply(&Damage::Flip { at, bit: (at % 8) as u8 }, &mut bytes);
        let found = all(bytes);
        assert!(found.as_ref().is_none_or(|found| *found == expected), "byte {at}");
        unnoticed += usize::from(found.is_some());
    }
    // Only the checksum of an index that is not read, and blocks without a position to look up.
    assert!(unnoticed < whole.len() / 2, "{unnoticed}");
    for length in 0..whole.len() {
        assert!(sound.open(tier, whole[..length].to_vec()).is_err(), "{length} bytes");
    }
}

#[test]
fn tables_of_another_kind_are_refused() {
    let sound = &*SOUND;
    let file = |folder: &Path, tier| table_file(folder, tier_of(tier));
    let swapped = |from: PathBuf, to: fn(&Path) -> PathBuf| {
        let folder = copied(sound.folder.path());
        fs::copy(from, to(folder.path())).unwrap();
        let (code, out, err) = strong4("query --board 5x3 123", folder.path());
        assert_eq!((code, out.as_str(), err.lines().count()), (1, "", 1), "{err}");
        let (code, told, _) = strong4("verify --board 5x3", folder.path());
        assert_eq!(code, 1, "{told}");
        err
    };
    let (folder, scores) = (sound.folder.path(), score_folder(sound.folder.path()));
    let said = swapped(file(folder, 4), |f| table_file(&score_folder(f), tier_of(4)));
    assert!(said.contains("expected a table of scores, found one of outcomes"), "{said}");
    let said = swapped(file(&scores, 5), |f| table_file(&score_folder(f), tier_of(4)));
    assert!(said.contains("expected a table with tier 4, found 5"), "{said}");
    // The name of a missing table, and the command that makes it, are those of scores.
    let folder = copied(sound.folder.path());
    fs::remove_file(file(&score_folder(folder.path()), 4)).unwrap();
    let (code, out, _) = strong4("verify --board 5x3", folder.path());
    assert_eq!(code, 1);
    let said =
        "there is no table of scores of tier 4 of 5x3: 'strong4 solve --board 5x3 --scores' ";
    assert!(out.contains(said), "{out}");
    // The folder of scores is not that of the board, and nothing in it should be removed.
    let (code, out, _) = strong4("verify --board 5x3", &score_folder(sound.folder.path()));
    assert_eq!(code, 1);
    let said = "found one of scores: if its folder is 'scores', use the one above; if not, remove";
    assert!(out.contains(said), "{out}");
    // If there are scores, outcomes are not read; verify reads both.
    let folder = copied(sound.folder.path());
    fs::copy(file(&scores, 4), file(folder.path(), 4)).unwrap();
    let (code, out, _) = strong4("verify --board 5x3", folder.path());
    assert_eq!(code, 1);
    assert!(out.contains("expected a table of outcomes, found one of scores"), "{out}");
}

/// The scores of a board beside outcomes of which one is wrong, all in whole files.
#[test]
fn scores_that_contradict_outcomes_are_found() {
    let sound = &*SOUND;
    let board = sound.finder.board();
    let wrong = sound.tiers[6].iter().find(|(_, score)| *score > 0).expect("a win").0;
    for counts_agree in [true, false] {
        let folder = copied(sound.folder.path());
        let index = index("5x3");
        let change = |cell: Cell, outcome| {
            let position = index.unrank(cell);
            let is_open = position.status() == Status::Open && position.validate().is_ok();
            match position.tier().mover() {
                _ if cell == wrong => Outcome::Draw,
                _ if is_open && position.is_quiet() => outcome,
                // Zeros, as in all cells that mean nothing.
                Player::First => Outcome::Loss,
                Player::Second => Outcome::Win,
            }
        };
        let count = |tier, counts| match counts_agree {
            true => table_header(sound.folder.path(), board, tier).unwrap().counts,
            false => counts,
        };
        write_counting(folder.path(), &index, Horizon(1), change, count);
        let (code, out, _) = strong4("verify --board 5x3 --blocks 0", folder.path());
        assert_eq!(code, 1, "{out}");
        let names_scores = |line: &str| line.contains("scores/tier-");
        assert!(out.lines().count() > 0 && out.lines().all(names_scores), "{out}");
        if counts_agree {
            assert_eq!(out.lines().count(), 1, "{out}");
            let said = "a cell in it contradicts the table of outcomes";
            assert!(out.contains("scores/tier-06.s4t: block ") && out.contains(said), "{out}");
        } else {
            assert!(out.contains("disagrees with its outcomes: the number of positions"), "{out}");
        }
    }
}

/// A table of scores with another ply in one cell; everything else is right.
fn with_one_wrong(folder: &Path, board: Board, wrong: Cell, ply: u8) {
    let scores = score_folder(folder);
    let finder = Finder::new(board).unwrap();
    let tables = Tables::with(&scores, finder.census(), Content::Scores);
    let tier = finder.unrank(wrong).tier();
    let (table, next) = (tables.table(tier).unwrap(), tables.table(tier.next().unwrap()).unwrap());
    let mut part = TierPart::create(&scores, table.layout()).unwrap();
    for (tile, blocks) in table.layout().tiles() {
        let mut encoded = EncodedBlocks::default();
        for block in blocks.iter() {
            let mut reader = BlockReader::default();
            let decoded = reader.read(table, &block).unwrap();
            let mut rows: Vec<Vec<u8>> =
                (0..block.rows.len()).map(|row| decoded.row(row).as_flattened().to_vec()).collect();
            let [row, column] = [wrong.row, wrong.column].map(|at| at as usize);
            if tile == wrong.tile && block.rows.contains(&row) && block.columns.contains(&column) {
                rows[row - block.rows.start][column - block.columns.start] = ply;
            }
            let bytes = rows.concat();
            let words = bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
            let words: Vec<u64> = words.collect();
            Encoder::default().encode(block.shape, &words, &mut encoded);
        }
        part.append(blocks.first(), &encoded).unwrap();
    }
    let (plies, terminal) =
        (tier_plies(&scores, board, tier).unwrap(), table.header().counts.terminal);
    part.finish_scores(&plies, terminal, Some(next.summary().unwrap().digest)).unwrap();
}

#[test]
fn one_wrong_score_among_all_is_found() {
    let board: Board = "4x4".parse().unwrap();
    let sound = tempdir().unwrap();
    solve(board, sound.path(), Horizon(1));
    let (code, out, err) = strong4("verify --samples 60 --limit 5m --json", sound.path());
    assert_eq!(code, 0, "{out}{err}");
    let (mut scored, mut answered) = (0, 0);
    for tier in out.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()) {
        scored += tier["scored"].as_u64().unwrap();
        answered += tier["scores"]["answered"].as_u64().unwrap();
    }
    assert_eq!(scored, answered);
    assert!(scored > 200, "{scored}");

    let finder = Arc::new(Finder::new(board).unwrap());
    // Wins that come one move later than possible, in two tiers.
    let scores = scores(board);
    let won = |tier| {
        let won = scores.iter().filter(move |(position, score)| {
            position.tier() == tier && position.is_quiet() && **score > 1
        });
        won.min_by_key(|(position, _)| Key::of(position))
    };
    let wins: Vec<_> = TierRange::all(board).iter().filter_map(won).take(2).collect();
    assert_eq!(wins.len(), 2);
    for (position, score) in wins {
        let (folder, tier) = (copied(sound.path()), position.tier().get());
        let [told, later] = [*score, score - 1].map(|score| {
            (tier + 1..=16).step_by(2).find(|ply| (16 - i32::from(*ply)) / 2 + 1 == score)
        });
        assert_ne!(told, later);
        let cell = finder.rank(position).unwrap().cell;
        with_one_wrong(folder.path(), board, cell, later.unwrap());
        let command = format!("verify --samples 20000 --limit 5m --tiers {tier}");
        let (code, out, err) = strong4(&command, folder.path());
        assert_eq!(code, 1, "{out}{err}");
        for witness in ["the search score", "the best of its moves score"] {
            let said = format!("the table of scores of tier {tier} says score ");
            assert!(out.contains(&said) && out.contains(witness), "{out}");
        }
        // Queries for the position or for its moves name the sources that disagree.
        let key = Key::of(position).0;
        let (code, out, err) = strong4(&format!("query --key {key}"), folder.path());
        assert_eq!((code, err.lines().count()), (1, 1), "{out}{err}");
        let file = format!("scores/tier-{tier:02}.s4t");
        assert!(err.contains(&file) && err.contains("by its moves"), "{err}");
    }
}
