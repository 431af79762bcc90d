//! Labels, which are names of a function alone, and of no scope that `sema` follows.

use super::describe;
use super::names::{Declared, NameKind, Names, Reading, Word};
use crate::syntax::{Kind, NodeId};
use std::collections::HashMap;

/// Adds the labels of all functions and where these are named.
pub(super) fn read(reading: &Reading<'_>, names: &mut Names) {
    let tree = reading.tree;
    let mut known: HashMap<(NodeId, &str), usize> = HashMap::new();
    let labels = |wanted: Kind| {
        let all = (0..tree.len()).map(NodeId::at);
        let all = all.filter(move |&n| tree.kind(n) == wanted);
        all.filter_map(|n| tree.children(n).next())
    };
    for label in labels(Kind::LabeledStatement) {
        let Some(function) = function(reading, label) else {
            continue;
        };
        let name = tree.text(label, reading.text);
        let at = reading.provenance.spelled(tree.span(label));
        known
            .entry((function, name))
            .or_insert(names.declared.len());
        names.declared.push(Declared {
            name: name.to_string(),
            kind: NameKind::Label,
            at,
            whole: at,
            scope: describe::location(reading.provenance, tree.span(function)),
            text: format!("{name}:"),
            ty: None,
            memory: None,
            constant: false,
            members: Vec::new(),
            again: Vec::new(),
        });
    }
    for label in labels(Kind::LabeledStatement).chain(labels(Kind::GotoStatement)) {
        let name = tree.text(label, reading.text);
        let means = function(reading, label).and_then(|f| known.get(&(f, name)).copied());
        match (reading.provenance.spelled(tree.span(label)), means) {
            (Some(at), _) => names.words.push(Word { at, means }),
            (None, Some(means)) => {
                names.pasted.insert(means);
            }
            (None, None) => {}
        }
    }
}

fn function(reading: &Reading<'_>, node: NodeId) -> Option<NodeId> {
    let tree = reading.tree;
    let mut around = std::iter::successors(Some(node), |n| tree.parent(*n));
    around.find(|&n| {
        matches!(
            tree.kind(n),
            Kind::FunctionDefinition | Kind::LambdaExpression
        )
    })
}
