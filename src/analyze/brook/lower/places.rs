//! Memory that expressions name.

use super::make::{Make, place};
use super::{Lower, Lowered, Meaning};
use crate::analyze::brook::check::plain_swizzle;
use crate::body::{ExpressionId, ExpressionKind, Place, Root, Step, TypeKind};
use crate::expr::Scalar;
use crate::module::{ParameterKind, Type};
use crate::syntax::{Field, Kind, NodeId};

/// Something that can be written.
#[derive(Clone, Debug)]
pub(super) enum Target {
    Whole(Place),
    /// Those components of a vector, in that order.
    Components(Place, Vec<u32>),
}

/// What an expression leads to.
enum Way {
    /// Memory.
    Place(Place),
    /// A value that lies nowhere.
    Value(ExpressionId),
}

/// Components by their letters.
fn components(name: &str) -> Option<Vec<u32>> {
    let letters = plain_swizzle(name, true)?;
    let place = |c| "xyzw".find(c).map(|at| at as u32);
    letters.chars().map(place).collect()
}

impl Lower<'_, '_, '_> {
    /// The value of what names memory, or a part of a value.
    pub(super) fn read_of(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        if let Some(value) = self.gather(node)? {
            return Ok(value);
        }
        if self.syntax(node) == Kind::FieldExpression
            && let Some(value) = self.swizzle(node)?
        {
            return Ok(value);
        }
        match self.way(node)? {
            Way::Place(place) => self.read_place(node, place),
            Way::Value(value) => Ok(value),
        }
    }

    fn read_place(&mut self, node: NodeId, place: Place) -> Lowered<ExpressionId> {
        match self.kind(place.ty) {
            TypeKind::Array(..) => self.unnamed(node, "a whole array"),
            _ => Ok(self.load(place)),
        }
    }

    fn way(&mut self, node: NodeId) -> Lowered<Way> {
        let span = self.span(node);
        let node = self.inner(node);
        match self.syntax(node) {
            Kind::Identifier => {
                let variable = match self.lookup(node) {
                    Some(Meaning::Local(variable) | Meaning::Shared(variable)) => variable,
                    Some(Meaning::Parameter(index)) => {
                        let variable = self.passed[index].variable;
                        let parameter = self.parameter(index);
                        let array = !parameter.element_sizes.is_empty();
                        match parameter.kind {
                            ParameterKind::StreamIn | ParameterKind::Value if !array => variable,
                            ParameterKind::Gather(_) | ParameterKind::Scatter(_) => {
                                return self.unnamed(node, "a whole array");
                            }
                            _ => {
                                let pointer = self.read(variable, span);
                                return Ok(Way::Place(self.pointed(pointer, span)));
                            }
                        }
                    }
                    None => return self.unnamed(node, "this name"),
                };
                Ok(Way::Place(self.whole(variable, span)))
            }
            Kind::FieldExpression => {
                let base = self.part(node, Field::Argument)?;
                let base = self.inner(base);
                let name = self.part(node, Field::FieldName)?;
                let base = self.base_of(base)?;
                self.field(node, base, name)
            }
            Kind::SubscriptExpression => self.element(node),
            _ => Ok(Way::Value(self.expression(node)?)),
        }
    }

    /// What a field or a component is of.
    fn base_of(&mut self, node: NodeId) -> Lowered<Way> {
        match self.gather(node)? {
            Some(value) => Ok(Way::Value(value)),
            None => self.way(node),
        }
    }

    fn field(&mut self, node: NodeId, base: Way, name: NodeId) -> Lowered<Way> {
        let text = self.text(name);
        let ty = match &base {
            Way::Place(place) => place.ty,
            Way::Value(value) => self.ty(*value),
        };
        match self.kind(ty) {
            TypeKind::Record(record) => {
                let fields = &self.unit.program.types.record(record).fields;
                let Some(at) = fields.iter().position(|f| f.name == text) else {
                    return self.unnamed(node, "this field");
                };
                let ty = fields[at].ty;
                let step = Step::Field(at as u32);
                Ok(match base {
                    Way::Place(mut place) => {
                        place.path.push(step);
                        place.ty = ty;
                        place.span = self.span(node);
                        Way::Place(self.unpacked(place))
                    }
                    Way::Value(value) => {
                        let kind = ExpressionKind::FieldOf(value, at as u32);
                        let span = self.span(node);
                        let value = self.push(kind, ty, span);
                        Way::Value(self.unpacked_value(value))
                    }
                })
            }
            TypeKind::Vector(_) => match (components(text).as_deref(), base) {
                (Some([one]), Way::Place(place)) => {
                    let mut place = self.component_of(&place, *one)?;
                    place.span = self.span(node);
                    Ok(Way::Place(place))
                }
                (Some(list), base) => {
                    let value = match base {
                        Way::Place(place) => self.load(place),
                        Way::Value(value) => value,
                    };
                    let list = list.to_vec();
                    Ok(Way::Value(self.picked(value, &list)))
                }
                _ => self.unnamed(node, "these components"),
            },
            _ => self.unnamed(node, "a field of this value"),
        }
    }

    /// Those components of a value.
    fn picked(&mut self, value: ExpressionId, list: &[u32]) -> ExpressionId {
        let span = self.body.expression(value).span;
        if let [one] = list {
            let ty = self.ty(value);
            let (scalar, _) = self.shape(ty).unwrap_or((Scalar::Int, 1));
            let ty = self.scalar_type(scalar);
            return self.push(ExpressionKind::Component(value, *one), ty, span);
        }
        let (before, kept) = self.keep(value);
        let parts = list.iter();
        let parts = parts
            .map(|index| self.component(kept, *index, span))
            .collect();
        let made = self.vector(parts, span);
        self.then(before, made)
    }

    /// `v.xy` as a value, also of a number; `None` for one component of a vector, and for fields.
    fn swizzle(&mut self, node: NodeId) -> Lowered<Option<ExpressionId>> {
        let span = self.span(node);
        let base = self.part(node, Field::Argument)?;
        let base = self.inner(base);
        let name = self.part(node, Field::FieldName)?;
        let Some(from) = self.unit.facts.number(base) else {
            return Ok(None);
        };
        if !from.is_vector() {
            // BrookGPU: a number is all of its components.
            let value = self.expression(base)?;
            let to = self.unit.facts.number(node);
            return match to {
                Some(to) => Ok(Some(self.converted(value, to)?)),
                None => self.unnamed(node, "these components"),
            };
        }
        let Some(list) = components(self.text(name)) else {
            return self.unnamed(node, "these components");
        };
        if list.len() == 1 {
            return Ok(None);
        }
        match self.base_of(base)? {
            // Only what is asked for is read.
            Way::Place(place) if self.is_pure(base) => {
                let mut parts = Vec::new();
                for index in list {
                    let place = self.component_of(&place, index)?;
                    parts.push(self.load(place));
                }
                Ok(Some(self.vector(parts, span)))
            }
            Way::Place(place) => {
                let value = self.load(place);
                Ok(Some(self.picked(value, &list)))
            }
            Way::Value(value) => Ok(Some(self.picked(value, &list))),
        }
    }

    /// An element of an array that is no parameter's: the group's, or one in a struct; or BrookGPU's `v[2]`.
    fn element(&mut self, node: NodeId) -> Lowered<Way> {
        let mut indices = Vec::new();
        let mut array = node;
        while self.syntax(array) == Kind::SubscriptExpression {
            indices.push(self.part(array, Field::Index)?);
            array = self.part(array, Field::Argument)?;
            array = self.inner(array);
        }
        indices.reverse();
        let base = self.base_of(array)?;
        if let Way::Place(place) = &base
            && self.is_vector(place.ty)
            && self.unit.facts.number(array).is_none_or(Type::is_vector)
            && let [index] = indices[..]
            && let Some(index) = self.constant(index)
        {
            let mut place = self.component_of(place, index as u32)?;
            place.span = self.span(node);
            return Ok(Way::Place(place));
        }
        let Way::Place(mut place) = base else {
            return self.unnamed(node, "an element of this value");
        };
        let only = indices.len() == 1;
        for index in indices {
            let TypeKind::Array(of, _) = self.kind(place.ty) else {
                return self.unnamed(node, "an element of this value");
            };
            let value = self.expression(index)?;
            let value = self.whole_number(value, only);
            place.path.push(Step::Index(value));
            place.ty = of;
        }
        place.span = self.span(node);
        Ok(Way::Place(self.unpacked(place)))
    }

    /// What can be written; `None` for elements of arrays that are scattered to.
    pub(super) fn target(&mut self, node: NodeId) -> Lowered<Target> {
        let node = self.inner(node);
        if self.syntax(node) == Kind::FieldExpression {
            let base = self.part(node, Field::Argument)?;
            let base = self.inner(base);
            let name = self.part(node, Field::FieldName)?;
            if self.unit.facts.number(base).is_some() {
                let base = self.target(base)?;
                return self.narrowed(node, base, name);
            }
        }
        if self.is_input_array(node) {
            return self.opaque(node, "a change of an input's array");
        }
        match self.way(node)? {
            Way::Place(place) => Ok(Target::Whole(place)),
            Way::Value(_) => self.opaque(node, "a change of what is no memory"),
        }
    }

    /// Whether an expression is in an element of an input that is an array: a kernel has no copy of it.
    fn is_input_array(&self, mut node: NodeId) -> bool {
        let tree = self.unit.context.tree;
        loop {
            node = self.inner(node);
            let parts = matches!(
                tree.kind(node),
                Kind::SubscriptExpression | Kind::FieldExpression
            );
            match tree.child(node, Field::Argument).filter(|_| parts) {
                Some(base) => node = base,
                None => break,
            }
        }
        let Some(Meaning::Parameter(index)) = self.lookup(node) else {
            return false;
        };
        let parameter = self.parameter(index);
        parameter.kind == ParameterKind::StreamIn && !parameter.element_sizes.is_empty()
    }

    /// A field, or some components, of what can be written.
    pub(super) fn narrowed(&mut self, node: NodeId, base: Target, name: NodeId) -> Lowered<Target> {
        let place = match base {
            Target::Whole(place) => place,
            Target::Components(place, inner) => {
                let list = components(self.text(name)).unwrap_or_default();
                let picked = list.iter().map(|i| inner.get(*i as usize).copied());
                return match picked.collect::<Option<Vec<u32>>>() {
                    Some(list) => Ok(Target::Components(place, list)),
                    None => self.unnamed(node, "these components"),
                };
            }
        };
        if !self.is_vector(place.ty) {
            return match self.field(node, Way::Place(place), name)? {
                Way::Place(place) => Ok(Target::Whole(place)),
                Way::Value(_) => self.opaque(node, "a change of what is no memory"),
            };
        }
        match components(self.text(name)) {
            Some(list) => Ok(Target::Components(place, list)),
            None => self.unnamed(node, "these components"),
        }
    }

    /// The vector of three in what stands around it in memory.
    pub(super) fn unpacked(&mut self, mut place: Place) -> Place {
        if let TypeKind::Record(id) = self.kind(place.ty)
            && self.unit.is_packed(id)
        {
            place.path.push(Step::Field(0));
            place.ty = self.unit.program.types.record(id).fields[0].ty;
        }
        place
    }

    fn unpacked_value(&mut self, value: ExpressionId) -> ExpressionId {
        let ty = self.ty(value);
        match self.kind(ty) {
            TypeKind::Record(id) if self.unit.is_packed(id) => {
                let ty = self.unit.program.types.record(id).fields[0].ty;
                let span = self.body.expression(value).span;
                self.push(ExpressionKind::FieldOf(value, 0), ty, span)
            }
            _ => value,
        }
    }

    /// What a pointer points to.
    pub(super) fn at(&mut self, pointer: ExpressionId, span: crate::source::Span) -> Place {
        let ty = self.ty(pointer);
        let to = self.types().element(ty).unwrap_or_default();
        let place = place(Root::Pointer(pointer), to, span);
        self.unpacked(place)
    }
}
