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
//! let solver = Solver::new(Board::STANDARD); // .with_tables("tables/7x6")?
//! let game = Moves::parse(Board::STANDARD, "4453")?;
//! let score = solver.score(game.position())?;
//! assert_eq!(score.get(), -2); // The other player wins, with two stones to spare.
//! let moves = solver.scores(game.position())?;
//! let moves: Vec<i32> = moves.into_iter().flatten().map(|score| score.get()).collect();
//! assert_eq!(moves, [-5, -5, -2, -3, -4, -2, -2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A solver can be cloned and used from any thread, for one position or a million; see [`solver`].
//! Below it, strong4 counts the positions of every tier, computes the place of each in its tier,
//! solves the tiers from the full board down, one centre at a time, and finds the outcome of any
//! position from the tables and a short search.
//!
//! `default-features = false` leaves out the dependencies that only the program needs, and the
//! study `clashes`.
//!
//! # The house
//!
//! Each room imports only rooms above it in this drawing:
//!
//! ```text
//!                  board ______________    the rules: positions, moves, fours
//!                    |                 |
//!                  tromp             search   a column in H + 1 bits | the score of a
//!                    |                 |      single position
//!                 columns              |      the states that a column can be in
//!               _____|_____            |
//!              |           |           |
//!       ______index       order         |      the place of a position in its tier |
//!      |      | |          |           |      which columns fill up in turn
//!   sample table sweep    count         |      live positions | tiers in files | whole tiers, 64
//!      |   | |    |        |           |      cells to a word | how many positions a tier has
//!      |   | |    |    reference       |      what to compare with
//!      |   | |    |________|           |
//!      |   | |         |               |
//!      |   | |       solve             |      a board in memory
//!      |   | |_________|               |
//!      |   |        tabulate           |      a board out of core
//!      |___|__________________________ |
//!          |         |                |
//!        stats       |      lookup oracle     what tables say about tiers, about positions
//!          |         |         query  verify  what a position is worth | is it true?
//!          |         |       solver   |         the door: a position in, an answer out
//!          |_________|________________|
//!                    |
//!                 src/cli                     the program: arguments in, report out
//! ```
//!
//! - [`board`] knows the rules and nothing else: geometry, stones, moves, fours, notation,
//!   drawings, and a slow and obvious test of what games can reach.
//! - [`tromp`] packs a column into one bit more than it has rows, and a position into its
//!   [`Key`](tromp::Key).
//! - [`columns`] lists the states of a column without four in a row.
//! - [`index`] cuts a board into left side, centre and right side, and numbers the positions of a
//!   tier so tightly that half of the numbers are in use.
//! - [`sample`] draws live positions of a tier, all equally likely, or lists them.
//! - [`sweep`] holds tiers as bit matrices laid out by the index. From one tier it finds which
//!   cells of the next are live, and how all cells end, one centre after the other.
//! - [`order`] sorts sides by the order in which their colours can be dropped: 2,182 types on 7x6.
//! - [`count`](mod@count) counts positions from pairs of sides, without visiting them; its slow
//!   twin, [`count::enumerate`], visits them all.
//! - [`solve`](mod@solve) sweeps a board from its last tier to its first and counts the outcomes;
//!   [`memory`] tells it what fits.
//! - [`table`] stores tiers in files: format, writer, reader, and all that must hold for a folder
//!   of them. [`stats`](mod@stats) counts what they contain.
//! - [`tabulate`](mod@tabulate) sweeps a board piece by piece with working files, assembles its
//!   tables, and resumes where it was stopped. Two private rooms serve it: `sealed`, which `sweep`
//!   imports too, holds files that prove that they are whole and belong to this run; every write of
//!   `sealed`, `sweep`, `table` and `tabulate` goes through `disk`.
//! - [`search`] finds the score of a single position by alpha-beta. It knows only the rules, so it
//!   is an independent check on the sweep.
//! - [`oracle`] finds the outcome or the score of any position from tables and a short search;
//!   [`lookup`] shows where it looks: the cell, the block, the bits.
//! - [`cpu`] selects the instruction set of the kernels.
//! - [`query`](mod@query) says what a position and each move from it are worth: from the built-in
//!   openings, from tables through the [`oracle`], and from the search. It also reviews whole
//!   games, and plays against people.
//! - [`solver`] is the door: it owns openings, tables and searches, and answers from any thread.
//! - [`verify`](mod@verify) asks whether the tables are true: for positions that it draws, for
//!   blocks that it recomputes, or, on top of `solve`, for everything.
//! - `clashes`, with the feature of that name, studies what happens when two positions share a
//!   hash; it stands on `tromp` and `search`, and nothing in the library stands on it.
//! - [`reference`](mod@reference) holds known counts and compares others with them.
//! - [`plies`] counts how soon positions are over, from games that are cut off; it knows only
//!   `board`, and `solve`, `table`, `tabulate`, `stats` and `reference` count with it.
//! - [`whole`] writes whole numbers as JSON that every reader gets exactly.
//! - [`progress`] is how long jobs report how far they are. The library never prints; the program
//!   does that. [`program`] names the program that wrote a file.
//!
//! `index` and `order` know nothing of each other, nor do the forward sweep and `count`. Where both
//! find the number of live positions, two methods agree that share only the columns.
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

pub mod board;
#[cfg(feature = "clashes")]
pub mod clashes;
pub mod columns;
pub mod count;
pub mod cpu;
mod disk;
#[cfg(fuzzing)]
#[doc(hidden)]
pub mod fuzzing;
pub mod index;
mod little_endian;
pub mod lookup;
pub mod memory;
pub mod oracle;
pub mod order;
pub mod plies;
mod positioned;
pub mod program;
pub mod progress;
pub mod query;
mod random;
mod reading;
pub mod reference;
pub mod sample;
mod sealed;
pub mod search;
pub mod solve;
pub mod solver;
pub mod stats;
pub mod sweep;
pub mod table;
pub mod tabulate;
pub mod tromp;
pub mod verify;
pub mod whole;

pub use solver::{Solver, SolverError};

/// The code in the guide is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/guide.md")]
struct Guide;

/// So is the code in the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
