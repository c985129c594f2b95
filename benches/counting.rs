//! The time that counting takes.

use criterion::{Criterion, criterion_group, criterion_main};
use strong4::board::{Board, TierRange};
use strong4::count::count;
use strong4::inside::enumerate;

fn how_fast_are_the_first_tiers_of_7x6_counted(criterion: &mut Criterion) {
    let tiers: TierRange = "0..11".parse().unwrap();
    criterion.bench_function("how fast are the first 12 tiers of 7x6 counted", |bencher| {
        bencher.iter(|| count(Board::STANDARD, tiers, &()).unwrap());
    });
}

fn how_fast_is_a_whole_small_board_counted(criterion: &mut Criterion) {
    let board: Board = "5x4".parse().unwrap();
    criterion.bench_function("how fast is all of 5x4 counted", |bencher| {
        bencher.iter(|| count(board, TierRange::all(board), &()).unwrap());
    });
}

fn how_fast_is_the_slow_twin(criterion: &mut Criterion) {
    let board: Board = "5x4".parse().unwrap();
    criterion.bench_function("how fast is all of 5x4 enumerated", |bencher| {
        bencher.iter(|| enumerate::tiers(board, board.last_tier()).count());
    });
}

criterion_group! {
    name = counting;
    config = Criterion::default().sample_size(10);
    targets =
        how_fast_are_the_first_tiers_of_7x6_counted,
        how_fast_is_a_whole_small_board_counted,
        how_fast_is_the_slow_twin,
}
criterion_main!(counting);
