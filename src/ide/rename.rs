//! Other names for what a program declares: all of its uses, or none.

use super::names::Names;
use super::text::KEYWORDS;
use super::{Declared, macros};
use crate::library::{Role, is_known};
use crate::source::{Files, Loader, Location};
use std::collections::HashMap;
use std::io;
use std::rc::Rc;

/// The places, or what does not let a name be changed.
type Places = Result<Vec<Location>, String>;

/// Words that are no names, besides those that are shown as such.
const RESERVED: &[&str] = &[
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "bitand",
    "bitor",
    "catch",
    "compl",
    "concept",
    "const_cast",
    "consteval",
    "constinit",
    "decltype",
    "defined",
    "delete",
    "dynamic_cast",
    "explicit",
    "export",
    "friend",
    "mutable",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "or",
    "or_eq",
    "protected",
    "reinterpret_cast",
    "requires",
    "restrict",
    "static_assert",
    "static_cast",
    "thread_local",
    "throw",
    "try",
    "typeid",
    "virtual",
    "wchar_t",
    "xor",
    "xor_eq",
    "NULL",
    "main",
];

/// The uses of a declaration, if `new` can stand at all of them.
pub(super) fn declared(names: &Names, which: usize, new: &str) -> Places {
    check(names, new)?;
    let old = names.declared[which].name.as_str();
    let all = names.same(which);
    if all.iter().any(|w| names.pasted.contains(w)) {
        return Err(format!(
            "some of the uses of '{old}' are put together by '##'"
        ));
    }
    if old == "main" {
        return Err("the system calls 'main'".to_string());
    }
    if !macros::definitions(&names.files, old).is_empty() {
        return Err(format!("'{old}' is a macro and a name of the program"));
    }
    for &same in &all {
        let declared = &names.declared[same];
        let Some(at) = declared.at else {
            return Err(format!(
                "the declaration of '{old}' is put together by macros"
            ));
        };
        let taken = names.declared.iter().find(|d| {
            let sees = |a: &Declared, b: &Declared| match (a.scope, b.at) {
                (None, _) => true,
                (Some(scope), Some(at)) => scope.file == at.file && scope.span.contains(at.span),
                (Some(_), None) => true,
            };
            d.name == new && (sees(d, declared) || sees(declared, d))
        });
        if taken.is_some() {
            return Err(format!(
                "there is a '{new}' already where '{old}' can be seen"
            ));
        }
        let file = names.files.get(at.file);
        if file.is_none_or(|f| at.span.of(&f.text) != old) {
            return Err(format!("'{old}' is not written where it is declared"));
        }
    }
    let uses = names.uses(which);
    for &place in &uses {
        let other =
            |w: &&super::names::Word| w.at == place && w.means.is_none_or(|m| !all.contains(&m));
        if names
            .words
            .iter()
            .find(other)
            .is_some_and(|w| w.means.is_some())
        {
            let line = line(names, place);
            return Err(format!(
                "line {line} is part of a macro, in which '{old}' means something else, too"
            ));
        }
    }
    known(names, old, &uses, |m| !all.contains(&m))?;
    known(names, new, &[], |_| true)?;
    Ok(uses)
}

/// Refuses a name that stands somewhere and nobody knows what it means there; `uses` are known, and what means something
/// `else`.
fn known(
    names: &Names,
    name: &str,
    uses: &[Location],
    other: impl Fn(usize) -> bool,
) -> Result<(), String> {
    let parameters: Vec<Location> = { macros::every(&names.files).into_iter() }
        .filter(|d| d.parameters.iter().any(|p| p == name))
        .map(|d| d.whole)
        .collect();
    for place in macros::mentions(&names.files, name) {
        let parameter = |p: &Location| p.file == place.file && p.span.contains(place.span);
        if uses.contains(&place) || parameters.iter().any(parameter) {
            continue;
        }
        let mut here = names.words.iter().filter(|w| w.at == place).peekable();
        let is_other = here.peek().is_some() && here.all(|w| w.means.is_some_and(&other));
        if !is_other {
            let line = line(names, place);
            return Err(format!(
                "it cannot be told what '{name}' in line {line} means"
            ));
        }
    }
    Ok(())
}

fn line(names: &Names, at: Location) -> usize {
    let file = names.files.get(at.file);
    file.map_or(0, |f| f.line_column(at.span.start).0)
}

/// Where a macro is named.
pub(super) fn macro_uses(names: &Names, name: &str) -> Vec<Location> {
    let mut found = macros::mentions(&names.files, name);
    found.retain(|at| {
        let word = names.words.iter().find(|w| w.at == *at);
        // Within another macro's body it is a name of the program, or none.
        word.is_none_or(|w| w.means.is_none()) || names.expanded.contains(at)
    });
    found
}

/// The uses of a macro, if `new` can stand at all of them.
pub(super) fn of_macro(names: &Names, old: &str, new: &str) -> Places {
    check(names, new)?;
    let known = |d: &Declared| d.name == new;
    if names.declared.iter().any(known) || !macros::mentions(&names.files, new).is_empty() {
        return Err(format!("there is a '{new}' already"));
    }
    if names.declared.iter().any(|d| d.name == old) {
        return Err(format!("'{old}' is a macro and a name of the program"));
    }
    let all = macros::every(&names.files);
    if all.iter().any(|d| d.parameters.iter().any(|p| p == old)) {
        return Err(format!("'{old}' is a parameter of a macro, too"));
    }
    if all.iter().any(|d| d.text.contains("##")) {
        return Err(format!("'{old}' may be put together by '##' somewhere"));
    }
    Ok(macro_uses(names, old))
}

/// Whether something can be called so at all.
pub(super) fn check(names: &Names, new: &str) -> Result<(), String> {
    let mut letters = new.chars();
    let begins = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !begins || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{new}' is no name"));
    }
    if KEYWORDS.contains(&new) || RESERVED.contains(&new) {
        return Err(format!("'{new}' is a word of the language"));
    }
    if [Role::Function, Role::Type, Role::Value]
        .iter()
        .any(|role| is_known(new, *role))
    {
        return Err(format!("'{new}' is a name of the C library or of a target"));
    }
    if !macros::definitions(&names.files, new).is_empty() {
        return Err(format!("'{new}' is a macro"));
    }
    Ok(())
}

/// The texts of files, by their names, with another name in some places.
pub(super) fn changed(
    files: &Files,
    places: &[Location],
    new: &str,
) -> Result<HashMap<String, String>, String> {
    let mut ordered = places.to_vec();
    // From the end, so that places stay.
    ordered.sort_by_key(|l| std::cmp::Reverse((l.file.0, l.span.start)));
    ordered.dedup();
    let mut texts: HashMap<String, String> = HashMap::new();
    for at in ordered {
        let file = files.get(at.file).filter(|f| !f.name.starts_with('<'));
        let file = file.ok_or("it is not written in a file")?;
        let text = texts
            .entry(file.name.clone())
            .or_insert_with(|| file.text.clone());
        text.replace_range(at.span.start as usize..at.span.end as usize, new);
    }
    Ok(texts)
}

/// Files, some of which have another text.
pub(super) struct Changed {
    pub(super) texts: HashMap<String, String>,
    pub(super) rest: Rc<dyn Loader>,
}

impl Loader for Changed {
    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        match self.texts.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => self.rest.load(path),
        }
    }
}

/// Whether each name of a program means the same declaration as before it was changed, in the order of the text.
pub(super) fn means_the_same(before: &Names, after: &Names) -> bool {
    let meanings = |names: &Names| -> Vec<Option<usize>> {
        let all = names.words.iter();
        all.map(|w| w.means).collect()
    };
    before.declared.len() == after.declared.len()
        && before.expanded.len() == after.expanded.len()
        && meanings(before) == meanings(after)
}
