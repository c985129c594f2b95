//! The time of a lookup, and of packing blocks.
//!
//! The table is that of tier 19 of 7x4 with all cells, which pack worse than quiet ones. It is in
//! the page cache, so the time of a disk comes on top.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use strong4::board::Tier;
use strong4::inside::index::Cell;
use strong4::inside::table::{
    BlockShape, EncodedBlocks, Encoder, Horizon, Layout, Table, TierCounts,
};

#[allow(dead_code)]
#[path = "../tests/table/build.rs"]
mod build;

const TIER: Tier = Tier::new(19).unwrap();

fn tables(criterion: &mut Criterion) {
    let (index, folder) = (build::index("7x4"), tempfile::tempdir().unwrap());
    let layout = Layout::new(index.census(), TIER, Horizon(0));
    let mut words: Vec<Vec<u64>> = Vec::new();
    build::for_all_tiers(&index, |tier, outcomes, _| {
        if tier == TIER {
            let tiles = build::encoded(&layout, outcomes);
            build::write(folder.path(), &layout, &tiles, TierCounts::default(), None);
            words = build::words(&layout, |cell| outcomes.outcome(cell));
        }
    });
    packing(criterion, &layout, &words);

    let stored = index.census().stored_cells(TIER);
    let cell = |number: u64| index.cell_at(TIER, number % stored).unwrap();
    // Far apart, so that no two in succession are in one block.
    let scattered: Vec<Cell> = (0..10_000u64).map(|at| cell(at * 1_000_000_007)).collect();
    let together: Vec<Cell> = (0..10_000u64).map(|at| cell(at / 10)).collect();

    let mut group = criterion.benchmark_group("how long does a lookup take");
    let table = Table::open(folder.path(), index.census(), TIER).unwrap();
    for (place, cells) in [("anywhere", &scattered), ("in the block before", &together)] {
        let mut cells = cells.iter().cycle();
        group.bench_function(place, |bencher| {
            bencher.iter(|| table.outcome_bits(*cells.next().unwrap()).unwrap());
        });
    }
    group.bench_function("after opening the table", |bencher| {
        bencher.iter(|| Table::open(folder.path(), index.census(), TIER).unwrap());
    });
    group.finish();
}

fn packing(criterion: &mut Criterion, layout: &Layout, words: &[Vec<u64>]) {
    let blocks = layout.tiles().flat_map(|(_, blocks)| blocks.iter().map(|block| block.shape));
    let shapes: Vec<BlockShape> = blocks.collect();
    let bytes: usize = shapes.iter().map(|shape| shape.bytes()).sum();
    let (mut encoder, mut blocks) = (Encoder::default(), EncodedBlocks::default());
    let mut group = criterion.benchmark_group("how fast are blocks packed");
    group.throughput(Throughput::Bytes(bytes as u64)).sample_size(10);
    group.bench_function("by one thread", |bencher| {
        bencher.iter(|| {
            blocks.clear();
            for (shape, words) in shapes.iter().zip(words) {
                encoder.encode(*shape, words, &mut blocks);
            }
            black_box(blocks.bytes().len())
        });
    });
    group.finish();
    println!("{bytes} bytes in {} blocks, packed to {}", shapes.len(), blocks.bytes().len());
}

criterion_group!(benches, tables);
criterion_main!(benches);
