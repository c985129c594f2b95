//! Tables of small boards: written, read back, damaged.

mod build;
mod by_the_book;
mod damage;
mod folder;
mod program;
mod resume;
mod round_trip;
mod samples;
