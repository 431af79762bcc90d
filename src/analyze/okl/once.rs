//! Statements between attributed loops that change memory: more items come by than the language runs them for, beside a
//! loop over groups all groups of that loop, beside a loop over items all of its items. One of them runs the statement,
//! which keeps its meaning where none of the others looks at what it changes, and where it does not depend on what
//! they do; anything else is an error.

use super::walk::Walk;
use crate::diagnostics::codes;
use crate::module::{ConstructKind, LoopId};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, attributes_of, decorated};

/// What is inside the body of an attributed loop.
#[derive(Clone, Copy)]
pub(super) struct Holds {
    /// Loops over groups.
    groups: bool,
    /// Attributed loops of any kind.
    any: bool,
}

/// A statement that one item runs for others.
pub(super) struct Once {
    statement: NodeId,
    /// The loop whose body it stands in.
    within: LoopId,
}

impl Walk<'_, '_> {
    /// Notes which attributed loops a body holds.
    pub(super) fn note_held(&mut self, id: LoopId, body: NodeId) {
        let tree = self.context.tree;
        let mut holds = Holds {
            groups: false,
            any: false,
        };
        for node in tree.descendants(body) {
            if tree.kind(node) != Kind::AttributedStatement
                || tree.kind(decorated(tree, node)) != Kind::ForStatement
            {
                continue;
            }
            for attribute in attributes_of(tree, node, self.context.text) {
                // A tile may be two ordinary loops.
                let parts = attribute.split();
                let has = |kind: &str| {
                    let parts = parts.iter().skip(1).filter(|_| attribute.name == "tile");
                    let mut parts = parts.map(|p| p.trim_start_matches('@').trim());
                    attribute.name == kind || parts.any(|p| p.starts_with(kind))
                };
                holds.groups |= has("outer");
                holds.any |= has("outer") || has("inner");
            }
        }
        self.holds.insert(id, holds);
    }

    /// The innermost attributed loop around here, if more items come by than it has iterations.
    pub(super) fn run_by_others(&self) -> Option<LoopId> {
        let id = self.current?;
        let holds = self.holds.get(&id)?;
        (holds.groups || holds.any && self.inside_inner()).then_some(id)
    }

    /// Records a statement of which one item has to run it.
    pub(super) fn once(&mut self, statement: NodeId, span: Span, within: LoopId) {
        self.once.push(Once { statement, within });
        self.unit
            .push(span, ConstructKind::OnceStatement { within });
    }

    /// Reports those that would not keep their meaning.
    pub(super) fn settle_once(&mut self) {
        let all = std::mem::take(&mut self.once);
        for once in &all {
            let same = all.iter().filter(|o| o.within == once.within);
            let same: Vec<Span> = same.map(|o| self.context.tree.span(o.statement)).collect();
            if let Some(name) = self.in_the_way(once, &same) {
                let span = self.context.tree.span(once.statement);
                self.context.error(&codes::ONCE_DEPENDS, span, &[&name]);
            }
        }
    }

    /// A name that a statement changes and that others in its nest use, or that it reads and others change. `same` are
    /// the statements that the same item runs.
    fn in_the_way(&self, once: &Once, same: &[Span]) -> Option<String> {
        let tree = self.context.tree;
        let text = self.context.text;
        let mut root = once.within;
        while let Some(around) = self.unit.loops[root.0 as usize].parent {
            root = around;
        }
        let nest = self.unit.loops[root.0 as usize].span;
        let mut ancestors = std::iter::successors(Some(once.statement), |&n| tree.parent(n));
        let nest_node = ancestors.find(|&n| tree.span(n).contains(nest))?;
        if let Some(carrier) = self.carrier(once.statement) {
            return Some(tree.text(carrier, text).to_string());
        }
        let changed = changes(self, once.statement);
        let names = tree
            .descendants(once.statement)
            .filter(|&n| tree.kind(n) == Kind::Identifier);
        let read: Vec<NodeId> = names.collect();
        let among = |all: &[NodeId], name: NodeId| all.iter().any(|&n| self.is_same(n, name));
        for node in tree.descendants(nest_node) {
            let span = tree.span(node);
            if !nest.contains(span) || same.iter().any(|s| s.contains(span)) {
                continue;
            }
            if tree.kind(node) == Kind::Identifier
                && among(&changed, node)
                && !self.is_declared_there(node)
            {
                return Some(tree.text(node, text).to_string());
            }
            let written = match tree.kind(node) {
                Kind::CallExpression => changes_of_call(self, node),
                _ => target(self, node),
            };
            let written = written.into_iter().find(|&name| among(&read, name));
            if let Some(name) = written
                && !self.encloses(span, once.within)
            {
                return Some(tree.text(name, text).to_string());
            }
        }
        None
    }

    /// A structure with pointers that a statement gives to a function: nobody knows by which name others reach what is changed.
    fn carrier(&self, statement: NodeId) -> Option<NodeId> {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let carries = |p: NodeId| {
            let ty = sema.declared(p).map(|id| sema.defined(id).ty);
            ty.is_some_and(|ty| !sema.pointers_in(ty).is_empty())
        };
        let mut calls = tree
            .descendants(statement)
            .filter(|&n| tree.kind(n) == Kind::CallExpression);
        calls.find_map(|call| {
            let list = tree.child(call, Field::Arguments)?;
            let mut given = tree.children(list).enumerate();
            let found = given.find(|(position, _)| {
                let parameters = sema.parameters_for(call, *position);
                parameters.into_iter().any(carries)
            });
            found.map(|(_, value)| value)
        })
    }

    /// Whether two names may mean one variable.
    fn is_same(&self, a: NodeId, b: NodeId) -> bool {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let text = |n| tree.text(n, self.context.text);
        let apart = || match (sema.definition(a), sema.definition(b)) {
            (Some(a), Some(b)) => a != b,
            _ => false,
        };
        text(a) == text(b) && !apart()
    }

    /// Whether a name stands where it is declared, without a value.
    fn is_declared_there(&self, name: NodeId) -> bool {
        let (tree, sema) = (self.context.tree, self.context.sema);
        let own = sema.definition(name).map(|id| sema.declared_at(id));
        let mut around = std::iter::successors(tree.parent(name), |&n| tree.parent(n));
        let declaration = around.find(|&n| tree.kind(n) != Kind::ArrayDeclarator);
        let plain = declaration.is_some_and(|n| tree.kind(n) == Kind::Declaration);
        plain && own == Some(tree.span(name))
    }

    /// Whether a place is in the body of a loop itself, or of one around it, and not in one inside it.
    fn encloses(&self, place: Span, within: LoopId) -> bool {
        let loops = &self.unit.loops;
        let around = loops
            .iter()
            .enumerate()
            .filter(|(_, l)| l.span.contains(place));
        let innermost = around.min_by_key(|(index, l)| (l.span.len(), std::cmp::Reverse(*index)));
        let mut at = Some(within);
        while let Some(id) = at {
            if innermost.is_some_and(|(index, _)| index == id.0 as usize) {
                return true;
            }
            at = loops[id.0 as usize].parent;
        }
        false
    }
}

/// The names of the memory that a statement changes: those of targets, and of what calls are given to change.
fn changes(walk: &Walk<'_, '_>, statement: NodeId) -> Vec<NodeId> {
    let tree = walk.context.tree;
    let mut names = Vec::new();
    for node in tree.descendants(statement) {
        names.extend(target(walk, node));
        if tree.kind(node) == Kind::CallExpression {
            names.extend(changes_of_call(walk, node));
        }
    }
    names
}

fn changes_of_call(walk: &Walk<'_, '_>, call: NodeId) -> Vec<NodeId> {
    let (tree, sema) = (walk.context.tree, walk.context.sema);
    let by_address = |n: &NodeId| {
        let n = tree.unparenthesized(*n);
        tree.kind(n) == Kind::PointerExpression || sema.is_pointer(n) != Some(false)
    };
    let places = match sema.callees(call).is_empty() {
        false => sema.changed_by(call),
        // Of the library.
        true => {
            let list = tree.child(call, Field::Arguments).into_iter();
            let given = list.flat_map(|list| tree.children(list));
            given.filter(by_address).collect()
        }
    };
    places
        .into_iter()
        .flat_map(|place| variables(walk, place))
        .collect()
}

/// The variables that a place may be in, or that lead to it: numbers that are added to an address, and indices, do not.
fn variables(walk: &Walk<'_, '_>, place: NodeId) -> Vec<NodeId> {
    let (tree, sema) = (walk.context.tree, walk.context.sema);
    let mut names = walk.roots(place);
    let others = tree.descendants(place);
    let others = others.filter(|&n| tree.kind(n) == Kind::Identifier);
    names.extend(others.filter(|&n| sema.is_pointer(n) == Some(true)));
    names
}

/// The variables that an assignment or `++` changes, or reaches memory from: more than one where a function says where that is.
fn target(walk: &Walk<'_, '_>, node: NodeId) -> Vec<NodeId> {
    let tree = walk.context.tree;
    let place = match tree.kind(node) {
        Kind::AssignmentExpression => tree.child(node, Field::Left),
        Kind::UpdateExpression => tree.child(node, Field::Argument),
        _ => None,
    };
    let Some(place) = place else {
        return Vec::new();
    };
    let mut parts = tree.descendants(place);
    match parts.any(|n| tree.kind(n) == Kind::CallExpression) {
        true => variables(walk, place),
        false => {
            let mut names = tree.descendants(place);
            let first = names.find(|&n| tree.kind(n) == Kind::Identifier);
            first.into_iter().collect()
        }
    }
}
