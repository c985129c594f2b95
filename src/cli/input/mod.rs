//! What users give to the program: arguments that subcommands share, positions and games as they are
//! typed, and lines of standard input.

pub mod args;
pub mod asked;
pub mod in_order;
pub mod lines;
