//! The files of a page: those that are built into the program, or those of a folder, which are read
//! once, when the server starts.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::reply;

/// A file, and how it is sent.
pub(super) struct File {
    /// Its path on the server.
    pub path: String,
    kind: &'static str,
    /// The Content-Security-Policy.
    policy: &'static str,
    bytes: Bytes,
}

/// Files of the folder `page`, each with its bytes.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_bytes!(concat!("page/", $name)))),*]
    };
}

/// The page that asks this server.
const PAGE: &[(&str, &[u8])] = files![
    "index.html",
    "style.css",
    "icon.svg",
    "answers.js",
    "board.js",
    "controls.js",
    "game.js",
    "main.js",
    "moves.js",
    "review.js",
    "setup.js",
    "source.js",
    "trouble.js",
    "words.js",
    "openapi.json",
];

/// That page loads nothing from other hosts, and the browser makes sure of it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/// The part of the policy that a page cannot set itself; the rest is in its own head.
const POLICY_OF_FOLDERS: &str = "frame-ancestors 'none'";

/// The most bytes that a page in a folder may have: they are kept in memory.
const MOST_BYTES: u64 = 64 << 20;

/// The files of the page that asks this server.
pub(super) fn built_in() -> Vec<File> {
    let file =
        |(name, bytes): &(&str, &'static [u8])| File::new(name, POLICY, Bytes::from_static(bytes));
    PAGE.iter().map(file).collect()
}

/// The files in a folder, and in folders in it.
pub(super) fn in_folder(folder: &Path) -> anyhow::Result<Vec<File>> {
    let (mut files, mut left) = (Vec::new(), MOST_BYTES);
    read_folder(folder, "", &mut left, &mut files)?;
    if !files.iter().any(|file| file.path == "/") {
        bail!("{} has no index.html: 'make page' writes a page", folder.display());
    }
    Ok(files)
}

fn read_folder(
    folder: &Path,
    prefix: &str,
    left: &mut u64,
    files: &mut Vec<File>,
) -> anyhow::Result<()> {
    let cannot = |path: &Path| format!("cannot read {}", path.display());
    for entry in fs::read_dir(folder).with_context(|| cannot(folder))? {
        let entry = entry.with_context(|| cannot(folder))?;
        let (path, name) = (entry.path(), entry.file_name());
        // Other names cannot be asked for, and hidden files are not public.
        let Some(name) = name.to_str().filter(|name| is_plain(name)) else { continue };
        let (kind, name) =
            (entry.file_type().with_context(|| cannot(&path))?, format!("{prefix}{name}"));
        if kind.is_dir() {
            read_folder(&path, &format!("{name}/"), left, files)?;
        } else if kind.is_file() {
            let size = entry.metadata().with_context(|| cannot(&path))?.len();
            ensure!(size <= *left, "{} has too many bytes for a page", folder.display());
            *left -= size;
            let bytes = fs::read(&path).with_context(|| cannot(&path))?;
            files.push(File::new(&name, POLICY_OF_FOLDERS, bytes.into()));
        }
    }
    Ok(())
}

/// Whether a name stands for itself in an address, and in the paths of the router.
fn is_plain(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._".contains(&byte);
    !name.starts_with('.') && name.bytes().all(plain)
}

const PICTURE: &str = "image/svg+xml";

/// The content type of a file, by its ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => PICTURE,
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

impl File {
    fn new(name: &str, policy: &'static str, bytes: Bytes) -> File {
        let path = if name == "index.html" { "/".to_owned() } else { format!("/{name}") };
        File { path, kind: kind(name), policy, bytes }
    }

    /// The file, unless the client has it already. Browsers ask each time, since a newer version
    /// may have replaced this one. Pictures are the exception: otherwise browsers would ask for the
    /// icon with every move, which changes the address.
    pub(super) fn answer(&self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{}\"", reply::digest(&self.bytes));
        let tag = HeaderValue::from_str(&tag).expect("digits");
        let again = if self.kind == PICTURE { "max-age=86400" } else { "no-cache" };
        let again = HeaderValue::from_static(again);
        let kept = [(header::CACHE_CONTROL, again), (header::ETAG, tag.clone())];
        if reply::is_known(&tag, headers) {
            return (StatusCode::NOT_MODIFIED, kept).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind)];
        let policy = [(header::CONTENT_SECURITY_POLICY, self.policy)];
        (kind, policy, kept, self.bytes.clone()).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn every_file_of_the_page_is_served_under_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/serve/page");
        let paths = |files: Vec<File>| -> BTreeSet<(String, &str)> {
            files.into_iter().map(|file| (file.path, file.kind)).collect()
        };
        assert_eq!(paths(built_in()), paths(in_folder(folder.as_ref()).unwrap()));
    }

    #[test]
    fn a_folder_gives_its_plain_files() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let error = in_folder(folder.path()).err().unwrap();
        assert!(error.to_string().ends_with("has no index.html: 'make page' writes a page"));
        assert!(in_folder(&at("nowhere")).err().unwrap().to_string().starts_with("cannot read"));
        fs::create_dir(at("engine")).unwrap();
        for name in ["index.html", "engine/strong4.wasm", ".secret", "a b", "{id}"] {
            fs::write(at(name), name).unwrap();
        }
        #[cfg(unix)]
        {
            use std::os::unix::ffi::OsStrExt;
            let odd = std::ffi::OsStr::from_bytes(b"\xff");
            fs::write(folder.path().join(odd), "").unwrap();
            std::os::unix::fs::symlink("/etc/passwd", at("linked")).unwrap();
        }
        let mut files = in_folder(folder.path()).unwrap();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        let kinds: Vec<_> = files.iter().map(|file| (&file.path[..], file.kind)).collect();
        let page = ("/", "text/html; charset=utf-8");
        assert_eq!(kinds, [page, ("/engine/strong4.wasm", "application/wasm")]);
        fs::File::create(at("large.bin")).unwrap().set_len(MOST_BYTES).unwrap();
        let error = in_folder(folder.path()).err().unwrap();
        assert!(error.to_string().ends_with("has too many bytes for a page"));
    }
}
