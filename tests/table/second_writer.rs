//! What docs/table-format.md tells a second writer: the order of blocks, how they are packed, and
//! what cells hold that mean nothing.

use std::collections::HashMap;
use std::fs;

use strong4::board::{Board, Status};
use strong4::inside::index::{Cell, Finder};
use strong4::inside::table::{Horizon, score_folder, table_file};

use super::build::tier_of;
use super::by_the_book::{Book, Code, Table, Tile, open_all, u32_at, u64_at, width};
use super::scores::solve;

/// Centres in the order in which the blocks of their tiles are written.
fn centres_as_written(book: &Book, board: Board) -> Vec<usize> {
    let mut order = Vec::new();
    if board.width() % 2 == 1 {
        visit(book, 1, &mut order);
        return order;
    }
    let stones = |centre: &usize| -> u32 { book.centres[*centre].iter().map(|c| c.ilog2()).sum() };
    order.extend(0..book.centres.len());
    order.sort_by_key(|centre| (std::cmp::Reverse(stones(centre)), *centre));
    order
}

/// The page: first the centres that follow from one, that with an X on top and that with an O.
fn visit(book: &Book, code: Code, order: &mut Vec<usize>) {
    let Some(number) = book.centres.iter().position(|centre| *centre == [code]) else { return };
    let above = 1 << code.ilog2();
    visit(book, code + 2 * above, order);
    visit(book, code + above, order);
    order.push(number);
}

/// The numbers of the blocks of a table, as they follow each other in the file.
fn blocks_as_written(table: &Table, centres: &[usize], rows_of_block: usize) -> Vec<usize> {
    let mut tiles: Vec<(&Tile, &(usize, usize, usize))> = table.tiles.iter().collect();
    let place = |centre: usize| centres.iter().position(|other| *other == centre);
    tiles.sort_by_key(|(tile, _)| (place(tile.0), **tile));
    let blocks = tiles.into_iter().flat_map(|(_, (first, rows, columns))| {
        *first..first + rows.div_ceil(rows_of_block) * columns.div_ceil(512)
    });
    blocks.collect()
}

/// Checks the places of blocks and how they are packed. `row_words` is the words of a row of
/// blocks of width 1, and each block has one width.
fn check_blocks(table: &mut Table, order: &[usize], rows_of_block: usize, row_words: usize) {
    let mut words = HashMap::new();
    for (first, rows, columns) in table.tiles.values() {
        let down = rows.div_ceil(rows_of_block);
        for at in 0..down * columns.div_ceil(512) {
            let rows = (rows - at % down * rows_of_block).min(rows_of_block);
            let width = width(columns - at / down * 512);
            words.insert(first + at, rows * row_words * width);
        }
    }
    let index = u64_at(&table.bytes, 40) as usize;
    let mut end = (index + 16 * order.len()) as u64;
    for number in order {
        let entry = &table.bytes[index + 16 * number..][..16];
        let (offset, length) = (u64_at(entry, 0), u32_at(entry, 8) as usize);
        let plain = table.block(*number, words[number]).to_vec();
        if plain.iter().all(|byte| *byte == 0) {
            assert_eq!((offset, length), (0, 0));
            continue;
        }
        assert_eq!(offset, end, "block {number}");
        let stored = &table.bytes[offset as usize..][..length];
        assert!(zstd::bulk::compress(&plain, 1).unwrap() == stored, "block {number}");
        end += length as u64;
    }
    assert_eq!(end, table.bytes.len() as u64);
}

/// The byte of a cell of scores that means nothing.
fn filler(board: Board, tier: usize) -> u8 {
    let first_game = (board.cells() / 2 * 2).min(8);
    first_game.max(tier / 2 * 2 + 2) as u8
}

#[test]
fn files_are_as_the_page_tells_a_second_writer() {
    for name in ["5x3", "4x4", "3x4", "2x3", "2x5", "1x7", "1x9"] {
        let (board, folder): (Board, _) = (name.parse().unwrap(), tempfile::tempdir().unwrap());
        solve(board, folder.path(), Horizon(0));
        let (book, finder) = (Book::new(board), Finder::new(board).unwrap());
        let centres = centres_as_written(&book, board);
        let mut tables = open_all(&book, folder.path(), 0);
        for (tier, table) in &mut tables {
            let path = table_file(&score_folder(folder.path()), tier_of(*tier as u8));
            let (mut scores, _) = Table::open_scores(&book, fs::read(path).unwrap(), *tier);
            let order = blocks_as_written(table, &centres, 256);
            check_blocks(table, &order, 256, 2);
            let count = u64_at(&scores.bytes, 32) as usize;
            check_blocks(&mut scores, &(0..count).collect::<Vec<_>>(), 64, 8);
            if *tier == board.cells() {
                assert_eq!((order.len(), count), (0, 0), "no blocks of the full board");
                continue;
            }
            // The tiles of the book and of the library are in the same order.
            let census = finder.census();
            let tiles = census.tiles(tier_of(*tier as u8)).zip(book.tiles(*tier));
            for (tile, (by_the_book, rows, columns)) in tiles {
                for (row, column) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                    let cell = Cell { tile, row: row as u32, column: column as u32 };
                    let position = finder.unrank(cell);
                    let is_live = position.status() == Status::Open && position.validate().is_ok();
                    if is_live && position.is_quiet() {
                        continue;
                    }
                    assert_eq!(table.bits(by_the_book, row, column), [false; 2], "{position}");
                    let ply = scores.ply(by_the_book, row, column);
                    assert_eq!(ply, filler(board, *tier), "{name}\n{position}");
                }
            }
        }
    }
}
