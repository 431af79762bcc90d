//! Strings: arrays of characters that the file has.

use super::program::Unit;
use super::{Lower, Lowered};
use crate::body::{
    Atomicity, ExpressionKind, Memory, Place, Root, StatementId, StatementKind, Step, TypeKind,
    Variable, VariableId,
};
use crate::expr::{self, Scalar, Value};
use crate::syntax::{Kind, NodeId, Tree};

/// What a string holds, without the zero at its end; `None` for what is no string of `char`s.
pub(super) fn text_of(tree: &Tree, node: NodeId, text: &str) -> Option<Vec<u8>> {
    match tree.kind(node) {
        Kind::StringLiteral | Kind::RawStringLiteral => expr::string(tree.text(node, text)),
        Kind::ConcatenatedString => {
            let parts = tree.children(node).map(|part| text_of(tree, part, text));
            Some(parts.collect::<Option<Vec<_>>>()?.concat())
        }
        _ => None,
    }
}

impl Unit<'_> {
    /// The array that a string is.
    pub(super) fn string(&mut self, node: NodeId) -> Option<VariableId> {
        let bytes = text_of(self.tree, node, self.text)?;
        if let Some(known) = self.strings.get(&bytes) {
            return Some(*known);
        }
        let global = VariableId::Global(self.program.globals.len() as u32);
        let char_type = self.program.types.scalar(Scalar::Char);
        let count = bytes.len() as u64 + 1;
        let ty = self.program.types.of(TypeKind::Array(char_type, count));
        let span = self.tree.span(node);
        self.program.globals.push(Variable {
            name: "a string".to_string(),
            ty,
            memory: Memory::Constant,
            span,
        });
        let mut lower = Lower::of_file(self);
        let whole = lower.whole(global, span);
        let mut made = Vec::new();
        lower.write_string(&whole, count, &bytes, &mut made);
        lower.body.root.extend(made);
        let body = lower.body;
        self.program.initial = body;
        self.strings.insert(bytes, global);
        Some(global)
    }

    /// Makes the strings that are written somewhere.
    pub(super) fn strings_in(&mut self, node: NodeId) {
        for inner in self.tree.descendants(node) {
            // What is none is found where it is used.
            let _ = self.string(inner);
        }
    }
}

impl Lower<'_, '_> {
    /// Writes a string into an array of so many characters, and zeros behind it.
    pub(super) fn write_string(
        &mut self,
        whole: &Place,
        count: u64,
        bytes: &[u8],
        out: &mut Vec<StatementId>,
    ) {
        let span = whole.span;
        let char_type = self.scalar_type(Scalar::Char);
        for at in 0..count {
            let index = self.long(at as i64, span);
            let mut place = whole.clone();
            place.path.push(Step::Index(index));
            place.ty = char_type;
            let place = self.push_place(place);
            let byte = bytes.get(at as usize).copied().unwrap_or(0);
            let value = Value::Int(Scalar::Char, i64::from(byte as i8));
            let value = self.literal(value, span);
            let kind = ExpressionKind::Assign { place, value };
            let assigned = self.push(kind, char_type, span);
            out.push(self.push_statement(StatementKind::Expression(assigned), span));
        }
    }

    /// The memory of a string.
    pub(super) fn string(&mut self, node: NodeId) -> Lowered<Place> {
        let span = self.span(node);
        let Some(variable) = self.unit.string(node) else {
            return self.unnamed(node, "a string");
        };
        Ok(Place {
            root: Root::Variable(variable),
            path: Vec::new(),
            ty: self.variable_type(variable),
            atomicity: Atomicity::Plain,
            span,
        })
    }
}
