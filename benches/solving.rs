//! The time that solving takes.

use criterion::{Criterion, criterion_group, criterion_main};
use strong4::board::{Board, Tier};
use strong4::inside::index::Index;
use strong4::inside::sweep::{Cpu, End, Extent, MemorySweep, Scope};

fn swept(index: &Index, cpu: Cpu) -> u64 {
    let extent = Extent::new(index.census(), Scope::InDoubt);
    let sweep =
        MemorySweep::new(&extent, cpu, End::full_board(index.board()), Tier::new(0).unwrap());
    let mut sweep = sweep.expect("a board that can be solved");
    while sweep.advance(&()).expect("nothing is written") {}
    sweep.met(Tier::new(0).unwrap()).total()
}

fn how_fast_is_a_small_board_solved(criterion: &mut Criterion) {
    let index = Index::new(Board::new(5, 5).unwrap()).unwrap();
    criterion.bench_function("how fast is all of 5x5 swept", |bencher| {
        bencher.iter(|| swept(&index, Cpu::widest()));
    });
}

fn how_much_do_wide_registers_bring(criterion: &mut Criterion) {
    let index = Index::new(Board::new(7, 4).unwrap()).unwrap();
    for cpu in Cpu::all() {
        let question = format!("how fast is all of 7x4 swept with {cpu} kernels");
        criterion.bench_function(&question, |bencher| bencher.iter(|| swept(&index, cpu)));
    }
}

criterion_group! {
    name = solving;
    config = Criterion::default().sample_size(10);
    targets = how_fast_is_a_small_board_solved, how_much_do_wide_registers_bring
}
criterion_main!(solving);
