//! What the attributes of both languages are: the rows of `grammar/attributes.toml`.

pub use crate::grammar::Target;

use super::Dialect;

/// One attribute.
#[derive(Debug)]
pub struct Attribute {
    /// Its name without prefix.
    pub name: &'static str,
    /// The language it belongs to.
    pub dialect: Dialect,
    /// What it may decorate.
    pub targets: &'static [Target],
    /// Fewest arguments.
    pub least_arguments: usize,
    /// Most arguments.
    pub most_arguments: usize,
    /// One line for the reference page.
    pub summary: &'static str,
}

include!(concat!(env!("OUT_DIR"), "/attributes.rs"));

/// The row of an attribute.
pub fn find(dialect: Dialect, name: &str) -> Option<&'static Attribute> {
    ATTRIBUTES
        .iter()
        .find(|a| a.dialect == dialect && a.name == name)
}
