//! No two files import each other, directly or through others: a ring of files is one idea cut
//! in pieces.
//!
//! The test reads the `use` lines, and paths in the code that begin with `super` or `crate`. A name
//! that a module re-exports is traced to its file, so importing `super::Name` from a sibling counts as
//! importing the sibling.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::files::{files_below, repository};

/// A module or a name in it, as a path from the root of its crate. The Python module is a crate of its
/// own, whose paths begin with its name here.
type Place = Vec<String>;

const PYTHON: &str = "python";

/// What a file imports, and what it re-exports.
#[derive(Default)]
struct Imports {
    used: Vec<Place>,
    /// The origin of each name.
    exported: BTreeMap<String, Place>,
}

fn words(text: &str) -> Place {
    text.split("::").map(|word| word.trim().to_owned()).collect()
}

/// The place of a file: `src/query/line.rs` is `query::line`.
fn place_of(file: &Path) -> Place {
    let is_python = file.starts_with("python");
    let sources = if is_python { "python/src" } else { "src" };
    let inside = file.strip_prefix(sources).unwrap().with_extension("");
    let mut place: Place = inside.iter().map(|word| word.to_str().unwrap().to_owned()).collect();
    if place.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
        place.pop();
    }
    if is_python {
        place.insert(0, PYTHON.to_owned());
    }
    place
}

/// The Rust files below a folder of the repository, with their texts.
fn sources(folder: &str) -> Vec<(Place, String)> {
    let files = files_below(&repository(folder)).into_iter();
    let rust = files.filter(|(file, _)| file.extension().is_some_and(|end| end == "rs"));
    let text = |bytes| String::from_utf8(bytes).unwrap();
    rust.map(|(file, bytes)| (place_of(&Path::new(folder).join(file)), text(bytes))).collect()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn spread(tree: &str) -> Vec<String> {
    let Some((head, rest)) = tree.split_once('{') else { return vec![tree.trim().to_owned()] };
    let inner = &rest[..rest.rfind('}').unwrap()];
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let parts = parts.into_iter().filter(|part| !part.trim().is_empty());
    parts.flat_map(spread).map(|part| format!("{}{part}", head.trim())).collect()
}

/// Where a path in a `use` line leads, if it stays in the crate.
fn resolved(from: &Place, path: &str, modules: &BTreeSet<Place>) -> Option<Place> {
    let path = path.split(" as ").next().unwrap();
    let (mut place, mut words) = (from.clone(), words(path));
    match words[0].as_str() {
        "crate" => {
            place.truncate(usize::from(from.first().is_some_and(|first| first == PYTHON)));
            words.remove(0);
        }
        "self" => drop(words.remove(0)),
        "super" => {
            while words.first().is_some_and(|word| word == "super") {
                place.pop();
                words.remove(0);
            }
        }
        first => {
            let inside = [&place[..], &[first.to_owned()]].concat();
            modules.contains(&inside).then_some(())?;
        }
    }
    Some([place, words].concat())
}

fn imports(text: &str, from: &Place, modules: &BTreeSet<Place>) -> Imports {
    // Tests may import what they test from anywhere.
    let text = text.split("\nmod tests {").next().unwrap();
    let mut imports = Imports::default();
    let mut rest = text;
    while let Some(at) = rest.find("use ") {
        let line_start = rest[..at].rfind('\n').map_or(0, |end| end + 1);
        let before = rest[line_start..at].trim();
        rest = &rest[at + 4..];
        let exported = before.starts_with("pub");
        if !(before.is_empty() || exported && !before.contains(' ')) {
            continue;
        }
        let Some((tree, after)) = rest.split_once(';') else { break };
        for place in spread(tree).iter().filter_map(|path| resolved(from, path, modules)) {
            if !exported {
                imports.used.push(place);
            } else if let Some(name) = place.last().filter(|name| *name != "*") {
                imports.exported.insert(name.clone(), place);
            }
        }
        rest = after;
    }
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let paths = code.flat_map(paths_in).filter(|path| path.contains("::"));
    let paths = paths.filter_map(|path| resolved(from, path, modules));
    imports.used.extend(paths);
    imports
}

/// The paths in a line of code that begin with `super` or `crate`.
fn paths_in(line: &str) -> impl Iterator<Item = &str> {
    let starts = ["super::", "crate::"].into_iter().flat_map(|root| line.match_indices(root));
    let is_inside =
        |at: usize| line[..at].ends_with(|c: char| c.is_alphanumeric() || "_:$".contains(c));
    starts.filter(move |(at, _)| !is_inside(*at)).map(|(at, _)| {
        let end = |c: char| !(c.is_alphanumeric() || "_:".contains(c));
        let path = &line[at..];
        path[..path.find(end).unwrap_or(path.len())].trim_end_matches(':')
    })
}

/// The file that a name comes from.
fn origin(place: &Place, all: &BTreeMap<Place, Imports>) -> Option<Place> {
    let module = (0..=place.len()).rev().map(|end| place[..end].to_vec());
    let module = module.into_iter().find(|module| all.contains_key(module))?;
    let exported = place.get(module.len()).and_then(|name| all[&module].exported.get(name));
    match exported {
        Some(from) if from != place => origin(from, all),
        _ => Some(module),
    }
}

/// The files that a file imports from.
type Graph = BTreeMap<Place, BTreeSet<Place>>;

fn graph(texts: &[(Place, String)]) -> Graph {
    let modules: BTreeSet<Place> = texts.iter().map(|(place, _)| place.clone()).collect();
    let all: BTreeMap<Place, Imports> =
        texts.iter().map(|(place, text)| (place.clone(), imports(text, place, &modules))).collect();
    let origins = |(place, imports): (&Place, &Imports)| {
        let from = imports.used.iter().filter_map(|used| origin(used, &all));
        (place.clone(), from.filter(|from| from != place).collect())
    };
    all.iter().map(origins).collect()
}

/// Files that import each other, and which of these each imports. Repeatedly removes files that import none of the remaining ones,
/// and files that none of the remaining ones import.
fn rings(mut graph: Graph) -> BTreeMap<String, Vec<String>> {
    loop {
        let imported: BTreeSet<Place> = graph.values().flatten().cloned().collect();
        let is_free = |(file, from): &(&Place, &BTreeSet<Place>)| {
            from.is_empty() || !imported.contains(*file)
        };
        let free: Vec<Place> = graph.iter().filter(is_free).map(|(file, _)| file.clone()).collect();
        if free.is_empty() {
            let names = |from: BTreeSet<Place>| from.iter().map(|place| place.join("::")).collect();
            return graph.into_iter().map(|(file, from)| (file.join("::"), names(from))).collect();
        }
        for file in free {
            graph.remove(&file);
            for from in graph.values_mut() {
                from.remove(&file);
            }
        }
    }
}

#[test]
fn no_files_import_each_other() {
    let texts = sources("src").into_iter().chain(sources("python/src"));
    let graph = graph(&texts.collect::<Vec<_>>());
    let imports: usize = graph.values().map(BTreeSet::len).sum();
    assert!(graph.len() > 200 && imports > 500, "{} files, {imports} imports", graph.len());
    let rings = rings(graph);
    assert!(rings.is_empty(), "files that import each other: {rings:#?}");
}

#[test]
fn rings_are_found() {
    let file = |place: &str, text: &str| (words(place), text.to_owned());
    let found = |texts: &[(Place, String)]| rings(graph(texts)).into_keys().collect::<Vec<_>>();
    let root = file("a", "mod b;\nmod c;\npub use b::{One, Two};\n");
    let b = file("a::b", "use std::fmt;\nuse super::c::Three;\npub struct One;\n");
    assert!(found(&[root.clone(), b.clone(), file("a::c", "pub struct Three;")]).is_empty());
    for import in [
        "use super::b::One;",
        "use super::{One, Four};",
        "use crate::a::{b::{One}};",
        "fn five() -> super::b::One {",
    ] {
        let c = file("a::c", &format!("{import}\npub struct Three;\n"));
        assert_eq!(found(&[root.clone(), b.clone(), c]), ["a::b", "a::c"], "{import}");
    }
    let in_tests =
        "pub struct Three;\n#[cfg(test)]\nmod tests {\n    use super::super::b::One;\n}\n";
    assert!(found(&[root, b, file("a::c", in_tests)]).is_empty());
}

/// The public types that a file defines.
fn public_types(text: &str) -> Vec<String> {
    let kinds = ["struct", "enum", "trait", "type", "union"];
    let name = |line: &str| {
        let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
        let end = rest.find(|letter: char| !letter.is_alphanumeric()).unwrap_or(rest.len());
        kinds.contains(&kind).then(|| rest[..end].to_owned())
    };
    text.lines().filter_map(name).collect()
}

/// The names that several files give to public types, with these files.
fn shared_names(texts: &[(Place, String)]) -> Vec<(String, Vec<String>)> {
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, text) in texts {
        for name in public_types(text) {
            names.entry(name).or_default().push(place.join("::"));
        }
    }
    names.into_iter().filter(|(_, files)| files.len() > 1).collect()
}

/// Types of the library alone: the program's commands are named as they are typed.
#[test]
fn no_two_public_types_share_a_name() {
    let texts = sources("src").into_iter();
    // These take the place of others where there are no tables, or no Unix: only one is compiled.
    let others = ["cli", "no_probe", "grade::process::not_here"];
    let is_other = |place: &Place| {
        let name = place.join("::") + "::";
        others.iter().any(|other| name.starts_with(&format!("{other}::")))
    };
    let library: Vec<_> = texts.filter(|(place, _)| !is_other(place)).collect();
    let types: usize = library.iter().map(|(_, text)| public_types(text).len()).sum();
    assert!(types > 150, "{types}");
    let shared = shared_names(&library);
    assert!(shared.is_empty(), "public types of one name: {shared:#?}");
}

#[test]
fn shared_names_are_found() {
    let file = |place: &str, text: &str| (words(place), text.to_owned());
    let one = file("a::b", "pub struct One<T>(T);\npub(crate) struct Two;\npub enum Three {\n");
    let other = file("a::c", "pub trait One: Sized {}\npub struct Two;\nstruct Three;\n");
    let shared = vec![("One".to_owned(), vec!["a::b".to_owned(), "a::c".to_owned()])];
    assert_eq!(shared_names(&[one, other]), shared);
}
