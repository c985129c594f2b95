//! Counting by reaches and types, compared with listing every position.

use std::ops::RangeInclusive;

use strong4::board::{Board, Tier, TierRange};
use strong4::count::{TierCount, count};
use strong4::inside::enumerate;
use strong4::inside::reference::Reference;
use strong4::sample::{Leaving, Listing};

fn range(first: u8, last: u8) -> TierRange {
    TierRange::new(Tier::new(first).unwrap(), Tier::new(last).unwrap()).unwrap()
}

/// All boards with this many cells, each with its last tier.
fn whole(cells: RangeInclusive<u64>) -> impl Iterator<Item = (Board, u8)> {
    let sides = (1..=*cells.end()).flat_map(|w| (1..=64 / w).map(move |h| (w, h)));
    sides.filter(move |(w, h)| cells.contains(&(w * h))).map(|(w, h)| {
        let board = Board::new(w, h).unwrap();
        (board, board.last_tier().get())
    })
}

/// Large boards, with the tiers that can be listed.
fn begun() -> impl Iterator<Item = (Board, u8)> {
    let begun = [(7, 6, 9), (6, 6, 9), (8, 5, 8), (5, 8, 10), (6, 7, 9), (9, 5, 8), (10, 4, 7)];
    begun.into_iter().map(|(w, h, last)| (Board::new(w, h).unwrap(), last))
}

fn counts_are_those_of_listing(boards: impl Iterator<Item = (Board, u8)>) {
    for (board, last) in boards {
        let listed: Vec<TierCount> = enumerate::tiers(board, Tier::new(last).unwrap()).collect();
        assert_eq!(count(board, range(0, last), &()).unwrap(), listed, "on {board}");
    }
}

#[test]
fn counts_are_those_of_listing_every_position() {
    let begun = begun().map(|(board, last)| (board, last - 2));
    counts_are_those_of_listing(whole(1..=16).chain(begun));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn counts_of_larger_boards_are_those_of_listing_every_position() {
    let larger = ["5x4", "4x5", "7x3", "3x7", "10x2"].map(|board| board.parse::<Board>().unwrap());
    let larger = larger.into_iter().map(|board| (board, board.last_tier().get()));
    counts_are_those_of_listing(whole(17..=18).chain(larger).chain(begun()));
}

fn fewer_tiers_are_some_of_all(boards: &[(u64, u64)]) {
    for &(width, height) in boards {
        let board = Board::new(width, height).unwrap();
        let all = count(board, TierRange::all(board), &()).unwrap();
        let end = board.last_tier().get();
        for (first, last) in
            (0..=end).flat_map(|first| (first..=end).map(move |last| (first, last)))
        {
            let some = count(board, range(first, last), &()).unwrap();
            assert_eq!(some, all[first.into()..=last.into()], "tiers {first}..{last} of {board}");
        }
    }
}

#[test]
fn counting_fewer_tiers_changes_none_of_them() {
    fewer_tiers_are_some_of_all(&[(4, 4), (5, 3), (1, 9), (2, 5)]);
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn counting_fewer_tiers_of_larger_boards_changes_none_of_them() {
    fewer_tiers_are_some_of_all(&[(6, 3), (5, 4)]);
}

/// Boards of the reference that take more than half a second.
const LARGE: [&str; 17] = [
    "7x6", "7x5", "6x6", "8x5", "5x8", "6x7", "4x8", "4x11", "5x6", "6x5", "2x10", "4x7", "8x4",
    "8x6", "5x9", "6x8", "7x7",
];

fn finds_the_reference(take: impl Fn(&str) -> bool) {
    let reference = Reference::built_in();
    for board in reference.boards().filter(|board| take(&board.to_string())) {
        let expected = reference.tiers(board).unwrap();
        let tiers = range(expected[0].tier.get(), expected[expected.len() - 1].tier.get());
        assert_eq!(count(board, tiers, &()).unwrap(), expected, "on {board}");
    }
}

#[test]
fn all_smaller_boards_of_the_reference_are_counted_right() {
    finds_the_reference(|board| !LARGE.contains(&board));
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn all_larger_boards_of_the_reference_are_counted_right() {
    finds_the_reference(|board| LARGE.contains(&board));
}

#[test]
fn lists_are_as_long_as_the_reference_says() {
    let tiers = "0..8".parse().unwrap();
    let listing = Listing::new(Board::STANDARD, tiers, Leaving::default()).unwrap();
    for count in Reference::built_in().get(Board::STANDARD, tiers).unwrap() {
        let listed = listing.within(count.tier, 0..listing.cells(count.tier)).count() as u64;
        assert_eq!(listed, count.live, "tier {}", count.tier);
    }
}

/// Sums over all tiers as published in John Tromp's table of Connect-4 counts.
#[test]
fn the_reference_adds_up_to_the_published_numbers() {
    let reference = Reference::built_in();
    for (board, sum) in [
        ("4x4", 161_029),
        ("5x4", 3_945_711),
        ("4x5", 1_706_255),
        ("5x5", 69_763_700),
        ("7x4", 2_265_792_710),
        ("7x5", 112_829_665_923),
        ("6x6", 69_173_028_785),
        ("8x5", 4_499_431_376_127),
        ("5x8", 182_795_971_462),
        ("6x7", 1_523_281_696_228),
        ("7x6", 4_531_985_219_092),
        ("4x7", 135_385_909),
        ("4x8", 1_104_642_469),
        ("4x11", 519_325_538_608),
    ] {
        let tiers = reference.tiers(board.parse().unwrap()).unwrap();
        assert_eq!(tiers.iter().map(TierCount::total).sum::<u64>(), sum, "on {board}");
    }
}
