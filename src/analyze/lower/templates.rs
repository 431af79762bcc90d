//! Which function a call means, of several and of templates: by the types of its arguments.
//!
//! What templates' parameters stand for is known while one instance is made. A template is deduced from parameters whose type
//! is one of its own, with pointers and references around it; others have to be given.

use super::program::Unit;
use super::{Lower, Lowered};
use crate::body::{Type, TypeKind};
use crate::expr::{Scalar, Value};
use crate::sema::DefinitionId;
use crate::syntax::{Field, Kind, NodeId, is_declarator, is_name};

/// What a template's parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Bound {
    Type(Type),
    /// A number; `bool`s and enumerators, too.
    Number(Scalar, i64),
}

/// What parameters stand for, in order.
pub(super) type Bindings = Vec<(DefinitionId, Bound)>;

/// A function that a call may mean.
#[derive(Clone, Debug)]
pub(super) struct Callee {
    pub(super) id: DefinitionId,
    pub(super) node: NodeId,
    pub(super) bindings: Bindings,
}

impl Unit<'_> {
    /// What a parameter of the templates around stands for.
    pub(super) fn bound(&self, id: DefinitionId) -> Option<Bound> {
        let found = self.bindings.iter().find(|(known, _)| *known == id);
        found.map(|(_, bound)| *bound)
    }

    /// The number that a parameter of a template stands for.
    pub(super) fn bound_number(&self, id: DefinitionId) -> Option<Value> {
        match self.bound(id)? {
            Bound::Number(scalar, number) => Some(Value::Int(scalar, number)),
            Bound::Type(_) => None,
        }
    }

    /// The template that a function's definition belongs to.
    pub(super) fn template_of(&self, function: NodeId) -> Option<NodeId> {
        let around = self.tree.parent(function)?;
        (self.tree.kind(around) == Kind::TemplateDeclaration).then_some(around)
    }

    /// A template's parameters: their names, and whether they are types; `None` if there is one of another kind.
    fn template_parameters(&self, template: NodeId) -> Option<Vec<(NodeId, DefinitionId)>> {
        let tree = self.tree;
        let list = tree.child(template, Field::Parameters)?;
        let one = |parameter: NodeId| {
            let mut names = tree
                .descendants(parameter)
                .filter(|&n| is_name(tree.kind(n)));
            let name = names.find(|&n| self.is_declaration(n))?;
            Some((parameter, self.sema.definition(name)?))
        };
        tree.children(list).map(one).collect()
    }

    /// What an argument of a template is, for that parameter.
    fn template_argument(&mut self, parameter: NodeId, argument: NodeId) -> Option<Bound> {
        match self.tree.kind(parameter) {
            Kind::TypeParameter => self.descriptor(argument).map(Bound::Type),
            _ => {
                let (ty, _) = self.base_type(parameter)?;
                let scalar = self.program.types.as_scalar(ty)?;
                let value = self.constant(argument)?;
                Some(Bound::Number(scalar, value))
            }
        }
    }
}

impl Lower<'_, '_> {
    /// The function that a call of a name means; `None` for what is no function of the program. What is one of several, and
    /// not known which, is an error.
    pub(super) fn callee(&mut self, call: NodeId) -> Lowered<Option<Callee>> {
        let tree = self.unit.tree;
        if tree.kind(call) != Kind::CallExpression {
            return Ok(None);
        }
        let Some(function) = tree.child(call, Field::Function) else {
            return Ok(None);
        };
        let function = tree.unparenthesized(function);
        let given_types = match tree.kind(function) {
            Kind::TemplateFunction => tree.child(function, Field::Arguments),
            _ => None,
        };
        let name = match tree.kind(function) {
            Kind::TemplateFunction => tree.child(function, Field::Name),
            Kind::Identifier | Kind::QualifiedIdentifier => Some(function),
            _ => None,
        };
        // What sema knows alone needs no types from here.
        let known = match given_types {
            None => self.unit.sema.callee(call),
            Some(_) => None,
        };
        let known = known.and_then(|id| Some((id, *self.unit.functions.get(&id)?)));
        if let Some((id, node)) = known
            && self.unit.template_of(node).is_none()
        {
            let bindings = Bindings::new();
            let callee = Callee { id, node, bindings };
            return Ok((!self.unit.is_kernel(id)).then_some(callee));
        }
        let Some(first) = name.and_then(|n| self.unit.sema.definition(n)) else {
            return Ok(None);
        };
        let sema = self.unit.sema;
        let all = std::iter::successors(Some(first), |id| sema.overload_before(*id));
        let candidates: Vec<(DefinitionId, NodeId)> = all
            .filter(|id| !self.unit.is_kernel(*id))
            .filter_map(|id| Some((id, *self.unit.functions.get(&id)?)))
            .collect();
        if candidates.is_empty() {
            return Ok(None);
        }
        if self.unit.specialised.contains(sema.name(first)) {
            return self.opaque(call, "a call of a template with specialisations");
        }
        let given = self.arguments(call);
        let mut types = Vec::new();
        for argument in &given {
            let lengths = self.lengths();
            let ty = self.value(*argument).map(|v| self.ty(v));
            self.forget(lengths);
            types.push(ty?);
        }
        let mut best: Option<(u32, Callee)> = None;
        let mut twice = false;
        for (id, node) in candidates {
            let Some((cost, bindings)) = self.fitting(node, given_types, &types) else {
                continue;
            };
            let callee = Callee { id, node, bindings };
            twice = match &best {
                Some((least, _)) if *least < cost => continue,
                Some((least, _)) => *least == cost,
                None => false,
            };
            best = Some((cost, callee));
        }
        match best {
            Some((_, callee)) if !twice => Ok(Some(callee)),
            _ => self.unnamed(call, "a call of one of several functions"),
        }
    }

    /// How well a function takes arguments, less being better, and what its template's parameters are then.
    fn fitting(
        &mut self,
        node: NodeId,
        given_types: Option<NodeId>,
        types: &[Type],
    ) -> Option<(u32, Bindings)> {
        let tree = self.unit.tree;
        let template = self.unit.template_of(node);
        if given_types.is_some() && template.is_none() {
            return None;
        }
        let declarator = self.unit.function_declarator(node)?;
        let list = tree.child(declarator, Field::Parameters)?;
        let parameters: Vec<NodeId> = tree.children(list).collect();
        let plain = |p: &NodeId| tree.kind(*p) == Kind::ParameterDeclaration;
        if !parameters.iter().all(plain) || types.len() > parameters.len() {
            return None;
        }
        let needed = parameters
            .iter()
            .filter(|p| tree.child(**p, Field::DefaultValue).is_none());
        if needed.count() > types.len() {
            return None;
        }
        let mut bindings = Bindings::new();
        let mut cost = 0;
        if let Some(template) = template {
            // Functions that are no templates are better, and those of more is said.
            cost += 40;
            let known = self.unit.template_parameters(template)?;
            let given = given_types.into_iter().flat_map(|l| tree.children(l));
            let given: Vec<NodeId> = given.collect();
            for ((parameter, id), argument) in known.iter().zip(&given) {
                let bound = self.unit.template_argument(*parameter, *argument)?;
                bindings.push((*id, bound));
            }
            for (parameter, ty) in parameters.iter().zip(types) {
                self.deduce(*parameter, *ty, &known, &mut bindings);
            }
            for (parameter, id) in &known {
                if bindings.iter().any(|(bound, _)| bound == id) {
                    continue;
                }
                let default = tree.child(*parameter, Field::DefaultValue);
                let default = default.or_else(|| match tree.kind(*parameter) {
                    Kind::TypeParameter => tree.child_of_kind(*parameter, Kind::TypeDescriptor),
                    _ => None,
                })?;
                let around = self.unit.bindings.clone();
                self.unit.bindings.extend(bindings.iter().copied());
                let bound = self.unit.template_argument(*parameter, default);
                self.unit.bindings = around;
                bindings.push((*id, bound?));
            }
        }
        let around = self.unit.bindings.clone();
        self.unit.bindings.extend(bindings.iter().copied());
        let mut wanted = Vec::new();
        for parameter in &parameters {
            let found = match tree.child(*parameter, Field::Declarator) {
                Some(declarator) => {
                    if template.is_some() {
                        // `f(T *)` says more than `f(T)`.
                        let mut all = tree.descendants(declarator);
                        let pointer = all.any(|n| tree.kind(n) == Kind::PointerDeclarator);
                        cost -= u32::from(pointer && cost > 0);
                    }
                    self.unit.declared_type(*parameter, declarator)
                }
                None => self.unit.base_type(*parameter),
            };
            wanted.push(found);
        }
        self.unit.bindings = around;
        for (wanted, given) in wanted.into_iter().zip(types) {
            let (ty, reference) = wanted?;
            let ty = match reference {
                true => self.unit.program.types.element(ty)?,
                false => self.unit.decayed(ty),
            };
            cost += self.distance(*given, ty)?;
        }
        Some((cost, bindings))
    }

    /// How far a type is from another one that it can be converted to.
    fn distance(&self, from: Type, to: Type) -> Option<u32> {
        if from == to {
            return Some(0);
        }
        match (self.kind(from), self.kind(to)) {
            (TypeKind::Scalar(a), TypeKind::Scalar(b)) if a.promoted() == b => Some(100),
            (TypeKind::Scalar(Scalar::Float), TypeKind::Scalar(Scalar::Double)) => Some(100),
            (TypeKind::Scalar(_), TypeKind::Scalar(_)) => Some(1000),
            (TypeKind::Pointer(_), TypeKind::Scalar(Scalar::Bool)) => Some(2000),
            (TypeKind::Pointer(_), TypeKind::Pointer(to)) => {
                (to == crate::body::Types::VOID).then_some(1000)
            }
            (TypeKind::Scalar(a), TypeKind::Pointer(_)) => (a == Scalar::Int).then_some(3000),
            (TypeKind::Scalar(_), TypeKind::Vector(_)) => Some(1000),
            // An array's parameter that is a reference to one.
            (TypeKind::Pointer(of), TypeKind::Array(element, _)) if of == element => Some(0),
            _ => None,
        }
    }

    /// Finds what a template's parameter is where a function's parameter is of that type.
    fn deduce(
        &mut self,
        parameter: NodeId,
        mut ty: Type,
        known: &[(NodeId, DefinitionId)],
        bindings: &mut Bindings,
    ) {
        let tree = self.unit.tree;
        let mut named = tree
            .children(parameter)
            .filter(|&c| tree.field(c) == Field::Type);
        let Some(named) = named
            .next()
            .filter(|n| tree.kind(*n) == Kind::TypeIdentifier)
        else {
            return;
        };
        let Some(id) = self.unit.sema.definition(named) else {
            return;
        };
        let own = known.iter().any(|(_, own)| *own == id);
        if !own || bindings.iter().any(|(bound, _)| *bound == id) {
            return;
        }
        let mut at = tree.child(parameter, Field::Declarator);
        while let Some(node) = at {
            match tree.kind(node) {
                Kind::PointerDeclarator => match self.kind(ty) {
                    TypeKind::Pointer(to) => ty = to,
                    _ => return,
                },
                Kind::ArrayDeclarator => match self.kind(ty) {
                    TypeKind::Pointer(to) => ty = to,
                    _ => return,
                },
                _ => {}
            }
            let inner = tree.child(node, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(node);
                parts.find(|&c| is_declarator(tree.kind(c)) && tree.field(c) != Field::Size)
            });
        }
        bindings.push((id, Bound::Type(ty)));
    }
}
