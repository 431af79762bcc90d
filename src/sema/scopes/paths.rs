//! Names behind `::`, and those in front of it.

use super::Resolver;
use crate::sema::definitions::{DefinitionId, DefinitionKind};
use crate::sema::types::TypeKind;
use crate::syntax::{Field, Kind, NodeId};

/// What a path leads through, and to.
#[derive(Default)]
pub(super) struct Path {
    /// The classes and namespaces in front of its last `::`, outermost first, as far as they are known.
    pub(super) scopes: Vec<DefinitionId>,
    pub(super) found: Option<DefinitionId>,
}

impl Resolver<'_, '_> {
    /// A name behind `::`; what is in it is not looked up again.
    pub(in crate::sema) fn qualified(&mut self, node: NodeId) -> Option<DefinitionId> {
        if node.index() < self.seen {
            return self.of(node);
        }
        self.path(node).found
    }

    /// The same, with what is in front of the name.
    pub(super) fn path(&mut self, node: NodeId) -> Path {
        let mut path = Path::default();
        path.found = self.follow(node, &mut path.scopes);
        self.seen = self.seen.max(self.tree.end_of(node));
        if let Some(found) = path.found {
            self.note_use(node, found);
        }
        path
    }

    fn follow(&mut self, node: NodeId, scopes: &mut Vec<DefinitionId>) -> Option<DefinitionId> {
        let tree = self.tree;
        let mut at = node;
        loop {
            let name = tree.child(at, Field::Name)?;
            let around = tree.children(at).find(|&c| c != name);
            // `::a` begins without one.
            if let Some(around) = around {
                let found = match at == node {
                    true => self.named_first(around)?,
                    false => self.named_within(around, scopes.last().copied())?,
                };
                scopes.push(self.scope_of(found)?);
            }
            match tree.kind(name) {
                Kind::QualifiedIdentifier => at = name,
                _ => return self.named_within(name, scopes.last().copied()),
            }
        }
    }

    /// The name itself, without the arguments of a template: what these are is looked up as well.
    fn plain(&mut self, part: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        if !matches!(tree.kind(part), Kind::TemplateType | Kind::TemplateFunction) {
            return Some(part);
        }
        if let Some(list) = tree.child(part, Field::Arguments) {
            self.arguments(list);
        }
        tree.child(part, Field::Name)
    }

    /// Names in the arguments of a template that is part of a path.
    fn arguments(&mut self, list: NodeId) {
        let tree = self.tree;
        let mut behind = 0;
        for node in tree.descendants(list) {
            if node.index() < behind {
                continue;
            }
            match tree.kind(node) {
                Kind::QualifiedIdentifier => {
                    behind = tree.end_of(node);
                    self.follow(node, &mut Vec::new());
                }
                Kind::Identifier | Kind::TypeIdentifier => {
                    if let Some(found) = self.lookup(tree.text(node, self.text)) {
                        self.note_part(node, found);
                    }
                }
                _ => {}
            }
        }
    }

    /// What a path begins with.
    fn named_first(&mut self, part: NodeId) -> Option<DefinitionId> {
        let name = self.plain(part)?;
        let found = self.lookup(self.tree.text(name, self.text))?;
        self.note_part(name, found);
        Some(found)
    }

    /// What is named in a class or namespace, or in the file.
    fn named_within(&mut self, part: NodeId, scope: Option<DefinitionId>) -> Option<DefinitionId> {
        let name = self.plain(part)?;
        let words = self.tree.text(name, self.text);
        let found = match scope {
            Some(scope) => self.out.member(scope, words, self.text),
            None => self.declared_at(words, 1),
        }?;
        self.note_part(name, found);
        Some(found)
    }

    /// The class or namespace whose members a name in front of `::` leads to.
    pub(super) fn scope_of(&self, id: DefinitionId) -> Option<DefinitionId> {
        let definition = self.definition(id);
        match (definition.kind, self.types.kind(definition.ty)) {
            (DefinitionKind::Namespace, _) => Some(definition.stands_for.unwrap_or(id)),
            (_, TypeKind::Record(of) | TypeKind::Enumeration(of)) => Some(of),
            _ => None,
        }
    }
}
