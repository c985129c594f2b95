//! What makefiles and job scripts have in common: commands that mean the same in any folder, on
//! any machine.

use std::path::{Path, PathBuf};

use super::super::advice::quoted;
use anyhow::{Context, bail};
use strong4::board::Board;
use strong4::tabulate::{Part, Request};

/// The commands of a planned run, quoted for a shell.
pub struct Script {
    /// The board.
    pub board: Board,
    /// The folder of the tables.
    pub tables: String,
    /// Where jobs say what they did.
    pub log: String,
    /// `strong4`, with its folder.
    program: String,
    /// The folder of the working files, if it is not inside that of the tables.
    scratch: Option<String>,
    /// Threads of each part.
    pub threads: usize,
}

impl Script {
    /// Of a request; an error if a shell cannot be told where its folders are.
    pub fn new(request: &Request) -> anyhow::Result<Script> {
        let tables = absolute(&request.tables)?;
        let scratch = absolute(&request.scratch)?;
        let is_inside = scratch == tables.join("scratch");
        Ok(Script {
            board: request.board,
            log: word(&tables.join("log"))?,
            tables: word(&tables)?,
            program: word(&program()?)?,
            scratch: if is_inside { None } else { Some(word(&scratch)?) },
            threads: rayon::current_num_threads(),
        })
    }

    /// The command that solves parts; what it may use, and which part, is still to be said.
    pub fn solve(&self) -> String {
        let Script { board, tables, program, threads, .. } = self;
        let scratch = self.scratch.as_ref().map(|folder| format!(" --scratch {folder}"));
        let scratch = scratch.unwrap_or_default();
        format!(
            "{program} solve --board {board} --tables {tables}{scratch} --threads {threads} --quiet"
        )
    }

    /// The command that checks the tables.
    pub fn verify(&self) -> String {
        let Script { board, tables, program, threads, .. } = self;
        format!("{program} verify --board {board} --tables {tables} --threads {threads}")
    }
}

/// The program that is running, for scripts.
fn program() -> anyhow::Result<PathBuf> {
    std::env::current_exe().context("cannot tell where this program is")
}

/// Mebibytes for the largest of these parts: what was estimated, and a quarter more.
pub fn mebibytes<'a>(parts: impl IntoIterator<Item = &'a Part>) -> u64 {
    let most = parts.into_iter().map(|part| part.memory).max().unwrap_or(0);
    (most / 4 * 5).div_ceil(1 << 20)
}

fn absolute(path: &Path) -> anyhow::Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("cannot find {}", path.display()))
}

/// A path as a word of a shell.
fn word(path: &Path) -> anyhow::Result<String> {
    match path.to_str() {
        Some(text) if !text.chars().any(char::is_control) => Ok(quoted(text)),
        _ => bail!("{} cannot be written in a script: choose another name", path.display()),
    }
}
