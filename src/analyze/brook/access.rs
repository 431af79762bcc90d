//! Gathers, scatters and swizzles.

use super::body::{Body, Meaning};
use crate::diagnostics::codes;
use crate::module::{IndexStyle, IndexedAccess, Parameter, ParameterKind, Type, What};
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    /// `a[i]`, `a[float2(x, y)]`, `a[y][x]` as a value.
    pub(super) fn gather(&mut self, node: NodeId) -> Option<Type> {
        let (access, parameter) = self.access(node)?;
        if !matches!(parameter.kind, ParameterKind::Gather(_)) {
            let span = self.span(node);
            self.context.error(&codes::BROOK_SCATTER_READ, span, &[]);
            return None;
        }
        let span = self.span(node);
        self.unit.push(span, What::Gather(access));
        Some(parameter.ty)
    }

    /// `a[i] = value` on a scatter array.
    pub(super) fn scatter(
        &mut self,
        node: NodeId,
        left: NodeId,
        operator: &'static str,
        right: NodeId,
    ) -> Option<Type> {
        let found = self.access(left);
        let value = self.expression(right);
        let (access, parameter) = found?;
        let span = self.span(node);
        match parameter.kind {
            ParameterKind::Scatter(_) => {}
            _ => {
                self.context
                    .error(&codes::BROOK_READ_ONLY_GATHER, span, &[]);
                return None;
            }
        }
        let tree = self.context.tree;
        let statement = tree
            .parent(node)
            .is_some_and(|p| tree.kind(p) == Kind::ExpressionStatement);
        if !statement || !operator.is_empty() {
            self.context.error(&codes::BROOK_SCATTER_FORM, span, &[]);
            return None;
        }
        self.expect(right, value?, parameter.ty);
        let value = self.span(right);
        self.unit.push(
            span,
            What::Scatter {
                access,
                operator,
                value,
            },
        );
        Some(parameter.ty)
    }

    /// The array and indices of a subscript.
    fn access(&mut self, node: NodeId) -> Option<(IndexedAccess, Parameter)> {
        let tree = self.context.tree;
        let mut indices = Vec::new();
        let mut at = node;
        while tree.kind(at) == Kind::SubscriptExpression {
            indices.push(self.part(at, Field::Index)?);
            at = self.part(at, Field::Argument)?;
        }
        indices.reverse();
        let mut types = Vec::new();
        for &index in &indices {
            types.push(self.expression(index));
        }
        let types: Vec<Type> = types.into_iter().collect::<Option<_>>()?;
        let span = self.span(node);
        if tree.kind(at) != Kind::Identifier {
            self.context.error(&codes::BROOK_INDEX_BASE, span, &[]);
            return None;
        }
        let name = self.word(at).to_string();
        let parameter = match self.lookup(&name).cloned() {
            Some(Meaning::Parameter(parameter)) => parameter,
            Some(Meaning::Local(..)) => {
                self.context.error(&codes::BROOK_INDEX_NO_ARRAY, span, &[]);
                return None;
            }
            None => {
                self.context
                    .error(&codes::BROOK_UNDEFINED, tree.span(at), &[&name]);
                return None;
            }
        };
        let rank = match parameter.kind {
            ParameterKind::Gather(rank) | ParameterKind::Scatter(rank) => rank,
            _ => {
                self.context.error(&codes::BROOK_INDEX_NO_ARRAY, span, &[]);
                return None;
            }
        };
        let style = match types.as_slice() {
            [only] => {
                if usize::from(only.width) != rank {
                    self.context
                        .error(&codes::BROOK_INDEX_COMPONENTS, span, &[]);
                    return None;
                }
                IndexStyle::Vector
            }
            several => {
                if several.iter().any(|t| t.is_vector()) {
                    self.context.error(&codes::BROOK_INDEX_SCALAR, span, &[]);
                    return None;
                }
                if several.len() != rank {
                    self.context.error(&codes::BROOK_INDEX_COUNT, span, &[]);
                    return None;
                }
                IndexStyle::Brackets
            }
        };
        let indices = indices.into_iter().map(|i| tree.span(i)).collect();
        let element = parameter.ty;
        Some((
            IndexedAccess {
                array: name,
                indices,
                types,
                style,
                element,
            },
            parameter,
        ))
    }

    /// `v.x`, `v.wzyx` as a value.
    pub(super) fn swizzle(&mut self, node: NodeId) -> Option<Type> {
        let base = self.part(node, Field::Argument)?;
        let ty = self.expression(base)?;
        let components = self.components(node, ty)?;
        let width = components.len() as u8;
        if width > 1 {
            let (span, at) = (self.span(node), self.span(base));
            self.unit.push(
                span,
                What::Swizzle {
                    base: at,
                    components,
                },
            );
        }
        Some(Type::vector(ty.base, width))
    }

    fn components(&mut self, node: NodeId, ty: Type) -> Option<String> {
        let span = self.span(node);
        if self.operator(node) == "->" {
            self.context.error(&codes::BROOK_ARROW, span, &[]);
            return None;
        }
        if !ty.is_vector() {
            self.context.error(&codes::BROOK_SWIZZLE_SCALAR, span, &[]);
            return None;
        }
        let field = self.part(node, Field::FieldName)?;
        let text = self.word(field).to_string();
        let allowed = "xyzw".get(..usize::from(ty.width)).unwrap_or("");
        if text.is_empty() || text.len() > 4 || !text.chars().all(|c| allowed.contains(c)) {
            let at = self.span(field);
            self.context.error(&codes::BROOK_SWIZZLE, at, &[&text]);
            return None;
        }
        Some(text)
    }

    /// `v.xy = value`; `None` if one component is assigned, which needs nothing special.
    pub(super) fn swizzle_assignment(
        &mut self,
        node: NodeId,
        left: NodeId,
        operator: &'static str,
        right: NodeId,
    ) -> Option<Type> {
        let tree = self.context.tree;
        let field = self.part(left, Field::FieldName)?;
        if self.word(field).len() < 2 {
            return None;
        }
        let base = self.part(left, Field::Argument)?;
        let whole = self.target(base)?;
        self.expression(base)?;
        let components = self.components(left, whole)?;
        let repeated = components
            .char_indices()
            .any(|(i, c)| components[..i].contains(c));
        if repeated {
            let at = tree.span(left);
            self.context.error(&codes::BROOK_SWIZZLE_REPEATED, at, &[]);
            return Some(whole);
        }
        let ty = Type::vector(whole.base, components.len() as u8);
        if let Some(value) = self.expression(right) {
            self.expect(right, value, ty);
        }
        let (base, value) = (self.span(base), self.span(right));
        let what = What::SwizzleAssignment {
            base,
            components,
            operator,
            value,
        };
        let span = self.span(node);
        self.unit.push(span, what);
        Some(ty)
    }
}
