//! Names of the C library's headers: the rows of `grammar/library.toml`.

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
