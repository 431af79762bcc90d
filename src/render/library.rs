//! What the prelude says about names of the C library.

use crate::backend::Backend;
use crate::library::{self, LibraryName, Meaning};
use serde::Serialize;
use std::collections::BTreeSet;

/// What a prelude gives of the C library.
#[derive(Serialize)]
pub(super) struct Library {
    /// Headers to include.
    headers: BTreeSet<&'static str>,
    /// Headers that only some of the target's compilers have, and the types that the others are given
    /// instead.
    other_headers: BTreeSet<&'static str>,
    header_types: Vec<Definition>,
    /// The condition under which these are given.
    without_headers: String,
    /// Types that no header has.
    types: Vec<Definition>,
    /// Macros.
    values: Vec<Definition>,
    /// Functions that are named in C++'s own namespace.
    functions: Vec<&'static str>,
}

#[derive(Serialize)]
struct Definition {
    name: &'static str,
    text: String,
}

impl Library {
    /// `used` are names of the table.
    pub(super) fn new<'u>(used: impl Iterator<Item = &'u str>, backend: &Backend) -> Self {
        let target = &backend.library;
        let mut out = Self {
            headers: BTreeSet::new(),
            other_headers: BTreeSet::new(),
            header_types: Vec::new(),
            without_headers: target.without_headers.clone(),
            types: Vec::new(),
            values: Vec::new(),
            functions: Vec::new(),
        };
        let unknown = |row: &&LibraryName| !target.known.iter().any(|k| k == row.name);
        for row in used.filter_map(library::find).filter(unknown) {
            if row.header == Some("algorithm") {
                out.functions.push(row.name);
                continue;
            }
            let define = |text: &str| Definition {
                name: row.name,
                text: target
                    .spelled
                    .get(row.name)
                    .map_or(text, String::as_str)
                    .to_string(),
            };
            match (row.meaning, row.header) {
                (_, Some(header)) if target.headers => {
                    if !target.included.iter().any(|h| h == header) {
                        out.headers.insert(header);
                    }
                }
                (Meaning::Value(value), _) => out.values.push(define(value)),
                (Meaning::Type(ty), Some(header)) if !target.without_headers.is_empty() => {
                    out.other_headers.insert(header);
                    out.header_types.push(define(ty));
                }
                (Meaning::Type(ty), _) => out.types.push(define(ty)),
                (Meaning::Function, _) => {}
            }
        }
        out
    }
}
