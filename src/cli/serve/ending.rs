//! How the server ends: it is told once, and finishes what it has begun.

use std::io;

use tokio::sync::watch;

use crate::cli::Exit;

/// Tells when to end, and what the exit code will be.
#[derive(Clone)]
pub struct Ending(watch::Receiver<Option<Exit>>);

impl Ending {
    /// Ends on a signal to terminate, and when what is returned besides is called: on Ctrl-C.
    pub fn on_signals() -> io::Result<(Ending, impl FnOnce() + Send + 'static)> {
        let (sender, receiver) = watch::channel(None);
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let (mut terminate, sender) = (signal(SignalKind::terminate())?, sender.clone());
            tokio::spawn(async move {
                terminate.recv().await;
                sender.send_replace(Some(Exit::Fine));
            });
        }
        let interrupted = move || {
            sender.send_replace(Some(Exit::Stopped));
        };
        Ok((Ending(receiver), interrupted))
    }

    /// Waits until it is time to end.
    pub async fn begun(&mut self) -> Exit {
        match self.0.wait_for(Option::is_some).await {
            Ok(exit) => exit.expect("waited for"),
            // Nobody is left who could tell.
            Err(_) => std::future::pending().await,
        }
    }
}
