//! Gathers, scatters and swizzles.

use super::body::{Body, Meaning};
use crate::diagnostics::codes;
use crate::module::{IndexStyle, IndexedAccess, ParameterKind, What};
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    /// `a[i]`, `a[float2(x, y)]`, `a[y][x]` as a value.
    pub(super) fn gather(&mut self, node: NodeId) {
        let Some((access, kind)) = self.access(node) else {
            return;
        };
        let span = self.span(node);
        if matches!(kind, ParameterKind::Gather(_)) {
            self.unit.push(span, What::Gather(access));
        } else {
            self.context.error(&codes::BROOK_SCATTER_READ, span, &[]);
        }
    }

    /// `a[i] = value` on a scatter array.
    pub(super) fn scatter(
        &mut self,
        node: NodeId,
        left: NodeId,
        operator: &'static str,
        right: NodeId,
    ) {
        let found = self.access(left);
        self.expression(right);
        let Some((access, _)) = found else {
            return;
        };
        let span = self.span(node);
        let tree = self.context.tree;
        let statement = tree
            .parent(node)
            .is_some_and(|p| tree.kind(p) == Kind::ExpressionStatement);
        if !statement || !operator.is_empty() {
            self.context.error(&codes::BROOK_SCATTER_FORM, span, &[]);
            return;
        }
        let value = self.span(right);
        self.unit.push(
            span,
            What::Scatter {
                access,
                operator,
                value,
            },
        );
    }

    /// The array and indices of a subscript.
    fn access(&mut self, node: NodeId) -> Option<(IndexedAccess, ParameterKind)> {
        let tree = self.context.tree;
        let mut indices = Vec::new();
        let mut at = node;
        while tree.kind(at) == Kind::SubscriptExpression {
            indices.push(self.part(at, Field::Index)?);
            at = tree.unparenthesized(self.part(at, Field::Argument)?);
        }
        indices.reverse();
        let mut types = Vec::new();
        for &index in &indices {
            types.push(self.expression(index)?);
        }
        let array = self.word(at).to_string();
        let parameter = match self.lookup(&array) {
            Some(Meaning::Parameter(parameter)) => parameter.clone(),
            _ => return None,
        };
        let style = match types.len() {
            1 => IndexStyle::Vector,
            _ => IndexStyle::Brackets,
        };
        let indices = indices.into_iter().map(|i| tree.span(i)).collect();
        let access = IndexedAccess {
            array,
            indices,
            types,
            style,
            element: parameter.ty,
        };
        Some((access, parameter.kind))
    }

    /// `v.x`, `v.wzyx` as a value.
    pub(super) fn swizzle(&mut self, node: NodeId) {
        let (Some(base), Some(field)) = (
            self.part(node, Field::Argument),
            self.part(node, Field::FieldName),
        ) else {
            return;
        };
        self.expression(base);
        let components = self.word(field).to_string();
        if components.len() > 1 {
            let (span, base) = (self.span(node), self.span(base));
            self.unit.push(span, What::Swizzle { base, components });
        }
    }

    /// `v.xy = value`; `false` if one component is assigned, which needs nothing special.
    pub(super) fn swizzle_assignment(
        &mut self,
        node: NodeId,
        left: NodeId,
        operator: &'static str,
        right: NodeId,
    ) -> bool {
        let (Some(base), Some(field)) = (
            self.part(left, Field::Argument),
            self.part(left, Field::FieldName),
        ) else {
            return false;
        };
        let components = self.word(field).to_string();
        if components.len() < 2 {
            return false;
        }
        self.expression(base);
        self.expression(right);
        let (base, value) = (self.span(base), self.span(right));
        let what = What::SwizzleAssignment {
            base,
            components,
            operator,
            value,
        };
        let span = self.span(node);
        self.unit.push(span, what);
        true
    }
}
