//! `@dim` whose extents may mean something else where an element is accessed: they are kept in
//! constants where the variable is declared.

use super::unit::Unit;
use super::walk::Walk;
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::lex::{lex, mentions};
use crate::module::{ConstructKind, Dimensions};
use crate::source::Span;
use crate::syntax::AttributeUse;
use crate::syntax::{Field, Kind, NodeId, declarators};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};
use std::fmt;

impl Walk<'_, '_> {
    /// Finds the names that a function assigns to or declares more than once, if it has dimensions.
    pub(super) fn find_unstable(&mut self, function: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        if !mentions(tree.text(function, text), &["okl_dim", "okl_dimOrder"]) {
            return;
        }
        let mut declared: HashMap<String, usize> = HashMap::new();
        let mut unstable = HashSet::new();
        for node in tree.descendants(function) {
            match tree.kind(node) {
                Kind::Declaration | Kind::ParameterDeclaration => {
                    for name in declarators(tree, node, text) {
                        *declared.entry(name.name.to_string()).or_default() += 1;
                    }
                }
                Kind::AssignmentExpression | Kind::UpdateExpression => {
                    let target = tree
                        .child(node, Field::Left)
                        .or_else(|| tree.child(node, Field::Argument));
                    let loop_header = tree.field(node) == Field::Update;
                    if let Some(target) = target.filter(|_| !loop_header) {
                        let target = tree.unparenthesized(target);
                        unstable.insert(tree.text(target, text).to_string());
                    }
                }
                _ => {}
            }
        }
        let twice = declared.into_iter().filter(|(_, n)| *n > 1).map(|(n, _)| n);
        unstable.extend(twice);
        self.unstable = unstable;
    }

    /// The dimensions of a variable, with names of constants in place of extents that may change; and
    /// the constants' declarations.
    pub(super) fn keep_extents(
        &mut self,
        name: &str,
        dimensions: Option<Dimensions>,
    ) -> (Option<Dimensions>, Option<String>) {
        let Some(mut dimensions) = dimensions else {
            return (None, None);
        };
        let changes = |extent: &String| {
            lex(extent)
                .iter()
                .any(|t| t.is_identifier() && self.unstable.contains(t.text(extent)))
        };
        if !dimensions.extents.iter().any(changes) {
            return (Some(dimensions), None);
        }
        // No two variables of a unit share a name: what is unused is found by it.
        let number = self.unit.kept_extents.len() + 1;
        let mut text = String::new();
        for (index, extent) in dimensions.extents.iter_mut().enumerate() {
            let constant = format!("brook_dim_{number}_{name}_{index}");
            let declaration = format!(" const long {constant} = {extent};");
            text.push_str(&declaration);
            self.unit.kept_extents.push((constant.clone(), declaration));
            *extent = constant;
        }
        (Some(dimensions), Some(text))
    }

    /// Writes the constants of a function's parameters at the beginning of its body.
    pub(super) fn write_kept(&mut self, body: Span) {
        let text = self.kept_of_parameters.concat();
        if !text.is_empty() {
            let at = Span::at(body.start + 1);
            self.unit.push(at, ConstructKind::Constant(text));
        }
    }

    /// The dimensions of what `m(i, j)` is an element of.
    pub(super) fn dimensions_of_call(&self, call: NodeId) -> Option<(NodeId, &Dimensions)> {
        let tree = self.context.tree;
        let text = self.context.text;
        let function = tree.child(call, Field::Function)?;
        let dimensions = match tree.kind(function) {
            Kind::Identifier => {
                let symbol = self.unit.scopes.get(tree.text(function, text))?;
                symbol.dimensions.as_ref()?
            }
            Kind::FieldExpression => self.unit.fields.named(self.context, function)?,
            _ => return None,
        };
        Some((function, dimensions))
    }

    /// `m(i, j)` on a variable or field with dimensions.
    pub(super) fn dimension_access(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let found = self.dimensions_of_call(call);
        let Some((function, dimensions)) = found.map(|(f, d)| (f, d.clone())) else {
            return;
        };
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        let mut indices: Vec<Span> = tree.children(list).map(|a| tree.span(a)).collect();
        if indices.len() != dimensions.extents.len() {
            // The grammar reads `m(i < a, b > (j))` as one call of a template.
            indices = between_commas(tree.span(list), self.context.text);
        }
        let (wanted, given) = (dimensions.extents.len(), indices.len());
        if wanted != given {
            let name = tree.text(function, self.context.text);
            let arguments: [&dyn fmt::Display; 3] = [&name, &wanted, &given];
            self.context
                .error(&codes::DIM_COUNT, tree.span(call), &arguments);
            return;
        }
        self.unit.note_extents(&dimensions, tree.span(call));
        let base = tree.span(function);
        self.unit.push(
            tree.span(call),
            ConstructKind::Dim {
                base,
                indices,
                dimensions,
            },
        );
    }
}

impl Unit {
    /// Notes which kept extents an access multiplies by: all but that of its slowest dimension.
    pub(super) fn note_extents(&mut self, dimensions: &Dimensions, access: Span) {
        let fast = dimensions
            .order
            .split_last()
            .map_or(&[][..], |(_, fast)| fast);
        let extents = fast
            .iter()
            .filter_map(|&which| dimensions.extents.get(which));
        self.used_extents
            .extend(extents.map(|e| (e.clone(), access)));
    }

    /// Takes out the constants that no access reads: compilers would warn of them.
    pub(super) fn drop_unused_extents(&mut self) {
        let used = std::mem::take(&mut self.used_extents);
        for (name, declaration) in std::mem::take(&mut self.kept_extents) {
            let uses: Vec<Span> = used
                .iter()
                .filter(|(n, _)| *n == name)
                .map(|u| u.1)
                .collect();
            let without = |text: &mut String| *text = text.replace(&declaration, "");
            // Every nest has its own.
            for loop_ in &mut self.loops {
                if !uses.iter().any(|u| loop_.span.contains(*u)) {
                    without(&mut loop_.constants);
                }
            }
            if !uses.is_empty() {
                continue;
            }
            for construct in &mut self.constructs {
                if let ConstructKind::Constant(text) = &mut construct.kind {
                    without(text);
                }
            }
        }
    }
}

/// `@dim` and `@dimOrder` among the attributes of one variable; `inherited` is what its type says.
pub(super) fn dimensions(
    context: &mut Context<'_>,
    attributes: &[AttributeUse],
    inherited: Option<&Dimensions>,
) -> Option<Dimensions> {
    let dim = attributes.iter().find(|a| a.name == "dim");
    let extents: Vec<String> = match dim {
        Some(dim) => dim.split().into_iter().map(str::to_string).collect(),
        None => inherited?.extents.clone(),
    };
    let Some(order) = attributes.iter().find(|a| a.name == "dimOrder") else {
        let order = match (dim, inherited) {
            (None, Some(inherited)) => inherited.order.clone(),
            _ => (0..extents.len()).collect(),
        };
        return Some(Dimensions { extents, order });
    };
    let mut indices = Vec::new();
    for text in order.split() {
        let index = text.parse::<usize>().ok().filter(|&i| i < extents.len());
        match index {
            Some(index) if indices.contains(&index) => {
                context.error(&codes::DIM_ORDER_DUPLICATE, order.span, &[&index]);
                return None;
            }
            Some(index) => indices.push(index),
            None => {
                context.error(&codes::DIM_ORDER_RANGE, order.span, &[&(extents.len() - 1)]);
                return None;
            }
        }
    }
    if indices.len() != extents.len() {
        context.error(
            &codes::DIM_ORDER_COUNT,
            order.span,
            &[&extents.len(), &indices.len()],
        );
        return None;
    }
    Some(Dimensions {
        extents,
        order: indices,
    })
}

/// What stands between the commas of a list in brackets; nothing in an empty one.
fn between_commas(list: Span, text: &str) -> Vec<Span> {
    let words = list.of(text);
    let (mut depth, mut from, mut found) = (0, None, Vec::new());
    for token in lex(words) {
        let at = Span::new(list.start + token.span.start, list.start + token.span.end);
        let word = token.text(words);
        let ends = matches!(word, ")" | "]" | "}");
        depth -= i32::from(ends);
        if depth == 1 && word == "," || depth == 0 && ends {
            found.extend(from.take());
        } else if depth > 0 {
            let start = from.map_or(at.start, |s: Span| s.start);
            from = Some(Span::new(start, at.end));
        }
        depth += i32::from(matches!(word, "(" | "[" | "{"));
    }
    found
}
