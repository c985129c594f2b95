//! Ctrl-C: prints one line at once and ends the program.
//!
//! Only results that are already known are waited for. Files get their real names only when
//! they are complete, and the next `solve` finds what a stopped one has written.

use std::io::{self, IsTerminal, Write};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::Exit;
use super::output::say;

/// The message besides `stopped`.
static LAST_WORDS: OnceLock<String> = OnceLock::new();
/// The action before it.
static LAST_DEED: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// The action in place of stopping, the first time.
static INSTEAD: Mutex<Option<Box<dyn FnOnce() + Send>>> = Mutex::new(None);
/// Set when a thread is ending the program.
static STOPPING: AtomicBool = AtomicBool::new(false);
/// Set when no answer is wanted any more.
static GIVEN_UP: AtomicBool = AtomicBool::new(false);

/// Sets the handler for Ctrl-C, which prints a line and has an exit code of its own.
pub(super) fn answer_interrupts() {
    // Without a handler, Ctrl-C still ends the program.
    let _ = ctrlc::set_handler(|| {
        let instead = INSTEAD.lock().unwrap_or_else(PoisonError::into_inner).take();
        match instead {
            Some(deed) => deed(),
            None => stop(),
        }
    });
}

/// From now on, writing more than `ulimit -f` allows is an error, and not the end of the program.
pub(super) fn survive_limits_on_files() {
    // SAFETY: no handler is installed, so nothing runs when the signal arrives.
    #[cfg(unix)]
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}

/// Makes the first Ctrl-C run this action instead of ending the program; the second one ends it.
pub(super) fn instead_of_stopping(deed: impl FnOnce() + Send + 'static) {
    *INSTEAD.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(deed));
}

/// Adds a message to be printed when the program is stopped.
pub(super) fn set_last_words(words: String) {
    let _ = LAST_WORDS.set(words);
}

/// Sets an action to run first when the program is stopped; it must not take long.
pub(super) fn set_last_deed(deed: impl FnOnce() + Send + 'static) {
    *LAST_DEED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(deed));
}

/// The flag that is set when no answer is wanted any more.
pub(super) fn given_up() -> &'static AtomicBool {
    &GIVEN_UP
}

/// Stops all searches: no answer is wanted any more.
pub(super) fn give_up() {
    GIVEN_UP.store(true, Relaxed);
}

/// Blocks forever if another thread is ending the program: its last action may remove files that
/// this thread still uses, and the resulting error must not be reported.
pub(super) fn leave_the_end_to_others() {
    while STOPPING.load(Relaxed) {
        thread::sleep(Duration::from_millis(1));
    }
}

/// Prints that the program is stopped, and ends it.
pub(super) fn stop() -> ! {
    STOPPING.store(true, Relaxed);
    let deed = LAST_DEED.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(deed) = deed {
        deed();
    }
    let say_it = || {
        let mut terminal = io::stderr();
        if terminal.is_terminal() {
            // The current line holds a `^C` or a progress bar.
            let _ = writeln!(terminal);
        }
        match LAST_WORDS.get() {
            None => say(format_args!("stopped")),
            Some(words) => say(format_args!("stopped; {words}")),
        }
    };
    // A full pipe that nobody reads must not keep the program alive.
    let end = Instant::now() + Duration::from_secs(1);
    let Ok(said) = thread::Builder::new().spawn(say_it) else {
        process::exit(Exit::Stopped as i32)
    };
    while !said.is_finished() && Instant::now() < end {
        thread::sleep(Duration::from_millis(1));
    }
    process::exit(Exit::Stopped as i32);
}
