//! Gathers, scatters and swizzles.

use super::body::{Body, Meaning};
use super::check::plain_swizzle;
use crate::diagnostics::codes;
use crate::module::{Base, ConstructKind, Conversion, IndexStyle, IndexedAccess, ParameterKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Body<'_, '_> {
    /// `a[i]`, `a[float2(x, y)]`, `a[y][x]` as a value.
    pub(super) fn gather(&mut self, node: NodeId) {
        if self.component(node) {
            return;
        }
        if let Some((access, _)) = self.access(node) {
            let span = self.span(node);
            self.unit.push(span, ConstructKind::Gather(access));
        }
    }

    /// `v[2]` on a vector, which is `v.z`.
    fn component(&mut self, node: NodeId) -> bool {
        let (Some(base), Some(index)) = (
            self.part(node, Field::Argument),
            self.part(node, Field::Index),
        ) else {
            return false;
        };
        let name = self.context.tree.unparenthesized(base);
        let array = match self.lookup(name) {
            Some(Meaning::Parameter(p)) => {
                !p.element_sizes.is_empty()
                    || matches!(p.kind, ParameterKind::Gather(_) | ParameterKind::Scatter(_))
            }
            Some(Meaning::Local { array, .. }) => *array,
            None => true,
        };
        let place = self.word(index).parse::<usize>().ok();
        let component = place.and_then(|i| "xyzw".get(i..=i));
        let (false, Some(component)) = (array, component) else {
            return false;
        };
        self.expression(name);
        let brackets = Span::new(self.span(base).end, self.span(node).end);
        self.unit
            .push(brackets, ConstructKind::Written(format!(".{component}")));
        true
    }

    /// Whether what is assigned to is an element of a scatter array, or a part of one; the element.
    pub(super) fn scattered(&self, left: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let mut element = left;
        while tree.kind(element) == Kind::FieldExpression {
            element = tree.unparenthesized(self.part(element, Field::Argument)?);
        }
        let mut array = element;
        while tree.kind(array) == Kind::SubscriptExpression {
            array = tree.unparenthesized(self.part(array, Field::Argument)?);
        }
        let parameter = match self.lookup(array) {
            Some(Meaning::Parameter(parameter)) => parameter,
            _ => return None,
        };
        let scatters = matches!(parameter.kind, ParameterKind::Scatter(_));
        (scatters && array != element).then_some(element)
    }

    /// `a[i] = value` on a scatter array, also for parts of its elements.
    pub(super) fn scatter(
        &mut self,
        node: NodeId,
        (left, element): (NodeId, NodeId),
        operator: &'static str,
        right: NodeId,
    ) {
        let found = self.access(element);
        self.expression(right);
        let Some((access, _)) = found else {
            return;
        };
        let tree = self.context.tree;
        let statement = tree
            .parent(node)
            .filter(|&p| tree.kind(p) == Kind::ExpressionStatement);
        let Some(statement) = statement else {
            let span = self.span(node);
            self.context.error(&codes::BROOK_SCATTER_FORM, span, &[]);
            return;
        };
        // With its semicolon: a block has none.
        let span = self.span(statement);
        let (base, components) = self.components(left).unwrap_or((left, String::new()));
        let path = Span::new(tree.span(element).end, tree.span(base).end);
        let value = self.span(right);
        let what = ConstructKind::Scatter {
            access,
            operator,
            value,
            path: path.of(self.context.text).to_string(),
            components,
            ty: self.facts.number(left),
            operand: self.facts.operand(node),
        };
        self.unit.push(span, what);
    }

    /// The vector and the components of a swizzle, of a swizzle of a swizzle as well.
    pub(super) fn components(&self, node: NodeId) -> Option<(NodeId, String)> {
        let tree = self.context.tree;
        let node = tree.unparenthesized(node);
        if tree.kind(node) != Kind::FieldExpression {
            return None;
        }
        let base = tree.unparenthesized(self.part(node, Field::Argument)?);
        self.facts.number(base).filter(|t| t.is_vector())?;
        let outer = plain_swizzle(self.word(self.part(node, Field::FieldName)?), true)?;
        let Some((base, inner)) = self.components(base) else {
            return Some((base, outer));
        };
        let place = |c| "xyzw".find(c).and_then(|i| inner.chars().nth(i));
        let whole: Option<String> = outer.chars().map(place).collect();
        Some((base, whole?))
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
        let array = self.word(at).to_string();
        let parameter = match self.lookup(at) {
            Some(Meaning::Parameter(parameter)) if parameter.element_sizes.is_empty() => {
                Some(parameter.clone())
            }
            _ => None,
        };
        let Some(parameter) = parameter else {
            // An array that C knows.
            self.expression(at);
            let only = indices.len() == 1;
            for &index in &indices {
                let ty = self.expression(index);
                if ty.is_some_and(|t| matches!(t.base, Base::Float | Base::Double)) {
                    let span = self.span(index);
                    self.unit.push(span, ConstructKind::FloatIndex { only });
                }
            }
            return None;
        };
        let mut types = Vec::new();
        for &index in &indices {
            types.push(self.expression(index)?);
        }
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
            structure: parameter.structure,
            beside: None,
            whole: Vec::new(),
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
        if self.facts.structure(base).is_some() {
            let span = self.span(field);
            self.unit.push(span, ConstructKind::Name);
            return;
        }
        let (Some(from), Some(to)) = (self.facts.number(base), self.facts.number(node)) else {
            return;
        };
        let (span, value) = (self.span(node), self.span(base));
        if !from.is_vector() {
            let conversion = Conversion { from, to };
            self.unit
                .push(span, ConstructKind::Cast { value, conversion });
            return;
        }
        let name = self.word(field).to_string();
        let Some(components) = plain_swizzle(&name, true) else {
            return;
        };
        // OpenCL C knows the names of colours only since its version 3.0.
        if components != name {
            let field = self.span(field);
            self.unit
                .push(field, ConstructKind::Written(components.clone()));
        }
        if components.len() > 1 {
            let base = value;
            self.unit
                .push(span, ConstructKind::Swizzle { base, components });
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
        let (Some((base, components)), Some(ty)) = (self.components(left), self.facts.number(left))
        else {
            return false;
        };
        let direct = self
            .part(left, Field::Argument)
            .map(|a| self.context.tree.unparenthesized(a));
        if components.len() < 2 && direct == Some(base) {
            return false;
        }
        self.expression(base);
        self.expression(right);
        let (base, value) = (self.span(base), self.span(right));
        let what = ConstructKind::SwizzleAssignment {
            base,
            components,
            operator,
            value,
            ty,
            operand: self.facts.operand(node).unwrap_or(ty),
        };
        let span = self.span(node);
        self.unit.push(span, what);
        true
    }

    /// `v++` and its like. Scalars need nothing special unless they may overflow; of small ones that is the target's affair.
    pub(super) fn update(&mut self, node: NodeId) {
        let Some(argument) = self.part(node, Field::Argument) else {
            return;
        };
        let tree = self.context.tree;
        let target = tree.unparenthesized(argument);
        let span = self.span(node);
        if self.scattered(target).is_some() {
            self.expression(target);
            self.context.error(&codes::BROOK_SCATTER_FORM, span, &[]);
            return;
        }
        let (base, components) = self
            .components(target)
            .filter(|(_, c)| c.len() > 1)
            .unwrap_or((target, String::new()));
        self.expression(base);
        let Some(ty) = self.facts.number(target) else {
            return;
        };
        let small = matches!(ty.base, Base::Char | Base::Short);
        if !ty.is_vector() && !small && !self.overflows(node, "+", ty) {
            return;
        }
        let parent = tree.parent(node);
        let used = parent.is_some_and(|p| match tree.kind(p) {
            Kind::ExpressionStatement => false,
            Kind::ForStatement => tree.child(p, Field::Update) != Some(node),
            _ => true,
        });
        let operator = if self.operator(node) == "--" {
            "-"
        } else {
            "+"
        };
        let after = span.start == self.span(argument).start;
        if used && after && ty.is_vector() {
            self.temporaries = true;
            if self.holder.is_none() {
                self.context.error(&codes::BROOK_COMPONENT_LATER, span, &[]);
            }
        }
        let what = ConstructKind::Update {
            base: self.span(base),
            components,
            operator,
            ty,
            after,
            used,
        };
        self.unit.push(span, what);
    }
}
