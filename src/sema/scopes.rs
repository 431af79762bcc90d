//! From each use of a name to its declaration, in one pass over the tree.
//!
//! A name is visible from its declarator on to the end of the scope around it; the members of a class are in all of it.
//! What is declared in a scope hides what is declared outside.

use super::declared_types::Base;
use super::definitions::{Definition, DefinitionId, DefinitionKind};
use super::meanings::Meanings;
use super::qualifiers::Qualified;
use super::types::{Type, TypeKind, Types};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, has_scoped_enumerators, is_name, is_record};
use std::collections::HashMap;

const NONE: u32 = u32::MAX;

/// What is found by the pass.
pub(super) struct Names {
    definitions: Vec<Definition>,
    /// For each node that is a name: its definition.
    uses: Vec<u32>,
    /// The types that descriptors of types name, as in casts, and those that declarations begin with.
    pub(super) described: HashMap<NodeId, Type>,
    /// The definitions of functions with a body.
    bodies: HashMap<DefinitionId, Vec<NodeId>>,
}

impl Names {
    pub(super) fn of(&self, name: NodeId) -> Option<DefinitionId> {
        let found = self.uses.get(name.index()).copied();
        found.filter(|&id| id != NONE).map(DefinitionId)
    }

    pub(super) fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The functions with a body that a definition stands for.
    pub(super) fn bodies(&self, id: DefinitionId) -> &[NodeId] {
        self.bodies.get(&id).map_or(&[], Vec::as_slice)
    }

    /// All functions with a body, of whatever class or namespace, that have that name.
    pub(super) fn bodies_named(&self, name: &str, text: &str) -> Vec<NodeId> {
        let named = self
            .bodies
            .iter()
            .filter(|(id, _)| self.definition(**id).name.of(text) == name);
        named
            .flat_map(|(_, bodies)| bodies.iter().copied())
            .collect()
    }

    /// For each definition the nodes that are names of it, its own included.
    pub(super) fn all_uses(&self) -> Vec<Vec<NodeId>> {
        let mut uses = vec![Vec::new(); self.definitions.len()];
        for (node, &id) in self.uses.iter().enumerate() {
            if let Some(uses) = uses.get_mut(id as usize) {
                uses.push(NodeId::at(node));
            }
        }
        uses
    }

    /// The member of that name: of a class the nearest one, where its bases have others.
    pub(super) fn member(&self, of: DefinitionId, name: &str, text: &str) -> Option<DefinitionId> {
        let members = self.definition(of).members.iter().rev();
        members
            .copied()
            .find(|m| self.definition(*m).name.of(text) == name)
    }
}

/// A scope that is open.
struct Scope<'t> {
    /// The first node behind it.
    end: usize,
    /// What it makes visible.
    names: Vec<&'t str>,
    /// The class or namespace whose members are declared in it.
    owner: Option<DefinitionId>,
}

/// The pass.
pub(super) struct Resolver<'t, 's> {
    pub(super) tree: &'t Tree,
    pub(super) text: &'t str,
    uncertain: &'s [Span],
    pub(super) types: &'s mut Types,
    out: Names,
    /// What each name means here, innermost last, and the number of scopes around its declaration.
    visible: HashMap<&'t str, Meanings>,
    scopes: Vec<Scope<'t>>,
    /// Records and enumerations by their specifiers.
    specified: HashMap<NodeId, DefinitionId>,
    /// Nodes before that one have been looked at with what they stand in.
    seen: usize,
}

pub(super) fn resolve<'t>(
    (tree, text): (&'t Tree, &'t str),
    uncertain: &[Span],
    types: &mut Types,
) -> Names {
    let mut resolver = Resolver {
        tree,
        text,
        uncertain,
        types,
        out: Names {
            definitions: Vec::new(),
            uses: vec![NONE; tree.len()],
            described: HashMap::new(),
            bodies: HashMap::new(),
        },
        visible: HashMap::new(),
        scopes: Vec::new(),
        specified: HashMap::new(),
        seen: 0,
    };
    if let Some(root) = tree.root() {
        resolver.open(root, None);
        for node in tree.descendants(root) {
            while resolver
                .scopes
                .last()
                .is_some_and(|s| s.end <= node.index())
            {
                resolver.close();
            }
            resolver.visit(node);
        }
    }
    resolver.out
}

impl<'t> Resolver<'t, '_> {
    fn open(&mut self, node: NodeId, owner: Option<DefinitionId>) {
        self.scopes.push(Scope {
            end: self.tree.end_of(node),
            names: Vec::new(),
            owner,
        });
        if let Some(owner) = owner {
            for member in self.definition(owner).members.clone() {
                self.show(member, self.scopes.len());
            }
        }
    }

    fn close(&mut self) {
        for name in self.scopes.pop().map_or(Vec::new(), |s| s.names) {
            if let Some(all) = self.visible.get_mut(name) {
                all.pop();
            }
        }
    }

    /// Makes a definition visible in the scope with that number of scopes around and including it.
    fn show(&mut self, id: DefinitionId, depth: usize) {
        let name = self.definition(id).name.of(self.text);
        let Some(scope) = depth.checked_sub(1).and_then(|at| self.scopes.get_mut(at)) else {
            return;
        };
        if name.is_empty() {
            return;
        }
        scope.names.push(name);
        self.visible.entry(name).or_default().insert(depth, id);
    }

    pub(super) fn definition(&self, id: DefinitionId) -> &Definition {
        self.out.definition(id)
    }

    pub(super) fn definition_mut(&mut self, id: DefinitionId) -> &mut Definition {
        &mut self.out.definitions[id.0 as usize]
    }

    fn add(&mut self, definition: Definition) -> DefinitionId {
        let id = DefinitionId(self.out.definitions.len() as u32);
        self.out.definitions.push(definition);
        id
    }

    /// The scope that a declaration belongs to: not that of the template's parameters around it.
    fn depth_for(&self, declaration: NodeId) -> usize {
        let mut depth = self.scopes.len();
        let mut at = self.tree.parent(declaration);
        while let Some(around) = at.filter(|&a| self.tree.kind(a) == Kind::TemplateDeclaration) {
            depth -= usize::from(depth > 1);
            at = self.tree.parent(around);
        }
        depth
    }

    /// Adds a definition to a scope and to what the scope belongs to.
    fn define(&mut self, definition: Definition, depth: usize) -> DefinitionId {
        let id = self.add(definition);
        self.show(id, depth);
        let owner = depth.checked_sub(1).and_then(|at| self.scopes.get(at));
        if let Some(owner) = owner.and_then(|s| s.owner) {
            self.definition_mut(owner).members.push(id);
        }
        id
    }

    pub(super) fn lookup(&self, name: &str) -> Option<DefinitionId> {
        self.visible.get(name)?.innermost.map(|(_, id)| id)
    }

    /// What a name means that is declared in the scope of that depth itself.
    fn declared_at(&self, name: &str, depth: usize) -> Option<DefinitionId> {
        self.visible.get(name)?.at(depth)
    }

    pub(super) fn note_use(&mut self, node: NodeId, id: DefinitionId) {
        if let Some(slot) = self.out.uses.get_mut(node.index()) {
            *slot = id.0;
        }
    }

    pub(super) fn describe(&mut self, node: NodeId, ty: Type) {
        self.out.described.insert(node, ty);
    }

    pub(super) fn of(&self, name: NodeId) -> Option<DefinitionId> {
        self.out.of(name)
    }

    fn visit(&mut self, node: NodeId) {
        let tree = self.tree;
        let kind = tree.kind(node);
        if tree.field(node) == Field::Declarator
            && let Some(declaration) = tree.parent(node)
        {
            self.declare(declaration, node);
        }
        match kind {
            Kind::NamespaceDefinition => self.namespace(node),
            Kind::CompoundStatement
            | Kind::ForStatement
            | Kind::ForRangeLoop
            | Kind::IfStatement
            | Kind::WhileStatement
            | Kind::SwitchStatement
            | Kind::TemplateDeclaration => self.open(node, None),
            Kind::LambdaExpression => {
                self.open(node, None);
                self.captures(node);
            }
            Kind::FunctionDefinition => self.function_definition(node),
            Kind::ParameterList if !self.is_of_definition(node) => self.open(node, None),
            _ if is_record(kind) || kind == Kind::EnumSpecifier => {
                self.specifier(node);
            }
            Kind::FieldDeclarationList => self.members(node),
            Kind::TypeParameter => {
                let name = tree.children(node).find(|&c| is_name(tree.kind(c)));
                if let Some(name) = name {
                    self.define_type(name, Types::UNKNOWN, self.scopes.len());
                }
            }
            Kind::AliasDeclaration => {
                if let Some(name) = tree.child(node, Field::Name)
                    && self.of(name).is_none()
                {
                    let of = tree.child(node, Field::Type);
                    let of = of.filter(|_| !self.is_uncertain(name));
                    let (ty, qualified) = match of {
                        Some(of) => (self.described_type(of), self.described_qualified(of)),
                        None => (Types::UNKNOWN, Qualified::default()),
                    };
                    let depth = self.depth_for(node);
                    let id = self.define_type(name, ty, depth);
                    self.definition_mut(id).qualified = qualified;
                }
            }
            Kind::NamespaceAlias => self.namespace_alias(node),
            Kind::UsingDeclaration => self.using(node),
            Kind::StructuredBinding => {
                for name in tree.children(node).filter(|&c| is_name(tree.kind(c))) {
                    let kind = DefinitionKind::Variable;
                    let definition = Definition::new(tree.span(name), kind, Types::UNKNOWN);
                    let id = self.define(definition, self.scopes.len());
                    self.note_use(name, id);
                }
            }
            Kind::TypeDescriptor => {
                self.described_type(node);
            }
            Kind::CompoundLiteral | Kind::CallExpression => {
                let field = match kind {
                    Kind::CompoundLiteral => Field::Type,
                    _ => Field::Function,
                };
                if let Some(ty) = tree.child(node, field)
                    && matches!(
                        tree.kind(ty),
                        Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier
                    )
                {
                    self.described_type(ty);
                }
            }
            Kind::QualifiedIdentifier => {
                self.qualified(node);
            }
            Kind::This => {
                let owner = self.scopes.iter().rev().find_map(|s| s.owner);
                if let Some(owner) = owner {
                    self.note_use(node, owner);
                }
            }
            Kind::Identifier | Kind::TypeIdentifier | Kind::PrimitiveType => {
                self.used(node);
            }
            _ => {}
        }
    }

    /// What a plain name means here.
    pub(super) fn used(&mut self, node: NodeId) -> Option<DefinitionId> {
        if node.index() < self.seen {
            return None;
        }
        let known = self.of(node);
        let found = known.or_else(|| self.lookup(self.tree.text(node, self.text)))?;
        self.note_use(node, found);
        Some(found)
    }

    fn is_uncertain(&self, name: NodeId) -> bool {
        let span = self.tree.span(name);
        self.uncertain.iter().any(|u| u.contains(span))
    }

    fn define_type(&mut self, name: NodeId, ty: Type, depth: usize) -> DefinitionId {
        let span = self.tree.span(name);
        let id = self.define(Definition::new(span, DefinitionKind::Typedef, ty), depth);
        self.note_use(name, id);
        id
    }

    fn namespace(&mut self, node: NodeId) {
        let name = self.tree.child(node, Field::Name);
        let words = name.map_or("", |n| self.tree.text(n, self.text));
        let depth = self.scopes.len();
        let known = self
            .declared_at(words, depth)
            .filter(|id| self.definition(*id).kind == DefinitionKind::Namespace);
        let id = known.unwrap_or_else(|| {
            let kind = DefinitionKind::Namespace;
            let span = name.map_or(Span::at(0), |n| self.tree.span(n));
            self.define(Definition::new(span, kind, Types::UNKNOWN), depth)
        });
        self.open(node, Some(id));
    }

    /// `namespace a = b;`
    fn namespace_alias(&mut self, node: NodeId) {
        let mut parts = self.tree.children(node);
        if let (Some(name), Some(of)) = (parts.next(), parts.next()) {
            let found = match self.tree.kind(of) {
                Kind::QualifiedIdentifier => self.qualified(of),
                _ => self.lookup(self.tree.text(of, self.text)),
            };
            let kind = DefinitionKind::Namespace;
            let mut definition = Definition::new(self.tree.span(name), kind, Types::UNKNOWN);
            definition.members = found.map_or(Vec::new(), |f| self.definition(f).members.clone());
            self.define(definition, self.scopes.len());
        }
    }

    /// `using namespace a;`, `using a::b;`
    fn using(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some(what) = tree.children(node).last() else {
            return;
        };
        let found = match tree.kind(what) {
            Kind::QualifiedIdentifier => self.qualified(what),
            _ => self.used(what),
        };
        let Some(found) = found else { return };
        let depth = self.scopes.len();
        match self.definition(found).kind {
            DefinitionKind::Namespace => {
                for member in self.definition(found).members.clone() {
                    self.show(member, depth);
                }
            }
            _ => self.show(found, depth),
        }
    }

    /// A name behind `::`; what is in it is not looked up again.
    pub(super) fn qualified(&mut self, node: NodeId) -> Option<DefinitionId> {
        if node.index() < self.seen {
            return self.of(node);
        }
        self.seen = self.seen.max(self.tree.end_of(node));
        let found = self.path(node)?;
        self.note_use(node, found);
        Some(found)
    }

    fn path(&self, node: NodeId) -> Option<DefinitionId> {
        let tree = self.tree;
        let mut at = node;
        let mut scope: Option<DefinitionId> = None;
        let mut first = true;
        loop {
            let name = tree.child(at, Field::Name)?;
            let around = tree.children(at).find(|&c| c != name);
            let inside = |scope: Option<DefinitionId>, words: &str| match scope {
                Some(scope) => self.out.member(scope, words, self.text),
                // `::a`
                None => self.declared_at(words, 1),
            };
            if let Some(around) = around {
                let part = match tree.kind(around) {
                    Kind::TemplateType => tree.child(around, Field::Name)?,
                    _ => around,
                };
                let words = tree.text(part, self.text);
                let found = match first {
                    true => self.lookup(words)?,
                    false => inside(scope, words)?,
                };
                scope = Some(self.scope_of(found)?);
            }
            first = false;
            let words = tree.text(name, self.text);
            match tree.kind(name) {
                Kind::QualifiedIdentifier => at = name,
                Kind::TemplateFunction | Kind::TemplateType => {
                    let plain = tree.child(name, Field::Name)?;
                    return inside(scope, tree.text(plain, self.text));
                }
                _ => return inside(scope, words),
            }
        }
    }

    /// The class or namespace whose members a name in front of `::` leads to.
    fn scope_of(&self, id: DefinitionId) -> Option<DefinitionId> {
        let definition = self.definition(id);
        match (definition.kind, self.types.kind(definition.ty)) {
            (DefinitionKind::Namespace, _) => Some(id),
            (_, TypeKind::Record(of) | TypeKind::Enumeration(of)) => Some(of),
            _ => None,
        }
    }

    /// The structure, class, union or enumeration that a specifier declares or names.
    pub(super) fn specifier(&mut self, node: NodeId) -> DefinitionId {
        if let Some(known) = self.specified.get(&node) {
            return *known;
        }
        let tree = self.tree;
        let name = tree.child(node, Field::Name);
        let body = tree.child(node, Field::Body).is_some();
        let (plain, special) = match name {
            // `template <> struct V<int>`: of `V<…>` nothing is known from here on.
            Some(n) if tree.kind(n) == Kind::TemplateType => {
                let of = tree.child(n, Field::Name);
                let primary = of.and_then(|of| self.lookup(tree.text(of, self.text)));
                if let Some(primary) = primary {
                    self.definition_mut(primary).ty = Types::UNKNOWN;
                }
                (None, true)
            }
            name => (name, false),
        };
        let words = plain.map_or("", |n| tree.text(n, self.text));
        let depth = self.depth_for(node);
        let is_enumeration = tree.kind(node) == Kind::EnumSpecifier;
        let kind = match is_enumeration {
            true => DefinitionKind::Enumeration,
            false => DefinitionKind::Record,
        };
        let known = match body {
            true => self.declared_at(words, depth),
            false => self.lookup(words),
        };
        let known =
            known.filter(|id| !special && !words.is_empty() && self.definition(*id).kind == kind);
        let id = known.unwrap_or_else(|| {
            let span = plain.map_or(Span::at(0), |n| tree.span(n));
            let id = self.define(Definition::new(span, kind, Types::UNKNOWN), depth);
            let ty = match is_enumeration {
                true => TypeKind::Enumeration(id),
                false => TypeKind::Record(id),
            };
            self.definition_mut(id).ty = self.types.of(ty);
            id
        });
        self.specified.insert(node, id);
        if let Some(name) = plain {
            self.note_use(name, id);
        }
        if is_enumeration && body {
            self.enumerators(node, id, depth);
        }
        id
    }

    fn enumerators(&mut self, node: NodeId, id: DefinitionId, depth: usize) {
        let tree = self.tree;
        let scoped = has_scoped_enumerators(tree, node, self.text);
        let ty = self.types.of(TypeKind::Enumeration(id));
        let all: Vec<NodeId> = tree
            .descendants(node)
            .filter(|&n| tree.kind(n) == Kind::Enumerator)
            .collect();
        for enumerator in all {
            let Some(name) = tree.child(enumerator, Field::Name) else {
                continue;
            };
            let definition = Definition::new(tree.span(name), DefinitionKind::Enumerator, ty);
            let one = match scoped {
                true => self.add(definition),
                false => self.define(definition, depth),
            };
            self.definition_mut(id).members.push(one);
            self.note_use(name, one);
        }
    }

    /// The body of a class: all of its members are known in all of it.
    fn members(&mut self, list: NodeId) {
        let tree = self.tree;
        let Some(specifier) = tree.parent(list) else {
            return;
        };
        let owner = self.specifier(specifier);
        if let Some(bases) = tree.child_of_kind(specifier, Kind::BaseClause) {
            let names = tree.children(bases).filter(|&c| is_name(tree.kind(c)));
            let inherited: Vec<DefinitionId> = names
                .filter_map(|n| self.scope_of(self.lookup(tree.text(n, self.text))?))
                .flat_map(|base| self.definition(base).members.clone())
                .collect();
            let own = &mut self.definition_mut(owner).members;
            own.splice(0..0, inherited);
        }
        self.open(list, Some(owner));
        let members: Vec<NodeId> = tree.children(list).collect();
        for member in members {
            match tree.kind(member) {
                Kind::FieldDeclaration | Kind::Declaration | Kind::FunctionDefinition => {
                    self.declare_all(member, None);
                }
                // What its parameters are is not known here.
                Kind::TemplateDeclaration => {
                    for inner in tree.children(member) {
                        if matches!(
                            tree.kind(inner),
                            Kind::FieldDeclaration | Kind::Declaration | Kind::FunctionDefinition
                        ) {
                            self.declare_all(inner, Some(Base::UNKNOWN));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn declare_all(&mut self, declaration: NodeId, base: Option<Base>) {
        let tree = self.tree;
        let declarators: Vec<NodeId> = tree
            .children(declaration)
            .filter(|&c| tree.field(c) == Field::Declarator)
            .collect();
        for declarator in declarators {
            self.declarator(declaration, declarator, base);
        }
    }

    /// A declarator where it stands, unless it is a member's, which has been declared before.
    fn declare(&mut self, declaration: NodeId, declarator: NodeId) {
        let tree = self.tree;
        let mut around = tree.parent(declaration);
        while let Some(outer) = around.filter(|&a| tree.kind(a) == Kind::TemplateDeclaration) {
            around = tree.parent(outer);
        }
        let member = around.is_some_and(|a| tree.kind(a) == Kind::FieldDeclarationList);
        let declares = matches!(
            tree.kind(declaration),
            Kind::Declaration
                | Kind::ParameterDeclaration
                | Kind::TypeDefinition
                | Kind::ForRangeLoop
        );
        if declares && (!member || tree.kind(declaration) == Kind::TypeDefinition) {
            self.declarator(declaration, declarator, None);
        }
    }

    /// Defines what one declarator declares. A declaration whose type depends on what is not known has that as its base.
    fn declarator(&mut self, declaration: NodeId, declarator: NodeId, base: Option<Base>) {
        let tree = self.tree;
        let base = base.unwrap_or_else(|| self.base_type(declaration));
        let found = self.declared(declarator, base);
        let Some(name) = found.name else { return };
        if !is_name(tree.kind(name)) {
            return;
        }
        let words = tree.text(name, self.text);
        let depth = self.depth_for(declaration);
        let kind = match tree.kind(declaration) {
            Kind::TypeDefinition => DefinitionKind::Typedef,
            _ if found.parameters.is_some() => DefinitionKind::Function,
            Kind::FieldDeclaration => DefinitionKind::Field,
            _ => DefinitionKind::Variable,
        };
        let mut definition = Definition::new(tree.span(name), kind, found.ty);
        definition.qualified = found.qualified;
        definition.storage = found.storage;
        definition.base_known = base.ty != Types::UNKNOWN;
        if kind == DefinitionKind::Typedef && self.is_uncertain(name) {
            definition.ty = Types::UNKNOWN;
        }
        if base.is_auto {
            definition.ty = match kind {
                DefinitionKind::Function => self.types.of(TypeKind::Function(Types::UNKNOWN)),
                _ => Types::UNKNOWN,
            };
            let value = tree.child(declarator, Field::Value);
            let value = value.or_else(|| tree.child(declaration, Field::Value));
            definition.deduced_from = value.filter(|_| kind == DefinitionKind::Variable);
        }
        if let Some(list) = found
            .parameters
            .filter(|_| kind == DefinitionKind::Function)
        {
            self.parameters(list, &mut definition);
            let before = self
                .declared_at(words, depth)
                .filter(|id| self.definition(*id).kind == DefinitionKind::Function);
            let mut same = before;
            while let Some(id) =
                same.filter(|id| self.definition(*id).parameters != definition.parameters)
            {
                same = self.definition(id).overloads;
            }
            if let Some(id) = same {
                self.note_use(name, id);
                let least = definition.least_arguments;
                let known = &mut self.definition_mut(id).least_arguments;
                *known = least.min(*known);
                return;
            }
            definition.overloads = before;
        }
        let id = self.define(definition, depth);
        self.note_use(name, id);
        // A structure without a name is known by that of its type.
        if kind == DefinitionKind::Typedef
            && let TypeKind::Record(of) | TypeKind::Enumeration(of) = self.types.kind(found.ty)
            && self.definition(of).name.is_empty()
        {
            self.definition_mut(of).name = tree.span(name);
        }
    }

    fn function_definition(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some(declarator) = tree.child(node, Field::Declarator) else {
            self.open(node, None);
            return;
        };
        let member = {
            let mut around = tree.parent(node);
            while let Some(outer) = around.filter(|&a| tree.kind(a) == Kind::TemplateDeclaration) {
                around = tree.parent(outer);
            }
            around.is_some_and(|a| tree.kind(a) == Kind::FieldDeclarationList)
        };
        if !member {
            self.declarator(node, declarator, None);
        }
        self.open(node, None);
        // `S::f`: its class' members are known in it.
        let name = self.declared(declarator, Base::UNKNOWN).name;
        let qualified = name.filter(|&n| tree.kind(n) == Kind::QualifiedIdentifier);
        let id = match (qualified, name) {
            (Some(qualified), _) => self.qualified(qualified),
            (None, name) => name.and_then(|n| self.of(n)),
        };
        if let Some(id) = id {
            self.out.bodies.entry(id).or_default().push(node);
        }
        let owner = qualified
            .and_then(|n| tree.children(n).next())
            .and_then(|scope| self.scope_of(self.lookup(tree.text(scope, self.text))?));
        if let Some(owner) = owner {
            let depth = self.scopes.len();
            for member in self.definition(owner).members.clone() {
                self.show(member, depth);
            }
        }
    }

    /// `[n = value]`
    fn captures(&mut self, lambda: NodeId) {
        let tree = self.tree;
        let Some(list) = tree.children(lambda).next() else {
            return;
        };
        if tree.kind(list) != Kind::Other {
            return;
        }
        for capture in tree.children(list) {
            if let (Some(name), Some(value)) = (
                tree.child(capture, Field::Left),
                tree.child(capture, Field::Right),
            ) {
                let kind = DefinitionKind::Variable;
                let mut definition = Definition::new(tree.span(name), kind, Types::UNKNOWN);
                definition.deduced_from = Some(value);
                let id = self.define(definition, self.scopes.len());
                self.note_use(name, id);
            }
        }
    }

    /// Whether a list of parameters is that of the function or lambda whose body follows: these are the body's.
    fn is_of_definition(&self, list: NodeId) -> bool {
        let tree = self.tree;
        let Some(mut at) = tree.parent(list) else {
            return false;
        };
        while let Some(around) = tree.parent(at) {
            match tree.kind(around) {
                Kind::FunctionDefinition | Kind::LambdaExpression => {
                    return tree.field(at) == Field::Declarator;
                }
                Kind::PointerDeclarator
                | Kind::ReferenceDeclarator
                | Kind::ParenthesizedDeclarator
                | Kind::AttributedDeclarator => at = around,
                _ => return false,
            }
        }
        false
    }
}
