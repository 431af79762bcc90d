use super::loop_facts;
use super::symbols::Symbol;
use super::walk::{Jump, Walk};
use super::{expressions, header};
use crate::diagnostics::{codes, nearest};
use crate::expr::{self, Expr, simplify};
use crate::grammar::Target;
use crate::lex::{TokenKind, lex, mentions};
use crate::module::{ConstructKind, Loop, LoopId, LoopKind, Tile};
use crate::source::Span;
use crate::syntax::{AttributeUse, Field, Kind, NodeId, attributes_of};
use std::fmt;

/// How an attribute distributes its loop.
struct Parts {
    first: (LoopKind, Option<usize>),
    second: (LoopKind, Option<usize>),
    /// Size as expression and as written, and whether iterations past the end are skipped.
    tile: Option<(Expr, String, bool)>,
}

impl Walk<'_, '_> {
    pub(super) fn attributed_loop(
        &mut self,
        node: NodeId,
        statement: NodeId,
        attributes: &[AttributeUse],
    ) {
        let tree = self.context.tree;
        let mut distribution = None;
        let mut marks = Vec::new();
        for attribute in attributes {
            if !self.context.check_attribute(attribute, Target::Loop) {
                continue;
            }
            match attribute.name.as_str() {
                "outer" | "inner" | "tile" if distribution.is_some() => {
                    self.context.error(&codes::LOOP_TWICE, attribute.span, &[]);
                }
                "outer" | "inner" | "tile" => distribution = Some(attribute),
                _ => marks.push(attribute),
            }
        }
        let parts = distribution.and_then(|d| self.distribution(d));
        let limited = |(root, attribute): &(LoopId, AttributeUse)| {
            Some(*root) == self.root && attribute.name == "max_inner_dims"
        };
        let opaque = self.found.launch.iter().any(limited);
        let header = header::read(self.context, self.unit, statement, opaque);
        let body = tree.child(statement, Field::Body);
        let (Some(parts), Some(header), Some(body)) = (parts, header, body) else {
            // Reported; what is inside may have errors of its own, but its place is not one.
            self.unread += 1;
            self.children(statement);
            self.unread -= 1;
            return;
        };
        if !self.in_kernel {
            self.context
                .error(&codes::LOOP_OUTSIDE_KERNEL, tree.span(node), &[]);
            return;
        }

        let size = parts.tile.as_ref().map(|(_, size, _)| size.as_str());
        let mut header = header;
        header.names = loop_facts::names(self.context, statement, size, &header);
        let variable = header.variable.clone();
        let body_span = tree.span(body);
        let keyword = tree.span(statement).start;
        let head_text = Span::new(keyword, body_span.start).of(self.context.text);
        let close = keyword + head_text.rfind(')').map_or(0, |i| i as u32 + 1);
        let base = Loop {
            kind: LoopKind::Sequential,
            axis: usize::MAX,
            span: tree.span(node),
            head: Span::new(tree.span(node).start, close),
            header_span: Span::new(keyword, close),
            body: body_span,
            block: tree.kind(body) == Kind::CompoundStatement,
            count: self.unit.resolve(&header::count(&header)),
            header,
            tile: None,
            parent: None,
            children: Vec::new(),
            guarded: false,
            absent: Vec::new(),
            alone: tree
                .parent(node)
                .is_some_and(|p| tree.kind(p) != Kind::CompoundStatement),
            constants: String::new(),
            in_condition: self.in_condition(node),
            barrier_before: false,
            barrier_after: false,
            has_continue: false,
            continues_early: false,
            uses_variable: is_named(body_span.of(self.context.text), &variable),
            uses_item_variables: false,
            has_return: false,
            waits: false,
            plain_body: true,
            uneven: self.root.is_none() && loop_facts::is_uneven(self.context, statement),
            operations: { self.root.is_none() }
                .then(|| loop_facts::operations(self.context, statement))
                .flatten(),
        };

        let outside = (self.current, self.root, self.ordinary);
        let first = self.enter_parts(base, parts);
        let Some(last) = self.current else { return };
        for mark in marks {
            match mark.name.as_str() {
                "nobarrier" => self.found.no_barrier.push(first),
                _ => self.found.launch.push((first, mark.clone())),
            }
        }
        if self.barrier_follows(node) {
            self.found.no_barrier.push(first);
        }

        self.note_held(last, body);
        if outside.1.is_none() {
            self.unit.loops[last.0 as usize].constants = self.kept_of_parameters.concat();
        }
        self.phases(last, body);
        self.jumps.push(Jump::Attributed(last));
        self.unit.enter();
        if let Some(initializer) = tree.child(statement, Field::Initializer) {
            self.visit(initializer);
        }
        let symbol = Symbol {
            loop_variable: Some(last),
            ..Symbol::default()
        };
        self.unit.scopes.declare(&variable, symbol);
        for field in [Field::Condition, Field::Body] {
            if let Some(part) = tree.child(statement, field) {
                self.visit(part);
            }
        }
        self.unit.leave();
        self.jumps.pop();
        if self.unit.loops[last.0 as usize].children.is_empty() {
            self.unit.innermost.push((last, body));
        }
        (self.current, self.root, self.ordinary) = outside;
        self.unit.push(tree.span(node), ConstructKind::Loop(first));
    }

    /// Whether a condition stands between the loop and the attributed loop around it.
    fn in_condition(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let mut at = tree.parent(node);
        while let Some(around) = at {
            match tree.kind(around) {
                Kind::IfStatement | Kind::SwitchStatement => return true,
                Kind::ForStatement | Kind::FunctionDefinition => return false,
                _ => at = tree.parent(around),
            }
        }
        false
    }

    /// Adds the one loop of `@outer` and `@inner`, or the two of `@tile`, and makes the last one
    /// current. Returns the first.
    fn enter_parts(&mut self, base: Loop, parts: Parts) -> LoopId {
        let Some((size, size_text, check)) = parts.tile else {
            return self.enter(base, parts.first);
        };
        let variable = format!("brook_tile_{}", base.header.variable);
        let tile = Tile {
            size: size.clone(),
            size_text,
            iterations: base.count.clone(),
            over_tiles: true,
            check,
            variable,
        };
        let tiles = {
            use expr::BinaryOperator::{Add, Divide, Subtract};
            let less = Expr::binary(Subtract, size.clone(), Expr::int(1));
            let up = Expr::binary(Add, base.count.clone(), less);
            simplify(&Expr::binary(Divide, up, size.clone()))
        };
        let within = Tile {
            over_tiles: false,
            ..tile.clone()
        };
        let first = self.enter(
            Loop {
                tile: Some(tile),
                count: tiles,
                ..base.clone()
            },
            parts.first,
        );
        self.enter(
            Loop {
                tile: Some(within),
                count: size,
                ..base
            },
            parts.second,
        );
        first
    }

    /// Adds one loop, checks that it may stand here, and makes it current.
    fn enter(&mut self, mut this: Loop, (kind, axis): (LoopKind, Option<usize>)) -> LoopId {
        let around = self.current;
        this.kind = kind;
        this.axis = axis.unwrap_or(usize::MAX);
        this.parent = around;
        let span = this.head;
        let id = LoopId(self.unit.loops.len() as u32);
        self.unit.loops.push(this);
        if let Some(around) = around {
            self.unit.loops[around.0 as usize].children.push(id);
        }
        let mut kinds = Vec::new();
        let mut at = around;
        while let Some(outer) = at {
            let outer = &self.unit.loops[outer.0 as usize];
            kinds.push(outer.kind);
            at = outer.parent;
        }
        let inner_around = self.inside_plain_inner(around);
        let nested = kinds.iter().filter(|k| **k == kind).count();
        match kind {
            // Nested `@tile(n, @outer, @inner)` alternate; nothing stands between their halves.
            LoopKind::Outer if inner_around => {
                self.context.error(&codes::OUTER_IN_INNER, span, &[]);
            }
            LoopKind::Inner if !kinds.contains(&LoopKind::Outer) && self.unread == 0 => {
                self.context.error(&codes::INNER_WITHOUT_OUTER, span, &[]);
            }
            LoopKind::Outer | LoopKind::Inner if nested >= 3 => {
                let name = if kind == LoopKind::Outer {
                    "outer"
                } else {
                    "inner"
                };
                self.context.error(&codes::LOOPS_TOO_MANY, span, &[&name]);
            }
            _ => {}
        }
        if kind == LoopKind::Outer && self.root.is_none() {
            self.root = Some(id);
            self.found.roots.push(id);
        }
        if self.ordinary {
            self.found.in_ordinary.push(id);
        }
        // A sequential part of a tile is an ordinary loop to what stands inside it.
        self.ordinary = kind == LoopKind::Sequential;
        self.current = Some(id);
        id
    }

    /// Whether an `@inner` loop that is not the second half of a `@tile` is around here.
    fn inside_plain_inner(&self, mut at: Option<LoopId>) -> bool {
        while let Some(id) = at {
            let this = &self.unit.loops[id.0 as usize];
            if this.kind == LoopKind::Inner && this.tile.is_none() {
                return true;
            }
            at = this.parent;
        }
        false
    }

    fn barrier_follows(&self, node: NodeId) -> bool {
        let tree = self.context.tree;
        let Some(parent) = tree.parent(node) else {
            return false;
        };
        let next = tree.children(parent).skip_while(|&c| c != node).nth(1);
        next.is_some_and(|next| {
            attributes_of(tree, next, self.context.text)
                .iter()
                .any(|a| a.name == "barrier")
        })
    }

    fn distribution(&mut self, attribute: &AttributeUse) -> Option<Parts> {
        let sequential = (LoopKind::Sequential, None);
        let kind = match attribute.name.as_str() {
            "outer" => LoopKind::Outer,
            "inner" => LoopKind::Inner,
            _ => return self.tile(attribute),
        };
        let axis = self.axis(attribute, attribute.arguments.trim())?;
        Some(Parts {
            first: (kind, axis),
            second: sequential,
            tile: None,
        })
    }

    /// `None` is an error; `Some(None)` is no axis given.
    fn axis(&mut self, attribute: &AttributeUse, text: &str) -> Option<Option<usize>> {
        if text.is_empty() {
            return Some(None);
        }
        match self.unit.constant(text) {
            Some(axis @ 0..=2) => Some(Some(axis as usize)),
            _ => {
                self.context
                    .error(&codes::AXIS_RANGE, attribute.span, &[&attribute.name]);
                None
            }
        }
    }

    fn tile(&mut self, attribute: &AttributeUse) -> Option<Parts> {
        let mut parts = vec![];
        let mut check = true;
        let arguments = attribute.split();
        let (size_text, rest) = arguments.split_first()?;
        for argument in rest {
            if let Some(value) = argument.strip_prefix("check") {
                match value.trim_start().strip_prefix('=').map(str::trim) {
                    Some("true" | "1") => check = true,
                    Some("false" | "0") => check = false,
                    _ => {
                        self.context.error(&codes::TILE_CHECK, attribute.span, &[]);
                        return None;
                    }
                }
                continue;
            }
            let name = argument.trim_start_matches('@').trim();
            let (name, axis) = match name.split_once('(') {
                Some((name, axis)) => (name.trim(), axis.trim_end_matches(')').trim()),
                None => (name, ""),
            };
            let kind = match name {
                "outer" => LoopKind::Outer,
                "inner" => LoopKind::Inner,
                _ => {
                    let near = nearest(name, ["outer", "inner"]);
                    match near.filter(|_| argument.starts_with('@')) {
                        Some(near) => self.context.misspelled(attribute.span, name, near),
                        None => {
                            let arguments: [&dyn fmt::Display; 2] = [&"tile", &3];
                            self.context
                                .error(&codes::TILE_ARGUMENTS, attribute.span, &arguments);
                        }
                    }
                    return None;
                }
            };
            let axis = self.axis(attribute, axis)?;
            parts.push((kind, axis));
        }
        if parts.len() > 2 {
            self.context
                .error(&codes::TILE_ARGUMENTS, attribute.span, &[&"tile", &3]);
            return None;
        }
        let size = expressions::tile_size(self.context, self.unit, size_text, attribute.span)?;
        if expr::constant(&size).is_some_and(|n| n <= 0) {
            self.context.error(&codes::TILE_SIZE, attribute.span, &[]);
            return None;
        }
        let sequential = (LoopKind::Sequential, None);
        let mut parts = parts.into_iter();
        Some(Parts {
            first: parts.next().unwrap_or(sequential),
            second: parts.next().unwrap_or(sequential),
            tile: Some((size, (*size_text).to_string(), check)),
        })
    }
}

/// Whether a name occurs in a text: among its words, or in the string of an attribute.
fn is_named(text: &str, name: &str) -> bool {
    text.contains(name)
        && lex(text).iter().any(|token| match token.kind {
            TokenKind::String => mentions(token.text(text).trim_matches('"'), &[name]),
            _ => token.is(text, name),
        })
}
