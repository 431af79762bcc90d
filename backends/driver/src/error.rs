use std::fmt;

/// A driver's result.
pub type Result<T> = std::result::Result<T, Error>;

/// What went wrong, for callers that decide by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// A library, compiler or device is not on this machine.
    Missing,
    /// The vendor's compiler rejected the source or failed.
    Compile,
    /// Loading, launching or synchronising failed on the device.
    Device,
    /// Out of memory.
    Memory,
    /// The caller's mistake: a bad range, an unknown kernel, a wrong argument.
    Invalid,
}

/// An error of a driver: one line for people, and the compiler's log where there is one.
#[derive(Clone, Debug)]
pub struct Error {
    /// What kind of failure it is.
    pub kind: ErrorKind,
    /// One line.
    pub message: String,
    /// The vendor compiler's output, if a compiler was involved.
    pub log: Option<String>,
}

impl Error {
    /// An error of the given kind.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            log: None,
        }
    }

    /// Shorthand for [`ErrorKind::Missing`].
    pub fn missing(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Missing, message)
    }

    /// Shorthand for [`ErrorKind::Invalid`].
    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Invalid, message)
    }

    /// Attaches the compiler's output.
    #[must_use]
    pub fn with_log(mut self, log: impl Into<String>) -> Self {
        self.log = Some(log.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.log {
            Some(log) if !log.trim().is_empty() => write!(f, "\n{}", log.trim_end()),
            _ => Ok(()),
        }
    }
}

impl std::error::Error for Error {}
