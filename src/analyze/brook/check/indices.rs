use super::Checker;
use super::symbols::Role;
use super::types::{INT, Ty};
use super::values::Value;
use crate::diagnostics::codes;
use crate::module::Type;
use crate::syntax::{Field, Kind, NodeId};

impl Checker<'_, '_> {
    /// `a[i]`, `a[float2(x, y)]`, `a[y][x]`: an element of an array.
    pub(super) fn subscript(&mut self, node: NodeId) -> Value {
        let tree = self.context.tree;
        let mut indices = Vec::new();
        let mut array = node;
        while self.kind(array) == Kind::SubscriptExpression {
            indices.extend(tree.child(array, Field::Index));
            match tree.child(array, Field::Argument) {
                Some(base) => array = tree.unparenthesized(base),
                None => break,
            }
        }
        indices.reverse();
        let span = tree.span(node);
        if self.kind(array) != Kind::Identifier {
            let value = self.expression(array);
            let mut count = 0;
            for index in indices {
                self.expression(index);
                count += 1;
            }
            if let Some(Role::Field(rank)) = value.array {
                if count != rank {
                    self.report(&codes::BROOK_INDEX_LOCAL, span, &[]);
                }
                return Value::of(value.ty);
            }
            self.report(&codes::BROOK_INDEX_BASE, span, &[]);
            return Value::guess(INT);
        }
        let symbol = self.symbol_of(array).cloned();
        if symbol.is_none() {
            self.undefined(array);
        }
        let mut values = Vec::new();
        for &index in &indices {
            values.push(self.operand(index, true));
        }
        let Some(symbol) = symbol else {
            return Value::guess(INT);
        };
        let element = Value::of(symbol.ty).guessed_if(symbol.role == Role::Refused);
        let (rank, shared) = match symbol.role {
            Role::Gather { rank, .. } | Role::Scatter { rank } => (rank, false),
            Role::Shared(_) => (1, true),
            // It has been refused as a whole.
            Role::LocalArray | Role::Refused => return element,
            Role::StreamIn | Role::StreamOut if self.facts.array_elements.is_some() => {
                return element;
            }
            _ if self.is_component(&indices, symbol.ty) => {
                let ty = symbol.ty.arithmetic().map(|t| Type::scalar(t.base));
                return Value::of(ty.map_or(INT, Ty::Number));
            }
            _ => {
                self.report(&codes::BROOK_INDEX_NO_ARRAY, span, &[]);
                return element;
            }
        };
        for (&index, value) in indices.iter().zip(&values) {
            let at = tree.span(index);
            if value.array.is_some() {
                self.report(&codes::BROOK_ARRAY_UNARY, at, &[]);
                return element;
            }
            if value.ty.arithmetic().is_none() {
                self.report(&codes::BROOK_OPERAND_ARITHMETIC, at, &[]);
                return element;
            }
        }
        if self.checking.brookgpu
            && let ([index], [value]) = (&indices[..], &values[..])
            && let Some(given) = value.ty.arithmetic()
            && usize::from(given.width) > rank
        {
            // Components that are too many are ignored.
            let width = rank as u8;
            self.converts(*index, value.ty, Type { width, ..given });
            return element;
        }
        let vector = |i: usize| values.get(i).is_some_and(|v| v.ty.is_vector());
        if shared && indices.len() != 1 {
            self.report(&codes::BROOK_INDEX_LOCAL, span, &[]);
        } else if indices.len() != 1 && indices.len() != rank {
            self.report(&codes::BROOK_INDEX_COUNT, span, &[]);
        } else if rank == 1 || indices.len() > 1 {
            if let Some(at) = (0..indices.len()).find(|&i| vector(i)) {
                let at = tree.span(indices[at]);
                self.report(&codes::BROOK_INDEX_SCALAR, at, &[]);
            }
        } else {
            if !self.checking.brookgpu {
                self.report(&codes::BROOK_C_INDEXING, span, &[]);
            }
            let width = values.first().and_then(|v| v.ty.arithmetic());
            if width.is_none_or(|t| usize::from(t.width) != rank) {
                self.report(&codes::BROOK_INDEX_COMPONENTS, span, &[]);
            }
        }
        element
    }

    /// `v[2]`, which BrookGPU takes for `v.z`.
    fn is_component(&self, indices: &[NodeId], ty: Ty) -> bool {
        let (Some(ty), [index]) = (ty.arithmetic(), indices) else {
            return false;
        };
        let number = self.word(*index).parse::<u8>();
        self.checking.brookgpu && ty.is_vector() && number.is_ok_and(|n| n < ty.width)
    }
}
