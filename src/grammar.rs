//! The languages, and what their attributes may decorate: words that all stages share.

/// Which language a source is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// OKL: C++ with attributes.
    Okl,
    /// Brook+ and Brook: C with streams.
    Brook,
}

impl Dialect {
    /// The dialect that a file's name tells: Brook+ for `.br`, and for `.bri`, which BrookGPU's makefiles sent
    /// through the preprocessor first; OKL for everything else.
    pub fn of_path(path: &str) -> Self {
        if path.ends_with(".br") || path.ends_with(".bri") {
            Self::Brook
        } else {
            Self::Okl
        }
    }
}

/// What an attribute may decorate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Target {
    Function,
    Loop,
    Variable,
    Parameter,
    Type,
    Field,
    Statement,
    Line,
}
