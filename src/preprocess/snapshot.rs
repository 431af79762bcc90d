use super::State;
use super::macros::{Macro, Macros, Meaning};
use super::pieces::Once;
use crate::diagnostics::Diagnostic;
use crate::diagnostics::codes;
use crate::source::Location;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

/// What is known at one place: macros, and which files must not be read again.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    macros: Macros,
    once: Vec<Once>,
}

impl State<'_> {
    pub(super) fn snapshot(&self) -> Snapshot {
        Snapshot {
            macros: self.macros.clone(),
            once: self.texts.sources.iter().map(|s| s.once.get()).collect(),
        }
    }

    pub(super) fn restore(&mut self, snapshot: &Snapshot) {
        self.macros = snapshot.macros.clone();
        for (index, source) in self.texts.sources.iter().enumerate() {
            source
                .once
                .set(snapshot.once.get(index).copied().unwrap_or_default());
        }
    }

    /// Goes on with what the ends of all groups agree about.
    pub(super) fn merge(&mut self, groups: &[Snapshot], begins: Location) {
        let Some((first, others)) = groups.split_first() else {
            return;
        };
        self.restore(first);
        let names: BTreeSet<Arc<str>> = groups
            .iter()
            .flat_map(|g| g.macros.all())
            .map(|m| m.name.clone())
            .collect();
        for name in names {
            let here = first.macros.get(&name);
            let alike = others
                .iter()
                .all(|group| match (here, group.macros.get(&name)) {
                    (None, None) => true,
                    (Some(a), Some(b)) => Rc::ptr_eq(a, b) || self.same(&a.meaning, &b.meaning),
                    _ => false,
                });
            if !alike {
                self.macros.insert(Macro {
                    name,
                    meaning: Meaning::Split(begins),
                    defined: None,
                    definition: None,
                    active: Cell::new(false),
                });
            }
        }
        for (index, source) in self.texts.sources.iter().enumerate() {
            let of = |group: &Snapshot| group.once.get(index).copied().unwrap_or_default();
            if others.iter().any(|group| of(group) != of(first)) {
                source.once.set(Once::InSomeGroup);
            }
        }
    }

    /// Reports the use of a macro that is not the same in all groups of a conditional.
    pub(super) fn split_macro(&mut self, name: &str, begins: Location, used: Location) {
        let diagnostic = Diagnostic::new(&codes::MACRO_SPLIT, Some(used), &[&name]);
        self.sink
            .push(diagnostic.note("it depends on this conditional", Some(begins)));
    }
}
