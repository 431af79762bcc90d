//! Variables of bodies, and what they begin with.

use super::{Level, Lower, Lowered};
use crate::body::{
    ExpressionId, ExpressionKind, Memory, Place, StatementId, StatementKind, Type, TypeKind,
    Variable, VariableId,
};
use crate::expr::Scalar;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, is_name};

/// How many elements an array may have that is copied as a whole.
const MOST_COPIED: u64 = 64;

impl Lower<'_, '_> {
    /// Makes the parameters known; their variables are there.
    pub(super) fn note_parameters(
        &mut self,
        function: NodeId,
        skip: usize,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let declarator = self.unit.function_declarator(function);
        let list = declarator.and_then(|d| tree.child(d, Field::Parameters));
        let all = list.into_iter().flat_map(|l| tree.children(l));
        let all: Vec<NodeId> = all
            .filter(|&p| tree.kind(p) == Kind::ParameterDeclaration)
            .collect();
        let parameters = all.clone();
        for (index, parameter) in all.into_iter().enumerate() {
            let Some(name) = self.unit.parameter_name(parameter) else {
                continue;
            };
            let Some(declarator) = tree.child(parameter, Field::Declarator) else {
                continue;
            };
            let declared = self.unit.declared_type(parameter, declarator);
            let reference = declared.is_some_and(|(_, reference)| reference);
            self.declare(name, VariableId::Local((index + skip) as u32), reference);
        }
        for parameter in parameters {
            if let Some(name) = self.unit.parameter_name(parameter) {
                self.keep_extents(parameter, name, out)?;
            }
        }
        Ok(())
    }

    /// Keeps the extents of a variable with `@dim`, where others of their names, or other values, may be there when its
    /// elements are accessed.
    fn keep_extents(
        &mut self,
        declaration: NodeId,
        name: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let Some(id) = self.unit.sema.definition(name) else {
            return Ok(());
        };
        let kept = self.unit.dimensions.values().any(|(_, dimensions)| {
            let extents = dimensions.extents.iter();
            { extents }.any(|e| e.starts_with("brook_dim_"))
        });
        if !kept {
            return Ok(());
        }
        let mut attributes = attributes_of(tree, declaration, self.unit.text);
        let behind = tree.descendants(declaration);
        for node in behind.filter(|&n| tree.kind(n) == Kind::AttributedDeclarator) {
            if tree.descendants(node).any(|n| n == name) {
                attributes.extend(attributes_of(tree, node, self.unit.text));
            }
        }
        let Some(dim) = attributes.iter().find(|a| a.name == "dim") else {
            return Ok(());
        };
        let span = self.span(name);
        let mut variables = Vec::new();
        for extent in dim.split() {
            let value = self.attribute_text(extent, span)?;
            let value = self.as_scalar(value, Scalar::Long)?;
            let variable = self.hidden("", Scalar::Long, span, out);
            let place = self.whole(variable, span);
            self.assign(place, value, span, out);
            variables.push(variable);
        }
        self.extents.insert(id, variables);
        Ok(())
    }

    pub(super) fn declare(&mut self, name: NodeId, variable: VariableId, reference: bool) {
        if let Some(id) = self.unit.sema.definition(name) {
            self.variables.insert(id, (variable, reference));
        }
        self.visible.push((self.text(name), variable));
    }

    pub(super) fn declaration(&mut self, node: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let tree = self.unit.tree;
        let attributes = attributes_of(tree, node, self.unit.text);
        let declarators = { tree.children(node) }.filter(|&c| tree.field(c) == Field::Declarator);
        let is_static = |n: NodeId| {
            tree.kind(n) == Kind::StorageClass
                && matches!(self.text(n), "static" | "extern" | "thread_local")
        };
        let kept = tree.children(node).any(is_static);
        for declarator in declarators {
            let mut all = tree.descendants(declarator);
            if let Some(list) = all.find(|&n| tree.kind(n) == Kind::StructuredBinding) {
                self.bindings(node, declarator, list, out)?;
                continue;
            }
            let name = {
                let mut all = tree.descendants(declarator);
                all.find(|&n| tree.kind(n) == Kind::Identifier && self.unit.is_declaration(n))
            };
            let Some(name) = name else {
                return self.unnamed(declarator, "a declaration of this form");
            };
            let behind = {
                let mut all = tree.descendants(declarator);
                all.find(|&n| tree.kind(n) == Kind::AttributedDeclarator)
            };
            let behind = behind.map_or(Vec::new(), |n| attributes_of(tree, n, self.unit.text));
            let has = |name: &str| attributes.iter().chain(&behind).any(|a| a.name == name);
            let memory = match (has("shared"), has("exclusive")) {
                (true, _) => Memory::Shared,
                (_, true) => Memory::Exclusive,
                // The type may say so, too.
                _ => match self.unit.memories.get(&self.span(name)) {
                    Some(memory) => *memory,
                    None => self.memory_here(),
                },
            };
            let around = self.atomic.clone();
            if has("atomic") {
                self.atomic = Some(self.atomic_memory(node));
            }
            let made = self.declared(node, declarator, name, memory, kept, out);
            self.atomic = around;
            made?;
            self.keep_extents(node, name, out)?;
        }
        Ok(())
    }

    fn declared(
        &mut self,
        declaration: NodeId,
        declarator: NodeId,
        name: NodeId,
        memory: Memory,
        kept: bool,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let span = self.span(name);
        let value = self.unit.initialiser(declaration, declarator);
        let specifier = |kind| tree.specifiers(declaration).find(|&c| tree.kind(c) == kind);
        let placeholder = specifier(Kind::PlaceholderType);
        let auto = placeholder.is_some();
        let asked = specifier(Kind::Decltype);
        let asked = asked.and_then(|d| tree.children(d).next());
        let same = placeholder.is_some_and(|p| tree.child_of_kind(p, Kind::Decltype).is_some());
        let (ty, reference) = match (auto || same, value) {
            (true, Some(value)) if same => self.type_told(value)?,
            (true, Some(value)) => self.deduced(declarator, value)?,
            _ if let Some(asked) = asked => match self.type_told(asked)? {
                (ty, false) => {
                    let declared = self.unit.type_of_declarator(declarator, (ty, false));
                    match declared {
                        Some(found) => found,
                        None => return self.variable_unknown(declaration, declarator),
                    }
                }
                found => found,
            },
            _ => match self.unit.declared_type(declaration, declarator) {
                Some(found) => found,
                None => return self.variable_unknown(declaration, declarator),
            },
        };
        if kept {
            let constant = tree.specifiers(declaration).any(|n| {
                tree.kind(n) == Kind::TypeQualifier && matches!(self.text(n), "const" | "constexpr")
            });
            if !constant {
                return self.unnamed(declarator, "a variable that stays");
            }
            if self.unit.sema.address_may_leave(declaration) {
                return self.opaque(declarator, "a static table that a function gives away");
            }
        }
        let variable = self.variable(self.unit.tree.text(name, self.unit.text), ty, memory, span);
        let list = value.is_some_and(|v| tree.kind(v) == Kind::InitializerList);
        if value.is_none_or(|v| tree.kind(v) != Kind::InitializerList) && self.has_constructor(ty) {
            let copied = value.is_some_and(|v| tree.kind(v) != Kind::ArgumentList);
            if !copied {
                return self.unnamed(declarator, "a constructor");
            }
        }
        // A value is computed before there is the variable.
        let declare = StatementKind::Declare {
            variable,
            zeros: list && !reference,
        };
        let declare = self.push_statement(declare, self.span(declarator));
        out.push(declare);
        self.declare(name, variable, reference);
        let Some(value) = value else { return Ok(()) };
        if reference {
            let bound = self.bound(value, ty)?;
            out.append(&mut self.before);
            let place = self.whole(variable, span);
            self.assign(place, bound, self.span(value), out);
            return Ok(());
        }
        self.initialise(variable, value, span, out)
    }

    /// `auto [a, b] = value`: names of the parts of a variable without a name, or of what `auto &[a, b]` refers to.
    fn bindings(
        &mut self,
        declaration: NodeId,
        declarator: NodeId,
        list: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let tree = self.unit.tree;
        let span = self.span(list);
        let Some(value) = self.unit.initialiser(declaration, declarator) else {
            return self.unnamed(declarator, "a declaration of this form");
        };
        let mut outside = tree.descendants(declarator);
        let whole = match outside.any(|n| tree.kind(n) == Kind::ReferenceDeclarator) {
            true => {
                let place = self.place(value)?;
                self.body.place(place).clone()
            }
            false => {
                // An array is copied, too.
                let ty = match self.array(value)? {
                    Some(place) => place.ty,
                    None => self.deduced(declarator, value)?.0,
                };
                let memory = self.memory_here();
                let variable = self.variable("", ty, memory, span);
                let zeros = false;
                let kind = StatementKind::Declare { variable, zeros };
                out.push(self.push_statement(kind, span));
                let place = self.whole(variable, span);
                match self.kind(ty) {
                    TypeKind::Array(..) => self.copy_array(place.clone(), value, out)?,
                    _ => self.begin(place.clone(), value, out)?,
                }
                place
            }
        };
        let names = tree.children(list).filter(|&n| is_name(tree.kind(n)));
        for (at, name) in names.collect::<Vec<_>>().into_iter().enumerate() {
            let part = self.part_of(&whole, at as u64, name)?;
            let ty = self.unit.program.types.pointer(part.ty);
            let part = self.push_place(part);
            let address = self.push(ExpressionKind::AddressOf(part), ty, span);
            let memory = self.memory_here();
            let variable = self.variable(self.text(name), ty, memory, self.span(name));
            let zeros = false;
            let kind = StatementKind::Declare { variable, zeros };
            out.push(self.push_statement(kind, span));
            let place = self.whole(variable, span);
            self.assign(place, address, span, out);
            self.declare(name, variable, true);
        }
        Ok(())
    }

    /// Copies an array, element by element.
    fn copy_array(&mut self, to: Place, value: NodeId, out: &mut Vec<StatementId>) -> Lowered<()> {
        let TypeKind::Array(_, count) = self.kind(to.ty) else {
            return self.unnamed(value, "a copy of this type");
        };
        let Some(from) = self.array(value)?.filter(|_| count <= MOST_COPIED) else {
            return self.unnamed(value, "a copy of this array");
        };
        for at in 0..count {
            let (to, from) = (
                self.part_of(&to, at, value)?,
                self.part_of(&from, at, value)?,
            );
            if matches!(self.kind(to.ty), TypeKind::Array(..)) {
                return self.unnamed(value, "a copy of this array");
            }
            let element = self.read(from)?;
            self.assign(to, element, self.span(value), out);
        }
        Ok(())
    }

    /// What `decltype` says of an expression, and whether that is a reference: what names memory, but is no plain name, is
    /// one.
    fn type_told(&mut self, node: NodeId) -> Lowered<(Type, bool)> {
        let tree = self.unit.tree;
        let inner = tree.unparenthesized(node);
        let plain = inner == node
            && matches!(
                tree.kind(node),
                Kind::Identifier | Kind::QualifiedIdentifier | Kind::FieldExpression
            );
        let lengths = self.lengths();
        let found = match self.place(inner) {
            Ok(place) => {
                let ty = self.body.place(place).ty;
                Ok((ty, !plain))
            }
            Err(_) => self.value(inner).map(|v| (self.ty(v), false)),
        };
        self.forget(lengths);
        match found? {
            (ty, true) => Ok((self.unit.program.types.pointer(ty), true)),
            found => Ok(found),
        }
    }

    /// How much there is of the body; what is added only to know its type is taken away again.
    pub(super) fn lengths(&self) -> [usize; 4] {
        [
            self.body.expressions.len(),
            self.body.places.len(),
            self.body.variables.len(),
            self.before.len(),
        ]
    }

    pub(super) fn forget(&mut self, [expressions, places, variables, before]: [usize; 4]) {
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        self.body.variables.truncate(variables);
        self.before.truncate(before);
    }

    /// The type of an `auto` variable, and whether it is a reference.
    pub(super) fn deduced(&mut self, declarator: NodeId, value: NodeId) -> Lowered<(Type, bool)> {
        let tree = self.unit.tree;
        let mut reference = false;
        let mut at = Some(declarator);
        while let Some(node) = at {
            match tree.kind(node) {
                Kind::ReferenceDeclarator => reference = true,
                // `auto *p` is a pointer as `auto p` is.
                Kind::ArrayDeclarator | Kind::FunctionDeclarator => {
                    return self.unnamed(declarator, "a variable of this type");
                }
                _ => {}
            }
            let inner = tree.child(node, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(node);
                parts.find(|&c| crate::syntax::is_declarator(tree.kind(c)))
            });
        }
        // `auto x(1)`
        let inside = tree.children(value).next();
        let value = match (tree.kind(value), inside) {
            (Kind::ArgumentList | Kind::InitializerList, Some(only)) => only,
            _ => value,
        };
        let (expressions, places) = (self.body.expressions.len(), self.body.places.len());
        let variables = self.body.variables.len();
        let before = self.before.len();
        let ty = match reference {
            true => self.place(value).map(|p| self.body.place(p).ty),
            false => self.value(value).map(|v| self.ty(v)),
        };
        self.body.expressions.truncate(expressions);
        self.body.places.truncate(places);
        self.body.variables.truncate(variables);
        self.before.truncate(before);
        let ty = ty?;
        match reference {
            true => Ok((self.unit.program.types.pointer(ty), true)),
            false => Ok((ty, false)),
        }
    }

    pub(super) fn assign(
        &mut self,
        place: Place,
        value: ExpressionId,
        span: Span,
        out: &mut Vec<StatementId>,
    ) {
        let ty = place.ty;
        let place = self.push_place(place);
        let assigned = self.push(ExpressionKind::Assign { place, value }, ty, span);
        out.append(&mut self.before);
        let statement = self.push_statement(StatementKind::Expression(assigned), span);
        out.push(statement);
    }

    /// A new variable for what the language keeps without a name.
    pub(super) fn hidden(
        &mut self,
        name: &str,
        scalar: Scalar,
        span: Span,
        out: &mut Vec<StatementId>,
    ) -> VariableId {
        let ty = self.scalar_type(scalar);
        let memory = match self.level {
            Level::Host => Memory::Host,
            Level::Group => Memory::Group,
            Level::Item => Memory::Private,
        };
        let id = VariableId::Local(self.body.variables.len() as u32);
        self.body.variables.push(Variable {
            name: name.to_string(),
            ty,
            memory,
            span,
        });
        let declare = StatementKind::Declare {
            variable: id,
            zeros: false,
        };
        let declare = self.push_statement(declare, span);
        out.push(declare);
        id
    }
}
