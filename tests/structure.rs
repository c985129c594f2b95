//! No two modules of a folder import each other, directly or through others: a ring of modules is one
//! idea cut in pieces. Visibility does not exclude rings, and the compiler accepts them.
//!
//! The test reads the `use` lines, and paths in the code that begin with `super` or `crate`. A name
//! that a module re-exports is traced to its file, so importing `super::Name` from a sibling counts as
//! importing the sibling. Front pages that draw the order of their modules are compared with it.

use std::collections::{BTreeMap, BTreeSet};

use crate::files::{files_below, repository};

/// A module or a name in it, as a path from the root of its crate.
type Place = Vec<String>;

/// What a file imports, and the origin of each name that it re-exports.
#[derive(Default)]
struct Imports {
    used: Vec<Place>,
    exported: BTreeMap<String, Place>,
}

/// The modules that each module imports from.
type Graph = BTreeMap<String, BTreeSet<String>>;

fn place(path: &str) -> Place {
    path.split("::").map(str::to_owned).collect()
}

/// The Rust files below a folder of the repository, with their texts: `query/line.rs` is `query::line`.
fn sources(folder: &str) -> Vec<(Place, String)> {
    let files = files_below(&repository(folder)).into_iter();
    let rust = files.filter(|(file, _)| file.extension().is_some_and(|end| end == "rs"));
    let read = |(file, bytes): (std::path::PathBuf, Vec<u8>)| {
        let path = file.with_extension("");
        let mut place: Place = path.iter().map(|word| word.to_str().unwrap().to_owned()).collect();
        place.pop_if(|last| ["mod", "lib"].contains(&last.as_str()));
        (place, String::from_utf8(bytes).unwrap())
    };
    rust.map(read).collect()
}

/// `a::{b, c::{d, e}}` is `a::b`, `a::c::d` and `a::c::e`.
fn expanded(tree: &str) -> Vec<String> {
    let (mut heads, mut path, mut paths) = (vec![String::new()], String::new(), Vec::new());
    for letter in tree.chars().chain([',']) {
        match letter {
            '{' => heads.push(path.clone()),
            ',' | '}' => {
                heads.truncate(heads.len() - usize::from(letter == '}'));
                paths.push(std::mem::replace(&mut path, heads[heads.len() - 1].clone()));
            }
            _ => path.push(letter),
        }
    }
    paths.retain(|path| !path.trim().is_empty() && !path.ends_with("::"));
    paths
}

/// Where a path leads, if it stays in the crate.
fn resolved(from: &Place, path: &str, modules: &BTreeSet<Place>) -> Option<Place> {
    let mut place = from.clone();
    for (at, word) in path.split("::").map(str::trim).enumerate() {
        match word {
            "crate" => place.clear(),
            "super" => drop(place.pop()),
            "self" | "" => {}
            _ => {
                place.push(word.to_owned());
                (at > 0 || modules.contains(&place)).then_some(())?;
            }
        }
    }
    Some(place)
}

fn behind_bracket(text: &str) -> &str {
    text.split_once(')').map_or(text, |(_, behind)| behind)
}

fn imports(text: &str, from: &Place, modules: &BTreeSet<Place>) -> Imports {
    // Tests may import what they test from anywhere.
    let text = text.split("\nmod tests {").next().unwrap();
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    // Where a name may be used is no import.
    let parts = code.split("pub(in ").enumerate();
    let code: String =
        parts.map(|(at, part)| if at == 0 { part } else { behind_bracket(part) }).collect();
    let mut imports = Imports::default();
    for statement in code.split(';') {
        let mut code = statement;
        if let Some((before, tree)) = statement.rsplit_once("use ") {
            let visibility = before.rsplit('\n').next().unwrap().trim();
            if visibility.is_empty() || visibility.starts_with("pub") {
                code = before;
                for path in expanded(tree) {
                    let (path, name) = path.split_once(" as ").unwrap_or((&path, &path));
                    let name = name.rsplit("::").next().unwrap().trim();
                    match resolved(from, path, modules) {
                        None => {}
                        Some(place) if visibility.is_empty() => imports.used.push(place),
                        Some(place) => drop(imports.exported.insert(name.to_owned(), place)),
                    }
                }
            }
        }
        let paths = code.split(|c: char| !(c.is_alphanumeric() || "_:".contains(c)));
        let paths = paths.filter(|path| path.starts_with("super::") || path.starts_with("crate::"));
        imports.used.extend(paths.filter_map(|path| resolved(from, path, modules)));
    }
    imports
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

/// Which file imports from which, and which folder or file of a folder from which others in it.
fn graph(texts: &[(Place, String)]) -> Graph {
    let modules: BTreeSet<Place> = texts.iter().map(|(place, _)| place.clone()).collect();
    let all: BTreeMap<Place, Imports> =
        texts.iter().map(|(place, text)| (place.clone(), imports(text, place, &modules))).collect();
    let mut graph = Graph::new();
    for (file, imports) in &all {
        graph.entry(file.join("::")).or_default();
        for from in imports.used.iter().filter_map(|used| origin(used, &all)) {
            let shared = file.iter().zip(&from).take_while(|(one, other)| one == other).count();
            let depths = [shared + 1, usize::MAX];
            let are_apart = shared < file.len().min(from.len());
            for end in depths.into_iter().skip(usize::from(!are_apart)) {
                let name = |place: &Place| place[..end.min(place.len())].join("::");
                if *file != from {
                    graph.entry(name(file)).or_default().insert(name(&from));
                }
            }
        }
    }
    graph
}

/// Modules that import each other, and which of these each imports. Repeatedly removes modules that
/// import none of the remaining ones, and modules that none of the remaining ones import.
fn rings(mut graph: Graph) -> Graph {
    loop {
        let before = graph.len();
        let imported: BTreeSet<String> = graph.values().flatten().cloned().collect();
        graph.retain(|module, from| imported.contains(module) && !from.is_empty());
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        graph.values_mut().for_each(|from| from.retain(|module| left.contains(module)));
        if graph.len() == before {
            return graph;
        }
    }
}

#[test]
fn no_modules_import_each_other() {
    for (folder, least) in [("src", [300, 1500]), ("python/src", [10, 20])] {
        let graph = graph(&sources(folder));
        let counts = [graph.len(), graph.values().map(BTreeSet::len).sum()];
        assert!(counts[0] >= least[0] && counts[1] >= least[1], "{folder}: {counts:?}");
        let rings = rings(graph);
        assert!(rings.is_empty(), "modules that import each other: {rings:#?}");
    }
}

#[test]
fn rings_are_found() {
    let file = |path: &str, text: &str| (place(path), text.to_owned());
    let found = |texts: &[(Place, String)]| rings(graph(texts)).into_keys().collect::<Vec<_>>();
    let root = file("a", "mod b;\nmod c;\npub use b::{One as Uno, Two};\n");
    let b = file("a::b", "use std::fmt;\nuse super::c::Three;\npub struct One;\n");
    assert!(found(&[root.clone(), b.clone(), file("a::c", "pub struct Three;")]).is_empty());
    for import in [
        "use super::b::One;",
        "use super::{Uno, Four};",
        "use crate::a::{b::{One}};",
        "fn five() -> super::b::One {",
    ] {
        let c = file("a::c", &format!("{import}\npub struct Three;\n"));
        assert_eq!(found(&[root.clone(), b.clone(), c]), ["a::b", "a::c"], "{import}");
    }
    let in_tests =
        "pub struct Three;\n#[cfg(test)]\nmod tests {\n    use super::super::b::One;\n}\n";
    assert!(found(&[root.clone(), b.clone(), file("a::c", in_tests)]).is_empty());
    // A ring of folders whose files import each other in one direction.
    let parts =
        [file("a::c::x", "pub struct Three;"), file("a::c::y", "use super::super::b::One;")];
    let b = file("a::b", "use super::c::x::Three;\n");
    assert_eq!(found(&[&[root, b, file("a::c", "")], &parts[..]].concat()), ["a::b", "a::c"]);
}

/// The imports of a folder that its front page draws the other way, and modules that it does not draw,
/// if it draws any.
fn against_the_drawing(folder: &Place, text: &str, graph: &Graph) -> Option<Vec<String>> {
    let (_, drawing) = text.split_once("imports only modules above it in this drawing:")?;
    let path = |name: &str| [&folder[..], &[name.to_owned()]].concat().join("::");
    let mut lines = BTreeMap::new();
    for (line, text) in drawing.split("```").nth(1)?.lines().enumerate() {
        for name in text.trim_start_matches("//!").split("  ").flat_map(|part| part.split(", ")) {
            if graph.contains_key(&path(name.trim())) {
                lines.insert(path(name.trim()), line);
            }
        }
    }
    let wrong = lines.iter().flat_map(|(module, line)| {
        let imported = graph[module].iter().filter(|from| lines.get(*from) >= Some(line));
        imported.map(move |from| format!("{module} imports {from}"))
    });
    assert!(lines.len() > 3, "{lines:?}");
    let inside = path("");
    let parts = graph.keys().filter(|module| {
        module.strip_prefix(&inside).is_some_and(|name| !name.contains("::") && name != "tests")
    });
    let missing = parts.filter(|part| !lines.contains_key(*part));
    Some(wrong.chain(missing.map(|part| format!("{part} is not drawn"))).collect())
}

#[test]
fn modules_are_in_the_order_that_front_pages_draw() {
    let texts = sources("src");
    let graph = graph(&texts);
    let drawn = texts.iter().filter_map(|(place, text)| against_the_drawing(place, text, &graph));
    let drawn: Vec<Vec<String>> = drawn.collect();
    assert!(drawn.len() >= 4 && drawn.concat().is_empty(), "{drawn:#?}");
    let wrong = "imports only modules above it in this drawing:\n```text\n//!  tabulate   sweep\n\
                 //!  solve      the board  board\n//!  index, tromp";
    let wrong = against_the_drawing(&Place::new(), wrong, &graph).unwrap();
    assert!(wrong.contains(&"sweep imports index".to_owned()), "{wrong:?}");
    assert!(wrong.contains(&"verify is not drawn".to_owned()), "{wrong:?}");
}

/// The name of a public type that is defined in this line.
fn public_type(line: &str) -> Option<&str> {
    let (kind, rest) = line.strip_prefix("pub ")?.split_once(' ')?;
    let is_type = ["struct", "enum", "trait", "type", "union"].contains(&kind);
    rest.split(|letter: char| !letter.is_alphanumeric()).next().filter(|_| is_type)
}

/// Types of the library alone: the program's commands are named as they are typed.
#[test]
fn no_two_public_types_share_a_name() {
    // These take the place of others where there are no tables, or no Unix: only one is compiled.
    let others = ["cli", "no_probe", "grade::process::not_here"].map(place);
    let texts = sources("src").into_iter();
    let library = texts.filter(|(place, _)| !others.iter().any(|other| place.starts_with(other)));
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (place, text) in library {
        for name in text.lines().filter_map(public_type) {
            names.entry(name.to_owned()).or_default().push(place.join("::"));
        }
    }
    assert!(names.len() > 150 && names.contains_key("Board"), "{}", names.len());
    names.retain(|_, files| files.len() > 1);
    assert!(names.is_empty(), "public types of one name: {names:#?}");
}
