//! What users give to the program: arguments that subcommands share, positions and games as they
//! are typed, and lines of standard input.

pub(super) mod args;
pub(super) mod asked;
pub(super) mod in_order;
pub(super) mod lines;
