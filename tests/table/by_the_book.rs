//! A reader written only from docs/table-format.md: slow, plain, and without the index and the
//! tables of the library. It takes the numbered steps of that page, and in every table it must
//! find what a search finds in the game.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;

use sha2::{Digest, Sha256};
use strong4::board::{Board, Column, Outcome, Player, Position, Status, TierRange};
use strong4::inside::fours::has_four;
use strong4::inside::random::SplitMix64;
use strong4::inside::table::{Horizon, score_folder, table_file};
use strong4::inside::tabulate::{Request, tabulate};
use strong4::search::Score;

use crate::minimax::{score, scores};

use super::build::{index, request, tier_of, written};
use super::scores::solve as solve_scores;

/// Marker codes, from the bottom of a column up.
pub type Code = u64;

pub struct Book {
    board: Board,
    side_columns: usize,
    pub centres: Vec<Vec<Code>>,
    /// For each centre, the states of a side in order, by class.
    rows: Vec<HashMap<Class, Vec<Vec<Code>>>>,
}

/// The number of stones, and the first player's among them.
pub type Class = (usize, usize);

/// Centre, left class, right class.
pub type Tile = (usize, Class, Class);

fn class(codes: &[Code]) -> Class {
    codes.iter().fold((0, 0), |(stones, first), code| {
        (stones + code.ilog2() as usize, first + code.count_ones() as usize - 1)
    })
}

/// Whether there is a four on the board with these columns, from the left.
fn four(board: Board, columns: &[Code]) -> bool {
    let stones = |first: bool| {
        columns.iter().enumerate().fold(0u64, |all, (column, code)| {
            let (below, cells) = ((1 << code.ilog2()) - 1, code ^ 1 << code.ilog2());
            all | (if first { cells } else { !cells & below }) << (column * board.column_bits())
        })
    };
    has_four(board, stones(true)) || has_four(board, stones(false))
}

/// All lists of this many codes, the first one varying slowest, which is the order of their states.
fn lists(codes: &[Code], length: usize) -> Vec<Vec<Code>> {
    (0..length).fold(vec![Vec::new()], |lists, _| {
        let longer = |list: &Vec<Code>| {
            let list = list.clone();
            codes.iter().map(move |code| [&list[..], &[*code]].concat())
        };
        lists.iter().flat_map(longer).collect()
    })
}

impl Book {
    pub fn new(board: Board) -> Book {
        let side_columns = (board.width() - 1) / 2;
        let codes: Vec<Code> =
            (1..1 << board.column_bits()).filter(|code| !four(board, &[*code])).collect();
        let in_turn =
            |code: &Code| (0..code.ilog2()).all(|row| code >> row & 1 == u64::from(row % 2 == 0));
        let is_centre = |codes: &Vec<Code>| {
            let (stones, first) = class(codes);
            match board.width() {
                1 => in_turn(&codes[0]),
                2 => first == stones.div_ceil(2),
                _ => true,
            }
        };
        let centres = lists(&codes, board.width() - 2 * side_columns).into_iter();
        let centres: Vec<Vec<Code>> = centres.filter(is_centre).collect();
        let sides = lists(&codes, side_columns);
        let rows = centres.iter().map(|centre| {
            let mut rows: HashMap<Class, Vec<Vec<Code>>> = HashMap::new();
            for side in sides.iter().filter(|side| !four(board, &[side, &centre[..]].concat())) {
                rows.entry(class(side)).or_default().push(side.clone());
            }
            rows
        });
        Book { rows: rows.collect(), board, side_columns, centres }
    }

    pub fn reversed(&self, centre: usize) -> usize {
        let codes: Vec<Code> = self.centres[centre].iter().rev().copied().collect();
        self.centres.iter().position(|other| *other == codes).unwrap()
    }

    /// The stored tiles of a tier with their rows and columns.
    pub fn tiles(&self, tier: usize) -> Vec<(Tile, usize, usize)> {
        let mut tiles = Vec::new();
        for (number, centre) in self.centres.iter().enumerate() {
            let reversed = self.reversed(number);
            for (a, left) in &self.rows[number] {
                let middle = class(centre);
                let rest = (|| {
                    let stones = tier.checked_sub(middle.0)?.checked_sub(a.0)?;
                    Some((stones, tier.div_ceil(2).checked_sub(middle.1)?.checked_sub(a.1)?))
                })();
                let Some(b) = rest else { continue };
                let Some(right) = self.rows[reversed].get(&b) else { continue };
                let (tile, mirrored) = ((number, *a, b), (reversed, b, *a));
                if tile <= mirrored {
                    tiles.push((tile, left.len(), right.len()));
                }
            }
        }
        tiles.sort();
        tiles
    }

    /// The tile, the row and the column of a position.
    fn find(&self, position: &Position) -> (Tile, usize, usize) {
        let codes: Vec<Code> = self
            .board
            .columns()
            .map(|column| {
                let height = position.column_height(column);
                let stones =
                    position.stones(Player::First) >> (column.index() * self.board.column_bits());
                stones & ((1 << height) - 1) | 1 << height
            })
            .collect();
        let (left, rest) = codes.split_at(self.side_columns);
        let (centre, right) = rest.split_at(self.board.width() - 2 * self.side_columns);
        let right: Vec<Code> = right.iter().rev().copied().collect();
        let number = self.centres.iter().position(|other| other == centre).unwrap();
        let tile = (number, class(left), class(&right));
        let place = |centre: usize, side: &[Code]| {
            self.rows[centre][&class(side)].iter().position(|row| row == side).unwrap()
        };
        (tile, place(number, left), place(self.reversed(number), &right))
    }

    /// Steps 5 and 6: the tile, the row and the column that are looked up, and whether they are
    /// those of the mirror image.
    pub fn stored(&self, position: &Position) -> (Tile, usize, usize, bool) {
        // 5. Look-up.
        let (tile, row, column) = self.find(position);
        // 6. Mirror.
        let mirror_image = (self.reversed(tile.0), tile.2, tile.1);
        if tile < mirror_image || tile == mirror_image && row <= column {
            return (tile, row, column, false);
        }
        let (tile, row, column) = self.find(&position.mirror());
        (tile, row, column, true)
    }
}

pub fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

pub fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// A table, and where the blocks of its tiles begin.
pub struct Table {
    pub bytes: Vec<u8>,
    pub tiles: HashMap<Tile, (usize, usize, usize)>,
    decoded: HashMap<usize, Vec<u8>>,
}

/// A tile of the directory: centre, left and right class; then the first block, rows, columns.
type Entry = (Tile, (usize, usize, usize));

impl Table {
    pub fn open(book: &Book, bytes: Vec<u8>, tier: usize) -> Table {
        assert_eq!(bytes[..8], [0x89, 0x53, 0x34, 0x54, 0x0d, 0x0a, 0x1a, 0x0a]);
        assert_eq!(u32_at(&bytes, 8), 1);
        assert_eq!(
            bytes[12..15],
            [book.board.width() as u8, book.board.height() as u8, tier as u8]
        );
        assert_eq!(bytes[15..19], [1; 4]);
        assert_eq!((u32_at(&bytes, 20), u32_at(&bytes, 24)), (256, 512));
        assert_eq!(u32_at(&bytes, 508), crc32fast::hash(&bytes[..508]));
        assert_eq!(u64_at(&bytes, 48), bytes.len() as u64);
        let (mut tiles, mut blocks) = (HashMap::new(), 0);
        if book.board.cells() - tier > bytes[19].into() {
            for (tile, rows, columns) in book.tiles(tier) {
                tiles.insert(tile, (blocks, rows, columns));
                blocks += rows.div_ceil(256) * columns.div_ceil(512);
            }
        }
        assert_eq!(u64_at(&bytes, 32), blocks as u64, "{} tier {tier}", book.board);
        assert_eq!(u32_at(&bytes, 88), crc32fast::hash(&bytes[512..512 + 16 * blocks]));
        Table { bytes, tiles, decoded: HashMap::new() }
    }

    /// A table of scores, and how many positions are over after 0, 1, 2, … plies.
    pub fn open_scores(book: &Book, bytes: Vec<u8>, tier: usize) -> (Table, Vec<u64>) {
        assert_eq!(bytes[..8], [0x89, 0x53, 0x34, 0x54, 0x0d, 0x0a, 0x1a, 0x0a]);
        assert_eq!((u32_at(&bytes, 8), bytes[18]), (1, 2));
        assert_eq!((u32_at(&bytes, 20), u32_at(&bytes, 24)), (64, 512));
        assert_eq!(u32_at(&bytes, 508), crc32fast::hash(&bytes[..508]));
        assert_eq!(u64_at(&bytes, 48), bytes.len() as u64);
        let plies = book.board.cells() - tier + 1;
        let (number, directory) = (u32_at(&bytes, 92) as usize, 512 + 8 * plies);
        let (index, blocks) = (u64_at(&bytes, 40) as usize, u64_at(&bytes, 32) as usize);
        assert_eq!(index, directory + 24 * number);
        assert_eq!(u32_at(&bytes, 160), crc32fast::hash(&bytes[512..index]));
        assert_eq!(u32_at(&bytes, 88), crc32fast::hash(&bytes[index..index + 16 * blocks]));
        let plies: Vec<u64> = (0..plies).map(|plies| u64_at(&bytes, 512 + 8 * plies)).collect();
        let sum = |first| plies.iter().skip(first).step_by(2).sum::<u64>();
        let counts = [sum(1), plies[0], sum(2)];
        assert_eq!(counts, [56, 64, 72].map(|at| u64_at(&bytes, at)));
        let entries = (0..number).map(|tile| {
            let entry = &bytes[directory + 24 * tile..][..24];
            let class = |at: usize| (entry[at].into(), entry[at + 1].into());
            let size = |at| u32_at(entry, at) as usize;
            let first = u64_at(entry, 8) as usize;
            ((size(0), class(4), class(6)), (first, size(16), size(20)))
        });
        let entries: Vec<Entry> = entries.collect();
        // They are those of the tier, and their blocks follow each other.
        let mut first = 0;
        let mut expected = if number > 0 { book.tiles(tier) } else { Vec::new() }.into_iter();
        for (tile, blocks) in &entries {
            let (_, rows, columns) = expected.next().filter(|(other, ..)| other == tile).unwrap();
            assert_eq!(*blocks, (first, rows, columns));
            first += rows.div_ceil(64) * columns.div_ceil(512);
        }
        assert_eq!((expected.next(), first), (None, blocks));
        (Table { bytes, tiles: entries.into_iter().collect(), decoded: HashMap::new() }, plies)
    }

    /// The ply that ends a game that goes on from a cell.
    pub fn ply(&mut self, tile: Tile, row: usize, column: usize) -> u8 {
        let (first, rows, columns) = self.tiles[&tile];
        let number = first + column / 512 * rows.div_ceil(64) + row / 64;
        let rows = (rows - row / 64 * 64).min(64);
        let width = width(columns - column / 512 * 512);
        self.block(number, rows * 8 * width)[row % 64 * 64 * width + column % 512]
    }

    /// The block of a cell, and the byte and the bit of it that tell whether the first player
    /// wins, and whether they hold.
    pub fn place(&self, tile: Tile, row: usize, column: usize) -> (usize, [usize; 2], usize) {
        let (first, rows, columns) = self.tiles[&tile];
        let number = first + column / 512 * rows.div_ceil(256) + row / 256;
        let width = width(columns - column / 512 * 512);
        let byte = |plane| 8 * (row % 256 * 2 * width + plane * width) + column % 512 / 8;
        (number, [byte(0), byte(1)], column % 8)
    }

    fn digest(&self) -> Vec<u8> {
        let length = (u64_at(&self.bytes, 40) + 16 * u64_at(&self.bytes, 32)) as usize;
        Sha256::digest(&self.bytes[..length]).to_vec()
    }

    pub fn block(&mut self, number: usize, words: usize) -> &[u8] {
        let bytes = &self.bytes;
        self.decoded.entry(number).or_insert_with(|| {
            let index = u64_at(bytes, 40) as usize;
            let entry = &bytes[index + 16 * number..][..16];
            let (offset, length) = (u64_at(entry, 0) as usize, u32_at(entry, 8) as usize);
            let stored = &bytes[offset..][..length];
            let mut checked = (number as u64).to_le_bytes().to_vec();
            checked.extend(&entry[..12]);
            checked.extend(crc32fast::hash(stored).to_le_bytes());
            assert_eq!(u32_at(entry, 12), crc32fast::hash(&checked));
            match stored {
                [] => vec![0; 8 * words],
                _ => zstd::bulk::decompress(stored, 8 * words).unwrap(),
            }
        })
    }

    /// Step 7: first wins, first holds.
    pub fn bits(&mut self, tile: Tile, row: usize, column: usize) -> [bool; 2] {
        let (number, bytes, bit) = self.place(tile, row, column);
        let (_, rows, columns) = self.tiles[&tile];
        let rows = (rows - row / 256 * 256).min(256);
        let width = width(columns - column / 512 * 512);
        let block = self.block(number, rows * 2 * width);
        bytes.map(|byte| block[byte] >> bit & 1 == 1)
    }
}

/// The words of a plane of a row of a panel with this many columns or, if there are more, 512.
pub fn width(columns: usize) -> usize {
    [1, 2, 4].into_iter().find(|width| 64 * width >= columns).unwrap_or(8)
}

/// Opens the tables of a board from a tier on, and checks their chain of digests.
pub fn open_all(book: &Book, folder: &Path, first: usize) -> BTreeMap<usize, Table> {
    let mut next = vec![0; 32];
    let tiers = (first..=book.board.cells()).rev().map(|tier| {
        let path = table_file(folder, tier_of(tier as u8));
        let table = Table::open(book, fs::read(path).unwrap(), tier);
        assert_eq!(table.bytes[96..128], next);
        next = table.digest();
        (tier, table)
    });
    tiers.collect()
}

fn outcome(score: i32) -> Outcome {
    Score::new(score).unwrap().outcome()
}

/// What a position is worth to the player to move, in the numbered steps of the page.
fn value(
    book: &Book,
    tables: &mut BTreeMap<usize, Table>,
    position: &Position,
    search: &mut HashMap<Position, i32>,
) -> Outcome {
    let (board, stones) = (position.board(), position.tier().stones());
    let (mover, other) = (position.mover(), position.mover().other());
    // 1. Finished game.
    if has_four(board, position.stones(other)) {
        return Outcome::Loss;
    }
    // 2. Full board.
    if stones == board.cells() {
        return Outcome::Draw;
    }
    // 3. Threats.
    if !fours(position, mover).is_empty() {
        return Outcome::Win;
    }
    match fours(position, other)[..] {
        [] => {}
        [forced] => {
            let (_, child) = position.children().find(|(column, _)| *column == forced).unwrap();
            return value(book, tables, &child, search).for_other();
        }
        _ => return Outcome::Loss,
    }
    // 4. Horizon.
    let table = tables.get_mut(&stones).unwrap();
    if board.cells() - stones <= table.bytes[19].into() {
        return outcome(score(position, search));
    }
    // 5. Look-up, and 6. Mirror.
    let (tile, row, column, _) = book.stored(position);
    // 7. Bits.
    let first = match table.bits(tile, row, column) {
        [true, true] => Outcome::Win,
        [false, true] => Outcome::Draw,
        [false, false] => Outcome::Loss,
        [true, false] => panic!("never written in a quiet cell: {board}\n{position}"),
    };
    // 8. Sign.
    if stones.is_multiple_of(2) { first } else { first.for_other() }
}

#[test]
fn a_reader_of_the_documentation_finds_what_a_search_finds() {
    for name in ["4x3", "5x3", "3x4", "4x4", "2x4", "1x5", "7x2"] {
        let (index, folder) = written(name, 1);
        let book = Book::new(index.board());
        let mut tables = open_all(&book, folder.path(), 0);
        let mut search = HashMap::new();
        for (position, score) in scores(index.board()) {
            let told = value(&book, &mut tables, &position, &mut search);
            assert_eq!(told, outcome(score), "{name}\n{position}");
        }
    }
}

#[test]
fn tiles_of_many_blocks_are_read_by_the_book() {
    let (board, folder) = ("7x4".parse().unwrap(), tempfile::tempdir().unwrap());
    let tiers = TierRange::new(tier_of(26), tier_of(28)).unwrap();
    let request = Request { tiers, horizon: Some(Horizon(1)), ..request(board, folder.path()) };
    tabulate(&request, &()).unwrap();
    let book = Book::new(board);
    let mut tables = open_all(&book, folder.path(), 26);
    assert!(tables[&26].tiles.values().any(|(_, rows, columns)| *rows > 256 && *columns > 512));

    // Random games, as far as they get. The tables hold positions in which nobody can win at once.
    let mut random = SplitMix64(1);
    let mut known = HashMap::new();
    let mut checked = 0;
    while checked < 2000 {
        let mut position = Position::empty(board);
        while position.tier() < tier_of(26) && position.status() == Status::Open {
            let children: Vec<Position> = position.children().map(|(_, child)| child).collect();
            position = children[random.below(children.len() as u64) as usize];
        }
        let is_quiet = Player::BOTH.iter().all(|player| fours(&position, *player).is_empty());
        if position.status() == Status::Open && is_quiet {
            let score = score(&position, &mut known);
            let told = value(&book, &mut tables, &position, &mut HashMap::new());
            assert_eq!(told, outcome(score), "{board}\n{position}");
            checked += 1;
        }
    }
}

/// The columns in which a stone of a player would make a four.
fn fours(position: &Position, player: Player) -> Vec<Column> {
    let board = position.board();
    let makes_four = |column: &Column| {
        let at = column.index() * board.column_bits() + position.column_height(*column);
        position.has_room(*column) && has_four(board, position.stones(player) | 1 << at)
    };
    board.columns().filter(makes_four).collect()
}

/// The number of plies to the end of a live position, 0 for a draw, in the numbered steps of the
/// page. The first is for finished games, and the fourth for tables with a horizon.
fn plies_to_end(book: &Book, tables: &mut BTreeMap<usize, Table>, at: &Position) -> usize {
    let stones = at.tier().stones();
    // 2. Full board.
    if stones == at.board().cells() {
        return 0;
    }
    // 3. Threats.
    if !fours(at, at.mover()).is_empty() {
        return 1;
    }
    match fours(at, at.mover().other())[..] {
        [] => {}
        [forced] => {
            let (_, child) = at.children().find(|(column, _)| *column == forced).unwrap();
            let plies = plies_to_end(book, tables, &child);
            return if plies == 0 { 0 } else { plies + 1 };
        }
        _ => return 2,
    }
    // 5. Look-up, and 6. Mirror.
    let (tile, row, column, _) = book.stored(at);
    // 7. The byte.
    let ply = usize::from(tables.get_mut(&stones).unwrap().ply(tile, row, column));
    if ply == 0 { 0 } else { ply - stones }
}

#[test]
fn a_reader_of_the_documentation_finds_the_scores_of_minimax() {
    for name in ["4x3", "5x3", "3x4", "4x4", "2x5", "1x9", "7x2"] {
        let (index, folder) = (index(name), tempfile::tempdir().unwrap());
        let board = index.board();
        solve_scores(board, folder.path(), Horizon(0));
        let book = Book::new(board);
        let mut next = vec![0; 32];
        let mut counted = BTreeMap::new();
        let tiers = (0..=board.cells()).rev().map(|tier| {
            let path = table_file(&score_folder(folder.path()), tier_of(tier as u8));
            let (table, plies) = Table::open_scores(&book, fs::read(path).unwrap(), tier);
            assert_eq!(table.bytes[96..128], next);
            next = table.digest();
            counted.insert(tier, plies);
            (tier, table)
        });
        let mut tables: BTreeMap<usize, Table> = tiers.collect();
        for (position, score) in scores(board) {
            let plies = plies_to_end(&book, &mut tables, &position);
            let stones = position.tier().stones();
            counted.get_mut(&stones).unwrap()[plies] -= 1;
            let told = match plies {
                0 => 0,
                plies => (board.cells() - stones - plies) as i32 / 2 + 1,
            };
            let told = if plies % 2 == 1 { told } else { -told };
            assert_eq!(told, score, "{board}\n{position}");
        }
        assert!(counted.values().flatten().all(|count| *count == 0), "{board}");
    }
}
