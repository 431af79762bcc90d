//! What declarations of all kinds make known.

use super::Resolver;
use super::paths::Path;
use crate::sema::declared_types::Base;
use crate::sema::definitions::{Definition, DefinitionId, DefinitionKind};
use crate::sema::qualifiers::Qualified;
use crate::sema::types::{Type, TypeKind, Types};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, has_scoped_enumerators, is_name, is_record};

impl<'t> Resolver<'t, '_> {
    pub(super) fn define_type(&mut self, name: NodeId, ty: Type, depth: usize) -> DefinitionId {
        let span = self.tree.span(name);
        let id = self.define(Definition::new(span, DefinitionKind::Typedef, ty), depth);
        self.note_use(name, id);
        id
    }

    /// The structure, class, union or enumeration that a specifier declares or names.
    pub(in crate::sema) fn specifier(&mut self, node: NodeId) -> DefinitionId {
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
        // `struct a` is the structure, whatever else is called so.
        let known = self.visible.get(words).and_then(|all| {
            let mut all = all.innermost_first().filter(|(d, _)| !body || *d == depth);
            all.find(|(_, id)| self.definition(*id).kind == kind)
        });
        let known = known.filter(|_| !special && !words.is_empty());
        let known = known.map(|(_, id)| id);
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
        if let Some(base) = tree.child(node, Field::Base).filter(|_| is_enumeration) {
            self.described_type(base);
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
    pub(super) fn members(&mut self, list: NodeId) {
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
                Kind::FieldDeclaration
                | Kind::Declaration
                | Kind::FunctionDefinition
                | Kind::TypeDefinition => {
                    self.declare_all(member, None);
                    self.declare_types(member);
                }
                Kind::AliasDeclaration => self.alias(member),
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

    /// The structures and enumerations that a member of a class declares without declaring anything of that type.
    fn declare_types(&mut self, member: NodeId) {
        let tree = self.tree;
        let specifier = tree.child(member, Field::Type).filter(|&ty| {
            let kind = tree.kind(ty);
            (is_record(kind) || kind == Kind::EnumSpecifier)
                && tree.child(ty, Field::Body).is_some()
        });
        if let Some(specifier) = specifier {
            self.specifier(specifier);
        }
    }

    /// `using T = int;`
    pub(super) fn alias(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some(name) = tree.child(node, Field::Name) else {
            return;
        };
        if self.of(name).is_some() {
            return;
        }
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
    pub(super) fn declare(&mut self, declaration: NodeId, declarator: NodeId) {
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
        if declares && !member {
            let other = self.declarator(declaration, declarator, None);
            if let Some(name) = other.filter(|&n| tree.kind(n) == Kind::QualifiedIdentifier) {
                let path = self.path(name);
                // `int S::count = initial;` sees what S has.
                if path.found.is_some() {
                    self.open(declarator, None);
                    self.show_within(&path);
                }
            }
        }
    }

    /// Shows, in the scope that is open, what the classes and namespaces of a path have.
    fn show_within(&mut self, path: &Path) {
        let depth = self.scopes.len();
        for &scope in &path.scopes {
            for member in self.definition(scope).members.clone() {
                self.show(member, depth);
            }
        }
        let class = path.scopes.last().copied();
        let class = class.filter(|c| self.definition(*c).kind == DefinitionKind::Record);
        if let Some(scope) = self.scopes.last_mut() {
            scope.method_of = class;
        }
    }

    /// Defines what one declarator declares. A declaration whose type depends on what is not known has that as its base.
    /// What it returns is named in another way than by a word.
    fn declarator(
        &mut self,
        declaration: NodeId,
        declarator: NodeId,
        base: Option<Base>,
    ) -> Option<NodeId> {
        let tree = self.tree;
        let base = base.unwrap_or_else(|| {
            let known = { self.last_base }
                .filter(|(of, last, _)| *of == declaration && last.index() < declarator.index());
            let base = known.map(|(.., base)| base);
            let base = base.unwrap_or_else(|| self.base_type(declaration));
            self.last_base = Some((declaration, declarator, base));
            base
        });
        let found = self.declared(declarator, base);
        let name = found.name?;
        if !is_name(tree.kind(name)) {
            return Some(name);
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
                return None;
            }
            definition.overloads = before;
        }
        definition.hides = self.lookup(words);
        let id = self.define(definition, depth);
        self.note_use(name, id);
        // A structure without a name is known by that of its type.
        if kind == DefinitionKind::Typedef
            && let TypeKind::Record(of) | TypeKind::Enumeration(of) = self.types.kind(found.ty)
            && self.definition(of).name.is_empty()
        {
            self.definition_mut(of).name = tree.span(name);
        }
        None
    }

    pub(super) fn function_definition(&mut self, node: NodeId) {
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
        let path = qualified.map(|qualified| self.path(qualified));
        let id = match &path {
            Some(path) => path.found,
            None => name.and_then(|n| self.of(n)),
        };
        if let Some(id) = id {
            self.out.bodies.entry(id).or_default().push(node);
        }
        if let Some(path) = path {
            self.show_within(&path);
        }
    }

    /// A name in a constructor's list of what it initialises: a member, a base, or another constructor.
    pub(super) fn initialized(&mut self, name: NodeId) {
        let tree = self.tree;
        let mut around = std::iter::successors(tree.parent(name), |n| tree.parent(*n));
        let (one, list, function) = (around.next(), around.next(), around.next());
        let is_other = |node: Option<NodeId>| node.is_some_and(|n| tree.kind(n) == Kind::Other);
        let of_function = function.is_some_and(|f| tree.kind(f) == Kind::FunctionDefinition);
        if !(is_other(one) && is_other(list) && of_function) {
            return;
        }
        let words = tree.text(name, self.text);
        let class = |s: &super::Scope<'_>| s.method_of.or(s.owner);
        let class = self.scopes.iter().rev().find_map(class);
        let member = class.and_then(|c| self.out.member(c, words, self.text));
        let base = || {
            self.lookup(words)
                .filter(|id| self.definition(*id).is_type())
        };
        if let Some(found) = member.or_else(base) {
            self.note_part(name, found);
        }
    }

    /// `[n = value]`
    pub(super) fn captures(&mut self, lambda: NodeId) {
        let tree = self.tree;
        let Some(list) = tree.children(lambda).next() else {
            return;
        };
        if tree.kind(list) != Kind::LambdaCaptures {
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
    pub(super) fn is_of_definition(&self, list: NodeId) -> bool {
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
