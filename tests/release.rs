//! `make release-check` refuses a tree that is not ready.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::files::repository;

/// What the check reads.
const FILES: [&str; 12] = [
    "CHANGELOG.md",
    "CITATION.cff",
    "Cargo.lock",
    "Cargo.toml",
    "docs/results.md",
    "js/Cargo.lock",
    "js/Cargo.toml",
    "js/package/package.json",
    "python/Cargo.lock",
    "python/Cargo.toml",
    "src/cli/serve/page/openapi.json",
    "src/main/Cargo.toml",
];

fn git(folder: &Path, args: &[&str]) {
    let identity = ["-c", "user.name=nobody", "-c", "user.email=nobody@example.org"];
    let ran = Command::new("git").current_dir(folder).args(identity).args(args).output().unwrap();
    assert!(ran.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&ran.stderr));
}

/// The faults that the check finds, a line each.
fn faults(folder: &Path) -> Vec<String> {
    let check = repository(".ci/release-check");
    let ran = Command::new(check).arg(folder).output().unwrap();
    let errors = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(ran.status.success(), errors.is_empty(), "{errors}");
    errors.lines().map(str::to_owned).collect()
}

/// The faults once a file says something else.
fn faults_with(folder: &Path, file: &str, change: impl Fn(&str) -> String) -> Vec<String> {
    let path = folder.join(file);
    let before = fs::read_to_string(&path).unwrap();
    let after = change(&before);
    assert_ne!(after, before, "{file} is as before");
    fs::write(&path, after).unwrap();
    git(folder, &["commit", "--quiet", "--all", "--message", "Change"]);
    let faults = faults(folder);
    fs::write(&path, before).unwrap();
    git(folder, &["commit", "--quiet", "--all", "--message", "As before"]);
    faults
}

#[test]
fn only_a_tree_that_is_ready_can_be_released() {
    let version = env!("CARGO_PKG_VERSION");
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for file in FILES {
        let to = folder.join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(repository(file), to).unwrap();
    }
    let changes = format!("# Changelog\n\n## {version} - 2026-01-02\n\n### Added\n\n- A thing.\n");
    fs::write(folder.join("CHANGELOG.md"), changes).unwrap();
    git(folder, &["init", "--quiet"]);
    git(folder, &["add", "."]);
    git(folder, &["commit", "--quiet", "--message", "All"]);
    assert_eq!(faults(folder), [""; 0]);

    // A version that differs anywhere is named with its file.
    let (of_crate, of_json) =
        (format!("version = \"{version}\""), format!("\"version\": \"{version}\""));
    let of_citation = [format!("\nversion: {version}"), format!("version = {{{version}}}")];
    for file in FILES.into_iter().filter(|file| !["CHANGELOG.md", "Cargo.toml"].contains(file)) {
        let other = |text: &str| match file {
            "CITATION.cff" => text.replace(&of_citation[0], "\nversion: 9.9.9"),
            "docs/results.md" => text.replace(&of_citation[1], "version = {9.9.9}"),
            _ if file.ends_with(".json") => text.replacen(&of_json, "\"version\": \"9.9.9\"", 1),
            _ => text.replace(&of_crate, "version = \"9.9.9\""),
        };
        let faults = faults_with(folder, file, other);
        assert!(faults.len() == 1 && faults[0].contains(file), "{file}: {faults:?}");
    }
    let all =
        faults_with(folder, "Cargo.toml", |text| text.replace(&of_crate, "version = \"9.9.9\""));
    assert_eq!(all.len(), FILES.len() - 2 + 1, "all others, and the changelog: {all:#?}");

    // The changelog names the version, the day, and at least one change.
    for (from, to) in [
        (format!("## {version} - 2026-01-02"), "## Unreleased".to_owned()),
        (" - 2026-01-02".to_owned(), String::new()),
        ("- A thing.\n".to_owned(), String::new()),
    ] {
        let faults = faults_with(folder, "CHANGELOG.md", |text| text.replace(&from, &to));
        assert!(faults.len() == 1 && faults[0].contains("CHANGELOG.md"), "{faults:?}");
    }

    fs::write(folder.join("new"), "").unwrap();
    let faults_of_dirt = faults(folder);
    assert!(faults_of_dirt.len() == 1 && faults_of_dirt[0].contains("dirty"), "{faults_of_dirt:?}");
    fs::remove_file(folder.join("new")).unwrap();

    git(folder, &["tag", &format!("v{version}")]);
    let faults = faults(folder);
    assert!(faults.len() == 1 && faults[0].contains("tag"), "{faults:?}");
}
