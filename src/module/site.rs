use crate::grammar::Target;
use crate::source::Span;

/// A use of an attribute that an extension adds.
#[derive(Clone, Debug)]
pub struct Site {
    /// Which extension: its place in [`Options::extensions`](crate::Options::extensions).
    pub extension: usize,
    /// The attribute's name without `@`.
    pub name: String,
    /// Its arguments, split at commas and trimmed; macros are expanded.
    pub arguments: Vec<String>,
    /// Where it stands.
    pub attribute: Span,
    /// What it decorates.
    pub target: Target,
    /// The node, without attributes before it.
    pub node: Span,
    /// Names of all attributes of the node, this one too.
    pub beside: Vec<String>,
}
