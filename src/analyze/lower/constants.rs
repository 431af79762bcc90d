//! Numbers that have to be known before anything runs: sizes of arrays, enumerators, labels.

use super::program::Unit;
use crate::expr::{self, Expr, Value};
use crate::sema::{DefinitionId, DefinitionKind};
use crate::syntax::{Field, Kind, NodeId};

/// Constants may be made of others, but not for ever.
const MOST_STEPS: usize = 64;

impl Unit<'_> {
    /// The integer that an expression is.
    pub(super) fn constant(&self, node: NodeId) -> Option<i64> {
        self.value(node, MOST_STEPS)?.as_i64()
    }

    fn value(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = self.tree;
        let steps = steps.checked_sub(1)?;
        let parsed = expr::parse(tree.text(node, self.text)).ok()?;
        let named = |name: &str| {
            let mut all = tree.descendants(node);
            let found = all.find(|&n| {
                matches!(tree.kind(n), Kind::Identifier | Kind::QualifiedIdentifier)
                    && tree.text(n, self.text) == name
            })?;
            self.constant_of(self.sema.definition(found)?, steps)
        };
        expr::evaluate(&parsed, &named).ok()
    }

    /// The number that a constant or enumerator is.
    pub(super) fn constant_of(&self, id: DefinitionId, steps: usize) -> Option<Value> {
        let tree = self.tree;
        let steps = steps.min(MOST_STEPS).checked_sub(1)?;
        if let Some(number) = self.bound_number(id) {
            return Some(number);
        }
        let name = *self.declared.get(&id)?;
        match self.sema.defined(id).kind {
            DefinitionKind::Enumerator => self.enumerator(tree.parent(name)?, steps),
            kind @ (DefinitionKind::Variable | DefinitionKind::Field) => {
                if kind == DefinitionKind::Field && !self.is_static(id) {
                    return None;
                }
                let (declaration, declarator) = self.declaration_of(name)?;
                let mut words = tree.children(declaration);
                let constant = |n: NodeId| {
                    tree.kind(n) == Kind::TypeQualifier
                        && matches!(tree.text(n, self.text), "const" | "constexpr")
                };
                if !words.any(constant) {
                    return None;
                }
                let scalar = match self.sema.kind(self.sema.type_of_definition(id)) {
                    crate::sema::TypeKind::Scalar(scalar) => scalar,
                    _ => return None,
                };
                let value = self.value(self.initialiser(declaration, declarator)?, steps)?;
                let cast = Expr::Cast(scalar, Box::new(Expr::Literal(value)));
                expr::evaluate(&cast, &|_| None).ok()
            }
            _ => None,
        }
    }

    /// The number that a constant of the file is.
    pub(super) fn constant_of_name(&self, name: &str) -> Option<Value> {
        let tree = self.tree;
        let of_file = |node: NodeId| {
            let mut at = tree.parent(node);
            while let Some(around) = at {
                match tree.kind(around) {
                    Kind::CompoundStatement | Kind::FieldDeclarationList => return false,
                    _ => at = tree.parent(around),
                }
            }
            true
        };
        let mut all = self.declared.iter();
        let (id, _) = all.find(|(id, node)| self.sema.name(**id) == name && of_file(**node))?;
        self.constant_of(*id, MOST_STEPS)
    }

    fn enumerator(&self, node: NodeId, steps: usize) -> Option<Value> {
        let tree = self.tree;
        let list = tree.parent(node)?;
        let mut next = 0;
        for one in tree.children(list) {
            if tree.kind(one) != Kind::Enumerator {
                continue;
            }
            if let Some(value) = tree.child(one, Field::Value) {
                next = self.value(value, steps)?.as_i64()?;
            }
            if one == node {
                let small = i32::try_from(next).ok();
                let long = Value::Int(expr::Scalar::Long, next);
                return Some(small.map_or(long, Value::int));
            }
            next = next.checked_add(1)?;
        }
        None
    }
}
