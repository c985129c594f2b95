//! strong4 is a strong solver of Connect Four. It finds win, draw or loss for every position that a
//! game can reach, tier by tier, and stores them in tables. A *tier* is all positions with the same
//! number of stones.
//!
//! To find out what a position is worth, you need three names: [`Solver`], [`Board`](board::Board)
//! and [`Moves`](board::Moves):
//!
//! ```
//! use strong4::Solver;
//! use strong4::board::{Board, Moves};
//!
//! let solver = Solver::new(Board::STANDARD); // or Solver::open("tables/7x6")?
//! let game = Moves::parse(Board::STANDARD, "4453")?;
//! let score = solver.score(game.position())?;
//! assert_eq!(score.get(), -2); // The other player wins, with two stones to spare.
//! let moves = solver.move_scores(game.position())?;
//! let moves: Vec<i32> = moves.into_iter().flatten().map(|score| score.get()).collect();
//! assert_eq!(moves, [-5, -5, -2, -3, -4, -2, -2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A solver can be cloned and used from any thread, for one position or a million.
//!
//! # What there is
//!
//! - [`board`] knows the rules: boards, positions, moves, notation, drawings, and which positions a
//!   game can reach. [`tromp`] packs a position into a [`Key`](tromp::Key).
//! - [`Solver`] and [`query`] say what a position and each move from it are worth, review games,
//!   and play against people. [`picture`] draws what they say.
//! - [`grade`] says how good a player is: exams with perfect marks, games, and intervals.
//! - [`search`] finds the score of a single position by alpha-beta. It knows only the rules, so it
//!   is an independent check on everything else.
//! - [`count`](mod@count) counts the positions of each tier, and [`sample`] draws or lists them.
//! - [`tables`] solves a board for good; a [`Solver`] reads what it wrote.
//!
//! Long jobs report how far they are through [`progress`]. The library never prints. The program is
//! a package of its own, `strong4-cli`; its code is the module `cli`, behind a feature.
//!
//! # How it is built
//!
//! A module imports only modules above it in this drawing:
//!
//! ```text
//!     clock              the time, where there is no system to tell it
//!     parse_error, numerals, progress, in_order
//!     cpu, memory        the machine
//!     board              the rules
//!     random             the same numbers for the same seed
//!     tromp              a column in H + 1 bits      files    files on a disk, whole or not at all
//!     too_large          boards that are too large, and for what
//!     columns            the states of a column      search   the score of a single position
//!     index              the place of a position     order    which columns fill up in turn
//!                        in its tier
//!     sweep              whole tiers, 64 cells       count    how many positions a tier has
//!                        to a word
//!     plies              how soon games are over
//!     table              tiers in files              sample   live positions, drawn or listed
//!     solve              a board in memory           probe, no_probe  what tables say, if any
//!     tabulate           a board out of core         query    what a position is worth
//!     stats, reference   counts of tables, and those that are known
//!     verify             whether the tables are true
//!     solver             all of that, asked in one place
//!     grade              how good a player is
//!     clashes            how often a hash errs       picture  positions, answers and marks, drawn
//!     serialized, fuzzing
//!     cli                the program: arguments in, report out
//! ```
//!
//! `index` cuts a board into left side, centre and right side, and numbers the positions of a tier
//! so tightly that half of the numbers are in use. `sweep` holds tiers as bit matrices laid out by
//! it, and finds how all cells of a tier end from those of the next, one centre after the other.
//! `tabulate` does this piece by piece with working files, and resumes where it was stopped.
//!
//! `order` sorts sides by the order in which their colours can be dropped: 2,182 types on 7x6.
//! `count` counts positions from pairs of sides, without visiting them. `index` and `order` know
//! nothing of each other.
//!
//! Without the feature `tables`, which is on by default, only what searches is left: no files, no
//! threads, no C. That is built for WebAssembly; `js` in the repository makes a package of it.
//!
//! # A short tour
//!
//! ```
//! use strong4::board::{Board, Moves};
//! use strong4::count::count;
//! use strong4::tromp::Key;
//!
//! // A game: columns from 1 at the left.
//! let game = Moves::parse(Board::STANDARD, "4453")?;
//! assert_eq!(
//!     game.position().to_string(),
//!     ". . . . . . .\n\
//!      . . . . . . .\n\
//!      . . . . . . .\n\
//!      . . . . . . .\n\
//!      . . . O . . .\n\
//!      . . O X X . .\n\
//!      1 2 3 4 5 6 7"
//! );
//! let key = Key::of(game.position());
//! println!("{key}");
//! assert_eq!(key.decode(Board::STANDARD)?, *game.position());
//!
//! // How many positions have 0, 1, … 7 stones?
//! let counts = count(Board::STANDARD, "0..7".parse()?, &())?;
//! let totals: Vec<u64> = counts.iter().map(|tier| tier.total()).collect();
//! assert_eq!(totals, [1, 7, 49, 238, 1120, 4263, 16_422, 54_859]);
//! assert_eq!((counts[7].live, counts[7].terminal), (54_131, 728));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/guide.md` explains the ideas from the start, `docs/table-format.md` the
//! files, and `docs/commands.md` the program.
#![warn(missing_docs)]
#![cfg_attr(not(feature = "inside"), warn(missing_debug_implementations))]
#![cfg_attr(feature = "inside", warn(unreachable_pub))]
// Some of what the program and the tests use, nothing else does.
#![cfg_attr(not(all(feature = "cli", feature = "inside")), allow(dead_code, unused_imports))]

// The program, the tests and the benches name the library as its users do.
extern crate self as strong4;

pub mod board;
#[cfg(feature = "cli")]
mod clashes;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
mod clock;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub mod clock;
mod columns;
#[cfg(feature = "tables")]
pub mod count;
mod cpu;
mod files;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
#[cfg(feature = "tables")]
pub mod grade;
mod in_order;
mod index;
mod memory;
mod numerals;
#[cfg(feature = "tables")]
mod order;
mod parse_error;
pub mod picture;
mod plies;
#[cfg_attr(not(feature = "tables"), path = "no_probe.rs")]
mod probe;
pub mod progress;
pub mod query;
mod random;
#[cfg(any(feature = "cli", feature = "inside"))]
mod reference;
#[cfg(feature = "tables")]
pub mod sample;
pub mod search;
#[cfg(feature = "serde")]
mod serialized;
#[cfg(feature = "tables")]
mod solve;
mod solver;
#[cfg(any(feature = "cli", feature = "inside"))]
mod stats;
#[cfg(feature = "tables")]
mod sweep;
mod table;
#[cfg(feature = "tables")]
mod tabulate;
mod too_large;
pub mod tromp;
#[cfg(any(feature = "cli", feature = "inside"))]
mod verify;

pub use parse_error::ParseError;
pub use solver::{Batch, Solver, SolverBuilder, SolverError};
pub use too_large::BoardTooLarge;

/// Tables: how [`tabulate`](tables::tabulate) makes them, and what may be wrong with one.
#[cfg(feature = "tables")]
pub mod tables {
    pub use crate::cpu::{Cpu, CpuError};
    pub use crate::files::sealed::{FileFault, WorkingFileError};
    pub use crate::plies::NotNested;
    pub use crate::solve::{Disagreement, TierSolution};
    pub use crate::sweep::{Planes, Scope};
    pub use crate::table::{
        Content, Damage, Digest, Fault, FolderError, HeaderFault, Horizon, TableError,
    };
    pub use crate::tabulate::{
        Beginning, Estimate, Listener, Request, TabulateError, Tabulated, Wanted, estimate,
        tabulate,
    };
}

/// The private modules, for the tests, benches and fuzz targets of this repository only.
#[cfg(feature = "inside")]
#[doc(hidden)]
pub mod inside {
    macro_rules! show {
        ($($name:ident: $($module:ident)::+),*) => {
            $(pub mod $name {
                pub use crate::$($module)::+::*;
            })*
        };
    }
    show! {
        cpu: cpu, drawing: board::drawing, enumerate: count::enumerate, fours: board::fours,
        index: index, memory: memory, plies: plies, probe: probe,
        program: files, random: random, reference: reference, session: query::session,
        solve: solve, stats: stats, sweep: sweep, table: table, tabulate: tabulate,
        verify: verify, zobrist: search::zobrist
    }
}

/// The code in the guide is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;

/// So is the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
