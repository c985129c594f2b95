//! Something else than a file where a file should be: no command waits for it, and each that reads
//! it names it.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::{Ended, program, run};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Special {
    Fifo,
    Dangling,
    Folder,
    Socket,
    Device,
}

impl Special {
    const ALL: [Special; 5] =
        [Special::Fifo, Special::Dangling, Special::Folder, Special::Socket, Special::Device];

    fn make(self, path: &Path) {
        match self {
            Special::Fifo => mknodat(CWD, path, FileType::Fifo, Mode::RWXU, 0).unwrap(),
            Special::Dangling => symlink("no/such/file", path).unwrap(),
            Special::Folder => fs::create_dir(path).unwrap(),
            // It stays when nobody listens any more.
            Special::Socket => drop(UnixListener::bind(path).unwrap()),
            Special::Device => symlink("/dev/null", path).unwrap(),
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Special::Fifo => "found a FIFO",
            Special::Dangling => "found a link to a file that does not exist",
            Special::Folder => "found a folder",
            Special::Socket => "found a socket",
            Special::Device => "found a device",
        }
    }
}

fn strong4(command: &str, tables: &Path) -> Ended {
    let tables = tables.to_str().unwrap();
    let args = command.split(' ').chain(["--board", "3x3", "--tables", tables]);
    run(program(&args.collect::<Vec<_>>()))
}

fn done(command: &str, tables: &Path) {
    let ended = strong4(command, tables);
    assert_eq!(ended.code(), Some(0), "{command}: {ended:?}");
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap()) {
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => _ = fs::copy(entry.path(), to).unwrap(),
        }
    }
}

/// A folder as some command has left it, the files in it, and the commands that read each. Other
/// commands of the folder may pass them by.
struct Scene {
    made_by: &'static [&'static str],
    commands: &'static [&'static str],
    places: &'static [(&'static str, &'static [usize])],
}

const SCENES: [Scene; 5] = [
    Scene {
        made_by: &["solve --scores"],
        commands: &[
            "solve",
            "solve --scores",
            "status",
            "verify",
            "verify --deep",
            "query 1 --outcome",
            "query 1",
            "stats",
            "stats --plies",
            "plan",
        ],
        places: &[
            ("tier-03.s4t", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
            ("manifest.json", &[0, 1, 2, 3, 4, 5, 6, 7, 8]),
            ("lock", &[2]),
            ("scores/tier-03.s4t", &[1, 2, 3, 4, 6, 8]),
            ("scores/manifest.json", &[1, 2, 3, 4]),
            ("scores/lock", &[2]),
        ],
    },
    Scene {
        made_by: &["solve"],
        commands: &["solve --scores", "status"],
        places: &[("lock", &[0, 1]), ("scores/lock", &[0, 1])],
    },
    Scene {
        made_by: &["plan --make --parts 1"],
        commands: &["solve", "solve --part 1", "solve --part tables", "status", "plan --make"],
        places: &[
            ("lock", &[0, 1, 3, 4]),
            ("run/run.json", &[0, 1, 2, 3, 4]),
            ("run/plan.json", &[1, 2, 3, 4]),
            ("run/000.claim", &[0, 1, 3]),
            ("scratch/3x3/lock", &[0, 1, 4]),
        ],
    },
    Scene {
        made_by: &["plan --make --parts 1", "solve --part 1"],
        commands: &["solve", "solve --part 1", "solve --part tables", "status", "plan --make"],
        places: &[
            ("lock", &[0, 2, 3, 4]),
            ("run/000.piece", &[0, 1, 2, 3]),
            ("scratch/3x3/lock", &[0, 2, 4]),
        ],
    },
    Scene {
        made_by: &["solve --tiers 5..9"],
        commands: &["solve --tiers 0..4", "status", "verify", "query 123"],
        places: &[("scratch/3x3/start-05-000.kept", &[0])],
    },
];

/// Whether a link that leads nowhere is as good as no file at all: what is missing is made. Locks,
/// claims and the records of a run must be files.
fn may_be_missing(place: &str) -> bool {
    ["manifest.json", ".s4t", ".kept", ".piece"].iter().any(|end| place.ends_with(end))
}

/// Runs the commands of all scenes with each of these things in each place.
fn try_all(is_tried: impl Fn(Special, usize) -> bool) {
    for Scene { made_by, commands, places } in SCENES {
        let folder = tempfile::tempdir().unwrap();
        let [made, copied] = ["made", "copy"].map(|name| folder.path().join(name));
        made_by.iter().for_each(|command| done(command, &made));
        for (place, readers) in places {
            let tries = Special::ALL
                .into_iter()
                .flat_map(|special| (0..commands.len()).map(move |command| (special, command)));
            for (special, number) in tries.filter(|(special, number)| is_tried(*special, *number)) {
                copy(&made, &copied);
                let path = copied.join(place);
                let _ = fs::remove_file(&path);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                special.make(&path);
                let ended = strong4(commands[number], &copied);
                let what = format!("{special:?} as {place}, {}: {ended:?}", commands[number]);
                let is_made_anew = special == Special::Dangling && may_be_missing(place);
                assert!(matches!(ended.code(), Some(0..=2)), "{what}");
                assert!(!ended.stderr.contains("panicked"), "{what}");
                if readers.contains(&number) && !is_made_anew {
                    let is_named = |line: &str| {
                        line.contains(path.to_str().unwrap()) && line.contains(special.in_words())
                    };
                    assert!(ended.stderr.lines().any(is_named), "{what}");
                    // What a run has written, it writes again.
                    let is_file = || fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
                    let is_over = || place.ends_with(".piece") && (is_file() || !path.exists());
                    assert!(ended.code() != Some(0) || is_over(), "{what}");
                }
                fs::remove_dir_all(&copied).unwrap();
            }
        }
    }
}

#[test]
fn nothing_waits_for_what_is_not_a_file() {
    try_all(|special, command| match special {
        Special::Fifo => true,
        other => Special::ALL[1 + command % 4] == other,
    });
}

#[test]
#[ignore = "takes half a minute"]
fn nothing_waits_for_anything_that_is_not_a_file() {
    try_all(|_, _| true);
}
