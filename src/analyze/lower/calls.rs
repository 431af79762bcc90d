//! Calls: of the program's functions, of the library's, and what only looks like one.

use super::templates::Callee;
use super::{Lower, Lowered};
use crate::body::{BodyId, ExpressionId, ExpressionKind, Type, TypeKind, Types};
use crate::expr::Value;
use crate::module::VectorType;
use crate::sema::DefinitionKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

impl Lower<'_, '_> {
    pub(super) fn arguments(&self, call: NodeId) -> Vec<NodeId> {
        let tree = self.unit.tree;
        let list = tree.child(call, Field::Arguments);
        list.map_or(Vec::new(), |l| tree.children(l).collect())
    }

    pub(super) fn call(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        if self.dimensions_of(node).is_some() || self.returns_reference(node) {
            let place = self.place(node)?;
            return Ok(self.read_place(place));
        }
        if let Some(pointer) = self.read_only(node)? {
            let place = self.pointed(pointer, self.span(node))?;
            return self.read(place);
        }
        let function = tree.unparenthesized(self.part(node, Field::Function)?);
        match tree.kind(function) {
            Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier => {
                let ty = self.described(function)?;
                return self.made(node, ty);
            }
            Kind::TemplateFunction => {
                if let Some(callee) = self.callee(node)? {
                    return self.call_of(&callee, node);
                }
                let name = self.part(function, Field::Name)?;
                let casts = ["static_cast", "reinterpret_cast", "const_cast"];
                let mut inside = tree.descendants(function);
                let ty = inside.find(|&n| tree.kind(n) == Kind::TypeDescriptor);
                return match (ty, casts.contains(&self.text(name))) {
                    (Some(ty), true) => {
                        let ty = self.described(ty)?;
                        self.made(node, ty)
                    }
                    _ => self.unnamed(node, "a call of a template"),
                };
            }
            Kind::Identifier | Kind::QualifiedIdentifier | Kind::FieldExpression => {}
            Kind::LambdaExpression => return self.call_of_variable(function, node),
            _ => return self.unnamed(node, "a call of this form"),
        }
        // Nobody calls a kernel: that is a function of the library of the same name.
        let named = self.unit.sema.definition(function);
        let named = named.filter(|id| !self.unit.is_kernel(*id));
        if tree.kind(function) != Kind::FieldExpression
            && let Some(id) = named
        {
            let defined = self.unit.sema.defined(id);
            if defined.is_type() {
                let ty = self.described(function)?;
                return self.made(node, ty);
            }
            if defined.kind != DefinitionKind::Function {
                return self.call_of_variable(function, node);
            }
        }
        if let Some(callee) = self.callee(node)? {
            return self.call_of(&callee, node);
        }
        let name = match tree.kind(function) {
            Kind::Identifier => self.text(function),
            Kind::QualifiedIdentifier => {
                let parts: Vec<NodeId> = tree.children(function).collect();
                match parts.as_slice() {
                    [std, name] if self.text(*std) == "std" => self.text(*name),
                    // The parser keeps some paths in one piece.
                    [] if self.text(function).starts_with("std::") => &self.text(function)[5..],
                    _ => return self.unnamed(node, "a call of what is not declared"),
                }
            }
            _ => return self.unnamed(node, "a call of a member of this kind"),
        };
        if named.is_some() {
            return self.unnamed(node, "a call of one of several functions");
        }
        self.library(node, name)
    }

    /// Whether a call's result is memory.
    pub(super) fn returns_reference(&mut self, call: NodeId) -> bool {
        let Ok(Some(callee)) = self.callee(call) else {
            return false;
        };
        let function = callee.node;
        let around = std::mem::replace(&mut self.unit.bindings, callee.bindings);
        let declarator = self.unit.function_declarator(function);
        let result = declarator.and_then(|d| self.unit.result_type(function, d));
        self.unit.bindings = around;
        result.is_some_and(|(_, reference)| reference)
    }

    /// The pointer that a call of a function gives whose result is memory.
    pub(super) fn call_pointer(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        match self.callee(node)? {
            Some(callee) => self.call_of(&callee, node),
            None => self.unnamed(node, "a call of this form"),
        }
    }

    /// A call of a function of the program.
    fn call_of(&mut self, callee: &Callee, node: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let span = self.span(node);
        let (id, function) = (callee.id, callee.node);
        let body = self.unit.body_of(callee);
        let mut values = Vec::new();
        if self.unit.method_of(id).is_some() {
            values.push(self.object_of_call(node)?);
        }
        let given = self.arguments(node);
        let declared: Vec<NodeId> = {
            let declarator = self.unit.function_declarator(function);
            let list = declarator.and_then(|d| tree.child(d, Field::Parameters));
            let all = list.into_iter().flat_map(|l| tree.children(l));
            all.filter(|&p| tree.kind(p) == Kind::ParameterDeclaration)
                .collect()
        };
        let types = self.parameter_types(body, values.len());
        for (index, (ty, reference)) in types.into_iter().enumerate() {
            let argument = given.get(index).copied();
            let default = || tree.child(*declared.get(index)?, Field::DefaultValue);
            let Some(argument) = argument.or_else(default) else {
                return self.opaque(node, "a call with an argument that is declared elsewhere");
            };
            values.push(self.passed(argument, (ty, reference))?);
        }
        let ty = self.unit.program.bodies[body.0 as usize].result;
        Ok(self.push(ExpressionKind::Call(body, values), ty, span))
    }

    /// What is passed for a parameter of that type.
    pub(super) fn passed(
        &mut self,
        argument: NodeId,
        (ty, reference): (Type, bool),
    ) -> Lowered<ExpressionId> {
        if reference {
            return self.bound(argument, ty);
        }
        if self.unit.tree.kind(argument) == Kind::InitializerList {
            return self.list_value(argument, ty);
        }
        let value = self.value(argument)?;
        let ty = self.unit.decayed(ty);
        self.convert(value, ty)
    }

    fn parameter_types(&mut self, body: BodyId, skip: usize) -> Vec<(Type, bool)> {
        let references = self.unit.references.get(&body).cloned().unwrap_or_default();
        let of = &self.unit.program.bodies[body.0 as usize];
        let all = of.variables.iter().take(of.parameters as usize).enumerate();
        all.map(|(i, v)| (v.ty, references.get(i).copied().unwrap_or(false)))
            .skip(skip)
            .collect()
    }

    /// What a method is called on: a pointer to it.
    fn object_of_call(&mut self, call: NodeId) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let function = tree.unparenthesized(self.part(call, Field::Function)?);
        let span = self.span(function);
        if tree.kind(function) != Kind::FieldExpression {
            let Some(this) = self.this else {
                return self.opaque(call, "a call of a method");
            };
            let place = self.whole(this, span);
            return self.read(place);
        }
        let object = self.part(function, Field::Argument)?;
        let pointer = self.value(object);
        if let Ok(pointer) = pointer
            && matches!(self.kind(self.ty(pointer)), TypeKind::Pointer(_))
        {
            return Ok(pointer);
        }
        match self.place(object) {
            Ok(place) => Ok(self.address_of(place, span)),
            Err(_) => {
                let value = self.value(object)?;
                let ty = self.ty(value);
                if !matches!(self.kind(ty), TypeKind::Record(_)) {
                    return self.opaque(object, "a method of a value");
                }
                let pointer = self.unit.program.types.pointer(ty);
                self.kept(value, pointer, span)
            }
        }
    }

    /// What a reference of that type (a pointer) is bound to.
    pub(super) fn bound(&mut self, node: NodeId, ty: Type) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let (expressions, places) = (self.body.expressions.len(), self.body.places.len());
        match self.place(node) {
            Ok(place) => {
                let whole = self.body.place(place).ty;
                if self.unit.program.types.element(ty) == Some(whole) {
                    return Ok(self.push(ExpressionKind::AddressOf(place), ty, span));
                }
            }
            Err(_) if self.names_memory(node) => {
                return self.unnamed(node, "a reference to this");
            }
            Err(_) => {}
        }
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        let Some(of) = self.unit.program.types.element(ty) else {
            return self.unnamed(node, "a reference of this type");
        };
        if matches!(self.kind(of), TypeKind::Array(..)) {
            return self.opaque(node, "a reference to an array");
        }
        // A value gets a place of its own.
        let value = self.value(node)?;
        let value = self.convert(value, of)?;
        self.kept(value, ty, span)
    }

    /// Whether an expression that is no plain place is memory all the same: a cast to a reference, what stands behind a comma,
    /// an assignment.
    fn names_memory(&self, node: NodeId) -> bool {
        let tree = self.unit.tree;
        let refers = |ty: NodeId| {
            let named = self.unit.sema.kind(self.unit.sema.described(ty));
            let mut below = tree.descendants(ty);
            matches!(named, crate::sema::TypeKind::Reference(_))
                || below.any(|n| tree.kind(n) == Kind::ReferenceDeclarator)
        };
        let part = |field| tree.child(node, field);
        match tree.kind(node) {
            Kind::ParenthesizedExpression => tree
                .children(node)
                .next()
                .is_some_and(|n| self.names_memory(n)),
            Kind::CommaExpression => part(Field::Right).is_some_and(|n| self.is_memory(n)),
            Kind::ConditionalExpression => [Field::Consequence, Field::Alternative]
                .into_iter()
                .all(|field| part(field).is_some_and(|n| self.is_memory(n))),
            Kind::CastExpression => part(Field::Type).is_some_and(refers),
            Kind::CallExpression => {
                // `static_cast<T &>(x)`
                let function = part(Field::Function);
                let template = function.filter(|f| tree.kind(*f) == Kind::TemplateFunction);
                let mut below = template.into_iter().flat_map(|t| tree.descendants(t));
                below.any(|n| tree.kind(n) == Kind::TypeDescriptor && refers(n))
            }
            Kind::AssignmentExpression => true,
            _ => false,
        }
    }

    /// Whether an expression is memory, be it plain or not.
    fn is_memory(&self, node: NodeId) -> bool {
        let tree = self.unit.tree;
        match tree.kind(node) {
            Kind::ParenthesizedExpression => tree
                .children(node)
                .next()
                .is_some_and(|n| self.is_memory(n)),
            Kind::Identifier
            | Kind::QualifiedIdentifier
            | Kind::SubscriptExpression
            | Kind::FieldExpression
            | Kind::PointerExpression => true,
            _ => self.names_memory(node),
        }
    }

    /// A pointer of that type to a place of a value's own.
    pub(super) fn kept(
        &mut self,
        value: ExpressionId,
        ty: Type,
        span: Span,
    ) -> Lowered<ExpressionId> {
        let of = self.ty(value);
        let memory = self.memory_here();
        let variable = self.variable("", of, memory, span);
        let declared = crate::body::StatementKind::Declare {
            variable,
            zeros: false,
        };
        let declared = self.push_statement(declared, span);
        self.before.push(declared);
        let place = self.whole(variable, span);
        let place = self.push_place(place);
        let assigned = self.push(ExpressionKind::Assign { place, value }, of, span);
        let address = self.push(ExpressionKind::AddressOf(place), ty, span);
        Ok(self.push(ExpressionKind::Comma(assigned, address), ty, span))
    }

    /// `T(…)`
    pub(super) fn made(&mut self, node: NodeId, ty: Type) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let given = self.arguments(node);
        match (self.kind(ty), given.as_slice()) {
            (TypeKind::Record(_), [one]) => {
                let value = self.value(*one)?;
                match self.ty(value) == ty && !self.has_constructor(ty) {
                    true => Ok(value),
                    false => self.unnamed(node, "a constructor"),
                }
            }
            (TypeKind::Record(_), []) if !self.has_constructor(ty) => {
                let memory = self.memory_here();
                let variable = self.variable("", ty, memory, span);
                let zeros = true;
                let kind = crate::body::StatementKind::Declare { variable, zeros };
                let declare = self.push_statement(kind, span);
                self.before.push(declare);
                let place = self.whole(variable, span);
                self.read(place)
            }
            (TypeKind::Record(_), _) => self.unnamed(node, "a constructor"),
            (TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Vector(_), []) => {
                let zero = self.literal(Value::int(0), span);
                self.convert(zero, ty)
            }
            (_, [one]) => {
                let value = self.value(*one)?;
                self.convert(value, ty)
            }
            (TypeKind::Vector(vector), given) => {
                let given = given.to_vec();
                self.vector(node, vector, &given)
            }
            _ => self.unnamed(node, "a value of this type"),
        }
    }

    pub(super) fn vector(
        &mut self,
        node: NodeId,
        vector: VectorType,
        given: &[NodeId],
    ) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let ty = self.unit.program.types.of(TypeKind::Vector(vector));
        if let [one] = given {
            let value = self.value(*one)?;
            return self.convert(value, ty);
        }
        if given.len() != usize::from(vector.width) {
            return self.opaque(node, "a vector made of vectors");
        }
        let mut values = Vec::new();
        for argument in given {
            let value = self.value(*argument)?;
            values.push(self.as_scalar(value, vector.scalar)?);
        }
        Ok(self.push(ExpressionKind::Construct(values), ty, span))
    }

    /// Whether making a value of a type calls a function of the program.
    pub(super) fn has_constructor(&self, ty: Type) -> bool {
        match self.kind(ty) {
            TypeKind::Record(record) => {
                let fields = &self.unit.program.types.record(record).fields;
                self.unit.constructed.contains(&record)
                    || fields.iter().any(|f| self.has_constructor(f.ty))
            }
            TypeKind::Array(of, _) => self.has_constructor(of),
            _ => {
                debug_assert!(ty == Types::VOID || self.unit.program.types.size(ty) > 0);
                false
            }
        }
    }
}
