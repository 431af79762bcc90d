//! Functions that each backend spells in its own way: the rows of `grammar/intrinsics.toml`, and those that
//! a user adds in the same form.

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// One function.
#[derive(Clone, Debug, Deserialize)]
pub struct Intrinsic {
    /// How many arguments it takes.
    pub arguments: usize,
    /// It is about tiles of matrices that all lanes of a warp have together.
    #[serde(default)]
    pub fragments: bool,
    /// The text of a call asks for the item's lane.
    #[serde(default)]
    pub lane: bool,
    /// One line for people: what it gives, or does.
    #[serde(default)]
    pub summary: String,
    /// A source that calls it.
    #[serde(default)]
    pub example: String,
    /// What a program that calls it begins with, by backend or `fallback`: a template, as preludes are.
    #[serde(default)]
    pub prelude: BTreeMap<String, String>,
    /// The text of a call, by backend or `fallback`.
    #[serde(flatten)]
    pub calls: BTreeMap<String, String>,
}

/// A table of such functions.
#[derive(Clone, Debug, Default)]
pub struct Intrinsics {
    rows: BTreeMap<String, Intrinsic>,
    /// As they were given: part of the key under which translations are cached.
    text: String,
}

/// The row for every backend that has none of its own.
const FALLBACK: &str = "fallback";

impl Intrinsic {
    /// The text of a call on a backend; `None` if it has no such function.
    pub fn call(&self, backend: &str) -> Option<&str> {
        self.calls
            .get(backend)
            .or_else(|| self.calls.get(FALLBACK))
            .map(String::as_str)
    }

    /// What a program for a backend begins with.
    pub fn prelude(&self, backend: &str) -> Option<&str> {
        let own = self.prelude.get(backend);
        // A spelling of one's own does not need what the fallback does.
        let shared = || {
            let falls_back = !self.calls.contains_key(backend);
            self.prelude.get(FALLBACK).filter(|_| falls_back)
        };
        own.or_else(shared).map(String::as_str)
    }
}

impl Intrinsics {
    /// Adds the rows of a table in TOML; they come before those of the same name that are there.
    ///
    /// # Errors
    /// What is wrong with the table.
    pub fn add(&mut self, table: &str) -> Result<(), String> {
        let rows: BTreeMap<String, Intrinsic> =
            toml::from_str(table).map_err(|e| e.to_string().trim_end().to_string())?;
        for (name, row) in &rows {
            let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
            if name.is_empty() || !name.chars().all(word) {
                return Err(format!("'{name}' is no name of a function"));
            }
            if row.calls.is_empty() {
                return Err(format!("{name}: no backend and no fallback"));
            }
        }
        self.rows.extend(rows);
        self.text.push_str(table);
        self.text.push('\0');
        Ok(())
    }

    /// All that was added, in order.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// All rows by name, built-in ones included.
    pub fn rows(&self) -> impl Iterator<Item = (&str, &Intrinsic)> {
        let own = self.rows.iter();
        let more = { built_in().rows.iter() }.filter(|(name, _)| !self.rows.contains_key(*name));
        own.chain(more).map(|(name, row)| (name.as_str(), row))
    }

    /// The row of a name: one that was added, or a built-in one.
    pub fn get(&self, name: &str) -> Option<&Intrinsic> {
        self.rows.get(name).or_else(|| built_in().rows.get(name))
    }
}

fn built_in() -> &'static Intrinsics {
    static TABLE: OnceLock<Intrinsics> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = Intrinsics::default();
        // A test sees that it can be read.
        let _ = table.add(include_str!("../grammar/intrinsics.toml"));
        table
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_can_be_read_and_added_to() {
        let mut table = Intrinsics::default();
        assert!(table.get("okl_exp10f").is_some());
        table
            .add("[twice]\narguments = 1\nfallback = \"(2 * ({0}))\"\ncuda = \"__twice({0})\"")
            .unwrap();
        let twice = table.get("twice").unwrap();
        assert_eq!(twice.call("cuda"), Some("__twice({0})"));
        assert_eq!(twice.call("anything"), Some("(2 * ({0}))"));
        assert!(table.add("[twice]\nfallback = \"\"").is_err());
        assert!(table.add("[twice]\narguments = 1").is_err());
    }
}
