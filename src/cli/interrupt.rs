//! Ctrl-C: one line at once, and the program ends.
//!
//! Nothing is waited for but what is known already. Files get their real names only when they
//! are whole, and what a stopped `solve` has written is found again by the next one.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};

use super::Exit;
use super::output::say;

/// What is to be said besides that the program has been stopped.
static LAST_WORDS: OnceLock<String> = OnceLock::new();
/// What is to be done before that.
static LAST_DEED: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// What is to be done instead, the first time.
static INSTEAD: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// Nobody waits for an answer any more.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C is answered with a line, and with an exit code of its own.
pub fn answer_interrupts() {
    // Without a handler Ctrl-C ends the program all the same.
    let _ = ctrlc::set_handler(|| {
        let instead = INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).take();
        match instead {
            Some(deed) => deed(),
            None => stop(),
        }
    });
}

/// The first Ctrl-C does this, and leaves it to the program to end; the second one stops it.
#[cfg(feature = "serve")]
pub fn instead_of_stopping(deed: impl FnOnce() + Send + 'static) {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(deed));
}

/// Says this too when the program is stopped.
pub fn set_last_words(words: String) {
    let _ = LAST_WORDS.set(words);
}

/// Does this first when the program is stopped; it must not take long.
pub fn set_last_deed(deed: impl FnOnce() + Send + 'static) {
    *LAST_DEED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(deed));
}

/// Is set when nobody waits for an answer any more.
pub fn given_up() -> &'static AtomicBool {
    &GIVEN_UP
}

/// Stops all searches: nobody waits for an answer any more.
pub fn give_up() {
    GIVEN_UP.store(true, Relaxed);
}

/// Says that the program is stopped, and ends it.
pub fn stop() -> ! {
    let deed = LAST_DEED.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(deed) = deed {
        deed();
    }
    let mut terminal = io::stderr();
    if terminal.is_terminal() {
        // The line has a `^C` in it, or the bar of a job.
        let _ = writeln!(terminal);
    }
    match LAST_WORDS.get() {
        None => say(format_args!("stopped")),
        Some(words) => say(format_args!("stopped; {words}")),
    }
    process::exit(Exit::Stopped as i32);
}
