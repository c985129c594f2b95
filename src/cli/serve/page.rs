//! The files of the page, built into the program.

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use super::reply;

/// A file built into the program.
#[derive(Clone, Copy)]
pub struct File {
    /// Its path on the server.
    pub path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
}

const MARKUP: &str = "text/html; charset=utf-8";
const STYLE: &str = "text/css; charset=utf-8";
const PICTURE: &str = "image/svg+xml";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// Files of the folder `page`, each with its path and content type.
macro_rules! files {
    ($($path:literal $name:literal $kind:expr;)*) => {
        &[$(File { path: $path, kind: $kind, bytes: include_bytes!(concat!("page/", $name)) }),*]
    };
}

/// All files.
pub const FILES: &[File] = files! {
    "/" "index.html" MARKUP;
    "/style.css" "style.css" STYLE;
    "/icon.svg" "icon.svg" PICTURE;
    "/analysis.js" "analysis.js" SCRIPT;
    "/api.js" "api.js" SCRIPT;
    "/board.js" "board.js" SCRIPT;
    "/game.js" "game.js" SCRIPT;
    "/keys.js" "keys.js" SCRIPT;
    "/line.js" "line.js" SCRIPT;
    "/main.js" "main.js" SCRIPT;
    "/moves.js" "moves.js" SCRIPT;
    "/opponent.js" "opponent.js" SCRIPT;
    "/rules.js" "rules.js" SCRIPT;
    "/settings.js" "settings.js" SCRIPT;
    "/values.js" "values.js" SCRIPT;
    "/words.js" "words.js" SCRIPT;
    "/openapi.json" "openapi.json" "application/json";
};

/// The page loads nothing from other hosts, and the browser makes sure of it.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; \
    connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

impl File {
    /// The file, unless the client has it already. Browsers ask each time, since a newer version
    /// of the program may have replaced this one.
    pub fn answer(self, headers: &HeaderMap) -> Response {
        let tag = format!("\"{}\"", reply::digest(self.bytes));
        let tag = HeaderValue::from_str(&tag).expect("digits");
        let again = HeaderValue::from_static("no-cache");
        let kept = [(header::CACHE_CONTROL, again), (header::ETAG, tag.clone())];
        if reply::is_known(&tag, headers) {
            return (StatusCode::NOT_MODIFIED, kept).into_response();
        }
        let kind = [(header::CONTENT_TYPE, self.kind)];
        let policy = [(header::CONTENT_SECURITY_POLICY, POLICY)];
        (kind, policy, kept, self.bytes).into_response()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use super::*;

    #[test]
    fn every_file_of_the_folder_is_served_under_its_name() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/cli/serve/page");
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let paths = names.map(|name| format!("/{}", name.into_string().unwrap()));
        let expected: BTreeSet<String> = paths.map(|path| path.replace("index.html", "")).collect();
        let served: BTreeSet<String> = FILES.iter().map(|file| file.path.to_owned()).collect();
        assert_eq!(served, expected);
    }
}
