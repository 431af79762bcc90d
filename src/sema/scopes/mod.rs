//! From each use of a name to its declaration, in one pass over the tree.
//!
//! A name is visible from its declarator on to the end of the scope around it; the members of a class are in all of it.
//! What is declared in a scope hides what is declared outside.
//!
//! - `names.rs`: what is found.
//! - `declarations.rs`: what declarations make known; `namespaces.rs`: namespaces; `paths.rs`: names behind `::`.

mod declarations;
mod names;
mod namespaces;
mod paths;

use names::NONE;
pub(super) use names::Names;

use super::declared_types::Base;
use super::definitions::{Definition, DefinitionId, DefinitionKind};
use super::meanings::Meanings;
use super::types::{Type, Types};
use crate::source::Span;
use crate::syntax::{AttributeUse, Field, Kind, NodeId, Tree, is_name, is_record};
use foldhash::{HashMap, HashMapExt};

/// A scope that is open.
struct Scope<'t> {
    /// The first node behind it.
    end: usize,
    /// What it makes visible.
    names: Vec<&'t str>,
    /// The class or namespace whose members are declared in it.
    owner: Option<DefinitionId>,
    /// The class whose function this is, if it is defined outside of that.
    method_of: Option<DefinitionId>,
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
    /// The declaration and declarator that were read last: what the one begins with is the same for all of its names.
    pub(super) last_base: Option<(NodeId, NodeId, Base)>,
    /// The attributes before a declaration, as well.
    pub(super) last_attributes: Option<(NodeId, Vec<AttributeUse>)>,
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
            parts: HashMap::new(),
            described: HashMap::new(),
            bodies: HashMap::new(),
        },
        visible: HashMap::new(),
        scopes: Vec::new(),
        specified: HashMap::new(),
        last_base: None,
        last_attributes: None,
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

/// Whether what is declared inside is not known outside. So are classes and namespaces, whose names others can say.
pub(super) fn is_scope(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::CompoundStatement
            | Kind::ForStatement
            | Kind::ForRangeLoop
            | Kind::IfStatement
            | Kind::WhileStatement
            | Kind::SwitchStatement
            | Kind::TemplateDeclaration
            | Kind::LambdaExpression
            | Kind::FunctionDefinition
    )
}

impl<'t> Resolver<'t, '_> {
    fn open(&mut self, node: NodeId, owner: Option<DefinitionId>) {
        self.scopes.push(Scope {
            end: self.tree.end_of(node),
            names: Vec::new(),
            owner,
            method_of: None,
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

    /// A name that is a part of something larger, which is the use.
    pub(super) fn note_part(&mut self, node: NodeId, id: DefinitionId) {
        self.out.parts.insert(node, id);
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
            Kind::LambdaExpression => {
                self.open(node, None);
                self.captures(node);
            }
            Kind::FunctionDefinition => self.function_definition(node),
            _ if is_scope(kind) => self.open(node, None),
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
            Kind::AliasDeclaration => self.alias(node),
            // What stands in a type's place and is none: nothing is known of it.
            Kind::ConceptDefinition => {
                if let Some(name) = tree.child(node, Field::Name) {
                    let depth = self.depth_for(node);
                    self.define_type(name, Types::UNKNOWN, depth);
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
                let owner = |s: &Scope<'_>| s.method_of.or(s.owner);
                if let Some(owner) = self.scopes.iter().rev().find_map(owner) {
                    self.note_use(node, owner);
                }
            }
            Kind::FieldIdentifier => self.initialized(node),
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
}
