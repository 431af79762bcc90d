//! Names of the C library's headers: the rows of `grammar/library.toml`, and the words of
//! `grammar/c_functions.txt`.

use std::collections::HashSet;
use std::sync::LazyLock;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A macro with this replacement.
    Value(&'static str),
    /// A typedef of this type.
    Type(&'static str),
    /// A function.
    Function,
}

/// One name.
#[derive(Debug)]
pub struct LibraryName {
    /// The name.
    pub name: &'static str,
    /// The header that declares it, where all C libraries have one.
    pub header: Option<&'static str>,
    /// What it stands for.
    pub meaning: Meaning,
}

include!(concat!(env!("OUT_DIR"), "/library.rs"));

/// The row of a name.
pub fn find(name: &str) -> Option<&'static LibraryName> {
    // `build.rs` writes the rows in the order of their names.
    let index = LIBRARY.binary_search_by(|row| row.name.cmp(name)).ok()?;
    LIBRARY.get(index)
}

/// Functions of the C library and of POSIX, which are in no namespace.
static C_FUNCTIONS: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    include_str!("../grammar/c_functions.txt")
        .split_ascii_whitespace()
        .collect()
});

/// Whether headers declare a function of that name, so that C++ has nothing else of it.
pub fn is_c_function(name: &str) -> bool {
    C_FUNCTIONS.contains(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_found() {
        assert!(
            LIBRARY
                .iter()
                .all(|row| find(row.name).is_some_and(|f| f.name == row.name))
        );
    }
}
