//! Tables of small boards: written, read back, damaged.

mod build;
mod by_the_book;
mod damage;
mod folder;
mod parts;
mod program;
mod round_trip;
mod samples;
