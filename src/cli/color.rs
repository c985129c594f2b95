//! Coloured stones, where the output supports them.

use std::io::{self, IsTerminal};

use super::ColorChoice;

/// Should standard output be coloured?
pub fn in_color(choice: ColorChoice) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => io::stdout().is_terminal() && !set("NO_COLOR") && !dumb,
    }
}

/// X in red and O in yellow.
pub fn colored(drawing: &str) -> String {
    drawing.replace('X', "\x1b[1;31mX\x1b[0m").replace('O', "\x1b[1;33mO\x1b[0m")
}

#[cfg(test)]
mod tests {
    use super::*;
    use strong4::board::Moves;

    #[test]
    fn only_stones_are_coloured() {
        let game = Moves::parse("4x3".parse().unwrap(), "22").unwrap();
        assert_eq!(colored(&game.position().to_string()).matches("\x1b[0m").count(), 2);
    }
}
