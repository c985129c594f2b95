//! Help, man pages and completions: all there, and their examples work.
//!
//! An example that is followed by how many minutes it takes is not run here, nor is a server, which
//! would run for ever. `src/cli` tests beside the definition of the command line that those parse.
#![cfg(unix)]

use crate::program::{PROGRAM, assert_refused, search_path, strong4_with_input};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn sh(command: &str, folder: &Path) -> Output {
    Command::new("sh")
        .args(["-c", command])
        .current_dir(folder)
        .env("PATH", search_path())
        .output()
        .unwrap()
}

fn told(args: &[&str]) -> String {
    strong4_with_input(args, b"").fine()
}

/// The indented lines below a heading of a help text.
fn section<'a>(help: &'a str, heading: &str) -> Vec<&'a str> {
    let below = help.lines().skip_while(|line| *line != heading).skip(1);
    below.take_while(|line| line.starts_with("  ")).map(str::trim).collect()
}

fn subcommands() -> Vec<String> {
    let help = told(&["--help"]);
    let names = section(&help, "Commands:").into_iter().filter_map(|l| l.split(' ').next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn help_is_short_and_has_no_trailing_blanks() {
    for command in subcommands() {
        let help = told(&[&command, "--help"]);
        assert!(help.lines().count() <= 48, "{command}: {} lines", help.lines().count());
        for line in help.lines() {
            assert_eq!(line, line.trim_end(), "{command}");
            assert!(line.chars().count() <= 100, "{command}: {line}");
        }
        assert_eq!(help, told(&[&command, "-h"]), "{command}");
    }
}

#[test]
fn the_examples_of_every_subcommand_work() {
    // All share one folder, so that later ones find the tables that earlier ones made.
    let folder = tempfile::tempdir().unwrap();
    let mut examples = Vec::new();
    for command in subcommands() {
        let help = told(&["help", &command]);
        let own: Vec<String> = section(&help, "Examples:").into_iter().map(str::to_owned).collect();
        assert!(!own.is_empty(), "{command} has no example");
        assert!(own.iter().all(|line| line.contains(&format!("strong4 {command}"))), "{own:?}");
        examples.extend(own);
    }
    examples.extend(section(&told(&["--help"]), "Examples:").into_iter().map(str::to_owned));
    let ends =
        |example: &&String| !example.contains("minute") && !example.starts_with("strong4 serve");
    for example in examples.iter().filter(ends) {
        let ran = sh(example, folder.path());
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(0), "{example}: {error}");
        let quiet =
            ["verify", "man --to", "--output", ">"].iter().any(|part| example.contains(part));
        assert!(quiet || !ran.stdout.is_empty(), "{example} prints nothing");
    }
    let picture = fs::read_to_string(folder.path().join("5x4.svg")).unwrap();
    assert!(picture.starts_with("<svg xmlns=") && picture.ends_with("</svg>\n"));
}

#[test]
fn the_man_pages_cover_every_subcommand() {
    let main = told(&["man"]);
    assert!(main.starts_with(".ie") || main.starts_with(".TH"), "{main}");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("share/man1");
    assert_eq!(told(&["man", "--to", to.to_str().unwrap()]), "");
    assert_eq!(fs::read_to_string(to.join("strong4.1")).unwrap(), main);
    for heading in ["EXIT CODES", "ENVIRONMENT", "EXAMPLES"] {
        assert!(main.contains(heading), "{heading}");
    }
    let commands = subcommands();
    for command in &commands {
        assert!(main.contains(&format!("strong4\\-{command}(1)")), "{command} in {main}");
        let page = fs::read_to_string(to.join(format!("strong4-{command}.1"))).unwrap();
        assert!(page.contains(&format!(".TH strong4-{command} 1")), "{page}");
        assert!(page.contains("EXAMPLES") && page.contains("\\-\\-quiet"), "{page}");
    }
    assert_eq!(fs::read_dir(&to).unwrap().count(), commands.len() + 1);
    // If the tools are there, pages must be typeset without complaint.
    if let Ok(man) =
        Command::new("groff").args(["-ww", "-man", "-Tutf8"]).arg(to.join("strong4.1")).output()
    {
        assert!(man.status.success() && man.stderr.is_empty(), "{man:?}");
    }

    fs::write(folder.path().join("file"), "").unwrap();
    let nowhere = folder.path().join("file/man1");
    let ran = strong4_with_input(&["man", "--to", nowhere.to_str().unwrap()], b"");
    assert_refused(&ran, &format!("cannot write to {}", nowhere.display()));
}

#[test]
fn completions_know_every_subcommand_and_its_options() {
    let folder = tempfile::tempdir().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = told(&["completions", shell]);
        for command in subcommands() {
            assert!(script.contains(&command), "{shell} lacks {command}");
        }
        for option in ["no-tables", "scratch", "board-file", "quiet"] {
            assert!(script.contains(option), "{shell} lacks --{option}");
        }
        // If the shell is there, it must accept the script.
        let file = folder.path().join(shell);
        fs::write(&file, &script).unwrap();
        if let Ok(ran) = Command::new(shell).arg("-n").arg(&file).output() {
            assert!(ran.status.success() && ran.stderr.is_empty(), "{shell}: {ran:?}");
        }
    }
}

/// The completions that bash offers after these words in a folder with one file.
fn completed_by_bash(words: &str) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a-file"), "").unwrap();
    let last = words.split(' ').count() - 1;
    let (cur, prev) =
        (words.split(' ').nth(last).unwrap(), words.split(' ').nth(last - 1).unwrap());
    let script = format!(
        "source <('{PROGRAM}' completions bash)\n\
         COMP_WORDS=({words} ''); COMP_CWORD={last}; _strong4 strong4 '{cur}' '{prev}'\n\
         echo \"${{COMPREPLY[@]}}\""
    );
    // Not every machine has bash.
    let ran =
        Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().ok()?;
    Some(String::from_utf8_lossy(&ran.stdout).trim().to_owned())
}

#[test]
fn files_are_offered_only_where_there_may_be_one() {
    for words in [
        "strong4 query --board a",
        "strong4 query 4 a",
        "strong4 show a",
        "strong4 count --threads a",
    ] {
        let offered = completed_by_bash(words);
        assert!(
            offered.as_ref().is_none_or(|offered| !offered.contains("a-file")),
            "{words}: {offered:?}"
        );
    }
    for words in ["strong4 query --bulk a", "strong4 stats --tables a"] {
        assert!(completed_by_bash(words).is_none_or(|offered| offered == "a-file"), "{words}");
    }
}

#[test]
fn synopses_show_values_and_what_all_commands_have_last() {
    let folder = tempfile::tempdir().unwrap();
    told(&["man", "--to", folder.path().to_str().unwrap()]);
    for command in subcommands() {
        let page = fs::read_to_string(folder.path().join(format!("strong4-{command}.1"))).unwrap();
        let synopsis = page.lines().skip_while(|line| *line != ".SH SYNOPSIS").nth(1).unwrap();
        let plain = synopsis
            .replace("\\fR", "")
            .replace("\\fB", "")
            .replace("\\fI", "")
            .replace("\\-", "-");
        assert!(plain.starts_with(&format!("strong4 {command} ")), "{plain}");
        assert!(plain.ends_with(" [--threads N] [--color WHEN] [--quiet] [--help]"), "{plain}");
        assert!(!plain.contains("--board") || plain.contains("[--board WxH]"), "{plain}");
    }
    let verify = fs::read_to_string(folder.path().join("strong4-verify.1")).unwrap();
    assert!(verify.contains("[\\fB\\-\\-limit\\fR \\fITIME\\fR]"), "{verify}");
}

#[test]
fn bash_completes_a_subcommand() {
    assert!(completed_by_bash("strong4 sol").is_none_or(|offered| offered == "solve"));
}
