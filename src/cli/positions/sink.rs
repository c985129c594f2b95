//! The destination of records, and its format. A file exists completely or not at all: it gets its
//! name when it is finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;

use anyhow::Context;
use clap::Args;
use strong4::board::Board;

use super::arrays::Arrays;
use super::record::{Record, head};
use crate::cli::interrupt;
use crate::cli::output::Output;

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
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Target {
    pub path: PathBuf,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Csv,
    /// One object per line.
    Json,
    /// An array of keys.
    Npy,
    /// Several arrays.
    Npz,
}

impl FormArg {
    /// The format of standard output.
    pub(super) fn printed(&self) -> Form {
        if self.json { Form::Json } else { Form::Csv }
    }

    /// The file, unless standard output is meant.
    pub(super) fn target(&self) -> Option<&Target> {
        self.output.as_ref()
    }
}

fn output(name: &str) -> Result<Target, String> {
    let path = Path::new(name);
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
    Ok(Target { path: path.to_owned(), form })
}

/// Takes records one by one.
pub(super) enum Sink {
    Printed(Output, Form),
    Lines { file: NewFile, path: PathBuf, form: Form },
    Arrays { file: NewFile, path: PathBuf, form: Form, arrays: Arrays },
}

impl Sink {
    /// Opens the destination, and writes the header.
    pub(super) fn open(asked: &FormArg, board: Board, with_scores: bool) -> anyhow::Result<Sink> {
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

    /// Whether it is standard output.
    pub(super) fn is_printed(&self) -> bool {
        matches!(self, Sink::Printed(..))
    }

    pub(super) fn take(&mut self, record: &Record) -> anyhow::Result<()> {
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
    pub(super) fn pause(&mut self) -> anyhow::Result<()> {
        match self {
            Sink::Printed(out, _) => out.flush(),
            Sink::Lines { .. } | Sink::Arrays { .. } => Ok(()),
        }
    }

    /// The program was stopped. Half a file is worthless.
    pub(super) fn stop(&mut self) -> anyhow::Result<()> {
        if let Sink::Lines { file, .. } | Sink::Arrays { file, .. } = self {
            file.remove();
        }
        self.pause()
    }

    /// There are no more records.
    pub(super) fn finish(self) -> anyhow::Result<()> {
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

/// A file that has no name yet. If it is dropped before it is published, it leaves nothing behind.
pub(super) struct NewFile {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    published: bool,
}

impl NewFile {
    /// Creates a file in its final folder. Ctrl-C removes it, until another action for Ctrl-C
    /// is set.
    pub(super) fn create(path: &Path) -> io::Result<NewFile> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_string_lossy();
        // Another process may be writing the same file.
        let temporary = path.with_file_name(format!(".{name}.{}.new", process::id()));
        let file = OpenOptions::new().write(true).create(true).truncate(true).open(&temporary)?;
        let (path, file) = (path.to_owned(), BufWriter::new(file));
        let file = NewFile { path, temporary, file, published: false };
        file.remove_when_stopped();
        Ok(file)
    }

    /// From now on, Ctrl-C removes it.
    pub(super) fn remove_when_stopped(&self) {
        let temporary = self.temporary.clone();
        interrupt::set_last_deed(move || drop(fs::remove_file(temporary)));
    }

    /// Gives it its name, replacing any file of that name, once all of it is on disk.
    pub(super) fn publish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.temporary, &self.path)?;
        self.published = true;
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // Windows cannot open folders, and does not need to.
        if cfg!(windows) {
            Ok(())
        } else {
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        }
    }

    /// Removes it, unless it is published.
    pub(super) fn remove(&self) {
        if !self.published {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

impl Drop for NewFile {
    fn drop(&mut self) {
        self.remove();
    }
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.seek(to)
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

    #[test]
    fn a_file_has_its_name_when_it_is_published() {
        let folder = tempfile::tempdir().unwrap();
        let names = || {
            let entries = fs::read_dir(folder.path()).unwrap();
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let path = folder.path().join("a.csv");
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"given up").unwrap();
        assert!(!path.exists() && names().len() == 1);
        drop(file);
        assert!(names().is_empty());

        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"whole").unwrap();
        file.publish().unwrap();
        assert_eq!(names(), ["a.csv"]);
        assert_eq!(fs::read(path).unwrap(), b"whole");
        assert!(NewFile::create(&folder.path().join("no/such/folder.csv")).is_err());
    }
}
