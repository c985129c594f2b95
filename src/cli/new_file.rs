//! A file that exists completely or not at all: it gets its name when it is finished.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::process;

use super::interrupt;

/// A file that has no name yet. If it is dropped before it is published, it leaves nothing behind.
pub struct NewFile {
    path: PathBuf,
    temporary: PathBuf,
    file: BufWriter<File>,
    published: bool,
}

impl NewFile {
    /// Creates a file in its final folder. Ctrl-C removes it, until another action for Ctrl-C
    /// is set.
    pub fn create(path: &Path) -> io::Result<NewFile> {
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
    pub fn remove_when_stopped(&self) {
        let temporary = self.temporary.clone();
        interrupt::set_last_deed(move || drop(fs::remove_file(temporary)));
    }

    /// Gives it its name, replacing any file of that name, once all of it is on disk.
    pub fn publish(mut self) -> io::Result<()> {
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
    pub fn remove(&self) {
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
