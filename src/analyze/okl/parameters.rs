//! Parameters and results of functions.

use super::dimensions::dimensions;
use super::file_scope::restrict;
use super::references::has_form_of;
use super::symbols::{Refers, Symbol};
use super::types::type_word;
use super::walk::Walk;
use crate::grammar::Target;
use crate::module::{ConstructKind, Origin, PointerId, Space};
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Kind, NodeId, attributes_of, declarators, parameters,
    specifiers, type_span, words_of,
};

impl Walk<'_, '_> {
    /// Declares a function's parameters; returns those that are pointers, with their positions.
    pub(super) fn parameters(&mut self, function: NodeId) -> Vec<(usize, PointerId)> {
        let tree = self.context.tree;
        let mut pointers = Vec::new();
        let Some((list, _)) = parameters(tree, function) else {
            return pointers;
        };
        self.find_unstable(function);
        for (position, parameter) in list.into_iter().enumerate() {
            let leading = attributes_of(tree, parameter, self.context.text);
            let words = type_span(tree, parameter);
            for name in declarators(tree, parameter, self.context.text) {
                let all: Vec<AttributeUse> =
                    leading.iter().chain(&name.attributes).cloned().collect();
                let expanded = match self.in_kernel {
                    true => None,
                    false => self.unit.expanded(words.of(self.context.text), true),
                };
                let elements = self.unit.elements(words.of(self.context.text));
                let elements = elements.filter(|_| name.pointers == 0 && !name.reference);
                let elements = elements.cloned();
                let pointer = name.pointers > 0
                    || !name.sizes.is_empty()
                    || expanded.is_some()
                    || elements.is_some();
                if let Some(of) = elements {
                    let said = specifiers(tree, parameter, self.context.text).constant;
                    let constant = if said || of.constant { "const " } else { "" };
                    let text = format!("{constant}{}", of.words);
                    self.unit.push(words, ConstructKind::InC(text));
                    let end = Span::at(name.span.end);
                    self.unit.push(end, ConstructKind::InC(of.sizes));
                }
                if let Some(text) = expanded {
                    self.unit.push(words, ConstructKind::InC(text));
                }
                self.attributes(&all, Target::Parameter, tree.span(parameter), &name);
                let mut symbol = self.symbol(&all, &words_of(words.of(self.context.text)));
                if let Some((refers, id)) = (name.reference
                    && name.pointers == 0
                    && has_form_of(tree, parameter, self.context.text))
                .then(|| self.reference_parameter(&name, words.start))
                .flatten()
                {
                    pointers.push((position, id));
                    symbol.refers = Some(refers);
                    if refers == Refers::Array {
                        symbol.pointer = Some(Origin::Pointer(id));
                        symbol.rank = name.sizes.len();
                    }
                } else if pointer {
                    // What a kernel is given lies in global memory; for other functions it is
                    // settled by their calls, unless an attribute says so.
                    let space =
                        if self.in_kernel || all.iter().any(|a| a.name.starts_with("global")) {
                            Some(Space::Global)
                        } else if all.iter().any(|a| a.name == "shared") {
                            Some(Space::Shared)
                        } else {
                            None
                        };
                    let origins = space.map(Origin::Space).into_iter().collect();
                    let id = self.pointer(name.span, words.start, origins);
                    let shared = all.iter().filter(|a| a.name == "shared");
                    for attribute in shared {
                        self.unit.push(attribute.span, ConstructKind::Attribute);
                    }
                    if space.is_none() || self.in_kernel {
                        pointers.push((position, id));
                    }
                    symbol.pointer = Some(Origin::Pointer(id));
                    symbol.rank = name.sizes.len();
                } else if let Some(id) = self.pointer_type(words) {
                    if self.in_kernel {
                        self.unit.given(id, vec![Origin::Space(Space::Global)]);
                        pointers.push((position, id));
                    }
                    symbol.pointer = Some(Origin::Pointer(id));
                }
                symbol.host = self.in_kernel && !pointer;
                let (dimensions, kept) = self.keep_extents(name.name, symbol.dimensions.take());
                symbol.dimensions = dimensions;
                self.kept_of_parameters.extend(kept);
                self.unit.scopes.declare(name.name, symbol);
            }
        }
        if let Some(body) = tree
            .child(function, Field::Body)
            .filter(|_| !self.in_kernel)
        {
            self.write_kept(tree.span(body));
        }
        pointers
    }

    /// A parameter of a lambda: its name hides what has the same outside.
    /// The variable of a loop over a range.
    pub(super) fn range_variable(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if tree.kind(node) != Kind::ForRangeLoop {
            return;
        }
        let words = type_span(tree, node);
        for name in declarators(tree, node, self.context.text) {
            let symbol = self.symbol(&[], words.of(self.context.text));
            self.unit.scopes.declare(name.name, symbol);
        }
    }

    pub(super) fn lambda_parameter(&mut self, node: NodeId) {
        let tree = self.context.tree;
        if let Some(value) = tree.child(node, Field::DefaultValue) {
            self.visit(value);
        }
        let words = type_span(tree, node);
        for name in declarators(tree, node, self.context.text) {
            for size in name.sizes.iter().flatten() {
                self.visit(*size);
            }
            let symbol = self.symbol(&[], words.of(self.context.text));
            self.unit.scopes.declare(name.name, symbol);
        }
    }

    /// What variables of a type point to, if the type's name stands for a pointer.
    pub(super) fn pointer_type(&self, words: Span) -> Option<PointerId> {
        let word = type_word(words.of(self.context.text));
        self.unit.types.get(word)?.pointer
    }

    /// The result of a function, if it is a pointer.
    pub(super) fn result(&mut self, function: NodeId) {
        let tree = self.context.tree;
        let declarator = tree.child(function, Field::Declarator);
        let pointer = declarator.filter(|&d| tree.kind(d) == Kind::PointerDeclarator);
        if let Some(declarator) = pointer {
            let at = type_span(tree, function).start;
            let span = Span::new(at, tree.span(declarator).start + 1);
            let id = self.pointer(span, at, Vec::new());
            self.result = Some(id);
            return;
        }
        // A typedef of a pointer.
        if let Some(ty) = tree.child(function, Field::Type) {
            let span = tree.span(ty);
            if let Some(text) = self.unit.expanded(span.of(self.context.text), true) {
                self.unit.push(span, ConstructKind::InC(text));
                let at = type_span(tree, function).start;
                self.result = Some(self.pointer(span, at, Vec::new()));
            }
        }
    }

    /// What a variable with these attributes and that type is.
    pub(super) fn symbol(&mut self, attributes: &[AttributeUse], type_words: &str) -> Symbol {
        let facts = self.unit.types.get(type_word(type_words)).cloned();
        let inherited = facts.as_ref().and_then(|f| f.dimensions.as_ref());
        Symbol {
            dimensions: dimensions(self.context, attributes, inherited),
            ..Symbol::default()
        }
    }

    /// Checks attributes of a declaration and records what becomes of each.
    pub(super) fn attributes(
        &mut self,
        attributes: &[AttributeUse],
        target: Target,
        declaration: Span,
        name: &Declarator,
    ) {
        for attribute in attributes {
            let known = self.context.check_attribute(attribute, target);
            if known && attribute.name == "restrict" {
                restrict(self.context, self.unit, attribute, declaration, name);
            } else if !matches!(attribute.name.as_str(), "shared" | "exclusive") {
                self.unit.push(attribute.span, ConstructKind::Attribute);
            }
        }
    }
}
