//! The library as its users see it, in one program, because building another takes as long as most
//! of these tests take to run. The command line is tested in `tests/cli`.

#[path = "count.rs"]
mod count;
#[path = "exams.rs"]
mod exams;
#[path = "files.rs"]
mod files;
#[path = "index.rs"]
mod index;
#[cfg(target_os = "linux")]
#[path = "memory.rs"]
mod memory;
#[path = "minimax/main.rs"]
mod minimax;
#[path = "program.rs"]
#[expect(dead_code, reason = "the tests of the program use the rest")]
mod program;
#[path = "published.rs"]
mod published;
#[path = "query.rs"]
mod query;
#[path = "results.rs"]
mod results;
#[path = "scores.rs"]
mod scores;
#[path = "search.rs"]
mod search;
#[path = "solve.rs"]
mod solve;
#[path = "structure.rs"]
mod structure;
#[path = "table/main.rs"]
mod table;
#[path = "tabulate.rs"]
mod tabulate;
