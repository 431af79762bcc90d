//! What is known of the names of a tree.

use crate::sema::definitions::{Definition, DefinitionId};
use crate::sema::types::Type;
use crate::syntax::NodeId;
use foldhash::HashMap;

pub(super) const NONE: u32 = u32::MAX;

/// What is found by the pass.
pub(in crate::sema) struct Names {
    pub(super) definitions: Vec<Definition>,
    /// For each node that is a name: its definition.
    pub(super) uses: Vec<u32>,
    /// Names that are parts of something larger: of paths, and what declares namespaces and initialises members.
    pub(super) parts: HashMap<NodeId, DefinitionId>,
    /// The types that descriptors of types name, as in casts, and those that declarations begin with.
    pub(in crate::sema) described: HashMap<NodeId, Type>,
    /// The definitions of functions with a body.
    pub(super) bodies: HashMap<DefinitionId, Vec<NodeId>>,
}

impl Names {
    /// All definitions, in the order of their declarations.
    pub(in crate::sema) fn definitions(&self) -> impl Iterator<Item = &Definition> {
        self.definitions.iter()
    }

    pub(in crate::sema) fn of(&self, name: NodeId) -> Option<DefinitionId> {
        let found = self.uses.get(name.index()).copied();
        found.filter(|&id| id != NONE).map(DefinitionId)
    }

    /// The same of a name that is a part of something larger.
    pub(in crate::sema) fn part(&self, name: NodeId) -> Option<DefinitionId> {
        self.parts.get(&name).copied()
    }

    pub(in crate::sema) fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The functions with a body that a definition stands for.
    pub(in crate::sema) fn bodies(&self, id: DefinitionId) -> &[NodeId] {
        self.bodies.get(&id).map_or(&[], Vec::as_slice)
    }

    /// All functions with a body, of whatever class or namespace, that have that name.
    pub(in crate::sema) fn bodies_named(&self, name: &str, text: &str) -> Vec<NodeId> {
        let named = self
            .bodies
            .iter()
            .filter(|(id, _)| self.definition(**id).name.of(text) == name);
        named
            .flat_map(|(_, bodies)| bodies.iter().copied())
            .collect()
    }

    /// For each definition the nodes that are names of it, its own included.
    pub(in crate::sema) fn all_uses(&self) -> Vec<Vec<NodeId>> {
        let mut uses = vec![Vec::new(); self.definitions.len()];
        for (node, &id) in self.uses.iter().enumerate() {
            if let Some(uses) = uses.get_mut(id as usize) {
                uses.push(NodeId::at(node));
            }
        }
        uses
    }

    /// The member of that name: of a class the nearest one, where its bases have others.
    pub(in crate::sema) fn member(
        &self,
        of: DefinitionId,
        name: &str,
        text: &str,
    ) -> Option<DefinitionId> {
        let members = self.definition(of).members.iter().rev();
        members
            .copied()
            .find(|m| self.definition(*m).name.of(text) == name)
    }
}
