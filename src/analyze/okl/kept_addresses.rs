//! Locals of an item whose address something may keep over a barrier, although nothing names them behind it.

use super::types::type_word;
use super::walk::Walk;
use crate::expr::Scalar;
use crate::module::{LoopId, LoopKind};
use crate::sema::TypeKind;
use crate::syntax::{
    Declarator, Field, Kind, NodeId, declarators, function_name, parameters, type_words,
};
use std::collections::{HashMap, HashSet};

impl Walk<'_, '_> {
    /// The names in a body whose address is taken: by `&`, a reference, a function that may keep it, or as the
    /// pointer to an array's first element.
    pub(super) fn addressed(&self, body: NodeId) -> HashSet<&str> {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut found = HashSet::new();
        let mut ranks: HashMap<String, usize> = HashMap::new();
        for node in tree.descendants(body) {
            if tree.kind(node) != Kind::Declaration {
                continue;
            }
            let words = &*type_words(tree, node, text);
            let of_type = self.unit.types.get(type_word(words));
            let of_type = of_type.map_or(0, |t| t.extents);
            for name in declarators(tree, node, text) {
                let rank = ranks.entry(name.name.to_string()).or_default();
                *rank = (*rank).max(name.sizes.len() + of_type);
            }
        }
        for node in tree.descendants(body) {
            match tree.kind(node) {
                Kind::PointerExpression if tree.text(node, text).starts_with('&') => {
                    self.places(tree.child(node, Field::Argument), &mut found);
                }
                Kind::Declaration => self.bound(node, &mut found),
                Kind::CallExpression => self.given_to_call(node, &mut found),
                Kind::Identifier if tree.field(node) != Field::Declarator => {
                    let name = tree.text(node, text);
                    let rank = ranks.get(name).copied().unwrap_or(0);
                    if rank > 0 && self.subscripts(node) < rank {
                        found.insert(name);
                    }
                }
                // An array in a structure.
                Kind::FieldExpression if self.names_array(node) && self.subscripts(node) == 0 => {
                    self.places(Some(node), &mut found);
                }
                _ => {}
            }
        }
        found
    }

    /// Whether a local or a variable of an item that is used in a body may hold an address; `carried` are the
    /// declarations that live across its barriers.
    pub(super) fn holds_addresses(&self, body: NodeId, carried: &[NodeId]) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let by_declaration = carried.iter().any(|&node| {
            let scalar = self.context.sema.described_scalar(node);
            let wide = scalar.is_none_or(|s| matches!(s, Scalar::Long | Scalar::ULong));
            wide || declarators(tree, node, text).iter().any(|d| d.pointers > 0)
        });
        by_declaration
            || tree.descendants(body).any(|n| {
                let symbol = match tree.kind(n) {
                    Kind::Identifier => self.unit.scopes.get(tree.text(n, text)),
                    _ => None,
                };
                let own = symbol.filter(|s| s.shared || s.item_variable.is_some());
                own.is_some() && !self.holds_numbers(n)
            })
    }

    /// Whether a variable is a number, a vector, or an array of these.
    fn holds_numbers(&self, name: NodeId) -> bool {
        let sema = self.context.sema;
        let mut ty = sema.kind(sema.type_of(name));
        while let TypeKind::Array(of) = ty {
            ty = sema.kind(of);
        }
        matches!(ty, TypeKind::Scalar(_) | TypeKind::Vector(_))
    }

    /// The variables of an inner loop and of those around it.
    pub(super) fn item_counters(&self, id: LoopId) -> Vec<&str> {
        let this = |id: LoopId| &self.unit.loops[id.0 as usize];
        let chain = std::iter::successors(Some(id), |id| this(*id).parent);
        let inner = chain.map(this).filter(|l| l.kind != LoopKind::Outer);
        inner.map(|l| l.header.variable.as_str()).collect()
    }

    /// Whether a lambda in a body names one of these variables: its captures are written as names.
    pub(super) fn is_captured(&self, body: NodeId, names: &[Declarator]) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let mut lambdas = tree.descendants(body);
        lambdas.any(|l| {
            tree.kind(l) == Kind::LambdaExpression
                && tree.descendants(l).any(|n| {
                    let word = tree.text(n, text);
                    tree.kind(n) == Kind::Identifier && names.iter().any(|d| d.name == word)
                })
        })
    }

    /// The variables in which the place lies that an expression names.
    fn places<'s>(&'s self, node: Option<NodeId>, found: &mut HashSet<&'s str>) {
        let tree = self.context.tree;
        let Some(node) = node.map(|n| tree.unparenthesized(n)) else {
            return;
        };
        let part = |field| tree.child(node, field);
        match tree.kind(node) {
            Kind::Identifier => {
                found.insert(tree.text(node, self.context.text));
            }
            Kind::SubscriptExpression | Kind::UpdateExpression => {
                self.places(part(Field::Argument), found);
            }
            Kind::FieldExpression => {
                let operator = part(Field::Operator).map(|o| tree.text(o, self.context.text));
                if operator != Some("->") {
                    self.places(part(Field::Argument), found);
                }
            }
            Kind::ConditionalExpression => {
                self.places(part(Field::Consequence), found);
                self.places(part(Field::Alternative), found);
            }
            Kind::CommaExpression => self.places(tree.children(node).last(), found),
            Kind::AssignmentExpression => self.places(part(Field::Left), found),
            Kind::CastExpression => self.places(part(Field::Value), found),
            Kind::InitializerList | Kind::ArgumentList | Kind::InitializerPair => {
                for value in tree.children(node) {
                    self.places(Some(value), found);
                }
            }
            _ => {}
        }
    }

    /// What references are bound to, and constructors that take some are given.
    fn bound<'s>(&'s self, declaration: NodeId, found: &mut HashSet<&'s str>) {
        let (tree, text) = (self.context.tree, self.context.text);
        let words = &*type_words(tree, declaration, text);
        let name = type_word(words);
        let keeps = self.unit.types.get(name).is_some_and(|t| t.unassignable)
            || self.unit.references.takes(name)
            || self.defines_type(declaration);
        for declared in declarators(tree, declaration, text) {
            if declared.reference || keeps {
                self.places(declared.value, found);
            }
        }
    }

    /// What a call is given by reference, if the function may keep it.
    fn given_to_call<'s>(&'s self, call: NodeId, found: &mut HashSet<&'s str>) {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(function) = tree.child(call, Field::Function) else {
            return;
        };
        let keeps = match tree.kind(function) {
            Kind::Identifier => {
                let name = tree.text(function, text);
                self.unit.references.takes(name) && self.may_keep(name)
            }
            Kind::FieldExpression => {
                self.places(Some(function), found);
                true
            }
            // `std::max` and its like give values; what gives addresses is among them, too.
            _ => true,
        };
        if keeps {
            self.places(tree.child(call, Field::Arguments), found);
        }
    }

    /// Whether a function's result, or what it is given, can hold an address.
    fn may_keep(&self, name: &str) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let is_record = |node: NodeId| {
            let words = &*type_words(tree, node, text);
            let ty = self.unit.types.get(type_word(words));
            type_word(words) == "auto" || ty.is_some_and(|t| t.scalar.is_none() || t.pointers > 0)
        };
        let mut named = 0;
        for node in tree.root().into_iter().flat_map(|r| tree.descendants(r)) {
            if tree.kind(node) != Kind::FunctionDefinition
                || function_name(tree, node, text).is_none_or(|(n, _)| n != name)
            {
                continue;
            }
            named += 1;
            let declarator = tree.child(node, Field::Declarator);
            let value = declarator.is_some_and(|d| tree.kind(d) == Kind::FunctionDeclarator);
            let (list, _) = parameters(tree, node).unwrap_or_default();
            let out = list.iter().any(|&p| {
                let mut all = declarators(tree, p, text).into_iter();
                all.any(|d| {
                    let levels = d.pointers + d.sizes.len() + usize::from(d.reference);
                    levels > 1 || levels > 0 && is_record(p)
                })
            });
            if !value || out || is_record(node) {
                return true;
            }
        }
        named == 0
    }

    /// The number of subscripts behind a name or a field.
    fn subscripts(&self, node: NodeId) -> usize {
        let tree = self.context.tree;
        let (mut at, mut count) = (node, 0);
        while let Some(around) = tree.parent(at) {
            match tree.kind(around) {
                Kind::ParenthesizedExpression => {}
                Kind::SubscriptExpression if tree.field(at) == Field::Argument => count += 1,
                _ => break,
            }
            at = around;
        }
        count
    }

    /// `s.a` where some structure has an array of that name.
    fn names_array(&self, node: NodeId) -> bool {
        let (tree, text) = (self.context.tree, self.context.text);
        let Some(field) = tree.child(node, Field::FieldName) else {
            return false;
        };
        let field = tree.text(field, text);
        let all = tree.root().into_iter().flat_map(|r| tree.descendants(r));
        let mut declarations = all.filter(|&n| tree.kind(n) == Kind::FieldDeclaration);
        declarations.any(|n| {
            let mut names = declarators(tree, n, text).into_iter();
            names.any(|d| d.name == field && !d.sizes.is_empty())
        })
    }

    /// Whether the type that a declaration names is defined in it.
    pub(super) fn defines_type(&self, declaration: NodeId) -> bool {
        let tree = self.context.tree;
        let ty = tree.child(declaration, Field::Type);
        ty.is_some_and(|t| tree.child(t, Field::Body).is_some())
    }

    /// The names of the types and enumerators that a statement declares.
    pub(super) fn types_defined(&self, statement: NodeId) -> Vec<&str> {
        let tree = self.context.tree;
        let named = matches!(
            tree.kind(statement),
            Kind::TypeDefinition
                | Kind::AliasDeclaration
                | Kind::EnumSpecifier
                | Kind::StructSpecifier
                | Kind::ClassSpecifier
                | Kind::UnionSpecifier
        );
        let names = tree.descendants(statement).filter(|&n| {
            let own = matches!(tree.field(n), Field::Name | Field::Declarator);
            own && matches!(tree.kind(n), Kind::Identifier | Kind::TypeIdentifier)
        });
        let names = names.filter(|_| named);
        names.map(|n| tree.text(n, self.context.text)).collect()
    }
}
