//! The types of calls.

use super::definitions::Definition;
use super::types::{Type, TypeKind, Types};
use super::{DefinitionId, DefinitionKind, Sema, library};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::syntax::{Field, Kind, NodeId, attributes_of, is_name, parameters};

impl Sema<'_> {
    /// The arguments of a call.
    fn given(&self, call: NodeId) -> Vec<NodeId> {
        let list = self.tree.child(call, Field::Arguments);
        list.map_or(Vec::new(), |l| self.tree.children(l).collect())
    }

    /// The types of a call's arguments, if all are scalars.
    fn arguments(&self, call: NodeId) -> Option<Vec<Scalar>> {
        self.tree.child(call, Field::Arguments)?;
        let given = self.given(call);
        given.into_iter().map(|a| self.scalar(a)).collect()
    }

    pub(super) fn call(&self, node: NodeId) -> Option<Type> {
        let tree = self.tree;
        let function = tree.unparenthesized(tree.child(node, Field::Function)?);
        match tree.kind(function) {
            Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier => {
                return Some(self.described(function));
            }
            // `static_cast<T>(x)`
            Kind::TemplateFunction => {
                let name = tree.child(function, Field::Name)?;
                return match self.definition(name) {
                    Some(id) => self.called(id, node),
                    None => {
                        let casts = ["static_cast", "reinterpret_cast", "const_cast"];
                        let casts = casts.contains(&tree.text(name, self.text));
                        let mut inside = tree.descendants(function);
                        let ty = inside.find(|&n| tree.kind(n) == Kind::TypeDescriptor);
                        let ty = self.described(ty.filter(|_| casts)?);
                        Some(self.types.borrow().referred(ty))
                    }
                };
            }
            Kind::FieldExpression => {
                let name = tree.text(tree.child(function, Field::FieldName)?, self.text);
                let TypeKind::Record(record) = self.kind(self.object(function)?) else {
                    return None;
                };
                return self.called(self.names().member(record, name, self.text)?, node);
            }
            Kind::Identifier | Kind::QualifiedIdentifier => {}
            _ => return self.result(self.type_of(function)),
        }
        if let Some(id) = self.definition(function) {
            return self.called(id, node);
        }
        let name = match tree.kind(function) {
            Kind::QualifiedIdentifier => {
                let mut parts = tree.children(function).map(|c| tree.text(c, self.text));
                match (parts.next(), parts.next(), parts.next()) {
                    (Some("std"), Some(name), None) => name,
                    _ => return None,
                }
            }
            _ => tree.text(function, self.text),
        };
        let made = name.strip_prefix("make_").unwrap_or(name);
        if let Some(vector) = VectorType::from_name(made) {
            return Some(self.of(TypeKind::Vector(vector)));
        }
        // `uint(x)`
        let scalar =
            Scalar::from_words([name]).or_else(|| library::result(name, &self.arguments(node)?))?;
        Some(self.of(TypeKind::Scalar(scalar)))
    }

    /// What a parameter or a local declares, if it declares one name.
    pub(crate) fn declared(&self, declaration: NodeId) -> Option<DefinitionId> {
        let tree = self.tree;
        let mut names = tree
            .descendants(declaration)
            .filter(|&n| is_name(tree.kind(n)));
        names.find_map(|n| {
            let id = self.definition(n)?;
            let own = self.defined(id).kind == DefinitionKind::Variable;
            (own && self.name_span(id) == tree.span(n)).then_some(id)
        })
    }

    /// Whether a function may change what it is given for a parameter.
    fn may_change_through(&self, parameter: NodeId) -> bool {
        let Some(definition) = self.declared(parameter).map(|id| self.defined(id)) else {
            return false;
        };
        let said = definition.qualified;
        match self.kind(definition.ty) {
            TypeKind::Array(_) => !said.own.constant,
            TypeKind::Pointer(_) | TypeKind::Reference(_) => !said.pointed.constant,
            // A name of a type that is not there may stand for a pointer.
            TypeKind::Unknown => true,
            _ => false,
        }
    }

    /// Whether a call of a method may change the object that it is called of; that, if so.
    fn changed_object(&self, call: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        let function = tree.unparenthesized(tree.child(call, Field::Function)?);
        if tree.kind(function) != Kind::FieldExpression {
            return None;
        }
        let keeps = |method: NodeId| {
            let head = tree
                .descendants(method)
                .find(|&n| tree.kind(n) == Kind::FunctionDeclarator);
            head.is_some_and(|head| {
                let mut parts = tree.children(head);
                parts.any(|n| {
                    tree.kind(n) == Kind::TypeQualifier && tree.text(n, self.text) == "const"
                })
            })
        };
        let methods = self.callees(call);
        let object = tree.child(function, Field::Argument);
        object.filter(|_| !methods.is_empty() && !methods.into_iter().all(keeps))
    }

    /// What a call of a function of the program may change: what it is given for parameters through which that is possible,
    /// and the object of a method.
    pub(crate) fn changed_by(&self, call: NodeId) -> Vec<NodeId> {
        let given = self.tree.child(call, Field::Arguments);
        let given = given.into_iter().flat_map(|list| self.tree.children(list));
        let changed = given.enumerate().filter(|(position, _)| {
            let mut parameters = self.parameters_for(call, *position).into_iter();
            parameters.any(|p| self.may_change_through(p))
        });
        let changed = changed.map(|(_, given)| given);
        changed.chain(self.changed_object(call)).collect()
    }

    /// Whether a call may give a function of the program a reference to what it is given at a position, through which
    /// that is changed.
    pub(crate) fn may_bind(&self, call: NodeId, position: usize) -> bool {
        self.parameters_for(call, position).into_iter().any(|p| {
            let known = self.declared(p).map(|id| self.kind(self.defined(id).ty));
            matches!(known, Some(TypeKind::Reference(_))) && self.may_change_through(p)
        })
    }

    /// What the functions that a call may run declare for the argument at a position.
    pub(crate) fn parameters_for(&self, call: NodeId, position: usize) -> Vec<NodeId> {
        let called = self.callees(call).into_iter();
        let found = called.filter_map(|f| parameters(self.tree, f)?.0.get(position).copied());
        found.collect()
    }

    /// The functions of the program that a call may run: all of that name that are known there, or, of what a method is
    /// called of is not known, all methods of that name.
    pub(crate) fn callees(&self, call: NodeId) -> Vec<NodeId> {
        let tree = self.tree;
        let names = self.names();
        let Some(function) = tree.child(call, Field::Function) else {
            return Vec::new();
        };
        let function = tree.unparenthesized(function);
        let id = match tree.kind(function) {
            Kind::FieldExpression => {
                let Some(name) = tree.child(function, Field::FieldName) else {
                    return Vec::new();
                };
                let name = tree.text(name, self.text);
                let member = match self.object(function).map(|of| self.kind(of)) {
                    Some(TypeKind::Record(record)) => names.member(record, name, self.text),
                    _ => None,
                };
                match member {
                    None => return names.bodies_named(name, self.text),
                    member => member,
                }
            }
            Kind::TemplateFunction => {
                let name = tree.child(function, Field::Name);
                name.and_then(|n| self.definition(n))
            }
            _ => self.definition(function),
        };
        let all = std::iter::successors(id, |id| self.defined(*id).overloads);
        // Nobody calls a kernel: that is a function of the library of the same name.
        let is_kernel = |node: &NodeId| {
            let attributes = attributes_of(tree, *node, self.text);
            attributes.iter().any(|a| a.name == "kernel")
        };
        let bodies = all.flat_map(|id| names.bodies(id).iter().copied());
        bodies.filter(|n| !is_kernel(n)).collect()
    }

    /// What a call of a definition is.
    fn called(&self, id: DefinitionId, call: NodeId) -> Option<Type> {
        let definition = self.defined(id);
        match definition.kind {
            DefinitionKind::Function => {
                self.result(self.defined(self.overload(id, call, false)?).ty)
            }
            _ if definition.is_type() => Some(definition.ty),
            _ => self.result(self.type_of_definition(id)),
        }
    }

    /// The function of the program that a call means; `None` where that may be one of several, or something else.
    pub(crate) fn callee(&self, call: NodeId) -> Option<DefinitionId> {
        let tree = self.tree;
        let function = tree.unparenthesized(tree.child(call, Field::Function)?);
        let id = match tree.kind(function) {
            Kind::FieldExpression => {
                let name = tree.text(tree.child(function, Field::FieldName)?, self.text);
                let TypeKind::Record(record) = self.kind(self.object(function)?) else {
                    return None;
                };
                self.names().member(record, name, self.text)?
            }
            Kind::Identifier | Kind::QualifiedIdentifier => self.definition(function)?,
            _ => return None,
        };
        let is_function = self.defined(id).kind == DefinitionKind::Function;
        is_function.then(|| self.overload(id, call, true))?
    }

    /// What a call of something of a type is: of a variable with `@dim`, `m(i, j)`, an element.
    fn result(&self, ty: Type) -> Option<Type> {
        let ty = match self.kind(ty) {
            TypeKind::Pointer(to) | TypeKind::Array(to) => to,
            TypeKind::Function(_) => ty,
            _ => return None,
        };
        let result = match self.kind(ty) {
            TypeKind::Function(result) => result,
            _ => ty,
        };
        Some(self.types.borrow().referred(result))
    }

    /// The function of that name which a call means; `None` where it may be one of several with different results.
    ///
    /// Where `exactly` is given, that is not enough: it has to be known which one it is.
    fn overload(&self, id: DefinitionId, call: NodeId, exactly: bool) -> Option<DefinitionId> {
        let given = self.given(call);
        let all = std::iter::successors(Some(id), |id| self.defined(*id).overloads);
        let fitting: Vec<(DefinitionId, &Definition)> = all
            .map(|id| (id, self.defined(id)))
            .filter(|(_, d)| {
                d.least_arguments <= given.len()
                    && (d.variadic || given.len() <= d.parameters.len())
            })
            .collect();
        let (first, _) = *fitting.first()?;
        if !exactly && fitting.iter().all(|(_, f)| f.ty == self.defined(first).ty) {
            return Some(first);
        }
        if let [(only, _)] = fitting.as_slice() {
            return Some(*only);
        }
        let types: Vec<Type> = given.iter().map(|&a| self.value_of(a)).collect();
        let known = types.iter().all(|t| *t != Types::UNKNOWN);
        let exact = |(_, f): &&(DefinitionId, &Definition)| {
            f.parameters.len() == types.len()
                && f.parameters.iter().zip(&types).all(|(p, t)| p == t)
        };
        let found = fitting.iter().find(exact).filter(|_| known)?;
        Some(found.0)
    }
}
