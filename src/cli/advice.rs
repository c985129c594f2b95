//! What to type next after an error. The library reports facts; options and commands are known only
//! here.

use std::error::Error;
use std::path::Path;

use strong4::board::Board;
use strong4::count::CountError;
use strong4::memory::Bytes;
use strong4::query::QueryError;
use strong4::sample::SampleError;
use strong4::solve::SolveError;
use strong4::stats::PliesError;
use strong4::sweep::{FileFault, WorkingFileError};
use strong4::table::{Content, Fault, FolderError, HeaderFault, TableError, default_folder};
use strong4::tabulate::TabulateError;
use strong4::verify::{DeepError, Witness, WrongValue};
use strong4::{BoardTooLarge, SolverError};

/// An error and what led to it, on one line, with what to type next if that is known.
pub(super) fn in_words(error: &anyhow::Error) -> String {
    with_advice(format!("{error:#}"), error.chain().find_map(advice))
}

/// The same for a fault in a table.
pub(super) fn fault_in_words(fault: &TableError) -> String {
    with_advice(fault.to_string(), after_table(fault))
}

/// The same for a wrong value in a table.
pub(super) fn wrong_in_words(wrong: &WrongValue) -> String {
    let advice = match wrong.witness {
        Witness::Sweep => AGAIN,
        _ => "'strong4 verify --deep' finds out which table is wrong",
    };
    with_advice(wrong.to_string(), Some(advice.to_owned()))
}

/// What to do about a damaged table.
const AGAIN: &str = "remove it and solve again";
/// What to do about a disk that is full.
const FREE: &str = "free some space and give the same command again; finished work is kept";
/// What to do about a file that may not grow.
const RAISE: &str = "raise the limit on the size of files, shown by 'ulimit -f', and give the same \
                     command again; finished work is kept";

fn with_advice(error: String, advice: Option<String>) -> String {
    advice.into_iter().fold(error, |error, advice| format!("{error}: {advice}"))
}

fn advice(error: &(dyn Error + 'static)) -> Option<String> {
    None.or_else(|| after_table(table(error)?))
        .or_else(|| after_run(error.downcast_ref()?))
        .or_else(|| after_sweep(error.downcast_ref()?))
        .or_else(|| match error.downcast_ref()? {
            SolverError::Folder(error) => after_folder(error),
            error => error
                .contradiction()
                .map(|_| "'strong4 verify --deep' finds out whether a table is wrong".to_owned()),
        })
        .or_else(|| after_folder(error.downcast_ref()?))
        .or_else(|| match error.downcast_ref()? {
            PliesError::NoScores { board, .. } => {
                let command = format!("strong4 solve --board {board} --scores");
                Some(format!("'{command}' finds how soon positions are over"))
            }
            PliesError::Disagree { .. } => Some("remove both and solve again".to_owned()),
            PliesError::Table(_) => None,
        })
        .or_else(|| match error.downcast_ref()? {
            SolveError::Memory { last, .. } => {
                Some(format!("try a smaller board, or --tiers nearer to {last}"))
            }
            _ => None,
        })
        .or_else(|| after_size(error))
}

/// What to do about a board that is too large.
fn after_size(error: &(dyn Error + 'static)) -> Option<String> {
    macro_rules! look_into {
        ($($kind:ident),+) => {
            $(if let Some($kind::TooLarge(error)) = error.downcast_ref() {
                return after_size(error);
            })+
        };
    }
    look_into!(TabulateError, SolveError, DeepError, SolverError, SampleError, CountError);
    let smaller = match error.downcast_ref()? {
        BoardTooLarge::Column { .. } => "less tall",
        BoardTooLarge::Order { .. } => "less tall or less wide",
        BoardTooLarge::Count { .. } => "narrower",
        BoardTooLarge::Memory { .. } => "smaller",
        _ => return None,
    };
    Some(format!("try a {smaller} board"))
}

/// The fault in a table that an error reports.
fn table<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e TableError> {
    if let Some(error) = error.downcast_ref::<SolverError>() {
        return error.table();
    }
    macro_rules! table_of {
        ($($kind:ident),+) => {
            $(if let Some($kind::Table(error)) = error.downcast_ref() {
                return Some(error);
            })+
        };
    }
    table_of!(TabulateError, FolderError, QueryError, DeepError, PliesError);
    error.downcast_ref()
}

fn after_folder(error: &FolderError) -> Option<String> {
    Some(match error {
        FolderError::NoTables { board, folder } => {
            format!("'{}' makes them", command("solve", *board, folder))
        }
        FolderError::NoFolder { .. } => {
            "check --tables, or let 'strong4 solve' make tables".to_owned()
        }
        FolderError::NoBoard { .. } => "name their board with --board".to_owned(),
        FolderError::OtherBoard { found, .. } => {
            format!("give --board {found}, or another folder")
        }
        FolderError::Table(_) => return None,
    })
}

fn after_table(error: &TableError) -> Option<String> {
    Some(match error.fault {
        Fault::NoFolder => {
            "'strong4 solve' makes tables, and --tables names their folder".to_owned()
        }
        Fault::Missing { board, content, .. } => {
            let scores = if content == Content::OUTCOMES { "" } else { " --scores" };
            format!("'strong4 solve --board {board}{scores}' makes it")
        }
        Fault::OtherBoard { found, .. } => format!("try --board {found}"),
        Fault::OtherContent { found: Content::Scores, .. } => {
            format!("if its folder is 'scores', use the one above; if not, {AGAIN}")
        }
        Fault::Header(HeaderFault::Version { .. }) => {
            format!("use the strong4 that wrote it, or {AGAIN}")
        }
        Fault::DiskFull => FREE.to_owned(),
        Fault::TooLarge => RAISE.to_owned(),
        Fault::ReadOnly { .. } => "choose another folder".to_owned(),
        Fault::InUse => "wait for it, or choose another folder".to_owned(),
        Fault::Removed => "give the same command again".to_owned(),
        Fault::NotAsWritten => "check the disk, and solve again".to_owned(),
        Fault::NoManifest => "solve again, which makes one from the tables".to_owned(),
        Fault::NotListed { .. } => "solve again".to_owned(),
        Fault::NotAFile { .. }
        | Fault::Header(_)
        | Fault::Unfinished
        | Fault::OtherTable { .. }
        | Fault::OtherContent { .. }
        | Fault::Directory { .. }
        | Fault::Length { .. }
        | Fault::Block { .. }
        | Fault::MoreBlocks { .. }
        | Fault::Index { .. }
        | Fault::Chain { .. }
        | Fault::Manifest { .. } => AGAIN.to_owned(),
        _ => return None,
    })
}

fn after_working_file(error: &WorkingFileError) -> Option<String> {
    let advice = match error.fault {
        FileFault::Io { doing: "read", .. } => {
            "give the same command again; if that does not help, remove the file first"
        }
        FileFault::DiskFull => FREE,
        FileFault::TooLarge => RAISE,
        FileFault::NotAFile { .. } => "remove it and give the same command again",
        FileFault::Missing => "give the same command again, which recreates it",
        FileFault::Damaged { .. } | FileFault::Foreign { .. } => {
            "remove it and give the same command again, which recreates it"
        }
        _ => return None,
    };
    Some(advice.to_owned())
}

fn after_run(error: &TabulateError) -> Option<String> {
    Some(match error {
        TabulateError::WorkingFile(error) => return after_working_file(error),
        TabulateError::Thread(_) => {
            "raise the limits shown by 'ulimit -u' and 'ulimit -v'".to_owned()
        }
        TabulateError::RunFile { .. } => {
            "remove it and give the same command again, which goes on \
                                          with all pieces that are sound"
                .to_owned()
        }
        TabulateError::Missing { .. } => "give the same command again".to_owned(),
        TabulateError::Memory { needed, .. } => {
            let needed = Bytes(*needed);
            format!("allow it with --mem {needed:#}, take fewer --threads, or try a smaller board")
        }
        TabulateError::Disk { .. } => {
            "make room, or choose other folders with --tables and --scratch".to_owned()
        }
        TabulateError::NoStart { board, first, .. } => {
            format!("give the same command with --tiers {first}..{}", board.last_tier())
        }
        TabulateError::Unfinished { board, found, every_cell, .. } => {
            let every_cell = if *every_cell { " --every-cell" } else { "" };
            format!(
                "finish it with --board {board} --tiers {found}{every_cell}, or drop it by removing \
                 run.json there"
            )
        }
        TabulateError::PlanFile { .. } => {
            "remove it and plan the run again, with the same --parts".to_owned()
        }
        TabulateError::OtherPlan { .. } => {
            "leave out --parts, or remove that file while no part is being solved".to_owned()
        }
        TabulateError::NotPlanned { board, tables } => {
            format!("'{} --make', or --slurm, plans one", command("plan", *board, tables))
        }
        TabulateError::NeedsPart { board, tables, needed, .. } => {
            format!("'{} --part {needed}' makes it", command("solve", *board, tables))
        }
        TabulateError::Lost { board, tables, .. } => {
            let solve = command("solve", *board, tables);
            format!("'{solve}' makes it again, and finishes the run")
        }
        _ => return None,
    })
}

fn after_sweep(error: &DeepError) -> Option<String> {
    Some(match error {
        DeepError::WorkingFile(error) => return after_working_file(error),
        DeepError::Memory { needed, .. } => {
            format!("allow it with --mem {:#}, or use fewer --threads", Bytes(*needed))
        }
        DeepError::Disk { .. } => {
            "make room, allow more memory with --mem, or choose another folder with --scratch"
                .to_owned()
        }
        _ => return None,
    })
}

/// A command line that works on these tables.
pub(super) fn command(name: &str, board: Board, folder: &Path) -> String {
    let mut command = format!("strong4 {name}");
    if board != Board::STANDARD {
        command += &format!(" --board {board}");
    }
    if folder != default_folder(board) {
        command += &format!(" --tables {}", quoted(&folder.display().to_string()));
    }
    command
}

/// A word quoted for a shell.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%,".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_name_only_what_they_must() {
        let command =
            |board: &str, folder| command("solve", board.parse().unwrap(), Path::new(folder));
        assert_eq!(command("7x6", "tables/7x6"), "strong4 solve");
        assert_eq!(command("5x4", "tables/5x4"), "strong4 solve --board 5x4");
        assert_eq!(command("7x6", "/big disk/it's"), r"strong4 solve --tables '/big disk/it'\''s'");
    }
}
