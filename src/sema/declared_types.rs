//! The types that declarations give to names.

use super::definitions::Definition;
use super::meanings::Words;
use super::qualifiers::{Qualified, Qualifiers, Storage};
use super::scopes::Resolver;
use super::types::{Type, TypeKind, Types};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::syntax::{Field, Kind, NodeId, attributes_of, is_declarator, is_record};

/// What a declaration begins with.
#[derive(Clone, Copy)]
pub(super) struct Base {
    pub(super) ty: Type,
    pub(super) qualified: Qualified,
    pub(super) storage: Storage,
    pub(super) is_auto: bool,
}

impl Base {
    pub(super) const UNKNOWN: Self = Self {
        ty: Types::UNKNOWN,
        qualified: Qualified {
            own: Qualifiers {
                constant: false,
                volatile: false,
                restrict: false,
            },
            pointed: Qualifiers {
                constant: false,
                volatile: false,
                restrict: false,
            },
        },
        storage: Storage {
            place: super::Place::Ordinary,
            lasting: false,
        },
        is_auto: false,
    };
}

/// What one declarator says.
pub(super) struct Declared {
    /// The node of the name; none of what has no name.
    pub(super) name: Option<NodeId>,
    pub(super) ty: Type,
    pub(super) qualified: Qualified,
    pub(super) storage: Storage,
    /// The list of parameters, if it declares a function.
    pub(super) parameters: Option<NodeId>,
}

impl<'t> Resolver<'t, '_> {
    /// What a declaration begins with.
    pub(super) fn base_type(&mut self, declaration: NodeId) -> Base {
        let tree = self.tree;
        let mut base = Base {
            storage: Storage::read(tree, declaration, self.text),
            ..Base::UNKNOWN
        };
        base.qualified.own = Qualifiers::read(tree, declaration, self.text);
        let mut words = Words::default();
        let mut found = None;
        for child in tree.children(declaration) {
            if tree.field(child) == Field::Declarator {
                break;
            }
            match tree.kind(child) {
                Kind::PrimitiveType | Kind::SizedType | Kind::TypeIdentifier => {
                    words.push_all(tree.text(child, self.text));
                    found = found.or(Some(child));
                }
                Kind::PlaceholderType => {
                    self.describe(declaration, Types::UNKNOWN);
                    base.is_auto = true;
                    return base;
                }
                Kind::QualifiedIdentifier | Kind::TemplateType | Kind::EnumSpecifier => {
                    found = Some(child);
                    words.clear();
                    break;
                }
                kind if is_record(kind) => {
                    found = Some(child);
                    words.clear();
                    break;
                }
                _ => {}
            }
        }
        base.ty = match (found, words.all()) {
            (None, _) | (_, None) => Types::UNKNOWN,
            (Some(node), Some([] | [_])) => {
                let ty = self.specified_type(node);
                if let Some(typedef) = self.of(node).map(|id| self.definition(id)) {
                    base.qualified = typedef.qualified.with(base.qualified.own);
                    if base.storage.place == super::Place::Ordinary {
                        base.storage.place = typedef.storage.place;
                    }
                }
                ty
            }
            (Some(_), Some(words)) => self.built_in(words),
        };
        self.describe(declaration, base.ty);
        base
    }

    /// The type that one specifier names.
    fn specified_type(&mut self, node: NodeId) -> Type {
        let tree = self.tree;
        let words = tree.text(node, self.text);
        let found = match tree.kind(node) {
            Kind::QualifiedIdentifier => {
                let found = self.qualified(node);
                if found.is_none() {
                    // `std::size_t`
                    let mut parts = tree.children(node).map(|c| tree.text(c, self.text));
                    return match (parts.next(), parts.next(), parts.next()) {
                        (Some("std"), Some(name), None) => self.built_in(&[name]),
                        _ => Types::UNKNOWN,
                    };
                }
                found
            }
            Kind::TemplateType => tree.child(node, Field::Name).and_then(|n| self.used(n)),
            kind if is_record(kind) || kind == Kind::EnumSpecifier => Some(self.specifier(node)),
            _ => self.used(node),
        };
        match found.map(|id| self.definition(id)) {
            Some(definition) if definition.is_type() => definition.ty,
            Some(_) => Types::UNKNOWN,
            None => {
                let mut list = Words::default();
                list.push_all(words);
                list.all()
                    .map_or(Types::UNKNOWN, |words| self.built_in(words))
            }
        }
    }

    /// The type of the language, or of every program's kernels, that words name.
    fn built_in(&mut self, words: &[&str]) -> Type {
        let plain = words
            .iter()
            .copied()
            .filter(|w| !matches!(*w, "const" | "volatile"));
        if let Some(scalar) = Scalar::from_words(plain) {
            return self.types.of(TypeKind::Scalar(scalar));
        }
        match words {
            ["void"] => self.types.of(TypeKind::Void),
            [name] => match VectorType::from_name(name) {
                Some(vector) => self.types.of(TypeKind::Vector(vector)),
                None => Types::UNKNOWN,
            },
            _ => Types::UNKNOWN,
        }
    }

    /// The type that a descriptor of a type names, or a type's name that stands for itself.
    pub(super) fn described_type(&mut self, node: NodeId) -> Type {
        let ty = match self.tree.kind(node) {
            Kind::TypeDescriptor => {
                let base = self.base_type(node);
                match self.tree.child(node, Field::Declarator) {
                    Some(declarator) => self.declared(declarator, base).ty,
                    None => base.ty,
                }
            }
            _ => self.specified_type(node),
        };
        self.describe(node, ty);
        ty
    }

    /// What a descriptor of a type says besides the type.
    pub(super) fn described_qualified(&mut self, node: NodeId) -> Qualified {
        if self.tree.kind(node) != Kind::TypeDescriptor {
            return Qualified::default();
        }
        let base = self.base_type(node);
        match self.tree.child(node, Field::Declarator) {
            Some(declarator) => self.declared(declarator, base).qualified,
            None => base.qualified,
        }
    }

    /// The name and type that a declarator makes of what the declaration begins with.
    pub(super) fn declared(&mut self, declarator: NodeId, base: Base) -> Declared {
        let tree = self.tree;
        let mut out = Declared {
            name: None,
            ty: base.ty,
            qualified: base.qualified,
            storage: base.storage,
            parameters: None,
        };
        let mut promises = match (tree.parent(declarator), self.last_attributes.take()) {
            (Some(declaration), Some((of, known))) if of == declaration => known,
            (Some(declaration), _) => attributes_of(tree, declaration, self.text),
            (None, _) => Vec::new(),
        };
        self.last_attributes = tree.parent(declarator).map(|d| (d, promises.clone()));
        let mut pointers = 0;
        let mut at = Some(declarator);
        while let Some(node) = at {
            out.parameters = None;
            match tree.kind(node) {
                Kind::PointerDeclarator => {
                    out.ty = self.types.of(TypeKind::Pointer(out.ty));
                    let own = Qualifiers::read(tree, node, self.text);
                    out.qualified = out.qualified.behind(own);
                    pointers += 1;
                }
                Kind::ReferenceDeclarator => {
                    out.qualified = out.qualified.behind(Qualifiers::default());
                    // What refers to a reference refers to the same.
                    let to = self.types.referred(out.ty);
                    out.ty = self.types.of(TypeKind::Reference(to));
                }
                Kind::ArrayDeclarator => out.ty = self.types.of(TypeKind::Array(out.ty)),
                Kind::FunctionDeclarator => out.ty = self.types.of(TypeKind::Function(out.ty)),
                Kind::InitDeclarator | Kind::ParenthesizedDeclarator => {}
                Kind::AttributedDeclarator => {
                    let own = attributes_of(tree, node, self.text);
                    own.iter().for_each(|a| out.storage.attribute(a));
                    promises.extend(own);
                }
                _ => {
                    out.name = Some(node);
                    for promise in promises.iter().filter(|a| a.name == "restrict") {
                        out.qualified.promise(promise, pointers);
                    }
                    return out;
                }
            }
            let inner = tree.child(node, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(node);
                parts.find(|&c| is_declarator(tree.kind(c)) && tree.field(c) != Field::Size)
            });
            // The innermost one counts: `*f()` is a function, `(*f)()` a pointer.
            if tree.kind(node) == Kind::FunctionDeclarator {
                let is_name = at.is_some_and(|a| {
                    !matches!(
                        tree.kind(a),
                        Kind::PointerDeclarator
                            | Kind::ReferenceDeclarator
                            | Kind::ArrayDeclarator
                            | Kind::ParenthesizedDeclarator
                    )
                });
                if is_name {
                    out.name = at;
                    out.parameters = tree.child(node, Field::Parameters);
                    return out;
                }
            }
        }
        out
    }

    /// What a function is given.
    pub(super) fn parameters(&mut self, list: NodeId, definition: &mut Definition) {
        let tree = self.tree;
        let all: Vec<NodeId> = tree.children(list).collect();
        for parameter in all {
            if tree.kind(parameter) != Kind::ParameterDeclaration {
                // `...`
                definition.variadic = true;
                continue;
            }
            let base = self.base_type(parameter);
            let ty = match tree.child(parameter, Field::Declarator) {
                Some(declarator) => self.declared(declarator, base).ty,
                None => base.ty,
            };
            // `f(void)`
            if self.types.kind(ty) == TypeKind::Void {
                continue;
            }
            let ty = self.types.decayed(ty);
            definition.parameters.push(ty);
            if tree.child(parameter, Field::DefaultValue).is_none() {
                definition.least_arguments = definition.parameters.len();
            }
        }
    }
}
