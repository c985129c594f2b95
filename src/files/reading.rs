//! Opens files, and lists and removes folders, whatever has been put in their place: nothing here
//! waits for another process, as opening a FIFO does.
//!
//! Tables and working files are regular files, or links to such. Anything else under the name of
//! one is refused, and the error says what was found.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File, FileType, OpenOptions};
use std::io;
use std::path::Path;

/// Something that is not a regular file has the name of one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct NotAFile {
    /// What was found: "a folder".
    pub found: &'static str,
}

impl fmt::Display for NotAFile {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "expected a file, found {}", self.found)
    }
}

impl std::error::Error for NotAFile {}

impl NotAFile {
    /// What an error of [`open`] says, if it is this.
    pub(crate) fn said_by(error: &io::Error) -> Option<NotAFile> {
        error.get_ref()?.downcast_ref().copied()
    }

    /// Refuses what is not a regular file.
    pub(crate) fn check(found: FileType) -> io::Result<()> {
        if found.is_file() { Ok(()) } else { Err(NotAFile { found: in_words(found) }.into()) }
    }
}

impl From<NotAFile> for io::Error {
    fn from(found: NotAFile) -> io::Error {
        io::Error::other(found)
    }
}

#[cfg(unix)]
fn in_words(found: FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt;

    match found {
        _ if found.is_dir() => "a folder",
        _ if found.is_fifo() => "a FIFO",
        _ if found.is_socket() => "a socket",
        _ => "a device",
    }
}

#[cfg(not(unix))]
fn in_words(found: FileType) -> &'static str {
    if found.is_dir() { "a folder" } else { "a device" }
}

/// Opens a regular file for reading.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// The same with these options.
pub(crate) fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    // Asked first, since opening a device may do something, and a socket cannot be opened.
    match fs::metadata(path) {
        Ok(found) => NotAFile::check(found.file_type())?,
        Err(error) if error.kind() == io::ErrorKind::NotFound && path.is_symlink() => {
            return Err(NotAFile { found: "a link to a file that does not exist" }.into());
        }
        // Opening says what is wrong.
        Err(_) => {}
    }
    let file = match without_waiting(options.clone(), path) {
        // It is regular, and another process must first give up a lease on it.
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => options.open(path),
        opened => opened,
    }?;
    let found = file.metadata().map_err(|error| match error.kind() {
        // It exists, since it is open: callers must not take it for a file that is missing.
        io::ErrorKind::NotFound => io::Error::other(error),
        _ => error,
    })?;
    NotAFile::check(found.file_type())?;
    Ok(file)
}

/// What was found; `None` if there is no such file or folder.
pub(crate) fn if_there<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        found => found.map(Some),
    }
}

#[cfg(unix)]
fn without_waiting(mut options: OpenOptions, path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32).open(path)
}

#[cfg(not(unix))]
fn without_waiting(options: OpenOptions, path: &Path) -> io::Result<File> {
    options.open(path)
}

/// Opens a folder.
#[cfg(unix)]
pub(crate) fn open_folder(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;

    let flags = rustix::fs::OFlags::DIRECTORY;
    File::options().read(true).custom_flags(flags.bits() as i32).open(path)
}

/// The names of all that is in a folder.
pub(crate) fn names_in(folder: &Path) -> io::Result<Vec<OsString>> {
    Ok(entries_in(folder)?.into_iter().map(|(name, _)| name).collect())
}

/// The names of all that is in a folder, each with whether the folder says that it is a regular
/// file. It may be one even so: some file systems do not say, and a link may lead to one.
///
/// The standard library panics if a folder cannot be closed, which some file systems refuse after
/// an error.
#[cfg(unix)]
pub(crate) fn entries_in(folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
    use std::os::unix::ffi::OsStringExt;

    let mut entries = Vec::new();
    for entry in rustix::fs::Dir::new(open_folder(folder)?)? {
        let entry = entry?;
        let name = entry.file_name().to_bytes();
        if ![&b"."[..], b".."].contains(&name) {
            entries.push((OsString::from_vec(name.to_vec()), entry.file_type().is_file()));
        }
    }
    Ok(entries)
}

#[cfg(not(unix))]
pub(crate) fn entries_in(folder: &Path) -> io::Result<Vec<(OsString, bool)>> {
    let with_kind = |entry: fs::DirEntry| Ok((entry.file_name(), entry.file_type()?.is_file()));
    fs::read_dir(folder)?.map(|entry| with_kind(entry?)).collect()
}

/// Removes a folder with all that is in it, as far as that goes.
pub(crate) fn remove_all(folder: &Path) {
    for path in names_in(folder).unwrap_or_default().into_iter().map(|name| folder.join(name)) {
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_dir() => remove_all(&path),
            _ => _ = fs::remove_file(path),
        }
    }
    let _ = fs::remove_dir(folder);
}

/// Reads at an offset of a file, without moving its cursor.
#[cfg(unix)]
pub(crate) fn read_exact_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, offset)
}

/// Writes at an offset of a file, without moving its cursor.
#[cfg(unix)]
pub(crate) fn write_all_at(file: &File, bytes: &[u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, offset)
}

/// Reads at an offset of a file, without moving its cursor.
#[cfg(windows)]
pub(crate) fn read_exact_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => (buffer, offset) = (&mut buffer[read..], offset + read as u64),
        }
    }
    Ok(())
}

/// Writes at an offset of a file, without moving its cursor.
#[cfg(windows)]
pub(crate) fn write_all_at(file: &File, mut bytes: &[u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, offset)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            written => (bytes, offset) = (&bytes[written..], offset + written as u64),
        }
    }
    Ok(())
}

/// Other systems have no files that are read in this way.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_exact_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn only_regular_files_are_opened_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "text").unwrap();
        symlink(path("file"), path("link")).unwrap();
        for name in ["file", "link"] {
            assert_eq!(io::read_to_string(open(&path(name)).unwrap()).unwrap(), "text");
        }
        assert_eq!(open(&path("nothing")).unwrap_err().kind(), io::ErrorKind::NotFound);

        fs::create_dir(path("folder")).unwrap();
        rustix::fs::mknodat(
            rustix::fs::CWD,
            path("fifo"),
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::RWXU,
            0,
        )
        .unwrap();
        let _socket = UnixListener::bind(path("socket")).unwrap();
        symlink("/dev/null", path("device")).unwrap();
        symlink("nothing", path("dangling")).unwrap();
        for (name, found) in [
            ("folder", "a folder"),
            ("fifo", "a FIFO"),
            ("socket", "a socket"),
            ("device", "a device"),
            ("dangling", "a link to a file that does not exist"),
        ] {
            let mut writing = File::options();
            writing.write(true).create(true).truncate(false);
            for error in [open(&path(name)), open_with(&mut writing, &path(name))] {
                assert_eq!(NotAFile::said_by(&error.unwrap_err()), Some(NotAFile { found }));
            }
        }
        assert!(!path("nothing").exists());
    }

    #[test]
    fn folders_are_listed_and_removed_as_the_standard_library_does() {
        let folder = tempfile::tempdir().unwrap();
        for name in 0..1000 {
            fs::write(folder.path().join(format!("{name} of many names")), "").unwrap();
        }
        let mut expected: Vec<_> =
            fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        let mut names = names_in(folder.path()).unwrap();
        names.sort();
        expected.sort();
        assert_eq!(names, expected);
        let missing = names_in(&folder.path().join("nothing")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let inside = folder.path().join("folder/in a folder");
        fs::create_dir_all(&inside).unwrap();
        let kept = folder.path().join("7 of many names");
        symlink(&kept, inside.join("link")).unwrap();
        symlink(folder.path(), inside.join("link to a folder")).unwrap();
        remove_all(&folder.path().join("folder"));
        assert!(kept.exists() && !folder.path().join("folder").exists());
        let file = names_in(&folder.path().join("7 of many names")).unwrap_err();
        assert_eq!(file.kind(), io::ErrorKind::NotADirectory);
    }
}
