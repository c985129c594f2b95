//! The public face of the library is what `tests/public_api.txt` says, so a change of it shows in a
//! diff. `make face` writes the file again.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use public_api::Builder;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The version of the compiler.
fn compiler() -> String {
    let version = Command::new("rustc").arg("--version").output().unwrap();
    String::from_utf8(version.stdout).unwrap().trim().to_owned()
}

/// Each public item on a line of its own, without what every type has.
fn public_items() -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("face");
    let described = Command::new(env!("CARGO"))
        .args(["rustdoc", "--quiet", "--locked", "-p", "strong4", "--lib", "--target-dir"])
        .arg(&target)
        .args(["--", "-Z", "unstable-options", "--output-format", "json"])
        .env("RUSTC_BOOTSTRAP", "1")
        .current_dir(repository())
        .status()
        .unwrap();
    assert!(described.success());
    let items = Builder::from_rustdoc_json(target.join("doc/strong4.json"))
        .omit_auto_derived_impls(true)
        .omit_auto_trait_impls(true)
        .omit_blanket_impls(true)
        .build()
        .unwrap();
    items.items().map(|item| format!("{item}\n")).collect()
}

#[test]
fn the_public_face_is_the_one_that_is_written_down() {
    let file = repository().join("tests/public_api.txt");
    let compiler = format!("# {}\n", compiler());
    if std::env::var_os("WRITE_FACE").is_some() {
        fs::write(file, compiler + &public_items()).unwrap();
        return;
    }
    let written = fs::read_to_string(file).unwrap();
    let Some(written) = written.strip_prefix(&compiler) else {
        // Each version of the compiler describes items in its own way.
        println!("SKIPPED: tests/public_api.txt was written with another compiler: 'make face'");
        return;
    };
    let found = public_items();
    let [old, new] = [written, &found].map(|text| text.lines().collect::<Vec<_>>());
    let only = |these: &[&str], those: &[&str]| {
        these.iter().filter(|line| !those.contains(line)).map(|line| format!("\n{line}")).collect()
    };
    let (gone, added): (String, String) = (only(&old, &new), only(&new, &old));
    assert!(old == new, "'make face' if this is meant\ngone:{gone}\nadded:{added}");
}
