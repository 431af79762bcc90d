//! Which stage of a translation is at work, for whoever wants to know where the time goes.

/// A stage of [`transpile`](crate::transpile), in the order in which they first begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Macros, conditionals, includes.
    Preprocess,
    /// Attributes and streams into plain C and C++: of each file while it is read, and of what expansion made.
    Normalize,
    /// What C++ parsers do not take is mended.
    Compat,
    /// Everything about syntax trees.
    Parse,
    /// Facts and diagnostics.
    Analyze,
    /// Edits for the backend.
    Rewrite,
    /// Templates and metadata.
    Render,
}

impl Stage {
    /// Its name, as in ARCHITECTURE.md.
    pub fn name(self) -> &'static str {
        match self {
            Self::Preprocess => "preprocess",
            Self::Normalize => "normalize",
            Self::Compat => "compat",
            Self::Parse => "parse",
            Self::Analyze => "analyze",
            Self::Rewrite => "rewrite",
            Self::Render => "render",
        }
    }
}

/// Told whenever another stage goes on: a translation looks at no clock itself.
pub type Watch<'w> = &'w dyn Fn(Stage);

/// Does a stage's work within that of another one, which goes on afterwards.
pub(crate) fn within<T>(
    watch: Watch<'_>,
    inner: Stage,
    outer: Stage,
    work: impl FnOnce() -> T,
) -> T {
    watch(inner);
    let result = work();
    watch(outer);
    result
}
