//! The destination of records.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use strong4::board::Board;

use super::arrays::Arrays;
use super::form::{Form, FormArg, Target};
use super::record::{Record, head};
use crate::cli::new_file::NewFile;
use crate::cli::output::Output;

/// Takes records one by one.
pub enum Sink {
    Printed(Output, Form),
    Lines { file: NewFile, path: PathBuf, form: Form },
    Arrays { file: NewFile, path: PathBuf, form: Form, arrays: Arrays },
}

impl Sink {
    /// Opens the destination, and writes the header.
    pub fn open(asked: &FormArg, board: Board, with_scores: bool) -> anyhow::Result<Sink> {
        let mut sink = match asked.target() {
            None => Sink::Printed(Output::new(), asked.printed()),
            Some(Target { path, form }) => {
                let (path, form) = (path.clone(), *form);
                let file = NewFile::create(&path).with_context(|| cannot_write(&path))?;
                match form {
                    Form::Csv | Form::Json => Sink::Lines { file, path, form },
                    Form::Npy | Form::Npz => {
                        Sink::Arrays { file, path, form, arrays: Arrays::new(board, with_scores) }
                    }
                }
            }
        };
        if let Sink::Printed(_, Form::Csv) | Sink::Lines { form: Form::Csv, .. } = sink {
            sink.line(&head(board, with_scores))?;
        }
        Ok(sink)
    }

    /// Is it standard output?
    pub fn is_printed(&self) -> bool {
        matches!(self, Sink::Printed(..))
    }

    pub fn take(&mut self, record: &Record) -> anyhow::Result<()> {
        match self {
            Sink::Printed(_, Form::Json) | Sink::Lines { form: Form::Json, .. } => {
                self.line(&record.json()?)
            }
            Sink::Printed(..) | Sink::Lines { .. } => self.line(&record.csv()),
            Sink::Arrays { arrays, .. } => {
                arrays.push(record);
                Ok(())
            }
        }
    }

    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        match self {
            Sink::Printed(out, _) => out.line(line),
            Sink::Lines { file, path, .. } => {
                writeln!(file, "{line}").with_context(|| cannot_write(path))
            }
            Sink::Arrays { .. } => Ok(()),
        }
    }

    /// All records known so far have arrived: flush them for the reader.
    pub fn pause(&mut self) -> anyhow::Result<()> {
        match self {
            Sink::Printed(out, _) => out.flush(),
            Sink::Lines { .. } | Sink::Arrays { .. } => Ok(()),
        }
    }

    /// The program was stopped. Half a file is worthless.
    pub fn stop(&mut self) -> anyhow::Result<()> {
        if let Sink::Lines { file, .. } | Sink::Arrays { file, .. } = self {
            file.remove();
        }
        self.pause()
    }

    /// There are no more records.
    pub fn finish(self) -> anyhow::Result<()> {
        match self {
            Sink::Printed(out, _) => out.finish(),
            Sink::Lines { file, path, .. } => publish(file, &path),
            Sink::Arrays { mut file, path, form, arrays } => {
                file.remove_when_stopped();
                let written = match form {
                    Form::Npz => arrays.write_npz(&mut file),
                    _ => arrays.write_npy(&mut file),
                };
                written.with_context(|| cannot_write(&path))?;
                publish(file, &path)
            }
        }
    }
}

fn publish(file: NewFile, path: &Path) -> anyhow::Result<()> {
    file.remove_when_stopped();
    file.publish().with_context(|| cannot_write(path))
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write to {}", path.display())
}
