//! `@dim` whose extents may mean something else where an element is accessed: they are kept in
//! constants where the variable is declared.

use super::walk::Walk;
use crate::lex::lex;
use crate::module::{Dimensions, What};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, declarators};
use std::collections::{HashMap, HashSet};

impl Walk<'_, '_> {
    /// Finds the names that a function assigns to or declares more than once, if it has dimensions.
    pub(super) fn find_unstable(&mut self, function: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        if !tree.text(function, text).contains("okl_dim") {
            return;
        }
        let mut declared: HashMap<String, usize> = HashMap::new();
        let mut unstable = HashSet::new();
        for node in tree.descendants(function) {
            match tree.kind(node) {
                Kind::Declaration | Kind::ParameterDeclaration => {
                    for name in declarators(tree, node, text) {
                        *declared.entry(name.name).or_default() += 1;
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
        self.kept += 1;
        let mut text = String::new();
        for (index, extent) in dimensions.extents.iter_mut().enumerate() {
            let constant = format!("brook_dim_{}_{name}_{index}", self.kept);
            text.push_str(&format!(" const long {constant} = {extent};"));
            *extent = constant;
        }
        (Some(dimensions), Some(text))
    }

    /// Writes the constants of a function's parameters at the beginning of its body.
    pub(super) fn write_kept(&mut self, body: Span) {
        let text = self.kept_of_parameters.concat();
        if !text.is_empty() {
            let at = Span::at(body.start + 1);
            self.unit.push(at, What::Constant(text));
        }
    }
}
