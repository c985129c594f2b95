//! Defines `FromStr` for a type together with its error, which quotes the rejected text.

/// Defines the error of a type and how the type is read: by a function that returns `None` for text
/// that is no value of it.
macro_rules! from_text {
    (
        $(#[$doc:meta])*
        $error:ident($message:literal $(, $argument:expr)*): $type:ty = $read:expr
    ) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
        #[error($message $(, $argument)*)]
        pub struct $error {
            /// What was given.
            pub found: String,
        }

        impl std::str::FromStr for $type {
            type Err = $error;

            fn from_str(text: &str) -> Result<$type, $error> {
                let read: fn(&str) -> Option<$type> = $read;
                read(text).ok_or_else(|| $error { found: text.to_owned() })
            }
        }
    };
}

pub(crate) use from_text;
