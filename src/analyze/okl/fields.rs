//! What is known of fields of structures, by what declares them.

use crate::analyze::Context;
use crate::sema::DefinitionId;
use crate::syntax::{Declarator, Field, NodeId};
use foldhash::{HashMap, HashMapExt};

/// Something that is known of fields.
pub(super) struct Fields<T> {
    known: HashMap<DefinitionId, T>,
    /// The last one of each name: for uses of which nobody knows what structure they are of.
    by_name: HashMap<String, T>,
}

impl<T> Default for Fields<T> {
    fn default() -> Self {
        Self {
            known: HashMap::new(),
            by_name: HashMap::new(),
        }
    }
}

impl<T: Clone> Fields<T> {
    /// Learns it of a field that is declared.
    pub(super) fn insert(&mut self, context: &Context<'_>, name: &Declarator<'_>, what: T) {
        if let Some(id) = name.node.and_then(|n| context.sema.definition(n)) {
            self.known.insert(id, what.clone());
        }
        self.by_name.insert(name.name.to_string(), what);
    }

    /// What is known of a field where it is declared.
    pub(super) fn declared(&self, context: &Context<'_>, name: &Declarator<'_>) -> Option<&T> {
        match name.node.and_then(|n| context.sema.definition(n)) {
            Some(id) => self.known.get(&id),
            None => self.by_name.get(name.name),
        }
    }

    /// Whether it is known of any field of a name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// What is known of the field of a definition.
    pub(super) fn of(&self, id: DefinitionId) -> Option<&T> {
        self.known.get(&id)
    }

    /// What is known of the field in `a.b` or `a->b`.
    pub(super) fn named(&self, context: &Context<'_>, expression: NodeId) -> Option<&T> {
        let (tree, sema) = (context.tree, context.sema);
        let name = tree.child(expression, Field::FieldName)?;
        let last = self.by_name.get(tree.text(name, context.text))?;
        match sema.field_named(expression) {
            Some(id) => self.known.get(&id),
            None => Some(last),
        }
    }
}
