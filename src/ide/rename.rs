//! Other names for what a program declares: all of its uses, or none.

use super::macros;
use super::names::Names;
use super::text::KEYWORDS;
use crate::source::Location;

/// What does not let a name be changed.
type Refused = Result<Vec<Location>, String>;

/// The uses of a declaration, if `new` can stand at all of them.
pub(super) fn declared(names: &Names, which: usize, new: &str) -> Refused {
    check(names, new)?;
    let old = names.declared[which].name.as_str();
    let all = names.same(which);
    if all.iter().any(|w| names.pasted.contains(w)) {
        return Err(format!(
            "some of the uses of '{old}' are put together by '##'"
        ));
    }
    for &same in &all {
        let declared = &names.declared[same];
        let Some(at) = declared.at else {
            return Err(format!(
                "the declaration of '{old}' is put together by macros"
            ));
        };
        let taken = names.declared.iter().find(|d| {
            let sees = |a: &super::Declared, b: &super::Declared| match (a.scope, b.at) {
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
    let unknown = names.words.iter().find(|w| {
        let file = names.files.get(w.at.file);
        let sees = names.declared[which].is_visible(w.at);
        w.means.is_none() && sees && file.is_some_and(|f| w.at.span.of(&f.text) == old)
    });
    if let Some(unknown) = unknown.filter(|w| !uses.contains(&w.at)) {
        let file = names.files.get(unknown.at.file);
        let line = file.map_or(0, |f| f.line_column(unknown.at.span.start).0);
        return Err(format!(
            "it cannot be told whether '{old}' in line {line} is the same"
        ));
    }
    Ok(uses)
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
pub(super) fn of_macro(names: &Names, old: &str, new: &str) -> Refused {
    check(names, new)?;
    let known = |d: &super::Declared| d.name == new;
    if names.declared.iter().any(known) || !macros::mentions(&names.files, new).is_empty() {
        return Err(format!("there is a '{new}' already"));
    }
    if names.declared.iter().any(|d| d.name == old) {
        return Err(format!("'{old}' is a macro and a name of the program"));
    }
    Ok(macro_uses(names, old))
}

/// Whether something can be called so at all.
fn check(names: &Names, new: &str) -> Result<(), String> {
    let mut letters = new.chars();
    let begins = letters
        .next()
        .is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
    if !begins || !letters.all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(format!("'{new}' is no name"));
    }
    if KEYWORDS.contains(&new) {
        return Err(format!("'{new}' is a word of the language"));
    }
    if !macros::definitions(&names.files, new).is_empty() {
        return Err(format!("'{new}' is a macro"));
    }
    Ok(())
}
