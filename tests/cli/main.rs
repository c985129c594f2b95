//! The program as its users see it: arguments and standard input in; standard output, standard
//! error and an exit code out.

mod clock;
mod count;
mod cut_off;
#[path = "../documents.rs"]
mod documents;
#[path = "../faults/mod.rs"]
mod faults;
#[path = "../files.rs"]
mod files;
mod grade;
#[path = "../help.rs"]
mod help;
mod index;
mod pipe;
mod plan;
mod play;
mod positions;
#[path = "../program.rs"]
mod program;
mod progress;
mod query;
#[path = "../release.rs"]
mod release;
mod review;
mod serve;
mod serve_access;
mod serve_load;
mod serve_solve;
#[cfg(unix)]
mod server;
mod show;
mod solve;
mod streams;
mod usage;
mod zobrist;
