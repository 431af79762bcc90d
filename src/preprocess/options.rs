use crate::source::EditMap;

/// What a preprocessing run is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// Macros that the user did not define.
    pub predefined: Vec<Define>,
    /// From `-D`, in order.
    pub defines: Vec<Define>,
    /// From `-I`, in order.
    pub include_directories: Vec<String>,
    /// From `--include`: files whose text is put before the source.
    pub forced_includes: Vec<String>,
    /// What becomes of `#include "FILE"` when there is no such file.
    pub quoted_not_found: Missing,
    /// Macros that only the vendor's compiler knows; `*` at the end stands for any ending.
    pub vendor_macros: Vec<String>,
    /// What becomes of a conditional that depends on them.
    pub vendor_conditions: VendorConditions,
    /// Whether `#include <FILE>` is searched in `include_directories`. What is not found stays.
    pub search_angle: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            predefined: Vec::new(),
            defines: Vec::new(),
            include_directories: Vec::new(),
            forced_includes: Vec::new(),
            quoted_not_found: Missing::Error,
            vendor_macros: Vec::new(),
            vendor_conditions: VendorConditions::Keep,
            search_angle: true,
        }
    }
}

/// What becomes of a quoted include that is not found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Missing {
    /// An error (OKL).
    Error,
    /// It is left to the host compiler (Brook+).
    Keep,
}

/// What becomes of a conditional that only the vendor's compiler can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VendorConditions {
    /// It stays in the text, and so do all its groups (OKL).
    Keep,
    /// It is taken as if the macros were not defined, since host code reaches the compiler as it is
    /// written; an error where a kernel stands in it (Brook+).
    HostOnly,
}

/// A macro from the command line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Define {
    /// `N`, or `F(a,b)`.
    pub name: String,
    /// What it expands to.
    pub value: String,
}

impl Define {
    /// What the macro is called, without its parameters.
    pub fn word(&self) -> &str {
        let word = self.name.split('(').next();
        word.unwrap_or(&self.name).trim()
    }

    /// Reads the argument of `-D`: `N=V`, `N` (value 1), `F(a)=a+1`.
    ///
    /// # Errors
    /// What is not a macro's name, with parameters perhaps.
    pub fn parse(argument: &str) -> Result<Self, String> {
        let (name, value) = argument.split_once('=').unwrap_or((argument, "1"));
        let name = name.trim();
        let (word, parameters) = match name.split_once('(') {
            None => (name, None),
            Some((word, rest)) => (word.trim_end(), Some(rest)),
        };
        let begins = word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '$');
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$';
        if !begins || !word.chars().all(is_name) {
            return Err(format!("'{word}' cannot be the name of a macro"));
        }
        let allowed = |c: char| is_name(c) || matches!(c, ',' | ' ' | '.' | ')');
        if parameters.is_some_and(|p| !p.ends_with(')') || !p.chars().all(allowed)) {
            return Err(format!("malformed parameter list of macro '{word}'"));
        }
        Ok(Self {
            name: name.to_string(),
            value: value.to_string(),
        })
    }
}

/// How the raw text of a file is normalised.
pub type Normalizer<'a> = dyn Fn(&str) -> (String, EditMap) + 'a;
