//! How long does a look-up take, and how fast are blocks packed and unpacked?
//!
//! The tables are those of 5x4 with all cells, which pack worse than quiet ones.
//! They are in the page cache: what a disk takes comes on top.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use strong4::board::Tier;
use strong4::index::Cell;
use strong4::table::{EncodedBlocks, Horizon, Layout, Table};

#[allow(dead_code)]
#[path = "../tests/table/build.rs"]
mod build;

fn look_ups(criterion: &mut Criterion) {
    let (index, folder) = (build::index("5x4"), tempfile::tempdir().unwrap());
    build::write_all(folder.path(), &index, Horizon(0));
    let tier = Tier(13);
    let cells: Vec<Cell> = build::cells(&index, tier).collect();
    // Steps of a size that is prime: no two look-ups in a row are in one block.
    let scattered = || (0..).step_by(1_000_003).map(|at: usize| cells[at % cells.len()]);

    let mut group = criterion.benchmark_group("how long does a look-up take");
    let ways = [("mapped", Table::open as fn(_, _, _) -> _), ("read", Table::open_unmapped)];
    for (way, open) in ways {
        let table = open(folder.path(), index.census(), tier).unwrap();
        let mut scattered = scattered();
        group.bench_function(format!("{way}, anywhere"), |bencher| {
            bencher.iter(|| table.outcome_bits(scattered.next().unwrap()).unwrap());
        });
        let mut neighbours = cells.iter().cycle();
        group.bench_function(format!("{way}, in the same block"), |bencher| {
            bencher.iter(|| table.outcome_bits(*neighbours.next().unwrap()).unwrap());
        });
    }
    group.bench_function("opening a table", |bencher| {
        bencher.iter(|| Table::open(folder.path(), index.census(), tier).unwrap());
    });
    group.finish();
}

fn packing(criterion: &mut Criterion) {
    let index = build::index("5x4");
    let mut words: Vec<Vec<u64>> = Vec::new();
    let layout = Layout::new(index.census(), Tier(13), Horizon(0));
    build::for_all_tiers(&index, |outcomes, _| {
        if outcomes.tier() == Tier(13) {
            words = build::words(&layout, outcomes);
        }
    });
    let shapes: Vec<_> =
        layout.tiles().flat_map(|(_, blocks)| blocks.iter().map(|block| block.shape)).collect();
    let bytes: usize = shapes.iter().map(|shape| shape.bytes()).sum();
    let (mut encoder, mut blocks) = (strong4::table::Encoder::new(), EncodedBlocks::new());
    let mut group = criterion.benchmark_group("how fast are blocks packed");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_function("a tier of 5x4", |bencher| {
        bencher.iter(|| {
            blocks.clear();
            for (shape, words) in shapes.iter().zip(&words) {
                encoder.encode(*shape, words, &mut blocks);
            }
            black_box(blocks.bytes().len())
        });
    });
    group.finish();
    println!("{bytes} bytes in {} blocks, packed to {}", shapes.len(), blocks.bytes().len());
}

criterion_group!(benches, look_ups, packing);
criterion_main!(benches);
