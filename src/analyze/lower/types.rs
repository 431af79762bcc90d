//! Types with their places in memory: those of C on a 64-bit Unix.

use super::program::Unit;
use super::strings::text_of;
use super::templates::Bound;
use crate::analyze::packing::packing;
use crate::body::{self, Record, RecordId, Type, TypeKind};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::sema::{self, DefinitionId, DefinitionKind};
use crate::syntax::{Field, Kind, NodeId, is_declarator};

impl Unit<'_> {
    /// The type that a declaration, a parameter or a descriptor of a type begins with, and whether it is a reference (then
    /// the type is a pointer).
    pub(super) fn base_type(&mut self, declaration: NodeId) -> Option<(Type, bool)> {
        let tree = self.tree;
        for child in tree.children(declaration) {
            if tree.field(child) == Field::Declarator {
                break;
            }
            let named = matches!(
                tree.kind(child),
                Kind::TypeIdentifier | Kind::QualifiedIdentifier
            );
            if named && let Some(id) = self.sema.definition(child) {
                return self.named_type(id);
            }
        }
        // What is known of a descriptor is what all of it says; its declarator is not part of what it begins with.
        let mut ty = self.sema.described(declaration);
        if tree.kind(declaration) == Kind::TypeDescriptor {
            while let sema::TypeKind::Pointer(of)
            | sema::TypeKind::Reference(of)
            | sema::TypeKind::Array(of)
            | sema::TypeKind::Function(of) = self.sema.kind(ty)
            {
                ty = of;
            }
        }
        Some((self.known_type(ty)?, false))
    }

    /// The type that a name of one means, and whether it is a reference.
    fn named_type(&mut self, id: DefinitionId) -> Option<(Type, bool)> {
        if let Some(Bound::Type(ty)) = self.bound(id) {
            return Some((ty, false));
        }
        if self.sema.defined(id).kind == DefinitionKind::Typedef {
            // Of a name of itself nothing is known.
            if self.naming.contains(&id) {
                return None;
            }
            self.naming.push(id);
            let found = self.typedef(id);
            self.naming.pop();
            return found;
        }
        let ty = self.sema.defined(id).ty;
        Some((self.known_type(ty)?, false))
    }

    fn typedef(&mut self, id: DefinitionId) -> Option<(Type, bool)> {
        let tree = self.tree;
        let name = *self.declared.get(&id)?;
        let mut at = tree.parent(name);
        let mut declarator = name;
        while let Some(around) = at {
            match tree.kind(around) {
                Kind::TypeDefinition => {
                    return self.declared_type(around, declarator);
                }
                Kind::AliasDeclaration => {
                    return self.described(tree.child(around, Field::Type)?);
                }
                kind if is_declarator(kind) => {
                    declarator = around;
                    at = tree.parent(around);
                }
                _ => return None,
            }
        }
        None
    }

    /// The type that a descriptor of one names, as in casts; of a reference, what it refers to.
    pub(super) fn descriptor(&mut self, node: NodeId) -> Option<Type> {
        let (ty, reference) = self.described(node)?;
        match reference {
            true => self.program.types.element(ty),
            false => Some(ty),
        }
    }

    /// The type that a descriptor of one names, and whether it is a reference.
    fn described(&mut self, node: NodeId) -> Option<(Type, bool)> {
        let tree = self.tree;
        match tree.kind(node) {
            Kind::TypeDescriptor => match tree.child(node, Field::Declarator) {
                Some(declarator) => self.declared_type(node, declarator),
                None => self.base_type(node),
            },
            _ => match self.sema.definition(node) {
                Some(id) => self.named_type(id),
                None => {
                    let ty = self.sema.described(node);
                    let known = self.known_type(ty);
                    let named = || VectorType::from_name(tree.text(node, self.text));
                    let named =
                        |this: &mut Self| Some(this.program.types.of(TypeKind::Vector(named()?)));
                    Some((known.or_else(|| named(self))?, false))
                }
            },
        }
    }

    /// A variable's type and name as they are written, for a message.
    pub(super) fn declared_words(&self, declaration: NodeId, declarator: NodeId) -> String {
        let tree = self.tree;
        let mut name = declarator;
        if tree.kind(name) == Kind::InitDeclarator {
            name = tree.child(name, Field::Declarator).unwrap_or(name);
        }
        let ty = tree.child(declaration, Field::Type);
        let words = ty.into_iter().chain([name]);
        let words: Vec<&str> = words.map(|n| tree.text(n, self.text)).collect();
        crate::lex::shown(&words.join(" "))
    }

    /// A type of which `sema` knows all.
    fn known_type(&mut self, ty: sema::Type) -> Option<Type> {
        let kind = match self.sema.kind(ty) {
            sema::TypeKind::Void => TypeKind::Void,
            sema::TypeKind::Scalar(scalar) => TypeKind::Scalar(scalar),
            sema::TypeKind::Vector(vector) => TypeKind::Vector(vector),
            sema::TypeKind::Record(id) => TypeKind::Record(self.record(id)?),
            sema::TypeKind::Enumeration(id) => TypeKind::Scalar(self.enumeration(id)),
            sema::TypeKind::Pointer(to) => TypeKind::Pointer(self.known_type(to)?),
            sema::TypeKind::Unknown
            | sema::TypeKind::Reference(_)
            | sema::TypeKind::Array(_)
            | sema::TypeKind::Function(_) => return None,
        };
        Some(self.program.types.of(kind))
    }

    fn enumeration(&self, id: DefinitionId) -> Scalar {
        // `enum E : char`
        let name = self.declared.get(&id);
        let base = name
            .and_then(|n| self.tree.parent(*n))
            .and_then(|n| self.tree.child(n, Field::Base));
        let scalar = base.and_then(|b| self.sema.described_scalar(b));
        scalar.unwrap_or(Scalar::Int)
    }

    /// The type of what a declarator declares, and whether that is a reference (then the type is a pointer).
    pub(super) fn declared_type(
        &mut self,
        declaration: NodeId,
        declarator: NodeId,
    ) -> Option<(Type, bool)> {
        let base = self.base_type(declaration)?;
        self.type_of_declarator(declarator, base)
    }

    /// The same of what the declaration begins with.
    pub(super) fn type_of_declarator(
        &mut self,
        declarator: NodeId,
        (mut ty, mut reference): (Type, bool),
    ) -> Option<(Type, bool)> {
        let tree = self.tree;
        let mut at = Some(declarator);
        while let Some(node) = at {
            match tree.kind(node) {
                Kind::PointerDeclarator => ty = self.program.types.pointer(ty),
                // What refers to a reference refers to the same.
                Kind::ReferenceDeclarator if reference => {}
                Kind::ReferenceDeclarator => {
                    ty = self.program.types.pointer(ty);
                    reference = true;
                }
                Kind::ArrayDeclarator => {
                    let count = match tree.child(node, Field::Size) {
                        Some(size) => u64::try_from(self.constant(size)?).ok()?,
                        None => self.counted(declarator)?,
                    };
                    ty = self.program.types.of(TypeKind::Array(ty, count));
                }
                Kind::InitDeclarator
                | Kind::ParenthesizedDeclarator
                | Kind::AttributedDeclarator => {}
                Kind::FunctionDeclarator => return None,
                _ => break,
            }
            let inner = tree.child(node, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(node);
                parts.find(|&c| is_declarator(tree.kind(c)) && tree.field(c) != Field::Size)
            });
        }
        Some((ty, reference))
    }

    /// How many elements an array without a size has: of a parameter that does not matter.
    fn counted(&self, declarator: NodeId) -> Option<u64> {
        let tree = self.tree;
        let around = tree.parent(declarator)?;
        if tree.kind(around) == Kind::ParameterDeclaration {
            return Some(0);
        }
        let mut value = tree.child(declarator, Field::Value);
        if tree.kind(declarator) != Kind::InitDeclarator {
            value = tree.child(around, Field::Value);
        }
        if let Some(value) = value
            && let Some(bytes) = text_of(tree, value, self.text)
        {
            return Some(bytes.len() as u64 + 1);
        }
        let list = value.filter(|v| tree.kind(*v) == Kind::InitializerList)?;
        let plain = |n: NodeId| tree.kind(n) != Kind::InitializerPair;
        let all: Vec<NodeId> = tree.children(list).collect();
        all.iter().all(|n| plain(*n)).then_some(all.len() as u64)
    }

    /// The result of a function, and whether it is a reference.
    pub(super) fn result_type(
        &mut self,
        function: NodeId,
        declarator: NodeId,
    ) -> Option<(Type, bool)> {
        let tree = self.tree;
        let (mut ty, mut reference) = self.base_type(function)?;
        let mut at = tree.child(function, Field::Declarator)?;
        while at != declarator {
            match tree.kind(at) {
                Kind::PointerDeclarator => ty = self.program.types.pointer(ty),
                Kind::ReferenceDeclarator => {
                    ty = self.program.types.pointer(ty);
                    reference = true;
                }
                _ => {}
            }
            let inner = tree.child(at, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(at);
                parts.find(|&c| is_declarator(tree.kind(c)))
            })?;
        }
        Some((ty, reference))
    }

    /// What is passed of a type: of an array a pointer to its first element.
    pub(super) fn decayed(&mut self, ty: Type) -> Type {
        match self.program.types.kind(ty) {
            TypeKind::Array(of, _) => self.program.types.pointer(of),
            _ => ty,
        }
    }

    /// The structure or union that a specifier declares; `None` if more than its fields says how it lies in memory.
    pub(super) fn record(&mut self, id: DefinitionId) -> Option<RecordId> {
        if let Some(known) = self.records.get(&id) {
            return *known;
        }
        self.records.insert(id, None);
        let specifier = *self.specifiers.get(&id)?;
        let name = self.sema.name(id).to_string();
        let empty = Record {
            name: name.clone(),
            fields: Vec::new(),
            size: 1,
            align: 1,
        };
        // A field may point to another one of the kind.
        let record = self.program.types.add_record(empty);
        self.records.insert(id, Some(record));
        self.making.push(record);
        let made = self.fields(specifier, name);
        // One that has itself in it has no end.
        let endless = |field: &body::Field| {
            let mut ty = field.ty;
            while let TypeKind::Array(of, _) = self.program.types.kind(ty) {
                ty = of;
            }
            match self.program.types.kind(ty) {
                TypeKind::Record(inside) => self.making.contains(&inside),
                _ => false,
            }
        };
        let made = made.filter(|made| !made.fields.iter().any(endless));
        self.making.pop();
        if self.is_constructed(specifier) {
            self.constructed.insert(record);
        }
        match made {
            Some(made) => self.program.types.complete_record(record, made),
            None => {
                self.records.insert(id, None);
                return None;
            }
        }
        Some(record)
    }

    fn fields(&mut self, specifier: NodeId, name: String) -> Option<Record> {
        let tree = self.tree;
        let mut record = Record {
            name,
            fields: Vec::new(),
            size: 0,
            align: 1,
        };
        let is_union = tree.kind(specifier) == Kind::UnionSpecifier;
        let packing = packing(tree, self.text, specifier)?;
        let list = tree.child(specifier, Field::Body)?;
        let members: Vec<NodeId> = tree.children(list).collect();
        for member in members {
            match tree.kind(member) {
                Kind::FieldDeclaration => {}
                Kind::FunctionDefinition
                | Kind::AccessSpecifier
                | Kind::TypeDefinition
                | Kind::AliasDeclaration
                | Kind::Declaration
                | Kind::FriendDeclaration
                | Kind::StaticAssert
                | Kind::TemplateDeclaration => continue,
                _ => return None,
            }
            let children: Vec<NodeId> = tree.children(member).collect();
            let is_static = |n: NodeId| {
                tree.kind(n) == Kind::StorageClass && tree.text(n, self.text) == "static"
            };
            if children.iter().any(|c| is_static(*c)) {
                continue;
            }
            // Bits, alignments and virtual functions.
            let known = |n: &NodeId| {
                matches!(
                    tree.kind(*n),
                    Kind::TypeQualifier | Kind::AttributeDeclaration
                ) || matches!(
                    tree.field(*n),
                    Field::Type | Field::Declarator | Field::DefaultValue
                )
            };
            if !children.iter().all(known) {
                return None;
            }
            let declarators = children.iter().copied();
            let declarators: Vec<NodeId> = declarators
                .filter(|&c| tree.field(c) == Field::Declarator)
                .collect();
            if declarators.is_empty() {
                // A structure without a name inside adds its fields; types with names add none.
                let ty = tree.child(member, Field::Type)?;
                match tree.kind(ty) == Kind::EnumSpecifier || tree.child(ty, Field::Name).is_some()
                {
                    true => continue,
                    false => return None,
                }
            }
            for declarator in declarators {
                if self.declares_function(declarator) {
                    continue;
                }
                let (ty, reference) = self.declared_type(member, declarator)?;
                if reference {
                    return None;
                }
                let mut all = tree.descendants(declarator);
                let name = all.find(|&n| tree.kind(n) == Kind::FieldIdentifier)?;
                let align = packing.field(self.program.types.align(ty));
                let size = self.program.types.size(ty);
                let offset = match is_union {
                    true => 0,
                    false => record.size.next_multiple_of(align),
                };
                record.fields.push(body::Field {
                    name: tree.text(name, self.text).to_string(),
                    ty,
                    offset,
                });
                record.size = record.size.max(offset + size);
                record.align = record.align.max(align);
            }
        }
        record.align = packing.whole(record.align);
        record.size = record.size.max(1).next_multiple_of(record.align);
        Some(record)
    }

    /// Whether a class has constructors, a destructor, or values for its fields.
    fn is_constructed(&self, specifier: NodeId) -> bool {
        let tree = self.tree;
        let Some(list) = tree.child(specifier, Field::Body) else {
            return false;
        };
        tree.children(list).any(|member| match tree.kind(member) {
            Kind::FunctionDefinition | Kind::Declaration => {
                tree.child(member, Field::Type).is_none()
            }
            Kind::FieldDeclaration => {
                let once = tree.children(member).any(|n| {
                    tree.kind(n) == Kind::StorageClass && tree.text(n, self.text) == "static"
                });
                !once && tree.child(member, Field::DefaultValue).is_some()
            }
            _ => false,
        })
    }

    /// Whether a class has a member once, and not each of its objects.
    pub(super) fn is_static(&self, id: DefinitionId) -> bool {
        let tree = self.tree;
        let name = self.declared.get(&id);
        let found = name.and_then(|n| self.declaration_of(*n));
        found.is_some_and(|(declaration, _)| {
            tree.children(declaration)
                .any(|n| tree.kind(n) == Kind::StorageClass && tree.text(n, self.text) == "static")
        })
    }

    fn declares_function(&self, declarator: NodeId) -> bool {
        let tree = self.tree;
        let mut at = Some(declarator);
        while let Some(node) = at {
            if tree.kind(node) == Kind::FunctionDeclarator {
                return true;
            }
            let inner = tree.child(node, Field::Declarator);
            at = inner.or_else(|| {
                let mut parts = tree.children(node);
                parts.find(|&c| is_declarator(tree.kind(c)))
            });
        }
        false
    }

    /// The declaration that a name is declared in, and its declarator there.
    pub(super) fn declaration_of(&self, name: NodeId) -> Option<(NodeId, NodeId)> {
        let tree = self.tree;
        let mut declarator = name;
        loop {
            let around = tree.parent(declarator)?;
            match tree.kind(around) {
                kind if is_declarator(kind) || kind == Kind::InitDeclarator => declarator = around,
                _ => return Some((around, declarator)),
            }
        }
    }

    /// The value that a declarator gives.
    pub(super) fn initialiser(&self, declaration: NodeId, declarator: NodeId) -> Option<NodeId> {
        let tree = self.tree;
        match (tree.kind(declarator), tree.kind(declaration)) {
            (Kind::InitDeclarator, _) => tree.child(declarator, Field::Value),
            (_, Kind::FieldDeclaration) => tree.child(declaration, Field::DefaultValue),
            // `if (int n = f())`: it stands behind the declarator, which has no other one behind it.
            _ => {
                let mut behind = tree.siblings_behind(declarator);
                let next = behind.find(|&n| tree.field(n) != Field::Other);
                next.filter(|&n| tree.field(n) == Field::Value)
            }
        }
    }
}
