//! The destination of records, and its format. A file exists completely or not at all: it gets its
//! name when it is finished.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use strong4::board::Board;
use strong4::files::{Disk, DiskFile};

use super::arrays::Arrays;
use super::record::{Record, head};
use crate::cli::interrupt;
use crate::cli::output::{Output, cannot_write};

/// Which format, and where to.
#[derive(Args)]
pub(super) struct FormArg {
    /// Print comma-separated values with a header (the default)
    #[arg(long, conflicts_with_all = ["json", "output"])]
    csv: bool,
    /// Print one JSON object per position
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Write to FILE in the format named by its extension: .csv, .json, .jsonl, .npy or .npz
    #[arg(long, value_name = "FILE", value_parser = output, value_hint = clap::ValueHint::FilePath)]
    output: Option<Target>,
}

/// A file, and the format of its content.
#[derive(Clone)]
struct Target {
    path: PathBuf,
    form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Csv,
    /// One object per line.
    Json,
    /// An array of keys.
    Npy,
    /// Several arrays.
    Npz,
}

fn output(name: &str) -> Result<Target, String> {
    let path = PathBuf::from(name);
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let form = match &*ending {
        "csv" => Form::Csv,
        "json" | "jsonl" => Form::Json,
        "npy" => Form::Npy,
        "npz" => Form::Npz,
        _ => {
            return Err(format!(
                "'{name}' has no known format: expected the extension .csv, .json, .jsonl, .npy or .npz"
            ));
        }
    };
    Ok(Target { path, form })
}

/// Takes records one by one.
pub(super) struct Sink {
    form: Form,
    to: Destination,
    /// The records so far, if the form is that of arrays.
    arrays: Arrays,
}

enum Destination {
    Printed(Output),
    File(NewFile),
}

impl Sink {
    /// Opens the destination, and writes the header.
    pub(super) fn open(asked: &FormArg, board: Board, with_scores: bool) -> anyhow::Result<Sink> {
        let (form, to) = match &asked.output {
            Some(Target { path, form }) => (*form, Destination::File(NewFile::create(path)?)),
            None if asked.json => (Form::Json, Destination::Printed(Output::new())),
            None => (Form::Csv, Destination::Printed(Output::new())),
        };
        let mut sink = Sink { form, to, arrays: Arrays::new(board, with_scores) };
        if form == Form::Csv {
            sink.line(&head(board, with_scores))?;
        }
        Ok(sink)
    }

    /// Whether it is standard output.
    pub(super) fn is_printed(&self) -> bool {
        matches!(self.to, Destination::Printed(_))
    }

    pub(super) fn take(&mut self, record: &Record) -> anyhow::Result<()> {
        match self.form {
            Form::Csv => self.line(&record.csv()),
            Form::Json => self.line(&record.json()?),
            Form::Npy | Form::Npz => {
                self.arrays.push(record);
                Ok(())
            }
        }
    }

    fn line(&mut self, line: &str) -> anyhow::Result<()> {
        match &mut self.to {
            Destination::Printed(out) => out.line(line),
            Destination::File(new) => new.write(|file| Ok(writeln!(file, "{line}")?)),
        }
    }

    /// All records known so far have arrived: flush them for the reader.
    pub(super) fn pause(&mut self) -> anyhow::Result<()> {
        match &mut self.to {
            Destination::Printed(out) => out.flush(),
            Destination::File(_) => Ok(()),
        }
    }

    /// The program was stopped: removes an unfinished file, which would be worthless.
    pub(super) fn stop(&mut self) -> anyhow::Result<()> {
        if let Destination::File(file) = &self.to {
            let _ = file.unnamed.remove();
        }
        self.pause()
    }

    /// There are no more records.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        let Sink { form, to, arrays } = self;
        let mut new = match to {
            Destination::Printed(out) => return out.finish(),
            Destination::File(new) => new,
        };
        // So far, the action for Ctrl-C was to take what is known.
        new.remove_when_stopped();
        match form {
            Form::Csv | Form::Json => {}
            Form::Npy => new.write(|file| arrays.write_npy(file))?,
            Form::Npz => new.write(|file| arrays.write_npz(file))?,
        }
        new.publish()
    }
}

/// A file that has no name yet. If it is dropped before it is published, it leaves nothing behind.
struct NewFile {
    path: PathBuf,
    file: BufWriter<File>,
    unnamed: DiskFile,
}

impl NewFile {
    /// Creates a file in its final folder. Ctrl-C removes it, until another action for Ctrl-C
    /// is set.
    fn create(path: &Path) -> anyhow::Result<NewFile> {
        let created = || {
            let unnamed = Disk::default().create(path)?;
            Ok::<_, io::Error>((BufWriter::new(unnamed.handle()?), unnamed))
        };
        let (file, unnamed) = created().with_context(|| cannot_write(path))?;
        let file = NewFile { path: path.to_owned(), file, unnamed };
        file.remove_when_stopped();
        Ok(file)
    }

    fn write(
        &mut self,
        write: impl FnOnce(&mut BufWriter<File>) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        write(&mut self.file).with_context(|| cannot_write(&self.path))
    }

    /// From now on, Ctrl-C removes it.
    fn remove_when_stopped(&self) {
        let temporary = self.unnamed.temporary().to_owned();
        interrupt::set_last_deed(move || drop(fs::remove_file(temporary)));
    }

    /// Gives it its name, replacing any file of that name, once all of it is on disk.
    fn publish(mut self) -> anyhow::Result<()> {
        let published = self.file.flush().and_then(|()| self.unnamed.publish());
        published.with_context(|| cannot_write(&self.path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_forms() {
        let form = |name| output(name).map(|target| target.form);
        for (name, expected) in [
            ("a.csv", Form::Csv),
            ("a.b/c.JSON", Form::Json),
            ("c.jsonl", Form::Json),
            ("x.npy", Form::Npy),
            ("./x.npz", Form::Npz),
        ] {
            assert_eq!(form(name), Ok(expected), "{name}");
        }
        assert!(["", "a", "a.txt", "csv", "-"].iter().all(|name| form(name).is_err()));
    }
}
