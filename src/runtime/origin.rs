//! Where the source of a program comes from.

use super::{Error, Result};
use crate::source_text::Source;
use std::borrow::Borrow;
use std::path::{Path, PathBuf};

/// What [`Device::build`](super::Device::build) takes: a [`Source`], one to borrow, or a file to read.
pub trait IntoSource {
    /// The source.
    type Held: Borrow<Source>;

    /// Reads it, where it is not there yet.
    ///
    /// # Errors
    /// The file cannot be read.
    fn into_source(self) -> Result<Self::Held>;
}

impl IntoSource for Source {
    type Held = Self;

    fn into_source(self) -> Result<Self> {
        Ok(self)
    }
}

impl<'a> IntoSource for &'a Source {
    type Held = &'a Source;

    fn into_source(self) -> Result<&'a Source> {
        Ok(self)
    }
}

/// A source in a file, read when it is built: [`Source::file`].
#[derive(Clone, Debug)]
pub struct SourceFile(PathBuf);

impl Source {
    /// A source in a file, which is read when the program is built. Its name tells the language:
    /// Brook+ for `.br`, OKL otherwise.
    pub fn file(path: impl AsRef<Path>) -> SourceFile {
        SourceFile(path.as_ref().to_path_buf())
    }
}

impl IntoSource for SourceFile {
    type Held = Source;

    fn into_source(self) -> Result<Source> {
        let text = crate::source::read(&self.0).map_err(|e| Error::io(&self.0, e))?;
        Ok(Source::new(self.0.to_string_lossy(), text))
    }
}

impl IntoSource for &SourceFile {
    type Held = Source;

    fn into_source(self) -> Result<Source> {
        self.clone().into_source()
    }
}
