//! Integers wrap, and what compilers take for impossible is only that signed ones overflow: sums, differences, products
//! and negatives are computed without a sign wherever a range of values does not show that they fit.

use super::body::{Body, Meaning};
use super::check::cast_in_brackets;
use super::values::Part;
use crate::body::BinaryOperator;
use crate::expr;
use crate::facts::Range;
use crate::module::{Base, ConstructKind, Type, WrappedOperand};
use crate::sema::DefinitionId;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, declarators};

const TRUTH: Range = Range { least: 0, most: 1 };
/// More than a group can have.
const ITEMS: Range = Range {
    least: 0,
    most: 0xffff,
};

impl Body<'_, '_> {
    /// What an expression's value can be, where it stands.
    fn range(&self, node: NodeId) -> Option<Range> {
        let known = self.values.ranges.get(&node).copied();
        known.or_else(|| Range::of(self.facts.conversion(node).or(self.facts.number(node))?))
    }

    /// Notes what an expression's value can be, and how it is computed.
    pub(super) fn value(&mut self, node: NodeId) {
        let Some(ty) = self.facts.number(node) else {
            return;
        };
        let (Some(found), Some(all)) = (self.found(node, ty), Range::of(ty)) else {
            return;
        };
        let to = self.facts.conversion(node).map_or(Some(all), Range::of);
        let Some(to) = to else {
            return;
        };
        // Nothing is noted of what may be anything.
        let range = if found.is_within(all) { found } else { all };
        if range.is_within(to) && range != to {
            self.values.ranges.insert(node, range);
        }
    }

    fn found(&mut self, node: NodeId, ty: Type) -> Option<Range> {
        let tree = self.context.tree;
        match tree.kind(node) {
            Kind::ParenthesizedExpression => self.range(tree.children(node).next()?),
            Kind::NumberLiteral => {
                let value = expr::parse(self.word(node)).ok()?;
                Some(Range::only(expr::constant(&value)?))
            }
            Kind::Identifier => match self.lookup(node)? {
                Meaning::Local { range, .. } => *range,
                Meaning::Parameter(_) => None,
            },
            Kind::BinaryExpression => self.found_binary(node, ty),
            Kind::UnaryExpression => {
                let argument = self.part(node, Field::Argument)?;
                match self.operator(node) {
                    "!" => Some(TRUTH),
                    "+" => self.range(argument),
                    "-" => self.arithmetic(node, "-", &[argument], ty),
                    _ => None,
                }
            }
            Kind::ConditionalExpression => {
                let yes = self.range(self.part(node, Field::Consequence)?)?;
                Some(yes.both(self.range(self.part(node, Field::Alternative)?)?))
            }
            Kind::CastExpression => self.range(self.part(node, Field::Value)?),
            Kind::FieldExpression => self.range(self.part(node, Field::Argument)?),
            Kind::CallExpression => {
                let function = self.part(node, Field::Function)?;
                let list = self.part(node, Field::Arguments)?;
                if let Some((_, operand)) = cast_in_brackets(tree, function, list) {
                    return self.range(operand);
                }
                (self.word(function) == "instanceInGroup").then_some(ITEMS)
            }
            _ => None,
        }
    }

    fn found_binary(&mut self, node: NodeId, ty: Type) -> Option<Range> {
        let left = self.part(node, Field::Left)?;
        let right = self.part(node, Field::Right)?;
        match self.operator(node) {
            "<" | ">" | "<=" | ">=" | "==" | "!=" | "&&" | "||" => Some(TRUTH),
            operator @ ("+" | "-" | "*") => self.arithmetic(node, operator, &[left, right], ty),
            operator => {
                let operator = BinaryOperator::from_text(operator)?;
                self.range(left)?.combined(operator, self.range(right)?)
            }
        }
    }

    /// A sum, a difference, a product or a negative. Returns what it can be as a number.
    fn arithmetic(
        &mut self,
        node: NodeId,
        operator: &str,
        operands: &[NodeId],
        ty: Type,
    ) -> Option<Range> {
        let int = Range::of(Type::scalar(Base::Int))?;
        let all = Range::of(ty)?;
        let parts: Vec<Option<Part>> = operands.iter().map(|&o| self.inner(o, ty)).collect();
        let mut exact = Vec::with_capacity(2);
        for (part, &operand) in parts.iter().zip(operands) {
            let range = part.map(|p| p.exact).or(self.range(operand));
            exact.push(range.unwrap_or(int));
        }
        let negative = match exact.as_slice() {
            [a, _] if operator == "-" => *a == Range::only(0),
            [a, b] if operator == "*" => [a, b].contains(&&Range::only(-1)),
            // `a + b == 0` is `a == -b` to a compiler.
            [a, b] => a.least != a.most && b.least != b.most,
            _ => true,
        };
        let exact = match exact.as_slice() {
            [only] => Range::only(0).combined(BinaryOperator::Subtract, *only),
            [a, b] => a.combined(BinaryOperator::from_text(operator)?, *b),
            _ => return None,
        }
        .unwrap_or(Range::ALL);
        let small = ty.base.is_small();
        // Vectors of small integers are what no compiler makes an `int` of.
        let fits = exact.is_within(if ty.is_vector() { all } else { int });
        let unsigned = !fits || parts.iter().flatten().any(|p| p.unsigned);
        if !(unsigned || small && !ty.is_vector()) || !(small || ty.base == Base::Int) {
            return Some(exact);
        }
        let tree = self.context.tree;
        let closed = |node| {
            !matches!(
                tree.kind(node),
                Kind::BinaryExpression
                    | Kind::ConditionalExpression
                    | Kind::AssignmentExpression
                    | Kind::CommaExpression
            )
        };
        let mut given = Vec::with_capacity(2);
        for (part, &operand) in parts.iter().zip(operands) {
            if let Some(part) = part {
                self.unit.join(part.construct);
            }
            given.push(WrappedOperand {
                span: self.span(operand),
                part: part.is_some(),
                unsigned: part.is_some_and(|p| p.unsigned),
                closed: closed(operand),
                // A conversion stands in front of them.
                brackets: tree.kind(operand) == Kind::ParenthesizedExpression
                    && self.facts.conversion(operand).is_none(),
            });
        }
        let brackets = self.brackets(node);
        let what = ConstructKind::Wrapping {
            ty,
            operands: given,
            unsigned,
            closed: brackets.is_some(),
            part: false,
            negative,
        };
        let construct = self.unit.constructs.len();
        self.unit.push(self.span(brackets.unwrap_or(node)), what);
        let part = Part {
            construct,
            exact,
            unsigned,
        };
        self.values.parts.insert(node, part);
        Some(exact)
    }

    /// The brackets around an expression, if a cast in front of them is as good as one inside: other edits of a
    /// statement's condition stand inside of its brackets.
    pub(super) fn brackets(&self, node: NodeId) -> Option<NodeId> {
        let tree = self.context.tree;
        let is_bracket = |n: &NodeId| tree.kind(*n) == Kind::ParenthesizedExpression;
        let first = tree.parent(node).filter(is_bracket)?;
        let mut around = first;
        while let Some(next) = tree.parent(around).filter(is_bracket) {
            around = next;
        }
        let condition = tree.parent(around).is_some_and(|p| {
            matches!(
                tree.kind(p),
                Kind::IfStatement
                    | Kind::WhileStatement
                    | Kind::DoStatement
                    | Kind::ForStatement
                    | Kind::ConditionClause
            )
        });
        (!condition).then_some(first)
    }

    /// The operand, if it is itself computed modulo 2^32, and nothing is done to it on the way.
    fn inner(&self, mut node: NodeId, ty: Type) -> Option<Part> {
        let tree = self.context.tree;
        while self.facts.conversion(node).is_none() {
            if tree.kind(node) != Kind::ParenthesizedExpression {
                let same = self.facts.number(node) == Some(ty);
                return self.values.parts.get(&node).copied().filter(|_| same);
            }
            node = tree.children(node).next()?;
        }
        None
    }

    /// What a value is combined with has no sign: nor need the value have one.
    pub(super) fn join(&mut self, value: NodeId, ty: Type) {
        if let Some(part) = self.inner(value, ty) {
            self.unit.join(part.construct);
        }
    }

    /// Whether `v OP= value` may overflow.
    pub(super) fn overflows(&self, node: NodeId, operator: &str, ty: Type) -> bool {
        matches!(operator, "+" | "-" | "*")
            && ty.base == Base::Int
            && !self.values.steps.contains(&node)
    }

    /// What a variable can be that is never changed.
    pub(super) fn range_of_local(&mut self, name: Option<NodeId>, value: NodeId) -> Option<Range> {
        let range = self.values.ranges.get(&value).copied()?;
        let id = self.context.sema.definition(name?)?;
        (!self.changes().contains_key(&id)).then_some(range)
    }

    /// A loop's condition has been read: if it counts to a bound, its variable's step does not overflow, and the
    /// variable is known to be below. Gives that variable, and what was known of it before.
    pub(super) fn counts(&mut self, node: NodeId) -> Option<(DefinitionId, Option<Range>)> {
        let tree = self.context.tree;
        let condition = tree.unparenthesized(self.part(node, Field::Condition)?);
        let update = self.part(node, Field::Update)?;
        let (variable, step) = self.step(update)?;
        let bound = self.bound(condition, variable, step > 0)?;
        let (int, within) = (Range::of(Type::scalar(Base::Int))?, self.span(node));
        let next = Range::only(bound.saturating_add(step));
        let changes = self.changes().get(&variable).cloned().unwrap_or_default();
        let initial = self.part(node, Field::Initializer).map(|i| self.span(i));
        let again = |c: &&Span| within.contains(**c) && initial.is_none_or(|i| !i.contains(**c));
        let inside = changes.iter().filter(again).count();
        if !next.is_within(int) || inside != 1 {
            return None;
        }
        self.values.steps.push(update);
        let first = self.first(node, variable);
        let range = match (first, step > 0) {
            (Some(first), true) => Range {
                least: first.least,
                most: bound.max(first.least),
            },
            (Some(first), false) => Range {
                least: bound.min(first.most),
                most: first.most,
            },
            _ => return None,
        };
        Some((variable, self.know(variable, Some(range))))
    }

    /// `i++`, `i += 2` and the like.
    fn step(&self, update: NodeId) -> Option<(DefinitionId, i64)> {
        let tree = self.context.tree;
        let (target, by) = match tree.kind(update) {
            Kind::UpdateExpression => (self.part(update, Field::Argument)?, 1),
            Kind::AssignmentExpression => {
                let value = expr::parse(self.word(self.part(update, Field::Right)?)).ok()?;
                (self.part(update, Field::Left)?, expr::constant(&value)?)
            }
            _ => return None,
        };
        let step = match self.operator(update) {
            "++" | "+=" => by,
            "--" | "-=" => -by,
            _ => return None,
        };
        let plain = tree.kind(target) == Kind::Identifier
            && self.facts.number(target).is_none_or(is_int)
            && i32::try_from(step).is_ok_and(|s| s != 0);
        let variable = self.context.sema.definition(target)?;
        plain.then_some((variable, step))
    }

    /// The last value of a variable at which a condition may hold, counting up or down.
    fn bound(&self, condition: NodeId, variable: DefinitionId, up: bool) -> Option<i64> {
        let tree = self.context.tree;
        if tree.kind(condition) != Kind::BinaryExpression {
            return None;
        }
        let sides = [
            self.part(condition, Field::Left)?,
            self.part(condition, Field::Right)?,
        ];
        let all_int = sides.iter().all(|&s| {
            self.facts.conversion(s).is_none() && self.facts.number(s).is_some_and(is_int)
        });
        let place = sides
            .iter()
            .position(|&s| self.context.sema.definition(s) == Some(variable))?;
        let other = self.range(sides[1 - place])?;
        let below = match (self.operator(condition), place) {
            ("<", 0) | (">", 1) => (true, 1),
            ("<=", 0) | (">=", 1) => (true, 0),
            (">", 0) | ("<", 1) => (false, 1),
            (">=", 0) | ("<=", 1) => (false, 0),
            _ => return None,
        };
        let (upper, strict) = below;
        let bound = match upper {
            true => other.most - strict,
            false => other.least + strict,
        };
        (all_int && upper == up).then_some(bound)
    }

    /// What a variable can be that a loop's head gives a value, before the first iteration.
    fn first(&self, node: NodeId, variable: DefinitionId) -> Option<Range> {
        let tree = self.context.tree;
        let initial = self.part(node, Field::Initializer)?;
        if tree.kind(initial) == Kind::AssignmentExpression {
            let target = self.part(initial, Field::Left)?;
            let same = self.context.sema.definition(target) == Some(variable);
            let plain = self.operator(initial) == "=" && same;
            return self
                .range(self.part(initial, Field::Right)?)
                .filter(|_| plain);
        }
        let names = declarators(tree, initial, self.context.text);
        let named = |n| self.context.sema.definition(n) == Some(variable);
        let value = { names.into_iter() }.find(|d| d.node.is_some_and(named))?;
        self.range(value.value?)
    }
}

fn is_int(ty: Type) -> bool {
    ty == Type::scalar(Base::Int)
}
