//! Ends the server: a signal tells it once, and it finishes the answers in progress.

use std::io;

use tokio::sync::watch;

use crate::cli::Exit;

/// Tells when to end, and with which exit code.
#[derive(Clone)]
pub struct Ending(watch::Receiver<Option<Exit>>);

impl Ending {
    /// Ends on SIGTERM. The function that is returned ends the server too; call it on Ctrl-C.
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
            // No sender remains, so the signal will never come.
            Err(_) => std::future::pending().await,
        }
    }
}
