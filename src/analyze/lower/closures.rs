//! Lambdas: records of what they capture, with a function that is made once for each list of types it is called with.
//!
//! An array that is captured by value is captured by reference here, where nobody could see that: it is not used behind the
//! lambda, and the lambda does not change it. Arrays of the group are not captured at all.

use super::program::Unit;
use super::templates::Bindings;
use super::{Level, Lower, Lowered};
use crate::body::{
    self, Atomicity, Body, BodyId, ExpressionId, ExpressionKind, Memory, Place, Record, RecordId,
    Root, Step, Type, TypeKind, Types, Variable, VariableId,
};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};
use foldhash::HashMap;

/// What a lambda is made of.
#[derive(Clone, Debug)]
pub(super) struct Closure {
    node: NodeId,
    /// What it captures, in the order of its fields, and whether by reference.
    captures: Vec<(DefinitionId, bool)>,
    /// What the parameters of templates stand for where it is made.
    bindings: Bindings,
    /// Behind these stands the `this` of the method that makes it.
    this: Option<Type>,
}

/// A captured variable, or the value of an initialiser.
struct Capture {
    id: DefinitionId,
    /// A use of the variable, or the value.
    node: NodeId,
    value: bool,
    reference: bool,
}

impl Lower<'_, '_> {
    /// The value of a lambda.
    pub(super) fn lambda(&mut self, node: NodeId) -> Lowered<ExpressionId> {
        let span = self.span(node);
        let captures = self.captures(node)?;
        let mut parts = Vec::new();
        let mut noted = Vec::new();
        for capture in &captures {
            if capture.value {
                parts.push(self.value(capture.node)?);
                noted.push((capture.id, false));
                continue;
            }
            let place = self.named(capture.id, capture.node)?;
            let array = matches!(self.kind(place.ty), TypeKind::Array(..));
            let reference = capture.reference || array;
            if array && !capture.reference && self.shows_copy(capture.id, &place, node) {
                return self.opaque(node, "a lambda's copy of an array");
            }
            parts.push(match reference {
                true => {
                    let ty = self.unit.program.types.pointer(place.ty);
                    let place = self.push_place(place);
                    self.push(ExpressionKind::AddressOf(place), ty, span)
                }
                false => self.read(place)?,
            });
            noted.push((capture.id, reference));
        }
        let mut of_method = None;
        if let Some(this) = self.this {
            let place = self.whole(this, span);
            let this = self.read(place)?;
            of_method = Some(self.ty(this));
            parts.push(this);
        }
        let types: Vec<Type> = parts.iter().map(|p| self.ty(*p)).collect();
        let record = match self.closures.get(&node) {
            Some(known) => *known,
            None => {
                let record = self.unit.closure_record(&types);
                let bindings = self.unit.bindings.clone();
                self.unit.closures.insert(
                    record,
                    Closure {
                        node,
                        captures: noted,
                        bindings,
                        this: of_method,
                    },
                );
                self.closures.insert(node, record);
                record
            }
        };
        let ty = self.unit.program.types.of(TypeKind::Record(record));
        Ok(self.push(ExpressionKind::Construct(parts), ty, span))
    }

    /// Whether somebody could see that a lambda has an array of its own.
    fn shows_copy(&self, id: DefinitionId, array: &Place, lambda: NodeId) -> bool {
        let Root::Variable(variable) = array.root else {
            return true;
        };
        let memory = self.unit.program.variable(&self.body, variable).memory;
        if matches!(memory, Memory::Shared | Memory::Constant | Memory::Host) {
            return false;
        }
        let constant = self.unit.sema.qualified(id).is_some_and(|q| q.own.constant);
        let tree = self.unit.tree;
        let span = tree.span(lambda);
        let later = |n: &NodeId| tree.span(*n).start >= span.end && !self.only_reads(*n);
        let mut inside = tree.descendants(lambda);
        let changes = inside.any(|n| tree.text(n, self.unit.text) == "mutable");
        !constant && (changes || self.unit.sema.uses(id).iter().any(later))
    }

    /// Whether the use of an array is one of an element's value.
    fn only_reads(&self, mut node: NodeId) -> bool {
        let tree = self.unit.tree;
        let mut element = false;
        while let Some(parent) = tree.parent(node) {
            match tree.kind(parent) {
                Kind::ParenthesizedExpression => {}
                Kind::SubscriptExpression if tree.field(node) == Field::Argument => element = true,
                Kind::BinaryExpression => return element,
                Kind::AssignmentExpression => return element && tree.field(node) == Field::Right,
                _ => return false,
            }
            node = parent;
        }
        false
    }

    /// Whether a name of a list of captures has a `&` before it, for which the tree has no node.
    fn is_by_reference(&self, list: NodeId, name: NodeId) -> bool {
        let before = Span::new(self.span(list).start, self.span(name).start);
        before.of(self.unit.text).trim_end().ends_with('&')
    }

    /// What a lambda captures: what its list says, and what it uses of the variables around it.
    fn captures(&mut self, node: NodeId) -> Lowered<Vec<Capture>> {
        let tree = self.unit.tree;
        let list = tree.children(node).next();
        let list = list.filter(|l| tree.kind(*l) == Kind::LambdaCaptures);
        let mut found: Vec<Capture> = Vec::new();
        let mut by_default = None;
        for item in list.into_iter().flat_map(|l| tree.children(l)) {
            if let (Some(name), Some(value)) = (
                tree.child(item, Field::Left),
                tree.child(item, Field::Right),
            ) {
                let id = self.unit.sema.definition(name);
                let id = id.filter(|_| !self.is_by_reference(list.unwrap_or(item), name));
                let Some(id) = id else {
                    return self.unnamed(item, "this capture");
                };
                let value_is = true;
                found.push(Capture {
                    id,
                    node: value,
                    value: value_is,
                    reference: false,
                });
                continue;
            }
            match self.text(item) {
                "=" => by_default = Some(false),
                "&" => by_default = Some(true),
                "this" => {}
                _ => {
                    let mut names = tree.descendants(item);
                    let name = names.find(|&n| tree.kind(n) == Kind::Identifier);
                    let id = name.and_then(|n| self.unit.sema.definition(n));
                    let (Some(name), Some(id)) = (name, id) else {
                        return self.unnamed(item, "this capture");
                    };
                    found.push(Capture {
                        id,
                        node: name,
                        value: false,
                        reference: self.is_by_reference(list.unwrap_or(item), name),
                    });
                }
            }
        }
        let Some(reference) = by_default else {
            return Ok(found);
        };
        for inner in tree.descendants(node) {
            if tree.kind(inner) != Kind::Identifier {
                continue;
            }
            let Some(id) = self.unit.sema.definition(inner) else {
                continue;
            };
            let known = self.variables.contains_key(&id) || self.captured.contains_key(&id);
            if known && found.iter().all(|c| c.id != id) {
                found.push(Capture {
                    id,
                    node: inner,
                    value: false,
                    reference,
                });
            }
        }
        Ok(found)
    }

    /// What a captured variable is inside of the lambda.
    pub(super) fn captured_place(
        &mut self,
        id: DefinitionId,
        span: Span,
    ) -> Lowered<Option<Place>> {
        let (Some((field, reference)), Some(closure)) =
            (self.captured.get(&id).copied(), self.closure)
        else {
            return Ok(None);
        };
        let place = self.closure_field(closure, field, span)?;
        if !reference {
            return Ok(Some(place));
        }
        let pointer = self.read(place)?;
        Ok(Some(self.pointed(pointer, span)?))
    }

    fn closure_field(&mut self, closure: VariableId, field: u32, span: Span) -> Lowered<Place> {
        let mut place = self.whole(closure, span);
        place.atomicity = Atomicity::Plain;
        let pointer = self.read(place)?;
        let mut place = self.pointed(pointer, span)?;
        place.atomicity = Atomicity::Plain;
        let TypeKind::Record(record) = self.kind(place.ty) else {
            return Ok(place);
        };
        place.ty = self.unit.program.types.record(record).fields[field as usize].ty;
        place.path.push(Step::Field(field));
        Ok(place)
    }

    /// The closure that a type is.
    pub(super) fn closure_of(&self, ty: Type) -> Option<RecordId> {
        match self.kind(ty) {
            TypeKind::Record(record) if self.unit.closures.contains_key(&record) => Some(record),
            _ => None,
        }
    }

    /// A call of a lambda that a pointer leads to.
    pub(super) fn call_closure(
        &mut self,
        record: RecordId,
        closure: ExpressionId,
        call: NodeId,
    ) -> Lowered<ExpressionId> {
        let tree = self.unit.tree;
        let span = self.span(call);
        let Some(Closure { node, bindings, .. }) = self.unit.closures.get(&record).cloned() else {
            return self.unnamed(call, "a call of this form");
        };
        let given = self.arguments(call);
        let declarator = tree.child(node, Field::Declarator);
        let list = declarator.and_then(|d| tree.child(d, Field::Parameters));
        let declared = list.into_iter().flat_map(|l| tree.children(l));
        let declared: Vec<NodeId> = declared
            .filter(|&p| tree.kind(p) == Kind::ParameterDeclaration)
            .collect();
        let (mut values, mut types) = (vec![closure], Vec::new());
        for (index, parameter) in declared.iter().enumerate() {
            let default = || tree.child(*parameter, Field::DefaultValue);
            let Some(argument) = given.get(index).copied().or_else(default) else {
                return self.unnamed(call, "a call of this form");
            };
            let auto = tree.child_of_kind(*parameter, Kind::PlaceholderType);
            let (ty, reference) = match auto {
                Some(_) => {
                    let declarator = tree.child(*parameter, Field::Declarator);
                    self.deduced(declarator.unwrap_or(*parameter), argument)?
                }
                None => {
                    let around = std::mem::replace(&mut self.unit.bindings, bindings.clone());
                    let found = match tree.child(*parameter, Field::Declarator) {
                        Some(d) => self.unit.declared_type(*parameter, d),
                        None => self.unit.base_type(*parameter),
                    };
                    self.unit.bindings = around;
                    match found {
                        Some(found) => found,
                        None => return self.unnamed(*parameter, "a parameter of this type"),
                    }
                }
            };
            values.push(self.passed(argument, (ty, reference))?);
            types.push((ty, reference));
        }
        if given.len() > declared.len() {
            return self.unnamed(call, "a call of this form");
        }
        let around = std::mem::replace(&mut self.unit.bindings, bindings);
        let body = self.unit.closure_body(record, &declared, &types, node);
        self.unit.bindings = around;
        let body = body?;
        let made = &self.unit.program.bodies[body.0 as usize];
        let ty = made.result;
        Ok(self.push(ExpressionKind::Call(body, values), ty, span))
    }

    /// A call of a variable, if that is a lambda.
    pub(super) fn call_of_variable(
        &mut self,
        function: NodeId,
        call: NodeId,
    ) -> Lowered<ExpressionId> {
        let span = self.span(function);
        let place = match self.unit.tree.kind(function) {
            Kind::LambdaExpression => {
                let value = self.value(function)?;
                let ty = self.ty(value);
                let pointer = self.unit.program.types.pointer(ty);
                let bound = self.kept(value, pointer, span)?;
                return match self.closure_of(ty) {
                    Some(record) => self.call_closure(record, bound, call),
                    None => self.unnamed(call, "a call of this form"),
                };
            }
            _ => self.place(function)?,
        };
        let ty = self.body.place(place).ty;
        match self.closure_of(ty) {
            Some(record) => {
                let closure = self.address_of(place, span);
                self.call_closure(record, closure, call)
            }
            None => self.opaque(call, "a call of a variable"),
        }
    }
}

impl Unit<'_> {
    /// A record with fields of these types.
    fn closure_record(&mut self, types: &[Type]) -> RecordId {
        let mut record = Record {
            name: "a lambda".to_string(),
            fields: Vec::new(),
            size: 0,
            align: 1,
        };
        for &ty in types {
            let (size, align) = (self.program.types.size(ty), self.program.types.align(ty));
            let offset = record.size.next_multiple_of(align);
            record.fields.push(body::Field {
                name: String::new(),
                ty,
                offset,
            });
            record.size = offset + size;
            record.align = record.align.max(align);
        }
        record.size = record.size.max(1).next_multiple_of(record.align);
        self.program.types.add_record(record)
    }

    /// The function of a lambda for arguments of these types.
    fn closure_body(
        &mut self,
        record: RecordId,
        parameters: &[NodeId],
        types: &[(Type, bool)],
        node: NodeId,
    ) -> Lowered<BodyId> {
        let tree = self.tree;
        let key = (record, types.to_vec());
        if let Some(known) = self.closure_bodies.get(&key) {
            return Ok(*known);
        }
        let span = tree.span(node);
        let ty = self.program.types.of(TypeKind::Record(record));
        let mut variables = vec![Variable {
            name: "lambda".to_string(),
            ty: self.program.types.pointer(ty),
            memory: Memory::Private,
            span,
        }];
        for (parameter, (ty, _)) in parameters.iter().zip(types) {
            let name = self.parameter_name(*parameter);
            variables.push(Variable {
                name: name.map_or(String::new(), |n| tree.text(n, self.text).to_string()),
                ty: self.decayed(*ty),
                memory: Memory::Private,
                span: name.map_or(tree.span(*parameter), |n| tree.span(n)),
            });
        }
        let declarator = tree.child(node, Field::Declarator);
        let mut inside = declarator.into_iter().flat_map(|d| tree.children(d));
        let told = inside.find(|&n| tree.kind(n) == Kind::TypeDescriptor);
        let told = told.or_else(|| {
            let all = declarator.into_iter().flat_map(|d| tree.descendants(d));
            let list = declarator.and_then(|d| tree.child(d, Field::Parameters));
            let outside = |n: &NodeId| list.is_none_or(|l| !tree.is_within(*n, l));
            let mut all = all.filter(outside);
            all.find(|&n| tree.kind(n) == Kind::TypeDescriptor)
        });
        let result = match told {
            Some(told) => Some(self.descriptor(told).ok_or_else(|| super::Opaque {
                span: tree.span(told),
                what: "a function's result of this type".to_string(),
            })?),
            None => None,
        };
        let id = BodyId(self.program.bodies.len() as u32);
        self.closure_bodies.insert(key, id);
        let body = Body {
            name: "a lambda".to_string(),
            span,
            parameters: variables.len() as u32,
            variables,
            result: result.unwrap_or(Types::VOID),
            ..Body::default()
        };
        self.program.bodies.push(body.clone());
        let closure = self.closures.get(&record).cloned();
        let mut lower = Lower::new(self, body, Level::Item);
        lower.deduces_result = result.is_none();
        lower.closure = Some(VariableId::Local(0));
        if let Some(closure) = closure {
            let fields = closure.captures.iter().enumerate();
            lower.captured = fields
                .map(|(at, (id, reference))| (*id, (at as u32, *reference)))
                .collect::<HashMap<_, _>>();
            if let Some(ty) = closure.this {
                // A method's lambda goes on with its `this`.
                let this = lower.variable("this", ty, Memory::Private, span);
                let zeros = false;
                let kind = body::StatementKind::Declare {
                    variable: this,
                    zeros,
                };
                let declare = lower.push_statement(kind, span);
                let field = closure.captures.len() as u32;
                let place = lower.closure_field(VariableId::Local(0), field, span)?;
                let value = lower.read(place)?;
                let place = lower.whole(this, span);
                let mut begin = vec![declare];
                lower.assign(place, value, span, &mut begin);
                lower.body.root = begin;
                lower.this = Some(this);
            }
        }
        for (index, parameter) in parameters.iter().enumerate() {
            if let Some(name) = lower.unit.parameter_name(*parameter) {
                let variable = VariableId::Local(index as u32 + 1);
                lower.declare(name, variable, types[index].1);
            }
        }
        if let Some(body) = tree.child(node, Field::Body) {
            let statements = lower.statements_of(body);
            lower.body.root.extend(statements);
        }
        let body = lower.body;
        self.program.bodies[id.0 as usize] = body;
        Ok(id)
    }
}
