use super::symbols::{Space, Symbol};
use super::unit::{Unit, dimensions, restrict};
use super::{atomic, header};
use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::expr::{self, Expr, simplify};
use crate::module::{BarrierScope, Loop, LoopId, LoopKind, Tile, What};
use crate::normalize::attributes::Target;
use crate::source::Span;
use crate::syntax::{
    AttributeUse, Declarator, Field, Kind, NodeId, attributes_of, declarators, decorated,
    function_name, parameters, type_span,
};

/// A function that is no kernel.
pub(super) fn function(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let mut walk = Walk::new(context, unit, false);
    walk.unit.scopes.enter();
    walk.parameters(node);
    if let Some(body) = walk.context.tree.child(node, Field::Body) {
        walk.visit(body);
    }
    walk.unit.scopes.leave();
}

/// A declaration of a function that is no kernel.
pub(super) fn prototype(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let mut walk = Walk::new(context, unit, false);
    walk.unit.scopes.enter();
    walk.parameters(node);
    walk.unit.scopes.leave();
}

/// What a `break` or `continue` refers to.
#[derive(Clone, Copy, PartialEq)]
enum Jump {
    Loop,
    Switch,
    Attributed(LoopId),
}

/// An `@exclusive` variable.
struct Exclusive {
    rank: usize,
    /// Its declaration and uses among the constructs.
    constructs: Vec<usize>,
    by_item: bool,
}

/// What a kernel's walk has found out besides constructs and loops.
#[derive(Default)]
pub(super) struct Found {
    /// Outermost `@outer` loops.
    pub(super) roots: Vec<LoopId>,
    /// Roots of nests with `@shared` or `@exclusive` variables.
    pub(super) with_memory: Vec<LoopId>,
    /// Roots of nests with `@exclusive` variables.
    pub(super) with_exclusive: Vec<LoopId>,
    /// Loops that an ordinary loop separates from the attributed loop around them.
    pub(super) in_ordinary: Vec<LoopId>,
    /// Loops whose next statement is an explicit barrier, or that say `@nobarrier`.
    pub(super) no_barrier: Vec<LoopId>,
    /// `@max_inner_dims` and `@simd_length` by root.
    pub(super) launch: Vec<(LoopId, AttributeUse)>,
    /// Loops that contain a `@barrier`.
    pub(super) with_barrier: Vec<LoopId>,
}

/// The walk over one function.
pub(super) struct Walk<'w, 'a> {
    pub(super) context: &'w mut Context<'a>,
    pub(super) unit: &'w mut Unit,
    pub(super) found: Found,
    in_kernel: bool,
    current: Option<LoopId>,
    root: Option<LoopId>,
    ordinary: bool,
    jumps: Vec<Jump>,
    exclusives: Vec<Exclusive>,
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(context: &'w mut Context<'a>, unit: &'w mut Unit, in_kernel: bool) -> Self {
        Self {
            context,
            unit,
            found: Found::default(),
            in_kernel,
            current: None,
            root: None,
            ordinary: false,
            jumps: Vec::new(),
            exclusives: Vec::new(),
        }
    }

    /// Declares a function's parameters.
    pub(super) fn parameters(&mut self, function: NodeId) {
        let tree = self.context.tree;
        let Some((list, _)) = parameters(tree, function) else {
            return;
        };
        let function_name = function_name(tree, function, self.context.text);
        let function_name = function_name.map_or(String::new(), |(name, _)| name.to_string());
        for (position, parameter) in list.into_iter().enumerate() {
            let leading = attributes_of(tree, parameter, self.context.text);
            let words = type_span(tree, parameter);
            for name in declarators(tree, parameter, self.context.text) {
                let all: Vec<AttributeUse> =
                    leading.iter().chain(&name.attributes).cloned().collect();
                let pointer = name.pointers > 0 || !name.sizes.is_empty();
                self.attributes(&all, Target::Parameter, tree.span(parameter), &name);
                let mut symbol = self.symbol(&all, words.of(self.context.text));
                if pointer {
                    symbol.pointer = Some(Space::Global);
                    if !self.in_kernel {
                        let construct = (position, self.unit.constructs.len());
                        let known = self.unit.pointers.entry(function_name.clone());
                        known.or_default().push(construct);
                    }
                    // What a kernel is given lies in global memory; for other functions it is
                    // settled by their calls.
                    let global = self.in_kernel;
                    let at = words.start;
                    self.unit.push(
                        name.span,
                        What::Pointer {
                            at,
                            global,
                            shared: false,
                        },
                    );
                }
                self.unit.scopes.declare(&name.name, symbol);
            }
        }
    }

    /// What a variable with these attributes and that type is.
    fn symbol(&mut self, attributes: &[AttributeUse], type_words: &str) -> Symbol {
        let name = type_words.split_ascii_whitespace().last().unwrap_or("");
        let facts = self.unit.types.get(name).cloned();
        let inherited = facts.as_ref().and_then(|f| f.dimensions.as_ref());
        Symbol {
            dimensions: dimensions(self.context, attributes, inherited),
            ..Symbol::default()
        }
    }

    /// Checks attributes of a declaration and records what becomes of each.
    fn attributes(
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
                self.unit.push(attribute.span, What::Attribute);
            }
        }
    }

    pub(super) fn visit(&mut self, node: NodeId) {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::AttributeDeclaration => {}
            Kind::AttributedStatement => self.attributed(node),
            Kind::CompoundStatement => {
                self.unit.scopes.enter();
                self.children(node);
                self.unit.scopes.leave();
            }
            Kind::ForStatement | Kind::WhileStatement | Kind::DoStatement | Kind::ForRangeLoop => {
                let ordinary = std::mem::replace(&mut self.ordinary, true);
                self.jumps.push(Jump::Loop);
                self.unit.scopes.enter();
                self.children(node);
                self.unit.scopes.leave();
                self.jumps.pop();
                self.ordinary = ordinary;
            }
            Kind::SwitchStatement => {
                self.jumps.push(Jump::Switch);
                self.children(node);
                self.jumps.pop();
            }
            Kind::LambdaExpression => {
                // Jumps inside it are its own.
                let jumps = std::mem::take(&mut self.jumps);
                let root = self.root.take();
                self.unit.scopes.enter();
                self.children(node);
                self.unit.scopes.leave();
                self.root = root;
                self.jumps = jumps;
            }
            Kind::Declaration => self.declaration(node),
            Kind::Identifier => self.identifier(node),
            Kind::CallExpression => {
                self.children(node);
                self.passed_pointers(node);
                self.dimension_access(node);
            }
            Kind::ContinueStatement => self.jump(node, true),
            Kind::BreakStatement => self.jump(node, false),
            Kind::ReturnStatement if self.root.is_some() => {
                self.context
                    .error(&codes::RETURN_IN_NEST, tree.span(node), &[]);
            }
            _ => self.children(node),
        }
    }

    fn children(&mut self, node: NodeId) {
        let tree = self.context.tree;
        for child in tree.children(node) {
            self.visit(child);
        }
    }

    fn attributed(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let attributes = attributes_of(tree, node, self.context.text);
        let statement = decorated(tree, node);
        let is_loop = attributes
            .iter()
            .any(|a| matches!(a.name.as_str(), "outer" | "inner" | "tile"));
        if is_loop && tree.kind(statement) == Kind::ForStatement {
            self.attributed_loop(node, statement, &attributes);
            return;
        }
        let target = match tree.kind(statement) {
            Kind::ForStatement => Target::Loop,
            _ => Target::Statement,
        };
        for attribute in &attributes {
            if !self.context.check_attribute(attribute, target) {
                self.unit.push(attribute.span, What::Attribute);
                continue;
            }
            match attribute.name.as_str() {
                "barrier" => self.barrier(node, statement, attribute),
                "atomic" => {
                    self.visit(statement);
                    atomic::statement(self.context, self.unit, statement, attribute);
                    self.not_plain();
                    return;
                }
                _ => self.unit.push(attribute.span, What::Attribute),
            }
        }
        self.visit(statement);
    }

    fn barrier(&mut self, node: NodeId, statement: NodeId, attribute: &AttributeUse) {
        let tree = self.context.tree;
        let empty = tree.kind(statement) == Kind::ExpressionStatement
            && tree.children(statement).next().is_none();
        if !empty {
            self.context
                .error(&codes::BARRIER_STATEMENT, attribute.span, &[]);
        }
        let argument = attribute.arguments.trim().trim_matches(['"', '\'']);
        let scope = match argument {
            "" | "local" | "global" => BarrierScope::Group,
            "warp" => BarrierScope::Warp,
            other => {
                self.context
                    .error(&codes::BARRIER_KIND, attribute.span, &[&other]);
                return;
            }
        };
        let inside = self
            .current
            .filter(|id| self.unit.loops[id.0 as usize].kind == LoopKind::Inner);
        if self.root.is_some() {
            self.unit
                .push(tree.span(node), What::Barrier { scope, inside });
            self.not_plain();
            let mut at = self.current;
            while let Some(id) = at {
                self.found.with_barrier.push(id);
                at = self.unit.loops[id.0 as usize].parent;
            }
        } else {
            self.unit.push(attribute.span, What::Attribute);
        }
    }

    /// Something in the loops around here forbids to vectorise them without a doubt.
    fn not_plain(&mut self) {
        let mut at = self.current;
        while let Some(id) = at {
            let this = &mut self.unit.loops[id.0 as usize];
            this.plain_body = false;
            at = this.parent;
        }
    }

    fn jump(&mut self, node: NodeId, is_continue: bool) {
        let target = match is_continue {
            true => self.jumps.iter().rev().find(|j| **j != Jump::Switch),
            false => self.jumps.last(),
        };
        if let Some(Jump::Attributed(id)) = target.copied() {
            if is_continue {
                self.unit.loops[id.0 as usize].has_continue = true;
            } else {
                let span = self.context.tree.span(node);
                self.context.error(&codes::BREAK_IN_NEST, span, &[]);
            }
        }
    }

    fn attributed_loop(&mut self, node: NodeId, statement: NodeId, attributes: &[AttributeUse]) {
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
        let header = header::read(self.context, statement);
        let body = tree.child(statement, Field::Body);
        let (Some(parts), Some(header), Some(body)) = (parts, header, body) else {
            // Reported; what is inside may have errors of its own.
            self.children(statement);
            return;
        };
        if !self.in_kernel {
            self.context
                .error(&codes::LOOP_OUTSIDE_KERNEL, tree.span(node), &[]);
            return;
        }

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
            count: header::count(&header),
            header,
            tile: None,
            parent: None,
            children: Vec::new(),
            guarded: false,
            absent: Vec::new(),
            barrier_after: false,
            has_continue: false,
            plain_body: true,
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

        self.jumps.push(Jump::Attributed(last));
        self.unit.scopes.enter();
        for field in [
            Field::Initializer,
            Field::Condition,
            Field::Update,
            Field::Body,
        ] {
            if let Some(part) = tree.child(statement, field) {
                self.visit(part);
            }
        }
        self.unit.scopes.leave();
        self.jumps.pop();
        (self.current, self.root, self.ordinary) = outside;
        self.unit.push(tree.span(node), What::Loop(first));
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
            LoopKind::Inner if !kinds.contains(&LoopKind::Outer) => {
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

    fn declaration(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let leading = attributes_of(tree, node, text);
        let words = type_span(tree, node);
        let type_name = words
            .of(text)
            .split_ascii_whitespace()
            .last()
            .unwrap_or("")
            .to_string();
        let facts = self.unit.types.get(&type_name).cloned().unwrap_or_default();
        let names = declarators(tree, node, text);
        let has = |which: &str| leading.iter().find(|a| a.name == which);
        let shared = has("shared").is_some() || facts.shared;
        let exclusive = has("exclusive").is_some() || facts.exclusive;

        for (index, name) in names.iter().enumerate() {
            // Attributes before the type belong to every name, but are rewritten once.
            let own = if index == 0 { leading.as_slice() } else { &[] };
            let all: Vec<AttributeUse> = own.iter().chain(&name.attributes).cloned().collect();
            self.attributes(&all, Target::Variable, tree.span(node), name);
            let every: Vec<AttributeUse> =
                leading.iter().chain(&name.attributes).cloned().collect();
            let mut symbol = self.symbol(&every, words.of(text));
            for size in name.sizes.iter().flatten() {
                self.visit(*size);
            }
            if let Some(value) = name.value {
                self.visit(value);
            }
            if shared {
                symbol.shared = self.shared(node, name, has("shared"));
                symbol.pointer = Some(Space::Shared);
            } else if exclusive {
                symbol.exclusive = self.exclusive(node, name, words, has("exclusive"));
                symbol.pointer = (!name.sizes.is_empty()).then_some(Space::Private);
            } else if name.pointers > 0 {
                symbol.pointer = name.value.and_then(|v| self.space_of(v));
                if let Some(space @ (Space::Global | Space::Shared)) = symbol.pointer
                    && index == 0
                {
                    let shared = space == Space::Shared;
                    self.unit.push(
                        name.span,
                        What::Pointer {
                            at: words.start,
                            global: !shared,
                            shared,
                        },
                    );
                }
            } else if !name.sizes.is_empty() {
                symbol.pointer = Some(Space::Private);
            }
            self.unit.scopes.declare(&name.name, symbol);
        }
        if exclusive && let Some(attribute) = has("exclusive") {
            self.unit.push(attribute.span, What::Attribute);
        }
    }

    /// The memory that a pointer expression points into: that of the first name in it that is a
    /// pointer.
    fn space_of(&self, value: NodeId) -> Option<Space> {
        let tree = self.context.tree;
        let names = tree
            .descendants(value)
            .filter(|&n| tree.kind(n) == Kind::Identifier);
        names
            .filter_map(|n| self.unit.scopes.get(tree.text(n, self.context.text)))
            .find_map(|s| s.pointer)
    }

    /// Whether a `@shared` or `@exclusive` variable may be declared here; the nest's root if so.
    fn memory_place(&mut self, span: Span, which: &str) -> Option<LoopId> {
        let kinds = |id: LoopId| self.unit.loops[id.0 as usize].kind;
        let mut at = self.current;
        while let Some(id) = at {
            match kinds(id) {
                LoopKind::Inner => {
                    self.context.error(&codes::MEMORY_IN_INNER, span, &[&which]);
                    return None;
                }
                LoopKind::Outer => break,
                LoopKind::Sequential => at = self.unit.loops[id.0 as usize].parent,
            }
        }
        if at.is_none() {
            self.context.error(&codes::MEMORY_PLACE, span, &[&which]);
            return None;
        }
        if let Some(root) = self.root {
            self.found.with_memory.push(root);
        }
        self.root
    }

    fn shared(
        &mut self,
        node: NodeId,
        name: &Declarator,
        attribute: Option<&AttributeUse>,
    ) -> bool {
        let span = self.context.tree.span(node);
        let Some(nest) = self.memory_place(name.span, "shared") else {
            return false;
        };
        let constant = |size: &Option<NodeId>| {
            let text = size.map(|s| self.context.tree.text(s, self.context.text));
            text.and_then(|t| self.unit.constant(t))
                .is_some_and(|n| n > 0)
        };
        let all = name.sizes.iter().all(constant);
        if !all || name.sizes.is_empty() && attribute.is_some() {
            self.context
                .error(&codes::SHARED_SIZE, name.span, &[&name.name]);
        }
        let attribute = attribute.map_or(Span::at(span.start), |a| a.span);
        // One construct a declaration, however many names it has.
        let already = self
            .unit
            .constructs
            .iter()
            .rev()
            .take(8)
            .any(|c| c.span == span);
        if !already {
            self.unit.push(span, What::Shared { attribute, nest });
        }
        true
    }

    fn exclusive(
        &mut self,
        node: NodeId,
        name: &Declarator,
        words: Span,
        attribute: Option<&AttributeUse>,
    ) -> Option<usize> {
        let tree = self.context.tree;
        let at = attribute.map_or(name.span, |a| a.span);
        let nest = self.memory_place(at, "exclusive")?;
        self.found.with_exclusive.push(nest);
        let index = self.exclusives.len();
        let brackets = match (name.brackets.first(), name.brackets.last()) {
            (Some(first), Some(last)) => Span::new(first.start, last.end),
            _ => Span::at(name.name_span.end),
        };
        let value = name.value.map(|v| (tree.span(v), name.span.end));
        self.exclusives.push(Exclusive {
            rank: name.sizes.len(),
            constructs: vec![self.unit.constructs.len()],
            by_item: false,
        });
        self.unit.push(
            name.span,
            What::Exclusive {
                name: name.name.clone(),
                name_span: name.name_span,
                brackets,
                value,
                type_name: words.of(self.context.text).to_string(),
                rank: name.sizes.len(),
                nest,
                end: tree.span(node).end,
                by_item: false,
            },
        );
        Some(index)
    }

    fn identifier(&mut self, node: NodeId) {
        let tree = self.context.tree;
        let name = tree.text(node, self.context.text);
        let Some(index) = self.unit.scopes.get(name).and_then(|s| s.exclusive) else {
            return;
        };
        let Some(variable) = self.exclusives.get_mut(index) else {
            return;
        };
        let mut end = tree.span(node).end;
        let mut at = node;
        let mut subscripts = 0;
        while subscripts < variable.rank
            && let Some(parent) = tree.parent(at)
            && tree.kind(parent) == Kind::SubscriptExpression
            && tree.child(parent, Field::Argument) == Some(at)
        {
            subscripts += 1;
            end = tree.span(parent).end;
            at = parent;
        }
        if subscripts < variable.rank {
            variable.by_item = true;
        }
        variable.constructs.push(self.unit.constructs.len());
        self.unit.push(
            tree.span(node),
            What::ExclusiveUse {
                end,
                by_item: false,
            },
        );
    }

    /// Notes what memory a function is given pointers to.
    fn passed_pointers(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let function = tree.child(call, Field::Function);
        let Some(function) = function.filter(|&f| tree.kind(f) == Kind::Identifier) else {
            return;
        };
        let name = tree.text(function, self.context.text).to_string();
        let list = tree.child(call, Field::Arguments);
        let arguments = list.into_iter().flat_map(|l| tree.children(l));
        for (position, argument) in arguments.enumerate() {
            if let Some(space) = self.space_of(argument) {
                self.unit
                    .passed
                    .push((name.clone(), position, space, tree.span(argument)));
            }
        }
    }

    /// `m(i, j)` on a variable or field with dimensions.
    fn dimension_access(&mut self, call: NodeId) {
        let tree = self.context.tree;
        let text = self.context.text;
        let Some(function) = tree.child(call, Field::Function) else {
            return;
        };
        let dimensions = match tree.kind(function) {
            Kind::Identifier => {
                let symbol = self.unit.scopes.get(tree.text(function, text));
                symbol.and_then(|s| s.dimensions.clone())
            }
            Kind::FieldExpression => tree
                .child(function, Field::FieldName)
                .and_then(|f| self.unit.fields.get(tree.text(f, text)).cloned()),
            _ => None,
        };
        let Some(dimensions) = dimensions else { return };
        let Some(list) = tree.child(call, Field::Arguments) else {
            return;
        };
        let indices: Vec<Span> = tree.children(list).map(|a| tree.span(a)).collect();
        let (wanted, given) = (dimensions.extents.len(), indices.len());
        if wanted != given {
            let which = if given < wanted {
                "Missing"
            } else {
                "Too many"
            };
            self.context
                .error(&codes::DIM_COUNT, tree.span(call), &[&which, &wanted]);
            return;
        }
        let base = tree.span(function);
        self.unit.push(
            tree.span(call),
            What::Dim {
                base,
                indices,
                dimensions,
            },
        );
    }

    /// Ends the walk: settles how each exclusive array is laid out.
    pub(super) fn finish(self) -> Found {
        for variable in self.exclusives.iter().filter(|v| v.by_item) {
            for &index in &variable.constructs {
                match self.unit.constructs.get_mut(index).map(|c| &mut c.what) {
                    Some(What::Exclusive { by_item, .. }) => *by_item = true,
                    Some(What::ExclusiveUse { by_item, .. }) => *by_item = true,
                    _ => {}
                }
            }
        }
        self.found
    }
}

/// How an attribute distributes its loop.
struct Parts {
    first: (LoopKind, Option<usize>),
    second: (LoopKind, Option<usize>),
    /// Size as expression and as written, and whether iterations past the end are skipped.
    tile: Option<(Expr, String, bool)>,
}

impl Walk<'_, '_> {
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
                    self.context
                        .error(&codes::TILE_ARGUMENTS, attribute.span, &[&"tile", &3]);
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
        let size = match expr::parse(size_text) {
            Ok(size) => simplify(&self.unit.resolve(&size)),
            Err(error) => {
                self.context
                    .error(&codes::HOST_EXPRESSION, attribute.span, &[&error.message]);
                return None;
            }
        };
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
