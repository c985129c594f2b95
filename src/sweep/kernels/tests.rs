//! All forms of the kernels beside slow twins, which go bit by bit.

use super::*;
use crate::sweep::panels;
use proptest::prelude::*;

/// Words that look like chance.
fn noise(seed: u64, words: usize) -> Vec<u64> {
    let next = |state: &mut u64| {
        *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        Some(*state ^ *state >> 29)
    };
    std::iter::repeat_n((), words).scan(seed, |state, ()| next(state)).collect()
}

/// The slow twin: bit by bit.
fn turned_by_bits(width: usize, from: &[u64], to_width: usize, to: &mut [u64]) {
    to.fill(0);
    let rows = from.chunks_exact(PLANES * width).enumerate();
    for (column, to) in to.chunks_exact_mut(PLANES * to_width).enumerate() {
        for ((row, from), plane) in rows.clone().flat_map(|row| [(row, 0), (row, 1)]) {
            let bit = from[plane * width + column / 64] >> (column % 64) & 1;
            to[plane * to_width + row / 64] |= bit << (row % 64);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn all_forms_turn_blocks_as_bit_by_bit(
        rows in 1usize..=512, columns in 1usize..=512, seed: u64,
    ) {
        let (width, to_width) = (panels::width(columns), panels::width(rows));
        let from = noise(seed, rows * PLANES * width);
        let mut expected = vec![0; columns * PLANES * to_width];
        turned_by_bits(width, &from, to_width, &mut expected);
        for cpu in Cpu::all() {
            let mut to = noise(!seed, expected.len());
            turn(cpu, width, &from, to_width, &mut to);
            prop_assert!(to == expected, "{}", cpu.form());
        }
    }

    #[test]
    fn all_forms_fold_alike(
        log_width in 0usize..4, rows in 0usize..100, per_row in 1usize..5, keep: bool,
        first: bool, seed: u64,
    ) {
        let width = 1 << log_width;
        let children = noise(seed, 60 * PLANES * width);
        let places: Vec<u32> =
            noise(seed ^ 1, rows * per_row).iter().map(|noise| (noise >> 9) as u32 % 64).collect();
        let children = Children { rows: &children, places: &places, per_row };
        let by = Fold::of(if first { Player::First } else { Player::Second });
        let start = noise(seed ^ 2, rows * PLANES * width);
        let folded = |cpu| {
            let mut to = start.clone();
            fold(cpu, by, width, keep, &mut to, children);
            to
        };
        let row = |row: usize, word: usize| {
            let start = if keep { start[row * PLANES * width + word] } else { !by.won() };
            places[row * per_row..][..per_row].iter().fold(start, |folded, place| {
                let child = children.rows.get(*place as usize * PLANES * width + word);
                let child = child.copied().unwrap_or(by.won());
                if first { folded | child } else { folded & child }
            })
        };
        let expected: Vec<u64> = (0..rows)
            .flat_map(|r| (0..PLANES * width).map(move |word| (r, word)))
            .map(|(r, word)| row(r, word))
            .collect();
        for cpu in Cpu::all() {
            prop_assert!(folded(cpu) == expected, "{}", cpu.form());
        }
    }

    #[test]
    fn all_forms_quieten_alike(
        log_width in 0usize..4, rows in 0usize..60, demands in 0usize..9, seed: u64,
    ) {
        let width = 1 << log_width;
        // Few bits, so that some cells stay quiet.
        let sparse = |salt, words| -> Vec<u64> {
            noise(seed ^ salt, words).iter().map(|n| n & n >> 21 & n << 17).collect()
        };
        let labels = |salt, number: u32| -> Vec<u32> {
            noise(seed ^ salt, rows).iter().map(|noise| (noise >> 9) as u32 % number).collect()
        };
        let (fours, wins) = (sparse(1, 5 * 2 * width), sparse(2, width));
        let (in_turn, columns) = (noise(seed ^ 3, 3 * width), noise(seed ^ 4, width));
        let (faces, types) = (labels(5, 5), labels(6, 3));
        let with = Finish {
            fours: &fours,
            in_turn: &in_turn,
            columns: &columns,
            faces: &faces,
            types: &types,
            won: 0,
        };
        let met = sparse(7, 4 * demands * width);
        let numbers = sparse(8, 4 * rows);
        let demanded: Vec<[[u64; 2]; 2]> = numbers
            .as_chunks()
            .0
            .iter()
            .map(|row| row.map(|number| number & ((1 << demands) - 1)))
            .map(|[a, b, c, d]| [[a, b], [c, d]])
            .collect();
        let whole: Vec<bool> = labels(9, 8).iter().map(|label| *label == 0).collect();
        let threats = Threats { rows: &demanded, whole: &whole, columns: &wins, met: &met };
        let from = noise(seed, rows * PLANES * width);
        let mut expected = from.clone();
        for (row, words) in expected.chunks_exact_mut(PLANES * width).enumerate() {
            let either = &fours[(2 * faces[row] as usize + 1) * width..][..width];
            let in_turn = &in_turn[types[row] as usize * width..][..width];
            for bit in 0..64 * width {
                let at = |words: &[u64]| words[bit / 64] >> (bit % 64) & 1 == 1;
                // By the column before and after a stone, and by player.
                let mut met = met.chunks(demands.max(1) * width).zip(demanded[row].as_flattened());
                let crossing = met.any(|(met, demanded)| {
                    (0..demands).any(|n| demanded >> n & 1 == 1 && at(&met[n * width..]))
                });
                let live = at(&columns) && at(in_turn) && !at(either);
                if !live || whole[row] || at(&wins) || crossing {
                    (0..PLANES).for_each(|p| words[p * width + bit / 64] &= !(1 << (bit % 64)));
                }
            }
        }
        for cpu in Cpu::all() {
            let mut to = noise(!seed, from.len());
            quieten(cpu, width, &from, &mut to, with, threats);
            prop_assert!(to == expected, "{}", cpu.form());
        }
    }

    #[test]
    fn all_forms_finish_alike(
        log_width in 0usize..4, rows in 0usize..100, first: bool, seed: u64,
    ) {
        let width = 1 << log_width;
        let fours = noise(seed ^ 1, 5 * 2 * width);
        let (in_turn, columns) = (noise(seed ^ 2, 3 * width), noise(seed ^ 3, width));
        let labels = |salt, number: u32| -> Vec<u32> {
            noise(seed ^ salt, rows).iter().map(|noise| (noise >> 9) as u32 % number).collect()
        };
        let (faces, types) = (labels(4, 5), labels(5, 3));
        let with = Finish {
            fours: &fours,
            in_turn: &in_turn,
            columns: &columns,
            faces: &faces,
            types: &types,
            won: if first { u64::MAX } else { 0 },
        };
        let start = noise(seed, rows * PLANES * width);
        let (mut expected, mut tally) = (start.clone(), Tally::default());
        for (row, words) in expected.chunks_exact_mut(PLANES * width).enumerate() {
            let fours = &fours[faces[row] as usize * 2 * width..][..2 * width];
            let in_turn = &in_turn[types[row] as usize * width..][..width];
            for bit in 0..64 * width {
                let at = |words: &[u64]| words[bit / 64] >> (bit % 64) & 1 == 1;
                let live = at(in_turn) && !at(&fours[width..]);
                let values = [0, 1].map(|plane| {
                    let value = if at(fours) { first } else { at(&words[plane * width..]) };
                    let value = value && at(&columns);
                    words[plane * width + bit / 64] &= !(1 << (bit % 64));
                    words[plane * width + bit / 64] |= u64::from(value) << (bit % 64);
                    u64::from(value && live)
                });
                tally.first_wins += values[0];
                tally.first_holds += values[1];
                tally.live += u64::from(live);
            }
        }
        for cpu in Cpu::all() {
            let mut to = start.clone();
            prop_assert_eq!(finish(cpu, width, &mut to, with), tally, "{}", cpu.form());
            prop_assert!(to == expected, "{}", cpu.form());
        }
    }
}
