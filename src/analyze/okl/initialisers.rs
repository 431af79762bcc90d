//! Initialisers of structures and arrays with pointers: what each field and element is given.

use super::types::type_word;
use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::module::{ConstructKind, Origin, PointerId, Space};
use crate::sema::{Type, TypeKind};
use crate::syntax::{Field, Kind, NodeId};

/// A field, in the order of their declarations.
#[derive(Clone, Debug)]
pub(super) struct FieldType {
    pub(super) name: String,
    /// The last word of its type.
    pub(super) word: String,
    /// Number of dimensions, if it is an array.
    pub(super) rank: usize,
    /// It is a pointer, or an array of some.
    pub(super) pointer: Option<PointerId>,
}

/// Notes that pointers in a constant at file scope of a type lead to constants, as far as a list initialises them.
pub(super) fn of_constant(context: &Context<'_>, unit: &mut Unit, value: NodeId, ty: Type) {
    let (tree, sema) = (context.tree, context.sema);
    if tree.kind(value) != Kind::InitializerList {
        return;
    }
    let parts: Vec<NodeId> = tree.children(value).collect();
    let record = match sema.kind(ty) {
        TypeKind::Record(record) => record,
        TypeKind::Array(of) => {
            for part in parts {
                of_constant(context, unit, part, of);
            }
            return;
        }
        _ => return,
    };
    let fields = sema.fields_of(record);
    for (place, part) in parts.into_iter().enumerate() {
        // `.name = value`
        let designated = tree.kind(part) == Kind::InitializerPair;
        let value = tree.child(part, Field::Value).filter(|_| designated);
        let name = tree.children(part).next().filter(|_| designated);
        let name = name.map(|n| tree.text(n, context.text).trim_start_matches('.').trim());
        let field = match name {
            Some(name) => fields.iter().find(|&&id| sema.name(id) == name),
            None => fields.get(place),
        };
        let Some(&field) = field else { continue };
        match unit.pointer_fields.of(field) {
            Some((pointer, _)) => {
                let pointer = *pointer;
                unit.given(pointer, vec![Origin::Space(Space::Constant)]);
            }
            None => {
                let ty = sema.defined(field).ty;
                of_constant(context, unit, value.unwrap_or(part), ty);
            }
        }
    }
}

impl Walk<'_, '_> {
    /// Notes what the pointers in a structure of that type, or in an array of some with that many
    /// dimensions, are given by a list.
    pub(super) fn initialised(&mut self, list: NodeId, words: &str, rank: usize) {
        let tree = self.context.tree;
        if tree.kind(list) != Kind::InitializerList {
            return;
        }
        let Some(fields) = self.unit.record_fields.get(type_word(words)).cloned() else {
            return;
        };
        let mut next = 0;
        for part in tree.children(list) {
            if rank > 0 {
                self.initialised(part, words, rank - 1);
                continue;
            }
            // `.name = value`
            let designator = tree.children(part).next().filter(|&d| {
                tree.kind(part) == Kind::InitializerPair
                    && tree.text(d, self.context.text).starts_with('.')
            });
            let value = tree
                .child(part, Field::Value)
                .filter(|_| designator.is_some());
            if let Some(designator) = designator {
                let name = tree.text(designator, self.context.text);
                let name = name.trim_start_matches('.').trim();
                next = fields.iter().position(|f| f.name == name).unwrap_or(next);
            }
            if let Some(field) = fields.get(next) {
                self.field_initialised(field, value.unwrap_or(part));
            }
            next += 1;
        }
    }

    fn field_initialised(&mut self, field: &FieldType, value: NodeId) {
        match field.pointer {
            Some(pointer) => {
                let origins = self.origins_of_parts(value);
                self.unit.given(pointer, origins);
            }
            None => self.initialised(value, &field.word, field.rank),
        }
    }

    /// Where a value comes from, or, of a list, all its parts.
    pub(super) fn origins_of_parts(&mut self, value: NodeId) -> Vec<Origin> {
        let tree = self.context.tree;
        match tree.kind(value) {
            Kind::InitializerList => {
                let parts: Vec<NodeId> = tree.children(value).collect();
                let all = parts.into_iter().map(|p| self.origins_of_parts(p));
                all.collect::<Vec<_>>().concat()
            }
            Kind::InitializerPair => match tree.child(value, Field::Value) {
                Some(value) => self.origins_of_parts(value),
                None => Vec::new(),
            },
            _ => {
                let origins = self.origins(value);
                let in_list = tree.parent(value).is_some_and(|p| {
                    matches!(tree.kind(p), Kind::InitializerList | Kind::InitializerPair)
                });
                if in_list && origins.contains(&Origin::Space(Space::Shared)) {
                    self.unit
                        .push(tree.span(value), ConstructKind::SharedAddress);
                }
                origins
            }
        }
    }

    /// `Type{…}` and `(Type){…}`
    pub(super) fn compound_literal(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if let (Some(ty), Some(list)) = (
            tree.child(node, Field::Type),
            tree.child(node, Field::Value),
        ) {
            self.initialised(list, tree.text(ty, self.context.text), 0);
        }
    }
}
