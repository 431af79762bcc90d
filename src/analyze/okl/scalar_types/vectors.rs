//! Vectors, and the structures whose fields are some.

use super::super::types::{is_record, type_word};
use super::{ScalarTypes, TypedVector, is_auto};
use crate::expr::Scalar;
use crate::module::VectorType;
use crate::syntax::{Field, Kind, NodeId, declarators, words_of};

impl<'t> ScalarTypes<'t> {
    pub(super) fn note_vector(&mut self, name: &'t str, words: &'t str, levels: usize) {
        let vector = self.named_vector(words).map(|(v, more)| (v, levels + more));
        self.vectors
            .entry(name)
            .and_modify(|known| *known = known.filter(|k| Some(*k) == vector))
            .or_insert(vector);
    }

    pub(super) fn named_vector(&self, words: &str) -> Option<TypedVector> {
        let words = words_of(words);
        let word = type_word(&words);
        let own = VectorType::from_name(word).map(|v| (v, 0));
        own.or_else(|| self.vectors.get(word).copied().flatten())
    }

    /// The name of the structure that a field belongs to.
    pub(super) fn record_around(&self, field: NodeId) -> Option<&'t str> {
        let (tree, text) = (self.tree, self.text);
        let record = tree.parent(tree.parent(field)?)?;
        if let Some(name) = tree.child(record, Field::Name) {
            return Some(tree.text(name, text));
        }
        let around = tree.parent(record)?;
        let names = declarators(tree, around, text);
        names.first().map(|d| d.name_span.of(text))
    }

    /// `typedef struct S T;`
    pub(super) fn name_record(&mut self, node: NodeId, name: &'t str) {
        let (tree, text) = (self.tree, self.text);
        let record = tree.children(node).find(|&c| is_record(tree.kind(c)));
        let known = match record {
            Some(record) => tree
                .child(record, Field::Name)
                .or_else(|| tree.child_of_kind(node, Kind::TypeIdentifier)),
            None => tree.child(node, Field::Type),
        };
        if let Some(known) = known {
            self.records.insert(name, tree.text(known, text));
        }
    }

    /// The words of the type of an expression that is a structure as a whole.
    pub(in crate::analyze::okl) fn structure(&self, node: NodeId) -> Option<&'t str> {
        let (words, levels) = self.leads_to(node)?;
        (levels == 0 && self.is_structure(type_word(words))).then_some(words)
    }

    /// The words of the type that a name, or what is behind it, has, and how many `*` and dimensions are left.
    fn leads_to(&self, node: NodeId) -> Option<(&'t str, usize)> {
        let (tree, text) = (self.tree, self.text);
        let part = |field| self.leads_to(tree.child(node, field)?);
        let less = |(words, levels): (&'t str, usize)| Some((words, levels.checked_sub(1)?));
        match tree.kind(node) {
            Kind::Identifier => {
                let declared = self.nearest(node)?;
                match (is_auto(declared.words), declared.value) {
                    (true, Some(value)) => self.leads_to(value),
                    _ => Some((declared.words, declared.levels)),
                }
            }
            Kind::FieldExpression => self.field(node),
            Kind::ParenthesizedExpression => self.leads_to(tree.children(node).next()?),
            Kind::SubscriptExpression => less(part(Field::Argument)?),
            Kind::PointerExpression => match tree.text(node, text).starts_with('*') {
                true => less(part(Field::Argument)?),
                false => part(Field::Argument).map(|(words, levels)| (words, levels + 1)),
            },
            // `m(i, j)` of a variable with `@dim` is an element.
            Kind::CallExpression => less(part(Field::Function)?),
            Kind::BinaryExpression => [Field::Left, Field::Right]
                .into_iter()
                .filter_map(part)
                .find(|(_, levels)| *levels > 0),
            Kind::CastExpression => {
                let ty = tree.text(tree.child(node, Field::Type)?, text);
                Some((ty.trim_end_matches(['*', ' ']), ty.matches('*').count()))
            }
            _ => None,
        }
    }

    fn is_structure(&self, mut name: &'t str) -> bool {
        // A chain of names is short.
        for _ in 0..8 {
            if self.fields.keys().any(|(record, _)| *record == name) {
                return true;
            }
            match self.records.get(name) {
                Some(other) => name = other,
                None => break,
            }
        }
        false
    }

    /// The field that an expression names, if its structure is known.
    pub(super) fn field(&self, node: NodeId) -> Option<(&'t str, usize)> {
        let field = self.tree.child(node, Field::FieldName)?;
        let field = self.tree.text(field, self.text);
        let mut record = self.record(self.tree.child(node, Field::Argument)?)?;
        // A chain of names is short.
        for _ in 0..8 {
            if let Some(found) = self.fields.get(&(record, field)) {
                return Some(*found);
            }
            record = self.records.get(record)?;
        }
        None
    }

    /// The structure that an expression is, or leads to.
    fn record(&self, node: NodeId) -> Option<&'t str> {
        let tree = self.tree;
        let argument = || self.record(tree.child(node, Field::Argument)?);
        match tree.kind(node) {
            Kind::Identifier => {
                let declared = self.nearest(node)?;
                match (is_auto(declared.words), declared.value) {
                    (true, Some(value)) => self.record(value),
                    _ => Some(type_word(declared.words)),
                }
            }
            Kind::FieldExpression => Some(type_word(self.field(node)?.0)),
            Kind::ParenthesizedExpression => self.record(tree.children(node).next()?),
            Kind::SubscriptExpression | Kind::PointerExpression => argument(),
            Kind::BinaryExpression => [Field::Left, Field::Right]
                .into_iter()
                .find_map(|side| self.record(tree.child(node, side)?)),
            _ => None,
        }
    }

    /// The type of an expression that is a vector.
    pub(in crate::analyze::okl) fn vector(&self, node: NodeId) -> Option<VectorType> {
        let typed = self.typed_vector(node).filter(|(_, levels)| *levels == 0);
        typed.map(|(vector, _)| vector)
    }

    /// The type of an expression that is a vector, or leads to some.
    pub(super) fn typed_vector(&self, node: NodeId) -> Option<TypedVector> {
        let tree = self.tree;
        let part = |field| tree.child(node, field).and_then(|n| self.typed_vector(n));
        let words = tree.text(node, self.text);
        let less = |(vector, levels): TypedVector| Some((vector, levels.checked_sub(1)?));
        match tree.kind(node) {
            Kind::Identifier => match *self.vectors.get(words)? {
                None => {
                    let declared = self.nearest(node)?;
                    if is_auto(declared.words) {
                        return self.typed_vector(declared.value?);
                    }
                    let (vector, more) = self.named_vector(declared.words)?;
                    Some((vector, more + declared.levels))
                }
                known => known,
            },
            Kind::ParenthesizedExpression | Kind::ConditionClause => {
                self.typed_vector(tree.children(node).next()?)
            }
            Kind::FieldExpression => match self.field(node) {
                Some((words, levels)) => {
                    let (vector, more) = self.named_vector(words)?;
                    Some((vector, levels + more))
                }
                None => {
                    let field = tree.child(node, Field::FieldName)?;
                    *self.vectors.get(tree.text(field, self.text))?
                }
            },
            Kind::SubscriptExpression => less(part(Field::Argument)?),
            Kind::UnaryExpression | Kind::UpdateExpression => part(Field::Argument),
            Kind::PointerExpression if words.starts_with('*') => less(part(Field::Argument)?),
            Kind::PointerExpression => {
                let (vector, levels) = part(Field::Argument)?;
                Some((vector, levels + 1))
            }
            Kind::AssignmentExpression => part(Field::Left),
            Kind::BinaryExpression => part(Field::Left).or_else(|| part(Field::Right)),
            Kind::ConditionalExpression => {
                part(Field::Consequence).or_else(|| part(Field::Alternative))
            }
            Kind::CastExpression | Kind::CompoundLiteral => {
                let ty = tree.text(tree.child(node, Field::Type)?, self.text);
                let (vector, levels) = self.named_vector(ty.trim_end_matches(['*', ' ']))?;
                Some((vector, levels + ty.matches('*').count()))
            }
            Kind::CallExpression => {
                let function = tree.child(node, Field::Function)?;
                let name = tree.text(function, self.text);
                if let Some(made) = name.strip_prefix("make_").and_then(VectorType::from_name) {
                    return Some((made, 0));
                }
                match (self.functions.get(name), self.variables.get(name)) {
                    // `m(i, j)` of a variable with `@dim` is an element.
                    (None, Some(_)) => less(self.typed_vector(function)?),
                    _ => self.typed_vector(function),
                }
            }
            _ => None,
        }
    }

    /// The component of a vector that an expression names.
    pub(super) fn component(&self, node: NodeId) -> Option<Scalar> {
        let tree = self.tree;
        let field = tree.text(tree.child(node, Field::FieldName)?, self.text);
        let (vector, _) = self.typed_vector(tree.child(node, Field::Argument)?)?;
        let named = ["x", "y", "z", "w"].contains(&field);
        named.then_some(vector.scalar)
    }
}
