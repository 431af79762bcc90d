//! Sums of a product that round once.
//!
//! A compiler that may contract `a * b + c * d` rounds one of the products and not the other, and which one that is depends
//! on what else it compiles. Said in the source it is the same on every device, and whatever a kernel is compiled with: of a
//! sum or difference of floating point whose side is a product, that product is not rounded; of two, the right one.

use super::body::Body;
use crate::module::{ConstructKind, Type, TypedOperand};
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    /// The construct of `left OP right`, of this type, if it is such a sum; `assigns` to the left.
    pub(super) fn contract(
        &mut self,
        node: NodeId,
        operator: &'static str,
        (left, right): (NodeId, NodeId),
        ty: Type,
        assigns: bool,
    ) {
        let minus = match operator {
            "+" => false,
            "-" => true,
            _ => return,
        };
        // What is assigned to is mentioned twice.
        let contracts = self.context.contract && !ty.base.is_integer();
        if !contracts || assigns && !self.is_variable_or_part(left) {
            return;
        }
        let of = |side| self.product(side, ty);
        let (side, product, addend, negated) = match (of(right), assigns) {
            (Some(product), _) => (right, product, left, [minus, false]),
            (None, false) => match of(left) {
                Some(product) => (left, product, right, [false, minus]),
                None => return,
            },
            (None, true) => return,
        };
        let [Some(a), Some(b)] = product.map(|factor| self.typed(factor)) else {
            return;
        };
        let Some(addend) = self.typed(addend) else {
            return;
        };
        self.drop_casts(side);
        let what = ConstructKind::Contracted {
            factors: [a, b],
            addend,
            negated,
            ty,
            assigns,
        };
        let span = self.span(node);
        self.unit.push(span, what);
    }

    /// The factors of what is a product of that type where it stands.
    fn product(&self, side: NodeId, ty: Type) -> Option<[NodeId; 2]> {
        let tree = self.context.tree;
        let mut product = side;
        // A cast to the type that a value has is none.
        while let Some(inside) = self.inside(product) {
            if self.typed(product).is_none_or(|operand| operand.ty != ty) {
                return None;
            }
            product = inside;
        }
        let suits = self.facts.number(product) == Some(ty)
            && self.facts.conversion(product).is_none()
            && tree.kind(product) == Kind::BinaryExpression
            && self.operator(product) == "*";
        match suits {
            true => Some([
                self.part(product, Field::Left)?,
                self.part(product, Field::Right)?,
            ]),
            false => None,
        }
    }

    /// Casts around a product go with its sum: what stands in them keeps what else is known of it.
    fn drop_casts(&mut self, side: NodeId) {
        let mut at = side;
        while let Some(inside) = self.inside(at) {
            let span = self.span(at);
            let mut last = self.unit.constructs.iter_mut().rev();
            let cast =
                last.find(|c| c.span == span && matches!(c.kind, ConstructKind::Cast { .. }));
            if let Some(cast) = cast {
                cast.kind = ConstructKind::Dropped;
            }
            at = inside;
        }
    }

    /// What stands in parentheses, or is cast.
    fn inside(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::ParenthesizedExpression => {
                let inside = tree.unparenthesized(node);
                (inside != node).then_some(inside)
            }
            Kind::CastExpression => self.part(node, Field::Value),
            Kind::CallExpression => self.cast_operand(node),
            _ => None,
        }
    }

    /// An expression with the type that it has where it stands.
    fn typed(&self, node: NodeId) -> Option<TypedOperand> {
        let converted = self.facts.conversion(node);
        let ty = converted.or_else(|| self.facts.number(node))?;
        let span = self.span(node);
        Some(TypedOperand { span, ty })
    }

    /// Whether to mention a place once more does nothing: it is a variable, or a component of one.
    fn is_variable_or_part(&self, place: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.unparenthesized(place);
        while tree.kind(at) == Kind::FieldExpression {
            match self.part(at, Field::Argument) {
                Some(whole) => at = tree.unparenthesized(whole),
                None => return false,
            }
        }
        tree.kind(at) == Kind::Identifier
    }
}
