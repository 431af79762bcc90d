//! Memory that expressions name.

use super::{Lower, Lowered, Opaque};
use crate::body::{Atomicity, Place, PlaceId, Root, Step, TypeKind};
use crate::lex::one_layout;
use crate::module::Dimensions;
use crate::sema::{DefinitionId, DefinitionKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree};

impl Lower<'_, '_> {
    /// Whether what is written there is memory of the atomic access around it.
    pub(super) fn atomicity(&self, span: Span) -> Atomicity {
        let same = |memory: &Span| {
            let text = self.unit.text;
            *memory == span || one_layout(memory.of(text)) == one_layout(span.of(text))
        };
        match &self.atomic {
            Some(all) if all.is_empty() || all.iter().any(same) => Atomicity::Atomic,
            _ => Atomicity::Plain,
        }
    }

    pub(super) fn place(&mut self, node: NodeId) -> Lowered<PlaceId> {
        let mut place = self.way(node)?;
        place.span = self.span(bare(self.unit.tree, node));
        place.atomicity = self.atomicity(place.span);
        Ok(self.push_place(place))
    }

    /// The way to the memory that an expression names.
    fn way(&mut self, node: NodeId) -> Lowered<Place> {
        let tree = self.unit.tree;
        let span = self.span(node);
        match tree.kind(node) {
            Kind::ParenthesizedExpression => match tree.children(node).next() {
                Some(inner) => self.way(inner),
                None => self.unnamed(node, "an expression of this form"),
            },
            Kind::Identifier | Kind::QualifiedIdentifier => match self.unit.sema.definition(node) {
                Some(id) => self.named(id, node),
                None => self.unnamed(node, "a name that the program does not declare"),
            },
            Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString => {
                self.string(node)
            }
            Kind::SubscriptExpression => self.element(node),
            Kind::FieldExpression => self.member(node),
            Kind::PointerExpression => {
                let operator = self.part(node, Field::Operator)?;
                if self.text(operator) != "*" {
                    return self.unnamed(node, "memory of this form");
                }
                let pointer = self.value(self.part(node, Field::Argument)?)?;
                self.pointed(pointer, span)
            }
            Kind::CallExpression => {
                if let Some(pointer) = self.read_only(node)? {
                    return self.pointed(pointer, span);
                }
                if let Some((indices, dimensions)) = self.dimensions_of(node) {
                    return self.dimensional(node, indices, dimensions);
                }
                match self.returns_reference(node) {
                    true => {
                        let pointer = self.call_pointer(node)?;
                        self.pointed(pointer, span)
                    }
                    false => self.unnamed(node, "memory of this form"),
                }
            }
            Kind::ConditionalExpression => {
                let condition = self.value(self.part(node, Field::Condition)?)?;
                let condition = self.truth(condition)?;
                let a = self.place(self.part(node, Field::Consequence)?)?;
                let b = self.place(self.part(node, Field::Alternative)?)?;
                let (a, b) = (self.address_of(a, span), self.address_of(b, span));
                if self.ty(a) != self.ty(b) {
                    return self.unnamed(node, "memory of this form");
                }
                let ty = self.ty(a);
                let kind = crate::body::ExpressionKind::Conditional(condition, a, b);
                let pointer = self.push(kind, ty, span);
                self.pointed(pointer, span)
            }
            _ => self.unnamed(node, "memory of this form"),
        }
    }

    /// The variable, or the field of `this`, that a name means.
    pub(super) fn named(&mut self, id: DefinitionId, node: NodeId) -> Lowered<Place> {
        let span = self.span(node);
        if let Some((variable, reference)) = self.variables.get(&id).copied() {
            let place = self.whole(variable, span);
            if !reference {
                return Ok(place);
            }
            let mut place = place;
            place.atomicity = Atomicity::Plain;
            let pointer = self.read(place)?;
            return self.pointed(pointer, span);
        }
        if let Some(place) = self.captured_place(id, span)? {
            return Ok(place);
        }
        match self.unit.sema.defined(id).kind {
            DefinitionKind::Field if self.unit.is_static(id) => {
                let global = self.unit.global(id)?;
                Ok(self.whole(global, span))
            }
            DefinitionKind::Field => match self.this {
                Some(this) => {
                    let mut place = self.whole(this, span);
                    place.atomicity = Atomicity::Plain;
                    let pointer = self.read(place)?;
                    let object = self.pointed(pointer, span)?;
                    let name = self.unit.sema.name(id).to_string();
                    self.field(object, &name, node)
                }
                None => self.unnamed(node, "a member of this kind"),
            },
            DefinitionKind::Variable => {
                let global = self.unit.global(id)?;
                Ok(self.whole(global, span))
            }
            _ => self.unnamed(node, "a name of this kind"),
        }
    }

    /// `a[i]`
    fn element(&mut self, node: NodeId) -> Lowered<Place> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let array = self.part(node, Field::Argument)?;
        let index = self.part(node, Field::Index)?;
        let index = match tree.kind(index) {
            Kind::SubscriptArguments => {
                let mut all = tree.children(index);
                match (all.next(), all.next()) {
                    (Some(one), None) => one,
                    _ => return self.opaque(index, "several indices in one bracket"),
                }
            }
            _ => index,
        };
        if let Some(mut place) = self.array(array)?
            && let TypeKind::Array(of, _) = self.kind(place.ty)
        {
            let index = self.value(index)?;
            self.expect_integer(index)?;
            place.path.push(Step::Index(index));
            place.ty = of;
            place.span = span;
            return Ok(place);
        }
        let pointer = self.value(array)?;
        let index = self.value(index)?;
        // `0[a]`
        let (pointer, index) = match self.kind(self.ty(pointer)) {
            TypeKind::Pointer(_) => (pointer, index),
            _ => (index, pointer),
        };
        if !matches!(self.kind(self.ty(pointer)), TypeKind::Pointer(_)) {
            return self.unnamed(node, "an index of this type");
        }
        self.expect_integer(index)?;
        let pointer = self.offset(pointer, index, false, span)?;
        self.pointed(pointer, span)
    }

    fn expect_integer(&self, index: crate::body::ExpressionId) -> Lowered<()> {
        let integer = self.scalar_of(index).is_some_and(|s| !s.is_float());
        match integer {
            true => Ok(()),
            false => Err(Opaque {
                span: self.body.expression(index).span,
                what: "an index of this type".to_string(),
            }),
        }
    }

    /// The array that an expression names, if it is one.
    pub(super) fn array(&mut self, node: NodeId) -> Lowered<Option<Place>> {
        let tree = self.unit.tree;
        let inner = tree.unparenthesized(node);
        let names = matches!(
            tree.kind(inner),
            Kind::Identifier
                | Kind::QualifiedIdentifier
                | Kind::SubscriptExpression
                | Kind::FieldExpression
                | Kind::PointerExpression
                | Kind::StringLiteral
                | Kind::RawStringLiteral
                | Kind::ConcatenatedString
        );
        if !names {
            return Ok(None);
        }
        let (expressions, places) = (self.body.expressions.len(), self.body.places.len());
        let place = self.way(inner);
        if let Ok(place) = place
            && matches!(self.kind(place.ty), TypeKind::Array(..))
        {
            return Ok(Some(place));
        }
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        Ok(None)
    }

    /// `a.b`, `a->b`
    fn member(&mut self, node: NodeId) -> Lowered<Place> {
        let span = self.span(node);
        let object = self.part(node, Field::Argument)?;
        let name = self.part(node, Field::FieldName)?;
        let between = Span::new(self.span(object).end, self.span(name).start);
        let arrow = between.of(self.unit.text).trim_start().starts_with("->");
        let object = match arrow {
            true => {
                let pointer = self.value(object)?;
                self.pointed(pointer, span)?
            }
            false => self.way(object)?,
        };
        self.field(object, self.text(name), node)
    }

    fn field(&mut self, mut object: Place, name: &str, node: NodeId) -> Lowered<Place> {
        match self.kind(object.ty) {
            TypeKind::Vector(vector) => match vector.component(name) {
                Some(index) => {
                    object.path.push(Step::Component(index as u32));
                    object.ty = self.scalar_type(vector.scalar);
                }
                None => return self.unnamed(node, "several components of a vector"),
            },
            TypeKind::Record(record) => {
                let record = self.unit.program.types.record(record);
                let found = record.fields.iter().position(|f| f.name == name);
                let Some(index) = found else {
                    return self.unnamed(node, "a member of this kind");
                };
                object.ty = record.fields[index].ty;
                object.path.push(Step::Field(index as u32));
            }
            _ => return self.unnamed(node, "a member of this type"),
        }
        object.span = self.span(node);
        Ok(object)
    }

    /// What is known of an access with `@dim`.
    pub(super) fn dimensions_of(&self, node: NodeId) -> Option<(Vec<Span>, Dimensions)> {
        let (indices, dimensions) = self.unit.dimensions.get(&self.span(node))?;
        Some((indices.to_vec(), (*dimensions).clone()))
    }

    /// `m(i, j)` of a variable with `@dim`.
    fn dimensional(
        &mut self,
        node: NodeId,
        indices: Vec<Span>,
        dimensions: Dimensions,
    ) -> Lowered<Place> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let pointer = self.value(self.part(node, Field::Function)?)?;
        let list = self.part(node, Field::Arguments)?;
        let mut given = Vec::new();
        for argument in tree.children(list).collect::<Vec<_>>() {
            let value = self.value(argument)?;
            given.push(self.as_scalar(value, crate::expr::Scalar::Long)?);
        }
        if given.len() != indices.len() || given.len() != dimensions.order.len() {
            return self.unnamed(node, "dimensions of this form");
        }
        let named = self.part(node, Field::Function)?;
        let named = self.unit.sema.definition(named);
        let kept = named.and_then(|id| self.extents.get(&id).cloned());
        // The fastest one comes first in the order.
        let mut place = None;
        for &at in dimensions.order.iter().rev() {
            let index = given[at];
            place = Some(match place {
                None => index,
                Some(place) => {
                    let extent = match kept.as_ref().and_then(|kept| kept.get(at)) {
                        Some(&variable) => {
                            let place = self.whole(variable, span);
                            self.read(place)?
                        }
                        None => self.attribute_text(&dimensions.extents[at], span)?,
                    };
                    let extent = self.as_scalar(extent, crate::expr::Scalar::Long)?;
                    let multiply = crate::body::BinaryOperator::Multiply;
                    let scaled = self.operate(multiply, place, extent, span)?;
                    self.operate(crate::body::BinaryOperator::Add, scaled, index, span)?
                }
            });
        }
        let Some(place) = place else {
            return self.unnamed(node, "dimensions of this form");
        };
        let pointer = self.offset(pointer, place, false, span)?;
        let place = self.pointed(pointer, span)?;
        debug_assert!(matches!(place.root, Root::Pointer(_)));
        Ok(place)
    }
}

/// What stands in parentheses, without these.
pub(super) fn bare(tree: &Tree, mut node: NodeId) -> NodeId {
    while tree.kind(node) == Kind::ParenthesizedExpression
        && let Some(inner) = tree.children(node).next()
    {
        node = inner;
    }
    node
}
