//! Tables of small boards: written, read back, damaged.

pub mod build;
mod by_the_book;
mod damage;
mod deep;
mod folder;
mod forged;
mod forger;
mod format_page;
mod parts;
mod program;
mod refused;
mod round_trip;
mod samples;
pub mod scores;
mod second_writer;
