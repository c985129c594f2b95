//! How often a question looks into a folder of tables: once, and then only at the tables that it
//! needs.

use super::{program, run, shim, traced};

#[test]
fn a_question_looks_at_the_folder_once_and_opens_only_the_tables_it_needs() {
    if shim().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let tables = folder.to_str().unwrap();
    let solved = run(program(&["solve", "--board", "4x4", "--quiet", "--tables", tables]));
    assert_eq!(solved.code(), Some(0), "{solved:?}");
    let query = program(&["query", "12", "--outcome", "--tables", tables]);
    let (ended, calls) = traced(query, &folder, "open,stat,opendir");
    assert_eq!(ended.code(), Some(0), "{ended:?}");
    let count = |call: &str, name: &str| {
        let line = format!("{call} {}", folder.join(name).display());
        calls.iter().filter(|found| line.trim_end_matches('/') == **found).count()
    };
    assert_eq!((count("opendir", ""), count("open", "manifest.json")), (1, 1), "{calls:#?}");
    // The position itself, its moves, and what these are forced to.
    for tier in 0..=16 {
        let opened = count("open", &format!("tier-{tier:02}.s4t"));
        assert!(opened <= usize::from(tier >= 2), "tier {tier}: {calls:#?}");
    }
    let tables = calls.iter().filter(|call| call.ends_with(".s4t")).count();
    assert!(calls.len() - tables <= 5, "{calls:#?}");
    let opened = calls.iter().filter(|call| call.starts_with("open ")).count();
    assert!(tables <= 5 * (opened - 1), "{calls:#?}");
}
