use super::Checker;
use super::symbols::{Role, Symbol};
use super::types::INT;
use crate::diagnostics::codes;
use crate::syntax::{Declarator, Field, Kind, NodeId, attributes_of, declarators, type_span};

impl Checker<'_, '_> {
    /// Local variables.
    pub(super) fn declaration(&mut self, node: NodeId) {
        let (tree, text) = (self.context.tree, self.context.text);
        let names = declarators(tree, node, text);
        let mut attributes = attributes_of(tree, node, text);
        attributes.extend(names.iter().flat_map(|n| n.attributes.iter().cloned()));
        let mut shared = false;
        let words = type_span(tree, node);
        for attribute in &attributes {
            match attribute.name.as_str() {
                "shared" => shared = true,
                "out" => self.report(&codes::BROOK_OUTPUT_QUALIFIER, attribute.span, &[]),
                "reduce" => self.report(&codes::BROOK_REDUCE_QUALIFIER, attribute.span, &[]),
                "stream" => self.report(&codes::BROOK_TYPE, words, &[&words.of(text)]),
                _ => self.report(&codes::BROOK_CONTROL_FLOW, attribute.span, &[]),
            }
        }
        // A pointer is nothing but a pointer to the old compiler.
        let pointers = names.iter().any(|n| n.pointers > 0);
        let constant = !pointers && self.qualifiers(node, false);
        let ty = self.named_type(words, false);
        for name in names {
            let symbol = Symbol {
                ty: ty.unwrap_or(INT),
                role: Role::Local { constant },
            };
            let refused = Symbol {
                role: Role::Refused,
                ..symbol.clone()
            };
            if name.pointers > 0 || name.function {
                self.report(&codes::BROOK_POINTER, name.span, &[]);
                self.declare(&name, refused);
                continue;
            }
            if ty.is_none() {
                self.declare(&name, refused);
                continue;
            }
            let role = match (shared, name.sizes.is_empty()) {
                (true, _) => self.shared_array(&name, symbol.ty),
                (false, true) => Role::Local { constant },
                (false, false) => self.local_array(&name),
            };
            let array = role.is_array();
            let symbol = Symbol { role, ..symbol };
            self.declare(&name, symbol.clone());
            match name.value {
                Some(value) if !array => self.initializer(value, symbol.ty),
                Some(_) => {}
                None if constant && !array => {
                    self.report(&codes::BROOK_UNINITIALIZED_CONST, name.span, &[]);
                }
                None => {}
            }
        }
    }

    fn local_array(&mut self, name: &Declarator) -> Role {
        let times = if name.value.is_some() { 2 } else { 1 };
        for _ in 0..times {
            self.report(&codes::BROOK_LOCAL_ARRAY, name.span, &[]);
        }
        Role::LocalArray
    }

    /// The words of an operator.
    pub(super) fn operator_of(&self, node: NodeId) -> &str {
        let operator = self.context.tree.child(node, Field::Operator);
        operator.map_or("", |o| self.word(o))
    }

    /// Whether an expression is a number as it is written.
    pub(super) fn is_number(&self, node: NodeId) -> bool {
        matches!(self.kind(node), Kind::NumberLiteral | Kind::CharLiteral)
    }
}
