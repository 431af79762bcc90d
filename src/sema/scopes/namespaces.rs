//! Namespaces, their other names, and what `using` brings in.

use super::Resolver;
use crate::sema::definitions::{Definition, DefinitionId, DefinitionKind};
use crate::sema::types::Types;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

/// A file is in so many scopes.
const OF_THE_FILE: usize = 1;

impl Resolver<'_, '_> {
    /// The words of a namespace's name: `a::b` has two.
    fn words_of(&self, name: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let all = tree.descendants(name);
        all.filter(|&n| tree.children(n).next().is_none()).collect()
    }

    /// `namespace a {`, and `namespace a::b {`, which is one in another.
    pub(super) fn namespace(&mut self, node: NodeId) {
        let name = self.tree.child(node, Field::Name);
        let Some(name) = name else {
            let id = self.namespace_called(None);
            self.open(node, Some(id));
            return;
        };
        for word in self.words_of(name) {
            let id = self.namespace_called(Some(word));
            self.note_part(word, id);
            self.open(node, Some(id));
        }
    }

    /// The namespace of that name in the scope that is open: what is declared in several places is one.
    fn namespace_called(&mut self, name: Option<NodeId>) -> DefinitionId {
        let depth = self.scopes.len();
        let words = name.map_or("", |n| self.tree.text(n, self.text));
        let known = self
            .declared_at(words, depth)
            .filter(|id| self.definition(*id).kind == DefinitionKind::Namespace);
        known.unwrap_or_else(|| {
            let kind = DefinitionKind::Namespace;
            let span = name.map_or(Span::at(0), |n| self.tree.span(n));
            self.define(Definition::new(span, kind, Types::UNKNOWN), depth)
        })
    }

    /// `namespace a = b;`
    pub(super) fn namespace_alias(&mut self, node: NodeId) {
        let mut parts = self.tree.children(node);
        if let (Some(name), Some(of)) = (parts.next(), parts.next()) {
            let mut found: Option<DefinitionId> = None;
            for (position, word) in self.words_of(of).into_iter().enumerate() {
                let words = self.tree.text(word, self.text);
                let next = match (position, found) {
                    (0, _) => self.lookup(words),
                    (_, Some(scope)) => self.out.member(scope, words, self.text),
                    (_, None) => None,
                };
                if let Some(next) = next {
                    self.note_part(word, next);
                }
                found = next.and_then(|id| self.scope_of(id));
            }
            let kind = DefinitionKind::Namespace;
            let mut definition = Definition::new(self.tree.span(name), kind, Types::UNKNOWN);
            definition.stands_for = found;
            let id = self.define(definition, self.scopes.len());
            self.note_part(name, id);
        }
    }

    /// `using namespace a;`, `using a::b;`
    pub(super) fn using(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some(what) = tree.children(node).last() else {
            return;
        };
        let found = match tree.kind(what) {
            Kind::QualifiedIdentifier => self.qualified(what),
            _ => self.used(what),
        };
        let Some(found) = found else { return };
        let depth = self.scopes.len();
        let definition = self.definition(found);
        if definition.kind != DefinitionKind::Namespace {
            self.show(found, depth);
            return;
        }
        let of = definition.stands_for.unwrap_or(found);
        // They are as if the file had them: what a function or namespace declares itself hides them.
        let is_seen = |id: &DefinitionId| {
            let name = self.definition(*id).name.of(self.text);
            let hides = self.visible.get(name).and_then(|all| all.innermost);
            hides.is_none_or(|(depth, _)| depth <= OF_THE_FILE)
        };
        let members = self.definition(of).members.iter().copied();
        let seen: Vec<DefinitionId> = members.filter(is_seen).collect();
        for member in seen {
            self.show(member, depth);
        }
    }
}
