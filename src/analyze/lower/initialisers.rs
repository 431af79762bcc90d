//! What variables begin with.

use super::{Lower, Lowered};
use crate::body::{
    ExpressionId, ExpressionKind, Place, StatementId, StatementKind, Step, Type, TypeKind,
    VariableId,
};
use crate::expr::{Scalar, Value};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_> {
    /// Gives a variable its first value; what a list leaves out is zero already.
    pub(super) fn initialise(
        &mut self,
        variable: VariableId,
        value: NodeId,
        span: Span,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let mut place = self.whole(variable, span);
        place.atomicity = crate::body::Atomicity::Plain;
        self.begin(place, value, out)
    }

    pub(super) fn begin(
        &mut self,
        place: Place,
        value: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        match tree.kind(value) {
            Kind::InitializerList => self.begin_list(place, value, out),
            Kind::StringLiteral | Kind::RawStringLiteral | Kind::ConcatenatedString
                if let TypeKind::Array(_, count) = self.kind(place.ty) =>
            {
                match super::strings::text_of(tree, value, self.unit.text) {
                    Some(bytes) => {
                        self.write_string(&place, count, &bytes, out);
                        Ok(())
                    }
                    None => self.unnamed(value, "a string"),
                }
            }
            Kind::ArgumentList => {
                let given: Vec<NodeId> = tree.children(value).collect();
                match (given.as_slice(), self.kind(place.ty)) {
                    ([one], _) => self.begin(place, *one, out),
                    (given, TypeKind::Vector(vector))
                        if given.len() == usize::from(vector.width) =>
                    {
                        let given = given.to_vec();
                        self.begin_parts(place, &given, out)
                    }
                    _ => self.unnamed(value, "a constructor"),
                }
            }
            _ => {
                let given = self.value(value)?;
                let given = self.convert(given, place.ty)?;
                self.assign(place, given, self.span(value), out);
                Ok(())
            }
        }
    }

    fn begin_list(
        &mut self,
        place: Place,
        list: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        if self.has_constructor(place.ty) {
            return self.opaque(list, "a list that a constructor takes");
        }
        let items: Vec<NodeId> = tree.children(list).collect();
        match (self.kind(place.ty), items.as_slice()) {
            (TypeKind::Scalar(_) | TypeKind::Pointer(_), []) => {
                let zero = self.literal(Value::int(0), self.span(list));
                let zero = self.convert(zero, place.ty)?;
                self.assign(place, zero, self.span(list), out);
                Ok(())
            }
            (TypeKind::Scalar(_) | TypeKind::Pointer(_), [one]) => self.begin(place, *one, out),
            (TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Void, _) => {
                self.unnamed(list, "a list of this type")
            }
            (_, []) => Ok(()),
            // `T b = {a}`
            (TypeKind::Record(_) | TypeKind::Vector(_), [one])
                if tree.kind(*one) != Kind::InitializerList
                    && tree.kind(*one) != Kind::InitializerPair
                    && self.is_of(*one, place.ty) =>
            {
                self.begin(place, *one, out)
            }
            _ => self.begin_parts(place, &items, out),
        }
    }

    /// Whether an expression is of a type.
    fn is_of(&mut self, node: NodeId, ty: Type) -> bool {
        let (expressions, places) = (self.body.expressions.len(), self.body.places.len());
        let (variables, before) = (self.body.variables.len(), self.before.len());
        let same = self.value(node).is_ok_and(|v| self.ty(v) == ty);
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        self.body.variables.truncate(variables);
        self.before.truncate(before);
        same
    }

    /// The parts of an array, a record or a vector, in order or by name.
    fn begin_parts(
        &mut self,
        whole: Place,
        items: &[NodeId],
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let mut at: u64 = 0;
        for item in items {
            let mut value = *item;
            if tree.kind(*item) == Kind::InitializerPair {
                value = self.part(*item, Field::Value)?;
                let designators: Vec<NodeId> = tree
                    .children(*item)
                    .filter(|&c| tree.field(c) == Field::Designator)
                    .collect();
                let [designator] = designators.as_slice() else {
                    return self.opaque(*item, "a path in a list");
                };
                at = self.designated(*designator, whole.ty)?;
            }
            let part = self.part_of(&whole, at, value)?;
            let elided = matches!(self.kind(part.ty), TypeKind::Array(..))
                && tree.kind(value) != Kind::InitializerList
                && super::strings::text_of(tree, value, self.unit.text).is_none();
            if elided {
                return self.opaque(value, "a list without inner braces");
            }
            if matches!(
                self.kind(part.ty),
                TypeKind::Record(_) | TypeKind::Vector(_)
            ) && tree.kind(value) != Kind::InitializerList
                && !self.is_of(value, part.ty)
            {
                return self.opaque(value, "a list without inner braces");
            }
            self.begin(part, value, out)?;
            at += 1;
        }
        Ok(())
    }

    fn designated(&mut self, designator: NodeId, ty: Type) -> Lowered<u64> {
        let tree = self.unit.tree;
        let words = self.text(designator);
        if let TypeKind::Record(record) = self.kind(ty) {
            let name = words.trim_start_matches('.').trim();
            let fields = &self.unit.program.types.record(record).fields;
            if let Some(index) = fields.iter().position(|f| f.name == name) {
                return Ok(index as u64);
            }
        }
        let inner = tree.children(designator).next();
        match inner.and_then(|n| self.unit.constant(n)) {
            Some(index) if index >= 0 => Ok(index as u64),
            _ => self.opaque(designator, "a path in a list"),
        }
    }

    pub(super) fn part_of(&mut self, whole: &Place, at: u64, value: NodeId) -> Lowered<Place> {
        let mut part = whole.clone();
        part.span = self.span(value);
        match self.kind(whole.ty) {
            TypeKind::Array(of, count) if at < count => {
                let index = Value::Int(Scalar::Long, at as i64);
                let index = self.literal(index, part.span);
                part.path.push(Step::Index(index));
                part.ty = of;
            }
            TypeKind::Vector(vector) if at < u64::from(vector.width) => {
                part.path.push(Step::Component(at as u32));
                part.ty = self.scalar_type(vector.scalar);
            }
            TypeKind::Record(record) => {
                let fields = &self.unit.program.types.record(record).fields;
                let Some(field) = fields.get(at as usize) else {
                    return self.unnamed(value, "a list of this form");
                };
                part.ty = field.ty;
                part.path.push(Step::Field(at as u32));
            }
            _ => return self.unnamed(value, "a list of this form"),
        }
        Ok(part)
    }

    /// A value made of a list in braces where one of a type is wanted.
    pub(super) fn list_value(&mut self, list: NodeId, ty: Type) -> Lowered<ExpressionId> {
        let span = self.span(list);
        let memory = self.memory_here();
        let variable = self.variable("", ty, memory, span);
        let declare = StatementKind::Declare {
            variable,
            zeros: true,
        };
        let declare = self.push_statement(declare, span);
        let mut before = std::mem::take(&mut self.before);
        let mut made = Vec::new();
        let done = self.initialise(variable, list, span, &mut made);
        before.push(declare);
        // The parts are written where the value is computed, which may be often, or never.
        let mut parts = Vec::new();
        for statement in made {
            match self.body.statement(statement).kind {
                StatementKind::Expression(part) => parts.push(part),
                _ => before.push(statement),
            }
        }
        before.append(&mut self.before);
        self.before = before;
        done?;
        let place = self.whole(variable, span);
        let mut value = self.read(place)?;
        for part in parts.into_iter().rev() {
            value = self.push(ExpressionKind::Comma(part, value), ty, span);
        }
        Ok(value)
    }
}
