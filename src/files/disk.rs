//! All that a run writes to a disk goes through here, so that tests can watch what reaches it. Only
//! locks and empty folders do not.
//!
//! A published file is there whole or not at all, whenever the power fails:
//!
//! ```text
//!     write    under a temporary name
//!     sync     what is in the file is on the disk
//!     rename   to the real name
//!     sync     the folder: so is the name
//! ```
//!
//! Every temporary name has a mark of its own. So two processes that write the same file, because
//! neither knows of the other, do not write into each other's. A file that is given up before it
//! has its real name is removed, unless the process is stopped before it can do so.
//!
//! ```text
//!     007.piece                          the file
//!     007.piece.5bd1e995a3c07f42.new     what a process has written of it so far
//! ```
//!
//! A watcher sees each [`Change`] before it is made, and may refuse it. Tests use one to fill the
//! disk, and one to find out what survives if the power fails at any moment.

use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::reading::{self, if_there, read_exact_at, write_all_at};

/// How often something is tried that other processes prevent meanwhile.
const MOST_TRIES: u32 = 1000;

/// A change to a disk.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(test), expect(dead_code, reason = "watchers look inside, and are in tests"))]
pub(crate) enum Change<'a> {
    /// Makes a folder.
    CreateFolder(&'a Path),
    /// Makes an empty file, in place of any with that name.
    Create(&'a Path),
    /// Writes bytes from this place on.
    Write { file: &'a Path, at: u64, bytes: &'a [u8] },
    /// What was written to a file is on the disk for good.
    Sync(&'a Path),
    /// Renames a file, in place of any that had the name.
    Rename { from: &'a Path, to: &'a Path },
    /// Removes a file.
    Remove(&'a Path),
    /// The names in a folder are on the disk for good.
    SyncFolder(&'a Path),
}

/// Sees every change before it is made. An error prevents the change.
type Watcher = dyn Fn(Change) -> io::Result<()> + Send + Sync;

/// The disk.
#[derive(Clone, Default)]
pub(crate) struct Disk {
    watcher: Option<Arc<Watcher>>,
    /// Free bytes, if a test has said so.
    free_space: Option<u64>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").finish_non_exhaustive()
    }
}

impl Disk {
    /// A disk with every change watched.
    #[cfg(test)]
    pub(crate) fn watched(
        watcher: impl Fn(Change) -> io::Result<()> + Send + Sync + 'static,
    ) -> Disk {
        Disk { watcher: Some(Arc::new(watcher)), ..Disk::default() }
    }

    /// A disk that says that it has this many bytes free.
    #[cfg(test)]
    pub(crate) fn with_free_space(bytes: u64) -> Disk {
        Disk { free_space: Some(bytes), ..Disk::default() }
    }

    /// Free bytes on the disk of a folder that may not exist yet, if that can be found out.
    pub(crate) fn free_space(&self, folder: &Path) -> Option<u64> {
        if self.free_space.is_some() {
            return self.free_space;
        }
        // A missing folder will be on the disk of its nearest existing ancestor.
        let folder = std::path::absolute(folder).ok()?;
        folder.ancestors().find_map(|folder| fs4::available_space(folder).ok())
    }

    fn announce(&self, change: Change) -> io::Result<()> {
        self.watcher.as_ref().map_or(Ok(()), |watcher| watcher(change))
    }

    /// Makes a folder and all folders above it, unless they exist, and syncs their names.
    pub(crate) fn create_folder(&self, folder: &Path) -> io::Result<()> {
        // Another run that uses the same folder for its working files may just have removed it.
        try_again(io::ErrorKind::NotFound, || self.create_folders(folder))
    }

    fn create_folders(&self, folder: &Path) -> io::Result<()> {
        if folder.as_os_str().is_empty() || folder.is_dir() {
            return Ok(());
        }
        let parent = folder.parent().unwrap_or(Path::new("."));
        self.create_folders(parent)?;
        self.announce(Change::CreateFolder(folder))?;
        match fs::create_dir(folder) {
            // Another process has just made it.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && folder.is_dir() => {}
            made => made?,
        }
        self.sync_folder(parent)
    }

    /// Starts a file that will have this name.
    pub(crate) fn create(&self, name: &Path) -> io::Result<DiskFile> {
        let path = temporary(name);
        self.announce(Change::Create(&path))?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(true).open(&path)?;
        let (name, is_unfinished) = (name.to_owned(), AtomicBool::new(true));
        Ok(DiskFile { disk: self.clone(), name, path, is_unfinished, file })
    }

    /// Removes a file, if it exists. After a power failure it may come back.
    pub(crate) fn remove(&self, path: &Path) -> io::Result<()> {
        self.announce(Change::Remove(path))?;
        let removed = match fs::remove_file(path) {
            // Another machine has removed or replaced it, and the name must be looked up again.
            Err(error) if error.kind() == io::ErrorKind::StaleNetworkFileHandle => {
                fs::remove_file(path)
            }
            removed => removed,
        };
        if_there(removed).map(|_| ())
    }

    /// Removes a folder, if it is empty. A lock must keep out processes that might still enter it.
    pub(crate) fn remove_folder(&self, folder: &Path) -> io::Result<()> {
        if_there(fs::remove_dir(folder)).map(|_| ())
    }

    /// Makes sure that the names in a folder are on the disk, if the folder still exists.
    pub(crate) fn sync_folder(&self, folder: &Path) -> io::Result<()> {
        self.announce(Change::SyncFolder(folder))?;
        // Windows cannot open folders, and does not need to.
        #[cfg(unix)]
        {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            match reading::open_folder(folder) {
                // One may make files in a folder that one may not read.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {}
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                folder => folder?.sync_all()?,
            }
        }
        Ok(())
    }

    /// Publishes a small file, in place of any with that name.
    pub(crate) fn replace(&self, name: &Path, content: &[u8]) -> io::Result<()> {
        let file = self.create(name)?;
        file.write_at(content, 0)?;
        file.publish()
    }
}

/// Tries again what other processes prevent meanwhile, with an error of this kind.
pub(crate) fn try_again(
    kind: io::ErrorKind,
    attempt: impl Fn() -> io::Result<()>,
) -> io::Result<()> {
    for _ in 1..MOST_TRIES {
        match attempt() {
            Err(error) if error.kind() == kind => {}
            done => return done,
        }
    }
    attempt()
}

/// Renames a file. Whoever looks at one for a moment, such as a virus scanner, prevents that on
/// Windows.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    if cfg!(not(windows)) {
        return fs::rename(from, to);
    }
    try_again(io::ErrorKind::PermissionDenied, || {
        fs::rename(from, to).inspect_err(|_| std::thread::sleep(Duration::from_millis(1)))
    })
}

/// A name for a file until it is published, another one each time. Its mark is 64 random bits, as
/// hash maps get them from the system. The crate tempfile makes such files too, but other processes
/// must recognise ours by their names, to remove those of a process that was killed.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mark = RandomState::new().hash_one(std::process::id());
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{mark:016x}.new"));
    name.into()
}

/// The name that a file with this temporary name will have; none if the name is not temporary.
pub(crate) fn name_of_temporary(name: &str) -> Option<&str> {
    let (name, mark) = name.strip_suffix(".new")?.rsplit_once('.')?;
    (mark.len() == 16 && mark.bytes().all(|byte| byte.is_ascii_hexdigit())).then_some(name)
}

/// A file that is being written. If it is dropped before it has its real name, it is removed.
#[derive(Debug)]
pub(crate) struct DiskFile {
    disk: Disk,
    /// The name that it will have.
    name: PathBuf,
    /// The name that it has until then.
    path: PathBuf,
    /// Whether it has its temporary name.
    is_unfinished: AtomicBool,
    file: File,
}

impl DiskFile {
    /// The file itself, for those who write it from its start. Watchers do not see what they write.
    pub(crate) fn handle(&self) -> io::Result<File> {
        self.file.try_clone()
    }

    /// The name that it has until it has its real one.
    pub(crate) fn temporary(&self) -> &Path {
        &self.path
    }

    /// Writes bytes at a place; from any thread.
    pub(crate) fn write_at(&self, bytes: &[u8], at: u64) -> io::Result<()> {
        self.disk.announce(Change::Write { file: &self.path, at, bytes })?;
        write_all_at(&self.file, bytes, at)
    }

    /// Reads bytes that have been written.
    pub(crate) fn read_at(&self, bytes: &mut [u8], at: u64) -> io::Result<()> {
        read_exact_at(&self.file, bytes, at)
    }

    /// Waits until everything written is on the disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        self.disk.announce(Change::Sync(&self.path))?;
        self.file.sync_data()
    }

    /// A hint that it will be synced: what has been written begins to go to the disk.
    pub(crate) fn begin_sync(&self) {
        #[cfg(target_os = "linux")]
        // SAFETY: the file is open, and a hint changes nothing that is in it.
        unsafe {
            use std::os::fd::AsRawFd;

            libc::sync_file_range(self.file.as_raw_fd(), 0, 0, libc::SYNC_FILE_RANGE_WRITE);
        }
    }

    /// A hint that nothing of it will be read soon: what has been written begins to go to the disk,
    /// and what is there takes no memory of the system any more.
    pub(crate) fn leave_memory(&self) {
        #[cfg(target_os = "linux")]
        // SAFETY: the file is open, and a hint changes nothing that is in it.
        unsafe {
            use std::os::fd::AsRawFd;

            libc::posix_fadvise(self.file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
        }
    }

    /// Gives it its real name, unless it has that already. After a power failure it may have the
    /// temporary one, unless the folder has been synced.
    pub(crate) fn give_name(&self) -> io::Result<()> {
        if self.is_unfinished.load(Ordering::Acquire) {
            self.disk.announce(Change::Rename { from: &self.path, to: &self.name })?;
            rename(&self.path, &self.name)?;
            self.is_unfinished.store(false, Ordering::Release);
        }
        Ok(())
    }

    /// Brings it to the disk under its real name, for good, unless it has that already.
    pub(crate) fn publish(&self) -> io::Result<()> {
        if !self.is_unfinished.load(Ordering::Acquire) {
            return Ok(());
        }
        self.sync()?;
        self.give_name()?;
        self.sync_folder()
    }

    /// Makes sure that the names in its folder are on the disk.
    pub(crate) fn sync_folder(&self) -> io::Result<()> {
        self.disk.sync_folder(self.name.parent().unwrap_or(Path::new(".")))
    }

    /// Removes it, under whichever name it has.
    pub(crate) fn remove(&self) -> io::Result<()> {
        let is_unfinished = self.is_unfinished.swap(false, Ordering::AcqRel);
        self.disk.remove(if is_unfinished { &self.path } else { &self.name })
    }
}

impl Drop for DiskFile {
    fn drop(&mut self) {
        if *self.is_unfinished.get_mut() {
            // If it cannot be removed, it takes up space until the next run does so.
            let _ = self.remove();
        }
    }
}

/// The text of a file, or as much of it as this many bytes hold; `None` if there is no file.
pub(crate) fn read_start(path: &Path, most_bytes: u64) -> io::Result<Option<String>> {
    let Some(file) = if_there(reading::open(path))? else { return Ok(None) };
    let mut text = String::new();
    file.take(most_bytes).read_to_string(&mut text)?;
    Ok(Some(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn temporary_names_tell_what_the_file_will_be_called() {
        let names = [(); 2].map(|()| temporary(Path::new("run/007.piece")));
        assert_ne!(names[0], names[1]);
        for name in names.iter().map(|name| name.file_name().unwrap().to_str().unwrap()) {
            assert_eq!(name_of_temporary(name), Some("007.piece"), "{name}");
        }
        for other in ["007.piece", "007.piece.new", "007.piece.5bd1e995a3c07f4x.new", ".new"] {
            assert_eq!(name_of_temporary(other), None, "{other}");
        }
    }
}
