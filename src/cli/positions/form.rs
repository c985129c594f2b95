//! The formats that positions are written in.

use std::path::{Path, PathBuf};

use clap::Args;

/// Which format, and where to.
#[derive(Args)]
pub struct FormArg {
    /// Print comma-separated values with a header (the default)
    #[arg(long, conflicts_with_all = ["json", "output"])]
    csv: bool,
    /// Print one JSON object per position
    #[arg(long, conflicts_with = "output")]
    json: bool,
    /// Write to FILE in the format named by its extension: .csv, .json, .jsonl, .npy or .npz
    #[arg(long, value_name = "FILE", value_parser = output, value_hint = clap::ValueHint::FilePath)]
    output: Option<Target>,
}

/// A file, and the format of its content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub path: PathBuf,
    pub form: Form,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    Csv,
    /// One object per line.
    Json,
    /// An array of keys.
    Npy,
    /// Several arrays.
    Npz,
}

impl FormArg {
    /// The format of standard output.
    pub fn printed(&self) -> Form {
        if self.json { Form::Json } else { Form::Csv }
    }

    /// The file, unless standard output is meant.
    pub fn target(&self) -> Option<&Target> {
        self.output.as_ref()
    }
}

fn output(name: &str) -> Result<Target, String> {
    let path = Path::new(name);
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let form = match &*ending {
        "csv" => Form::Csv,
        "json" | "jsonl" => Form::Json,
        "npy" => Form::Npy,
        "npz" => Form::Npz,
        _ => {
            return Err(format!(
                "'{name}' has no known format: expected the extension .csv, .json, .jsonl, .npy or .npz"
            ));
        }
    };
    Ok(Target { path: path.to_owned(), form })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_name_forms() {
        let form = |name| output(name).map(|target| target.form);
        for (name, expected) in [
            ("a.csv", Form::Csv),
            ("a.b/c.JSON", Form::Json),
            ("c.jsonl", Form::Json),
            ("x.npy", Form::Npy),
            ("./x.npz", Form::Npz),
        ] {
            assert_eq!(form(name), Ok(expected), "{name}");
        }
        assert!(["", "a", "a.txt", "csv", "-"].iter().all(|name| form(name).is_err()));
    }
}
