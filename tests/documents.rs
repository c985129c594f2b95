//! What the documents show is what the program prints.
//!
//! In blocks marked `sh`, lines that start with `$ ` are commands, and so are those that `make`
//! echoes. The lines up to the next command are their output, both streams together. A line `…`
//! stands for any lines. Ignored tests run the blocks marked `sh slow`. Those marked `sh parsed`
//! solve all of 7x6, which takes many minutes and much disk space, and are never run; a test in
//! `src/cli` checks that the commands of both parse. `make` itself is never run.
#![cfg(unix)]

use std::process::Command;

use crate::files::repository;
use crate::program::search_path;

const BUILT: &str = "target/release/strong4 ";

/// A command, and the output that the document shows.
struct Shown {
    command: String,
    output: Vec<String>,
}

fn shown_in(document: &str, slow: bool) -> Vec<Shown> {
    let mut shown: Vec<Shown> = Vec::new();
    let mut in_block = false;
    for line in document.lines() {
        if let Some(kind) = line.strip_prefix("```") {
            in_block = !in_block && (kind == "sh" || slow && kind == "sh slow");
        } else if in_block && (line.starts_with("$ ") || line.starts_with(BUILT)) {
            let command = line.trim_start_matches("$ ").replace(BUILT, "strong4 ");
            shown.push(Shown { command, output: Vec::new() });
        } else if in_block {
            let last = shown.last_mut().expect("a command before its output");
            last.output.push(line.to_owned());
        }
    }
    shown.retain(|shown| !shown.command.starts_with("make"));
    shown
}

/// Whether these are the expected lines, where `…` stands for any.
fn is_as_expected(expected: &[String], got: &[&str]) -> bool {
    match expected {
        [] => got.is_empty(),
        [gap, rest @ ..] if gap == "…" => {
            (0..=got.len()).any(|skipped| is_as_expected(rest, &got[skipped..]))
        }
        [first, rest @ ..] => got.first() == Some(&&**first) && is_as_expected(rest, &got[1..]),
    }
}

fn tells_progress(line: &str) -> bool {
    [" % after ", ": preparing after ", ": at the first of "].iter().any(|part| line.contains(part))
}

fn check(name: &str, least: usize, slow: bool) {
    let document = std::fs::read_to_string(repository(name)).unwrap();
    let shown = shown_in(&document, slow);
    assert!(shown.len() >= least, "{} commands in {name}", shown.len());
    // All commands of a document share one folder, so that they find what earlier ones wrote.
    let folder = tempfile::tempdir().unwrap();
    for Shown { command, output } in shown {
        let ran = Command::new("sh")
            .args(["-c", &format!("{{ {command}\n}} 2>&1")])
            .current_dir(folder.path())
            .env("PATH", search_path())
            .output()
            .unwrap();
        let got = String::from_utf8(ran.stdout).unwrap();
        // A slow machine reports its progress, but the documents do not.
        let lines: Vec<&str> = got.lines().filter(|line| !tells_progress(line)).collect();
        let expected = output.join("\n");
        assert!(
            is_as_expected(&output, &lines),
            "{name} shows\n$ {command}\n{expected}\nbut it prints\n{got}"
        );
    }
}

macro_rules! shows_what_the_program_prints {
    ($($test:ident: $document:literal, $least:literal;)*) => {$(
        #[test]
        fn $test() {
            check($document, $least, false);
        }
    )*};
}

// Each document, and the number of commands that it shows at least.
shows_what_the_program_prints! {
    the_readme_shows_what_the_program_prints: "README.md", 10;
    the_guide_shows_what_the_program_prints: "docs/guide.md", 5;
    the_page_on_counting_shows_what_the_program_prints: "docs/counting.md", 2;
    the_page_on_the_commands_shows_what_the_program_prints: "docs/commands.md", 20;
    the_page_on_exams_shows_what_the_program_prints: "docs/exam.md", 3;
    the_page_on_clusters_shows_what_the_program_prints: "docs/cluster.md", 3;
    the_page_on_the_format_shows_what_the_program_prints: "docs/table-format.md", 8;
    the_page_of_results_shows_what_the_program_prints: "docs/results.md", 5;
    the_page_on_hashes_shows_what_the_program_prints: "docs/zobrist.md", 0;
    the_page_on_plies_shows_what_the_program_prints: "docs/plies.md", 0;
}

#[test]
fn both_licences_are_there_to_the_last_line() {
    let text = std::fs::read_to_string(repository("LICENSE")).unwrap();
    let sections = (1..=9).map(|section| format!("\n   {section}. "));
    let apache = ["Version 2.0, January 2004", "END OF TERMS AND CONDITIONS"].map(str::to_owned);
    for part in apache.into_iter().chain(sections) {
        assert_eq!(text.matches(&part).count(), 1, "{part:?}");
    }
    assert!(text.contains("Permission is hereby granted, free of charge, to any person"));
    assert!(text.contains("OR OTHER DEALINGS IN THE\nSOFTWARE."));
    // Packages can only take what lies in their folder.
    for package in ["python", "js/package"] {
        let copy = std::fs::read_to_string(repository(&format!("{package}/LICENSE"))).unwrap();
        assert_eq!(copy, text, "{package}/LICENSE");
    }
}

#[test]
#[ignore = "takes minutes: make test-long"]
fn what_takes_long_is_what_the_program_prints() {
    check("README.md", 10, true);
    check("docs/guide.md", 5, true);
    check("docs/commands.md", 20, true);
    check("docs/zobrist.md", 1, true);
}
