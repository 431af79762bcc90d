//! Constants of the file by name: plain, and with the namespaces and classes they stand in.

use crate::expr::Value;
use foldhash::{HashMap, HashSet};

/// Constants whose value is known.
#[derive(Clone, Default)]
pub(super) struct Constants {
    values: HashMap<String, Value>,
    /// Namespaces and classes that are open.
    scope: Vec<String>,
    /// Other names of namespaces and classes.
    aliases: HashMap<String, String>,
    /// Plain names that mean different constants in different scopes.
    ambiguous: HashSet<String>,
    /// Plain names that mean something else where the analysis is.
    hidden: HashSet<String>,
}

impl Constants {
    /// Opens a namespace, `a::b` for two, or a class.
    pub(super) fn enter(&mut self, name: &str) {
        self.scope.push(name.to_string());
    }

    pub(super) fn leave(&mut self) {
        self.scope.pop();
    }

    /// Another name of a namespace or a class.
    pub(super) fn alias(&mut self, name: &str, of: &str) {
        let compact: String = of.split_ascii_whitespace().collect();
        self.aliases.insert(name.to_string(), compact);
    }

    /// Learns a constant of the open scope.
    pub(super) fn insert(&mut self, name: String, value: Value) {
        if !self.scope.is_empty() {
            let qualified = format!("{}::{name}", self.scope.join("::"));
            let other = self.values.get(&name).is_some_and(|known| *known != value);
            self.values.insert(qualified, value);
            if other || self.ambiguous.contains(&name) {
                self.values.remove(&name);
                self.ambiguous.insert(name);
                return;
            }
        }
        self.values.insert(name, value);
    }

    /// The constant that a name means, with or without its scopes.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        if self.hidden.contains(name) {
            return None;
        }
        // The innermost of the open scopes that has it.
        for open in (1..=self.scope.len()).rev() {
            let scope = self.scope.get(..open).unwrap_or_default().join("::");
            if let Some(value) = self.values.get(&format!("{scope}::{name}")) {
                return Some(value);
            }
        }
        let name = name.trim_start_matches("::");
        if let Some(value) = self.values.get(name) {
            return Some(value);
        }
        if !name.contains("::") {
            return None;
        }
        let mut path = name.to_string();
        // Aliases of aliases; a few are enough, and none goes round for ever.
        for _ in 0..8 {
            let (first, rest) = path.split_once("::")?;
            let Some(of) = self.aliases.get(first) else {
                break;
            };
            path = format!("{of}::{rest}");
        }
        if let Some(value) = self.values.get(&path) {
            return Some(value);
        }
        // Named from within a namespace, or after a using directive.
        let ending = format!("::{path}");
        let mut found = self.values.iter().filter(|(n, _)| n.ends_with(&ending));
        match (found.next(), found.next()) {
            (Some((_, value)), None) => Some(value),
            _ => None,
        }
    }

    /// Whether a plain name means something else where the analysis is.
    pub(super) fn hides(&self, name: &str) -> bool {
        self.hidden.contains(name)
    }

    /// Takes these plain names away and no others, for as long as something else has them; gives back
    /// those that were taken away before.
    pub(super) fn hide(&mut self, names: HashSet<String>) -> HashSet<String> {
        std::mem::replace(&mut self.hidden, names)
    }
}
