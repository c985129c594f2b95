//! The time, for limits and for how long something took.
//!
//! WebAssembly has no clock of its own. There, whoever embeds the library sets one, with `set`;
//! until then time stands still, so nothing takes any time, and no limit is ever reached.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub(crate) use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use of_the_host::{Instant, set};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod of_the_host {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> Duration> = OnceLock::new();

    /// Sets the clock: the time since some moment, which never goes back. Only the first one
    /// counts.
    pub fn set(clock: fn() -> Duration) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, as in the standard library.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub struct Instant(Duration);

    impl Instant {
        /// This moment.
        pub fn now() -> Instant {
            Instant(CLOCK.get().map_or(Duration::ZERO, |clock| clock()))
        }

        /// How long ago it was.
        pub fn elapsed(self) -> Duration {
            Instant::now() - self
        }
    }

    impl Add<Duration> for Instant {
        type Output = Instant;

        fn add(self, time: Duration) -> Instant {
            Instant(self.0.saturating_add(time))
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Instant) -> Duration {
            self.0.saturating_sub(earlier.0)
        }
    }
}
