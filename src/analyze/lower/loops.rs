//! Loops whose iterations are groups or items.

use super::{Level, Lower, Lowered};
use crate::body::{
    BinaryOperator, Distributed, DistributedKind, ExpressionId, ExpressionKind, Memory,
    StatementId, StatementKind, Type, TypeKind, UnaryOperator, VariableId, Wait,
};
use crate::expr::{self, Scalar, Value};
use crate::module::{Comparison, Loop, LoopKind};
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId};

/// What the header of a loop says.
struct Header {
    name: NodeId,
    ty: Type,
    first: ExpressionId,
    end: ExpressionId,
    /// What the variable changes by, with its sign.
    step: ExpressionId,
    /// How many iterations there are.
    count: ExpressionId,
    comparison: BinaryOperator,
}

/// One of the loops that a statement is.
struct Part<'a> {
    this: &'a Loop,
    name: &'a str,
    ty: Type,
    first: ExpressionId,
    count: ExpressionId,
    step: ExpressionId,
}

impl Lower<'_, '_> {
    pub(super) fn distributed(
        &mut self,
        node: NodeId,
        statement: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let span = self.span(node);
        let parts = self.unit.loops.get(&span).cloned().unwrap_or_default();
        let visible = self.visible.len();
        let level = self.level;
        let made = match parts.as_slice() {
            [only] => self.single(only, statement, out),
            [tiles, within] => self.tiled(tiles, within, statement, out),
            _ => self.unnamed(node, "a loop of this form"),
        };
        self.level = level;
        self.visible.truncate(visible);
        made
    }

    fn header(&mut self, this: &Loop, statement: NodeId) -> Lowered<Header> {
        let tree = self.unit.tree;
        let span = this.header_span;
        let declaration = self.part(statement, Field::Initializer)?;
        let declarator = self.part(declaration, Field::Declarator)?;
        let name = {
            let mut all = tree.descendants(declarator);
            all.find(|&n| tree.kind(n) == Kind::Identifier && self.unit.is_declaration(n))
        };
        let value = self.unit.initialiser(declaration, declarator);
        let (Some(name), Some(value)) = (name, value) else {
            return self.unnamed(declaration, "a loop of this form");
        };
        let first = match tree.kind(value) {
            Kind::InitializerList | Kind::ArgumentList => match tree.children(value).next() {
                Some(inner) => self.value(inner)?,
                None => return self.unnamed(value, "a loop of this form"),
            },
            _ => self.value(value)?,
        };
        let auto = tree
            .child_of_kind(declaration, Kind::PlaceholderType)
            .is_some();
        let ty = match auto {
            true => self.ty(first),
            false => match self.unit.base_type(declaration) {
                Some((ty, _)) => ty,
                None => return self.variable_unknown(declaration, declarator),
            },
        };
        let first = self.convert(first, ty)?;
        let condition = tree.unparenthesized(self.part(statement, Field::Condition)?);
        let sides = [Field::Left, Field::Right].map(|f| tree.child(condition, f));
        let end = sides.into_iter().flatten();
        let end = { end }.find(|&n| tree.span(n) == this.header.end_span);
        let Some(end) = end else {
            return self.unnamed(condition, "a loop of this form");
        };
        let end = self.value(end)?;
        let end = match self.kind(self.ty(end)) {
            TypeKind::Scalar(scalar) if scalar.is_float() => self.whole_bound(this, end, span)?,
            _ => end,
        };
        let comparison = match this.header.comparison {
            Comparison::Less => BinaryOperator::Less,
            Comparison::LessEqual => BinaryOperator::LessEqual,
            Comparison::Greater => BinaryOperator::Greater,
            Comparison::GreaterEqual => BinaryOperator::GreaterEqual,
            Comparison::NotEqual => BinaryOperator::NotEqual,
        };
        let update = self.part(statement, Field::Update)?;
        let step = match this.header.step_span {
            Some(at) => {
                let found = tree.descendants(update).find(|&n| tree.span(n) == at);
                match found {
                    Some(step) => {
                        let step = self.value(step)?;
                        self.as_scalar(step, Scalar::Long)?
                    }
                    None => return self.unnamed(update, "a loop of this form"),
                }
            }
            None => match expr::constant(&this.header.step) {
                Some(step) => self.long(step, span),
                None => return self.unnamed(update, "a loop of this form"),
            },
        };
        let count = self.count(this, (first, end, step), span)?;
        let step = match this.header.down {
            true => {
                let ty = self.ty(step);
                self.push(ExpressionKind::Unary(UnaryOperator::Negate, step), ty, span)
            }
            false => step,
        };
        Ok(Header {
            name,
            ty,
            first,
            end,
            step,
            count,
            comparison,
        })
    }

    /// The integer that a loop's variable is compared with as it is with a number that is none.
    fn whole_bound(&mut self, this: &Loop, end: ExpressionId, span: Span) -> Lowered<ExpressionId> {
        use BinaryOperator::{Add, Greater, Less, Subtract};
        let (compare, change) = match this.header.comparison {
            Comparison::LessEqual | Comparison::Greater => (Greater, Subtract),
            _ => (Less, Add),
        };
        let cut = self.as_scalar(end, Scalar::Long)?;
        let other = self.operate(compare, cut, end, span)?;
        let other = self.as_scalar(other, Scalar::Long)?;
        self.operate(change, cut, other, span)
    }

    /// How many iterations a loop has: the distance, divided by the step and rounded up.
    fn count(
        &mut self,
        this: &Loop,
        (first, end, step): (ExpressionId, ExpressionId, ExpressionId),
        span: Span,
    ) -> Lowered<ExpressionId> {
        use BinaryOperator::{Add, Divide, Subtract};
        let (first, end) = (
            self.as_scalar(first, Scalar::Long)?,
            self.as_scalar(end, Scalar::Long)?,
        );
        let (low, high) = match this.header.down {
            true => (end, first),
            false => (first, end),
        };
        let distance = self.operate(Subtract, high, low, span)?;
        let inclusive = matches!(
            this.header.comparison,
            Comparison::LessEqual | Comparison::GreaterEqual
        );
        let more = match inclusive {
            true => step,
            false => {
                let one = self.long(1, span);
                self.operate(Subtract, step, one, span)?
            }
        };
        let sum = self.operate(Add, distance, more, span)?;
        self.operate(Divide, sum, step, span)
    }

    fn single(
        &mut self,
        this: &Loop,
        statement: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        let header = self.header(this, statement)?;
        out.append(&mut self.before);
        let name = self.text(header.name);
        let variable = self.loop_variable(this.kind, name, header.ty, self.span(header.name));
        self.known(header.name, variable);
        let part = Part {
            this,
            name,
            ty: header.ty,
            first: header.first,
            count: header.count,
            step: header.step,
        };
        let body = self.part(statement, Field::Body)?;
        self.enter(this.kind);
        let body = self.statements_of(body);
        self.close(&part, variable, None, body, out);
        Ok(())
    }

    /// Makes the variable of a loop known to what stands in it.
    fn known(&mut self, name: NodeId, variable: VariableId) {
        if let Some(id) = self.unit.sema.definition(name) {
            self.variables.insert(id, (variable, false));
        }
        self.visible.push((self.text(name), variable));
    }

    fn loop_variable(&mut self, kind: LoopKind, name: &str, ty: Type, span: Span) -> VariableId {
        let memory = match kind {
            LoopKind::Outer => Memory::Group,
            LoopKind::Inner => Memory::Private,
            LoopKind::Sequential => self.memory_here(),
        };
        self.variable(name, ty, memory, span)
    }

    fn enter(&mut self, kind: LoopKind) {
        match kind {
            LoopKind::Outer => self.level = Level::Group,
            LoopKind::Inner => self.level = Level::Item,
            LoopKind::Sequential => {}
        }
    }

    /// The two loops of a `@tile`.
    fn tiled(
        &mut self,
        tiles: &Loop,
        within: &Loop,
        statement: NodeId,
        out: &mut Vec<StatementId>,
    ) -> Lowered<()> {
        use BinaryOperator::{Add, Divide, Multiply, Subtract};
        let header = self.header(tiles, statement)?;
        out.append(&mut self.before);
        let span = tiles.header_span;
        let Some(tile) = &tiles.tile else {
            return self.unnamed(statement, "a loop of this form");
        };
        let size = self.attribute(&tile.size, span)?;
        let size = self.as_scalar(size, Scalar::Long)?;
        let one = self.long(1, span);
        let less = self.operate(Subtract, size, one, span)?;
        let up = self.operate(Add, header.count, less, span)?;
        let count = self.operate(Divide, up, size, span)?;
        let step = self.operate(Multiply, header.step, size, span)?;
        let long = self.scalar_type(Scalar::Long);
        let first = self.convert(header.first, long)?;
        let over = Part {
            this: tiles,
            name: &tile.variable,
            ty: long,
            first,
            count,
            step,
        };
        let name = self.text(header.name);
        let at = self.span(header.name);
        let outer = self.loop_variable(tiles.kind, name, long, at);
        let around = self.level;
        self.enter(tiles.kind);
        let between = self.level;

        let place = self.whole(outer, at);
        let begin = self.read(place)?;
        // What a tile has past the end may be more than the type holds.
        let nests = within.children.iter().any(|child| {
            let inside = self.unit.facts.loops.get(child.index());
            inside.is_some_and(|l| l.kind == LoopKind::Outer)
        });
        let wide = tiles.header.wide().is_some() || (tile.check && !nests && header.ty != long);
        let counts = if wide { long } else { header.ty };
        let first = self.convert(begin, counts)?;
        let inner = Part {
            this: within,
            name,
            ty: counts,
            first,
            count: size,
            step: header.step,
        };
        let variable = self.loop_variable(within.kind, name, counts, at);
        self.enter(within.kind);
        let guard = match tile.check {
            true => {
                let comparison = match (header.comparison, tiles.header.down) {
                    (BinaryOperator::NotEqual, false) => BinaryOperator::Less,
                    (BinaryOperator::NotEqual, true) => BinaryOperator::Greater,
                    (other, _) => other,
                };
                let place = self.whole(variable, at);
                let value = self.read(place)?;
                let end = match wide {
                    true => self.convert(header.end, long)?,
                    false => header.end,
                };
                Some(self.operate(comparison, value, end, span)?)
            }
            false => None,
        };
        let mut statements = Vec::new();
        match wide {
            true => {
                let memory = self.memory_here();
                let own = self.variable(name, header.ty, memory, at);
                let declare = StatementKind::Declare {
                    variable: own,
                    zeros: false,
                };
                statements.push(self.push_statement(declare, at));
                let place = self.whole(variable, at);
                let value = self.read(place)?;
                let value = self.convert(value, header.ty)?;
                let place = self.whole(own, at);
                self.assign(place, value, at, &mut statements);
                self.known(header.name, own);
            }
            false => self.known(header.name, variable),
        }
        let body = self.part(statement, Field::Body)?;
        statements.extend(self.statements_of(body));
        let body = statements;
        let mut inside = Vec::new();
        self.level = between;
        self.close(&inner, variable, guard, body, &mut inside);
        self.level = around;
        self.close(&over, outer, None, inside, out);
        Ok(())
    }

    /// Adds a loop around statements.
    fn close(
        &mut self,
        part: &Part<'_>,
        variable: VariableId,
        guard: Option<ExpressionId>,
        body: Vec<StatementId>,
        out: &mut Vec<StatementId>,
    ) {
        let span = part.this.span;
        let kind = match part.this.kind {
            LoopKind::Outer => DistributedKind::Outer,
            LoopKind::Inner => DistributedKind::Inner,
            LoopKind::Sequential => {
                self.counted(part, variable, guard, body, out);
                return;
            }
        };
        let waits = kind == DistributedKind::Inner && !self.unit.facts.no_auto_barriers;
        let distributed = Distributed {
            kind,
            axis: part.this.axis,
            variable,
            first: part.first,
            count: part.count,
            step: part.step,
            guard,
            wait: Wait {
                before: part.this.barrier_before && waits,
                after: part.this.barrier_after && waits,
            },
            body,
        };
        let kind = StatementKind::Distributed(Box::new(distributed));
        let statement = self.push_statement(kind, span);
        out.push(statement);
    }

    /// A part of a `@tile` that is an ordinary loop: it counts its iterations.
    fn counted(
        &mut self,
        part: &Part<'_>,
        variable: VariableId,
        guard: Option<ExpressionId>,
        body: Vec<StatementId>,
        out: &mut Vec<StatementId>,
    ) {
        let span = part.this.span;
        let mut initial = Vec::new();
        let number = self.hidden("", Scalar::Long, span, &mut initial);
        let count = self.hidden("", Scalar::Long, span, &mut initial);
        let first = self.hidden("", Scalar::Long, span, &mut initial);
        let declare = StatementKind::Declare {
            variable,
            zeros: false,
        };
        initial.push(self.push_statement(declare, span));
        let zero = self.literal(Value::Int(Scalar::Long, 0), span);
        let made = (|| {
            let begin = self.as_scalar(part.first, Scalar::Long)?;
            for (to, value) in [(number, zero), (count, part.count), (first, begin)] {
                let place = self.whole(to, span);
                self.assign(place, value, span, &mut initial);
            }
            let read = |this: &mut Self, id| {
                let place = this.whole(id, span);
                this.read(place)
            };
            let (n, c) = (read(self, number)?, read(self, count)?);
            let condition = self.operate(BinaryOperator::Less, n, c, span)?;
            let n = read(self, number)?;
            let far = self.operate(BinaryOperator::Multiply, n, part.step, span)?;
            let begin = read(self, first)?;
            let value = self.operate(BinaryOperator::Add, begin, far, span)?;
            let value = self.convert(value, part.ty)?;
            let mut inside = Vec::new();
            let place = self.whole(variable, span);
            self.assign(place, value, span, &mut inside);
            match guard {
                Some(condition) => {
                    let kind = StatementKind::If {
                        condition,
                        then: body,
                        otherwise: Vec::new(),
                    };
                    inside.push(self.push_statement(kind, span));
                }
                None => inside.extend(body),
            }
            let place = self.whole(number, span);
            let ty = place.ty;
            let place = self.push_place(place);
            let one = self.long(1, span);
            let step = ExpressionKind::Update {
                place,
                operator: BinaryOperator::Add,
                value: one,
                computed: ty,
                before: false,
            };
            let step = self.push(step, ty, span);
            Lowered::Ok(StatementKind::Loop {
                initial,
                condition: Some(condition),
                step: Some(step),
                body: inside,
                late: false,
            })
        })();
        let kind = made.unwrap_or_else(|opaque| StatementKind::Opaque(opaque.what));
        debug_assert!(!part.name.is_empty());
        let statement = self.push_statement(kind, span);
        out.push(statement);
    }
}
