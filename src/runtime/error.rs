use crate::backend::BackendError;
use crate::diagnostics::Report;
use brook_driver::ErrorKind;
use std::fmt;
use std::path::Path;

/// The runtime's result.
pub type Result<T> = std::result::Result<T, Error>;

/// Whatever can go wrong between a source and its results. `{:?}` shows it as `{}` does: that is
/// what a `main` that returns it prints.
pub enum Error {
    /// The source has errors: all of them, with the files they point into.
    Source(Box<Report>),
    /// A compiler or a library is missing, or the vendor's compiler failed; its log is included.
    Toolchain(brook_driver::Error),
    /// The device failed or ran out of memory.
    Device(brook_driver::Error),
    /// No device of that name, or none at all; the message lists what there is.
    NoDevice(String),
    /// The caller's mistake: a wrong argument, an unknown kernel, sizes that do not fit. Names the
    /// kernel and the parameter.
    Argument(String),
    /// A file could not be read or written.
    Io {
        /// Which.
        path: String,
        /// Why.
        error: std::io::Error,
    },
}

/// What a driver would have said.
pub(super) fn driver_error(error: Error) -> brook_driver::Error {
    match error {
        Error::Device(error) | Error::Toolchain(error) => error,
        other => brook_driver::Error::invalid(other.to_string()),
    }
}

impl Error {
    pub(crate) fn argument(message: impl Into<String>) -> Self {
        Self::Argument(message.into())
    }

    pub(crate) fn io(path: &Path, error: std::io::Error) -> Self {
        Self::Io {
            path: path.display().to_string(),
            error,
        }
    }

    /// The same error, its message behind `what: `.
    #[must_use]
    pub fn context(self, what: &str) -> Self {
        let extended = |mut error: brook_driver::Error| {
            error.message = format!("{what}: {}", error.message);
            error
        };
        match self {
            Self::Toolchain(error) => Self::Toolchain(extended(error)),
            Self::Device(error) => Self::Device(extended(error)),
            Self::NoDevice(message) => Self::NoDevice(format!("{what}: {message}")),
            Self::Argument(message) => Self::Argument(format!("{what}: {message}")),
            other => other,
        }
    }

    /// The exit status of a command that ends with this error: 1 when the input is at fault, 3 when
    /// the toolchain or the device is.
    pub fn exit_code(&self) -> i32 {
        match self {
            Self::Source(_) | Self::Argument(_) | Self::Io { .. } => 1,
            Self::Toolchain(_) | Self::Device(_) | Self::NoDevice(_) => 3,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Source(report) => f.write_str(report.to_string().trim_end()),
            Self::Toolchain(error) | Self::Device(error) => error.fmt(f),
            Self::NoDevice(message) | Self::Argument(message) => f.write_str(message),
            Self::Io { path, error } => write!(f, "{path}: {error}"),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Source(report) => Some(&**report),
            Self::Toolchain(error) | Self::Device(error) => Some(error),
            Self::Io { error, .. } => Some(error),
            Self::NoDevice(_) | Self::Argument(_) => None,
        }
    }
}

impl From<brook_driver::Error> for Error {
    fn from(error: brook_driver::Error) -> Self {
        match error.kind {
            ErrorKind::Missing | ErrorKind::Compile => Self::Toolchain(error),
            ErrorKind::Device | ErrorKind::Memory => Self::Device(error),
            ErrorKind::Invalid => Self::Argument(error.to_string()),
        }
    }
}

impl From<Box<Report>> for Error {
    fn from(report: Box<Report>) -> Self {
        Self::Source(report)
    }
}

impl From<BackendError> for Error {
    fn from(error: BackendError) -> Self {
        Self::Argument(error.to_string())
    }
}
