//! Barriers in the bodies of inner loops: where a body can be split, and what has to outlive a split.

use super::walk::Walk;
use crate::diagnostics::codes;
use crate::module::{Barriers, LoopId, LoopKind};
use crate::source::Span;
use crate::syntax::{
    Field, Kind, NodeId, attributes_of, declarators, decorated, is_record, specifiers,
};
use std::collections::HashMap;

impl Walk<'_, '_> {
    /// Finds the barriers that belong to the inner loop `id` and decides whether they cut its body
    /// into phases. Locals that live across a cut are noted in [`Walk::carried`].
    pub(super) fn phases(&mut self, id: LoopId, body: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let calls = self.collectives_of(body);
        if !self.has_inner_around(id) {
            return;
        }
        let mut nested = false;
        let mut barriers = Vec::new();
        for node in tree.descendants(body) {
            if tree.kind(node) != Kind::AttributedStatement {
                continue;
            }
            let attributes = attributes_of(tree, node, text);
            let is = |names: &[&str]| attributes.iter().any(|a| names.contains(&a.name.as_str()));
            if is(&["outer", "inner", "tile"]) {
                nested = true;
            } else if is(&["barrier"]) && self.belongs(node, body) {
                barriers.push(node);
            }
        }
        if barriers.is_empty() && calls.is_empty() {
            return;
        }
        // Calls of functions of the group cut before the statement that they stand in.
        let statements: Option<Vec<NodeId>> = calls.iter().map(|&c| self.cut_of(c, body)).collect();
        let known = |c: &NodeId| {
            self.unit
                .collectives
                .get(&c.index())
                .is_some_and(|c| c.1.is_some())
        };
        let statements =
            statements.filter(|_| calls.iter().all(known) && !nested && self.can_be_cut(id, body));
        let loops = statements.as_ref().and_then(|statements| {
            let all: Vec<NodeId> = barriers.iter().chain(statements).copied().collect();
            self.uniform_loops(id, body, &all)
        });
        let starts = statements.iter().flatten().map(|&s| tree.span(s).start);
        let starts: Vec<u32> = starts.collect();
        let mut cuts: Vec<Span> = barriers.iter().map(|&b| tree.span(b)).collect();
        cuts.extend(starts.iter().map(|&s| Span::at(s)));
        cuts.sort_by_key(|c| (c.start, c.end));
        cuts.dedup();
        let carried = loops
            .as_ref()
            .is_some_and(|loops| self.carry(id, body, &cuts, &calls, loops));
        if loops.is_some() && carried {
            let known = calls.iter().zip(&starts).map(|(c, s)| (c.index(), *s));
            self.cuts.extend(known);
        }
        self.unit.loops[id.0 as usize].barriers = match loops.filter(|_| carried) {
            Some(loops) if loops.is_empty() => Barriers::Cuts(cuts),
            Some(loops) => Barriers::InLoops {
                cuts,
                loops: loops
                    .iter()
                    .map(|&(l, body)| (tree.span(l), tree.span(body)))
                    .collect(),
            },
            None => Barriers::Anywhere,
        };
    }

    /// The ordinary loops between where the body is cut and the body, with their bodies, if all items run through
    /// them alike.
    fn uniform_loops(
        &self,
        id: LoopId,
        body: NodeId,
        statements: &[NodeId],
    ) -> Option<Vec<(NodeId, NodeId)>> {
        let tree = self.context.tree;
        let mut loops = Vec::new();
        for &statement in statements.iter().filter(|&&s| s != body) {
            let mut at = tree.parent(statement)?;
            while at != body {
                let around = tree.parent(at)?;
                let block = tree.kind(at) == Kind::CompoundStatement;
                let alike = tree.kind(around) == Kind::ForStatement
                    && block
                    && self.is_uniform(id, around, at, body);
                if !alike {
                    return None;
                }
                if !loops.contains(&(around, at)) {
                    loops.push((around, at));
                }
                at = tree.parent(around)?;
            }
        }
        loops.sort();
        Some(loops)
    }

    /// Whether a loop's header has the same value for all items of a group: it is made of its own variable, of those
    /// of loops around it, which are looked at as well, and of what is declared outside of the inner loops; and
    /// nothing leaves the loop early.
    fn is_uniform(&self, id: LoopId, statement: NodeId, block: NodeId, body: NodeId) -> bool {
        let tree = self.context.tree;
        let text = self.context.text;
        let Some(first) = tree.child(statement, Field::Initializer) else {
            return false;
        };
        let own = declarators(tree, first, text);
        let [own] = own.as_slice() else { return false };
        if tree.kind(first) != Kind::Declaration || own.pointers > 0 || own.reference {
            return false;
        }
        let mut counters = vec![own.name];
        let mut at = tree.parent(statement);
        while let Some(around) = at.filter(|&a| a != body) {
            let first = match tree.kind(around) {
                Kind::ForStatement => tree.child(around, Field::Initializer),
                _ => None,
            };
            let names = first.map(|f| declarators(tree, f, text));
            counters.extend(names.into_iter().flatten().map(|d| d.name));
            at = tree.parent(around);
        }
        let is_counter = |n: NodeId| counters.iter().any(|c| *c == tree.text(n, text));
        let locals = tree
            .descendants(body)
            .filter(|&n| tree.kind(n) == Kind::Declaration && tree.field(n) != Field::Initializer)
            .flat_map(|n| declarators(tree, n, text));
        let mut locals: Vec<&str> = locals.map(|d| d.name).collect();
        // The variables of the inner loops.
        let mut at = Some(id);
        while let Some(this) = at.map(|id| &self.unit.loops[id.0 as usize]) {
            if this.kind != LoopKind::Outer {
                locals.push(&this.header.variable);
            }
            at = this.parent;
        }
        let header = tree.descendants(statement);
        let mut header = header.take_while(|&n| n != block);
        let alike = header.all(|n| match tree.kind(n) {
            Kind::Identifier if is_counter(n) => true,
            Kind::Identifier => {
                let name = tree.text(n, text);
                let symbol = self.unit.scopes.get(name);
                let by_item = symbol.is_some_and(|s| {
                    s.item_variable.is_some()
                        || s.shared
                        || s.loop_variable
                            .is_some_and(|l| self.unit.loops[l.0 as usize].kind == LoopKind::Inner)
                });
                !by_item && !locals.contains(&name) && !self.is_changed(body, name)
            }
            // What lies in memory may change from one phase to the next.
            Kind::CallExpression
            | Kind::SubscriptExpression
            | Kind::PointerExpression
            | Kind::LambdaExpression => false,
            Kind::FieldExpression => {
                let operator = tree.child(n, Field::Operator);
                operator.is_some_and(|o| tree.text(o, text) == ".")
            }
            _ => true,
        });
        alike && !locals.contains(&own.name) && !self.is_left_or_changed(block, own.name)
    }

    /// Whether a loop's body may leave it, or change its variable.
    fn is_left_or_changed(&self, block: NodeId, variable: &str) -> bool {
        let tree = self.context.tree;
        tree.descendants(block).any(|n| match tree.kind(n) {
            Kind::ReturnStatement | Kind::GotoStatement | Kind::LambdaExpression => true,
            Kind::BreakStatement | Kind::ContinueStatement => {
                let mut at = tree.parent(n);
                while let Some(around) = at.filter(|&a| a != block) {
                    let leaves_another = match tree.kind(around) {
                        Kind::ForStatement
                        | Kind::WhileStatement
                        | Kind::DoStatement
                        | Kind::ForRangeLoop => true,
                        Kind::SwitchStatement => tree.kind(n) == Kind::BreakStatement,
                        _ => false,
                    };
                    if leaves_another {
                        return false;
                    }
                    at = tree.parent(around);
                }
                true
            }
            _ => false,
        }) || self.is_changed(block, variable)
    }

    /// Whether a variable is assigned to within a node, or may be through its address.
    fn is_changed(&self, within: NodeId, variable: &str) -> bool {
        let tree = self.context.tree;
        tree.descendants(within).any(|n| {
            let target = match tree.kind(n) {
                Kind::AssignmentExpression => tree.child(n, Field::Left),
                Kind::UpdateExpression | Kind::PointerExpression => tree.child(n, Field::Argument),
                _ => None,
            };
            let name = target.map(|t| tree.text(tree.unparenthesized(t), self.context.text));
            name == Some(variable)
        })
    }

    /// The loop is an inner one or stands in one.
    fn has_inner_around(&self, id: LoopId) -> bool {
        let mut at = Some(id);
        while let Some(this) = at {
            let this = &self.unit.loops[this.0 as usize];
            if this.kind == LoopKind::Inner {
                return true;
            }
            at = this.parent;
        }
        false
    }

    /// No other attributed loop, and no lambda, stands between the node and the body.
    pub(super) fn belongs(&self, node: NodeId, body: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.parent(node);
        while let Some(around) = at.filter(|&a| a != body) {
            let attributed = tree.kind(around) == Kind::AttributedStatement
                && tree.kind(decorated(tree, around)) == Kind::ForStatement;
            let is_loop = attributed
                && attributes_of(tree, around, self.context.text)
                    .iter()
                    .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"));
            if is_loop || tree.kind(around) == Kind::LambdaExpression {
                return false;
            }
            at = tree.parent(around);
        }
        true
    }

    /// Nothing jumps across barriers, and the inner loops around the body hold nothing but each other.
    fn can_be_cut(&self, id: LoopId, body: NodeId) -> bool {
        let tree = self.context.tree;
        let jumps = |n| matches!(tree.kind(n), Kind::GotoStatement | Kind::LabeledStatement);
        if tree.descendants(body).any(jumps) {
            return false;
        }
        let mut child = &self.unit.loops[id.0 as usize];
        if child.kind != LoopKind::Inner {
            return false;
        }
        while let Some(parent) = child.parent {
            let parent = &self.unit.loops[parent.0 as usize];
            match parent.kind {
                LoopKind::Outer => return true,
                LoopKind::Inner if parent.span == child.span => {}
                LoopKind::Inner => {
                    let before = Span::new(parent.body.start, child.span.start);
                    let behind = Span::new(child.span.end, parent.body.end);
                    let (open, close) = if parent.block { (1, 1) } else { (0, 0) };
                    let alone = |span: Span, words: usize| {
                        crate::lex::lex(span.of(self.context.text)).len() == words
                    };
                    if !alone(before, open) || !alone(behind, close) {
                        return false;
                    }
                }
                // An ordinary loop around the inner ones repeats them as a whole.
                LoopKind::Sequential if !self.has_inner_around_loop(parent.parent) => return true,
                LoopKind::Sequential => return false,
            }
            child = parent;
        }
        true
    }

    fn has_inner_around_loop(&self, id: Option<LoopId>) -> bool {
        id.is_some_and(|id| self.has_inner_around(id))
    }

    /// Whether everything that lives across barriers, or across the ends of loops with some, can be
    /// carried.
    fn carry(
        &mut self,
        id: LoopId,
        body: NodeId,
        cuts: &[Span],
        calls: &[NodeId],
        loops: &[(NodeId, NodeId)],
    ) -> bool {
        let tree = self.context.tree;
        let text = self.context.text;
        // What a call is given belongs to the phase before; but not what another call gives it.
        let given = |node: NodeId| {
            let mut around = calls.iter().filter(|&&c| tree.is_within(node, c));
            let nested = |c: NodeId| calls.iter().filter(|&&o| tree.is_within(o, c)).count() > 1;
            match around.next() {
                Some(&call) if self.is_shuffle(call) => false,
                Some(&call) => around.next().is_none() && !nested(call),
                None => false,
            }
        };
        let phase = |node: NodeId| {
            let at = tree.span(node).start;
            let ends = loops
                .iter()
                .flat_map(|(_, block)| [tree.span(*block).start, tree.span(*block).end - 1]);
            let ends = ends.filter(|&end| end < at).count();
            let before = |cut: &&Span| match cut.is_empty() {
                true => cut.start <= at,
                false => cut.start < at,
            };
            ends + cuts.iter().filter(before).count() - usize::from(given(node))
        };
        let mut last_use: HashMap<&str, usize> = HashMap::new();
        for node in tree.descendants(body) {
            if tree.kind(node) == Kind::Identifier {
                let last = last_use.entry(tree.text(node, text)).or_default();
                *last = phase(node).max(*last);
            }
        }
        let last = last_use.values().copied().max().unwrap_or(0);
        let addressed = self.addressed(body);
        let mut carried = Vec::new();
        // Those that nothing names behind the barrier before which their address is taken.
        let mut kept = Vec::new();
        let mut carried_names: Vec<&str> = Vec::new();
        let blocks = std::iter::once(body).chain(loops.iter().map(|(_, block)| *block));
        let statements = blocks.flat_map(|b| tree.children(b).map(move |n| (b, n)));
        for (block, node) in statements {
            if tree.kind(node) != Kind::Declaration {
                continue;
            }
            let declared_in = phase(node);
            let names = declarators(tree, node, text);
            let lives_on = names
                .iter()
                .any(|n| last_use.get(n.name).is_some_and(|&last| last > declared_in));
            let is_kept = declared_in < last && names.iter().any(|n| addressed.contains(n.name));
            if lives_on || is_kept {
                let plain = names
                    .iter()
                    .all(|n| !n.reference && !n.function && n.sizes.iter().all(Option::is_some))
                    && self.is_plain(node);
                // At the beginning of the body, where it is declared then, the name means the same.
                let elsewhere = tree.descendants(body).any(|n| {
                    let text = tree.text(n, text);
                    tree.kind(n) == Kind::Identifier
                        && !tree.is_within(n, block)
                        && names.iter().any(|d| d.name == text)
                });
                let again = names.iter().any(|n| carried_names.contains(&n.name));
                let possible = plain && !again && !elsewhere;
                match (lives_on, possible) {
                    (true, false) => return false,
                    (true, true) => {
                        carried_names.extend(names.iter().map(|n| n.name));
                        carried.push(node);
                    }
                    (false, _) => {
                        let possible = possible && !self.is_captured(body, &names);
                        kept.push((node, names, possible));
                    }
                }
            }
        }
        // Types of the body are known up to the barrier, and not where it begins.
        let blocks = std::iter::once(body).chain(loops.iter().map(|(_, block)| *block));
        for node in blocks.flat_map(|b| tree.children(b)) {
            let types = self.types_defined(node);
            let declared_in = phase(node);
            let outlives = |n: NodeId| {
                matches!(tree.kind(n), Kind::Identifier | Kind::TypeIdentifier)
                    && types.contains(&tree.text(n, text))
                    && (phase(n) > declared_in || carried.iter().any(|&c| tree.is_within(n, c)))
            };
            if !types.is_empty() && tree.descendants(body).any(outlives) {
                return false;
            }
        }
        let counters = self.item_counters(id);
        let counts = counters.iter().any(|c| addressed.contains(c));
        if (counts || !kept.is_empty()) && self.holds_addresses(body, &carried) {
            let mut whole = counts;
            for (node, names, possible) in kept {
                let again = names.iter().any(|n| carried_names.contains(&n.name));
                whole |= again || !possible;
                if possible && !again {
                    carried_names.extend(names.iter().map(|n| n.name));
                    carried.push(node);
                }
            }
            self.unit.loops[id.0 as usize].stays_whole = whole;
        }
        for node in carried {
            self.carried.insert(node.index(), id);
        }
        true
    }

    fn is_shuffle(&self, call: NodeId) -> bool {
        let found = self.unit.collectives.get(&call.index());
        found.is_some_and(|(function, _)| function.is_shuffle())
    }

    /// A declaration whose type is plain data that can be assigned after it is declared.
    fn is_plain(&self, declaration: NodeId) -> bool {
        let tree = self.context.tree;
        let ty = tree.child(declaration, Field::Type);
        let named = matches!(
            ty.map(|t| tree.kind(t)),
            Some(
                Kind::PrimitiveType
                    | Kind::SizedType
                    | Kind::TypeIdentifier
                    | Kind::StructSpecifier
            )
        );
        let said = specifiers(tree, declaration, self.context.text);
        let forbidden = said.is_static || said.constexpr || said.volatile;
        let name = ty.and_then(|t| match is_record(tree.kind(t)) {
            true => tree.child(t, Field::Name),
            false => Some(t),
        });
        let name = name.map_or("", |n| tree.text(n, self.context.text));
        let atomic = attributes_of(tree, declaration, self.context.text)
            .iter()
            .any(|a| a.name == "atomic");
        let class = self.unit.types.get(name).is_some_and(|t| t.methods);
        let sema = self.context.sema;
        let unassignable = self.unit.types.get(name).is_some_and(|t| t.unassignable)
            || !sema.is_assignable(sema.described(declaration));
        let names = || {
            tree.children(declaration)
                .filter(|&c| tree.field(c) == Field::Declarator)
        };
        // Pointers and references to arrays.
        let nested = names().any(|d| {
            let mut parts = tree.descendants(d);
            parts.any(|n| tree.kind(n) == Kind::ParenthesizedDeclarator)
        });
        let valued = names().any(|d| tree.kind(d) == Kind::InitDeclarator);
        let defined = valued && self.defines_type(declaration);
        named && !forbidden && !class && !atomic && !unassignable && !nested && !defined
    }

    /// Warns of a barrier that not all items of a group may reach together.
    pub(super) fn divergence(&mut self, barrier: NodeId) {
        let tree = self.context.tree;
        let mut at = tree.parent(barrier);
        while let Some(around) = at {
            let condition = match tree.kind(around) {
                Kind::IfStatement
                | Kind::WhileStatement
                | Kind::DoStatement
                | Kind::SwitchStatement
                | Kind::ForStatement => tree.child(around, Field::Condition),
                Kind::FunctionDefinition => return,
                _ => None,
            };
            let attributed = tree
                .parent(around)
                .is_some_and(|p| tree.kind(p) == Kind::AttributedStatement);
            if let Some(condition) = condition.filter(|_| !attributed) {
                let names = tree
                    .descendants(condition)
                    .filter(|&n| tree.kind(n) == Kind::Identifier);
                for name in names {
                    let name = tree.text(name, self.context.text);
                    let by_item = self.unit.scopes.get(name).is_some_and(|s| {
                        s.item_variable.is_some()
                            || s.loop_variable.is_some_and(|l| {
                                self.unit.loops[l.0 as usize].kind == LoopKind::Inner
                            })
                    });
                    if by_item {
                        let span = tree.span(barrier);
                        self.context.error(&codes::BARRIER_DIVERGES, span, &[&name]);
                        return;
                    }
                }
            }
            at = tree.parent(around);
        }
    }
}
