//! Where variables are given values behind their declarations.

use super::body::Body;
use crate::module::ParameterKind;
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::{HashMap, HashMapExt};

impl Body<'_, '_> {
    /// Variables that anything but their declaration gives a value, and where.
    pub(super) fn changes(&mut self) -> &HashMap<DefinitionId, Vec<Span>> {
        if self.changes.is_none() {
            let tree = self.context.tree;
            let mut all: HashMap<DefinitionId, Vec<Span>> = HashMap::new();
            for node in tree.descendants(self.body) {
                for target in self.targets(node) {
                    let names = tree.descendants(target);
                    for id in names.filter_map(|n| self.context.sema.definition(n)) {
                        all.entry(id).or_default().push(self.span(node));
                    }
                }
            }
            self.changes = Some(all);
        }
        self.changes.get_or_insert_default()
    }

    /// The parts of a node that are given a value.
    pub(super) fn targets(&self, node: NodeId) -> Vec<NodeId> {
        let tree = self.context.tree;
        let target = match tree.kind(node) {
            Kind::AssignmentExpression => self.part(node, Field::Left),
            Kind::UpdateExpression => self.part(node, Field::Argument),
            Kind::CallExpression => {
                let name = self.part(node, Field::Function).map(|f| self.word(f));
                let Some(&callee) = name.and_then(|n| self.unit.numbers.get(n)) else {
                    return Vec::new();
                };
                let list = self.part(node, Field::Arguments);
                let arguments = list.into_iter().flat_map(|l| tree.children(l));
                let parameters = &self.unit.kernels[callee].parameters;
                let outputs = arguments.zip(parameters).filter(|(_, p)| {
                    !matches!(
                        p.kind,
                        ParameterKind::Value | ParameterKind::StreamIn | ParameterKind::Gather(_)
                    )
                });
                return outputs.map(|(argument, _)| argument).collect();
            }
            _ => None,
        };
        target.into_iter().collect()
    }
}
