//! Sums that compilers may contract in more than one way.

use super::body::Body;
use crate::module::ParameterKind;
use crate::syntax::{Field, Kind, NodeId};

/// Functions of the language that are sums of products themselves.
const SUMS: [&str; 4] = ["cross", "dot", "lerp", "normalize"];

impl Body<'_, '_> {
    /// Whether there is a sum or difference of floating point of which both sides may be products: a compiler rounds one of
    /// them and contracts the other, and which one that is depends on what else it compiles.
    pub(super) fn contracts_in_several_ways(&mut self) -> bool {
        let tree = self.context.tree;
        let mut sums = Vec::new();
        for node in tree.descendants(self.body) {
            let integer = || {
                self.facts
                    .number(node)
                    .is_some_and(|ty| ty.base.is_integer())
            };
            match tree.kind(node) {
                Kind::BinaryExpression | Kind::AssignmentExpression
                    if matches!(self.operator(node), "+" | "-" | "+=" | "-=") && !integer() =>
                {
                    sums.push([Field::Left, Field::Right].map(|side| self.part(node, side)));
                }
                Kind::CallExpression => {
                    let name = self.part(node, Field::Function).map(|f| self.word(f));
                    if name.is_some_and(|name| SUMS.contains(&name)) && !integer() {
                        return true;
                    }
                }
                _ => {}
            }
        }
        if sums.is_empty() {
            return false;
        }
        let changed: Vec<String> = self.changes().keys().cloned().collect();
        let parameters = &self.unit.kernels[self.kernel].parameters;
        let given = parameters.iter().filter(|p| {
            matches!(p.kind, ParameterKind::Value | ParameterKind::StreamIn)
                && !changed.contains(&p.name)
        });
        let given: Vec<&str> = given.map(|p| p.name.as_str()).collect();
        let may_be = |side: &Option<NodeId>| side.is_none_or(|n| self.may_be_product(n, &given));
        sums.iter().any(|sides| sides.iter().all(may_be))
    }

    /// Whether a value may be that of a product as it was multiplied. `given` are parameters that stay what they are.
    fn may_be_product(&self, node: NodeId, given: &[&str]) -> bool {
        let tree = self.context.tree;
        let inner = |field| match self.part(node, field) {
            Some(inner) => self.may_be_product(inner, given),
            None => true,
        };
        match tree.kind(node) {
            Kind::NumberLiteral => false,
            Kind::Identifier => !given.contains(&self.word(node)),
            Kind::BinaryExpression => self.operator(node) == "*",
            Kind::FieldExpression | Kind::UnaryExpression => inner(Field::Argument),
            Kind::CastExpression => inner(Field::Value),
            Kind::ParenthesizedExpression => {
                let mut parts = tree.children(node);
                parts.any(|part| self.may_be_product(part, given))
            }
            _ => true,
        }
    }
}
