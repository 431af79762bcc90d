//! What loops and conditions say of variables in their bodies, for `ranges.rs`.

use super::ranges::{Known, as_type, signed};
use super::walk::Walk;
use crate::analyze::range::Range;
use crate::expr::{self, BinaryOperator, Expr, Scalar};
use crate::module::{Comparison, LoopId};
use crate::syntax::{Field, Kind, NodeId, declarators};

/// A variable that a loop counts with.
struct Counted {
    first: Range,
    /// By how much it goes up or down; not negative.
    step: Range,
    up: bool,
    signed: bool,
}

impl Walk<'_, '_> {
    /// Of the variable of an attributed loop, in its body.
    pub(super) fn known_in_loop(&mut self, id: LoopId, statement: NodeId) -> Option<Known> {
        let this = &self.unit.loops[id.0 as usize];
        let exact = this.tile.as_ref().is_none_or(|t| t.check);
        let scalar = this.header.scalar.filter(|s| exact && wide(*s))?;
        let name = this.header.variable.clone();
        if !self.has_rows || self.may_change(&name, statement) {
            return None;
        }
        let header = &self.unit.loops[id.0 as usize].header;
        let (start, end) = (self.known(&header.start)?, self.known(&header.end)?);
        let (first, last) = (start.range, end.range);
        let range = match header.comparison {
            Comparison::Less => Range {
                least: first.least,
                most: last.most.saturating_sub(1),
            },
            Comparison::LessEqual => Range {
                least: first.least,
                most: last.most,
            },
            Comparison::Greater => Range {
                least: last.least.saturating_add(1),
                most: first.most,
            },
            Comparison::GreaterEqual => Range {
                least: last.least,
                most: first.most,
            },
            Comparison::NotEqual => return None,
        };
        let step = self.known(&header.step).map(|k| k.range);
        as_type(in_steps(range, first, step, !header.down), scalar)
    }

    /// The body of a statement with what its condition says of variables: of a loop, of an `if` or of `?:`.
    pub(super) fn visit_guarded(&mut self, node: NodeId) {
        let tree = self.context.tree;
        for child in tree.children(node) {
            let body = matches!(tree.field(child), Field::Body | Field::Consequence);
            if !body || !self.has_rows {
                self.visit(child);
                continue;
            }
            self.unit.scopes.enter();
            for (name, known) in self.narrowed(node) {
                let symbol = self.unit.scopes.get(&name).cloned();
                let mut symbol = symbol.unwrap_or_default();
                symbol.known = Some(known);
                self.unit.scopes.declare(&name, symbol);
            }
            self.visit(child);
            self.unit.scopes.leave();
        }
    }

    /// What holds where a condition does.
    fn narrowed(&mut self, node: NodeId) -> Vec<(String, Known)> {
        let tree = self.context.tree;
        let text = self.context.text;
        let Some(condition) = tree.child(node, Field::Condition) else {
            return Vec::new();
        };
        let condition = match tree.kind(condition) {
            Kind::ConditionClause => {
                // One that declares something says nothing.
                let mut parts = tree.children(condition);
                match (parts.next(), parts.next()) {
                    (Some(only), None) => only,
                    _ => return Vec::new(),
                }
            }
            _ => condition,
        };
        let Ok(condition) = expr::parse(tree.text(condition, text)) else {
            return Vec::new();
        };
        let mut names = Vec::new();
        conjuncts(&condition, &mut |_, a, b| {
            for side in [a, b] {
                if let Expr::Name(name) = side
                    && !names.contains(name)
                {
                    names.push(name.clone());
                }
            }
        });
        let mut all = Vec::new();
        for name in names {
            if self.may_change(&name, node) {
                continue;
            }
            let counted = match tree.kind(node) {
                Kind::ForStatement => self.counted(node, &name),
                _ => None,
            };
            let before = self.unit.scopes.get(&name).and_then(|s| s.known);
            let (range, signed) = match (&counted, before) {
                (Some(counted), _) => {
                    let Counted {
                        first, step, up, ..
                    } = *counted;
                    let all = match up {
                        true => Range {
                            most: Range::ALL.most,
                            ..first
                        },
                        false => Range {
                            least: Range::ALL.least,
                            ..first
                        },
                    };
                    let all = self.within(all, &name, &condition);
                    (in_steps(all, first, Some(step), up), counted.signed)
                }
                (None, Some(known)) => (self.within(known.range, &name, &condition), known.signed),
                (None, None) => (self.within(Range::ALL, &name, &condition), false),
            };
            if range != Range::ALL {
                all.push((name.to_string(), Known { range, signed }));
            }
        }
        all
    }

    /// A range without what a condition excludes.
    fn within(&self, mut range: Range, name: &str, condition: &Expr) -> Range {
        use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
        conjuncts(condition, &mut |operator, a, b| {
            let is = |e: &Expr| matches!(e, Expr::Name(n) if **n == *name);
            let (operator, other) = match (is(a), is(b)) {
                (true, false) => (operator, b),
                (false, true) => (turned(operator), a),
                _ => return,
            };
            let Some(known) = self.known(other) else {
                return;
            };
            let other = known.range;
            // What has no sign is compared with a large number.
            if other.least < 0 {
                return;
            }
            match operator {
                Less => range.most = range.most.min(other.most.saturating_sub(1)),
                LessEqual => range.most = range.most.min(other.most),
                // Compared with what has no sign, a negative number is large.
                Greater if known.signed => {
                    range.least = range.least.max(other.least.saturating_add(1));
                }
                GreaterEqual if known.signed => range.least = range.least.max(other.least),
                _ => {}
            }
        });
        range
    }

    /// What a loop's variable is at first, and on one side of ever after.
    fn counted(&self, node: NodeId, variable: &str) -> Option<Counted> {
        let tree = self.context.tree;
        let text = self.context.text;
        let initial = tree.child(node, Field::Initializer)?;
        let names = declarators(tree, initial, text);
        let declared = names.into_iter().find(|d| d.name == variable)?;
        let plain = declared.pointers == 0 && declared.sizes.is_empty() && !declared.reference;
        let scalar = match self.unit.scalar_of(self.context.sema, initial) {
            Some(scalar) if plain && wide(scalar) => scalar,
            _ => return None,
        };
        let first = tree.text(declared.value?, text);
        let first = self.known(&expr::parse(first).ok()?)?.range;
        let update = tree.child(node, Field::Update)?;
        let operator = tree.child(update, Field::Operator)?;
        let (step, up) = match tree.text(operator, text) {
            "++" => (Range::only(1), true),
            "--" => (Range::only(1), false),
            operator @ ("+=" | "-=") => {
                let by = tree.text(tree.child(update, Field::Right)?, text);
                let by = self.known(&expr::parse(by).ok()?)?.range;
                (by, operator == "+=")
            }
            _ => return None,
        };
        (step.least >= 0).then_some(Counted {
            first,
            step,
            up,
            signed: signed(scalar),
        })
    }
}

/// What a variable can be that grows by a step, or shrinks, from a first value on.
fn in_steps(range: Range, first: Range, step: Option<Range>, up: bool) -> Range {
    let Some(step) = step.filter(|s| s.least == s.most && first.least == first.most) else {
        return range;
    };
    let (first, by) = (first.least, step.least);
    let whole = |by_how_much: i64| by_how_much.checked_div(by).map(|n| n.saturating_mul(by));
    match up {
        true if range.most >= first => Range {
            most: whole(range.most.saturating_sub(first))
                .map_or(range.most, |n| first.saturating_add(n)),
            ..range
        },
        false if range.least <= first => Range {
            least: whole(first.saturating_sub(range.least))
                .map_or(range.least, |n| first.saturating_sub(n)),
            ..range
        },
        _ => range,
    }
}

/// Counting further in the type is either undefined or does not happen before a bound: narrower ones wrap.
fn wide(scalar: Scalar) -> bool {
    scalar >= Scalar::Int && !scalar.is_float()
}

/// The comparisons that hold if a condition does.
fn conjuncts(condition: &Expr, visit: &mut dyn FnMut(BinaryOperator, &Expr, &Expr)) {
    if let Expr::Binary(operator, a, b) = condition {
        match operator {
            BinaryOperator::And => {
                conjuncts(a, visit);
                conjuncts(b, visit);
            }
            _ => visit(*operator, a, b),
        }
    }
}

/// `b OP a` for `a OP b`.
fn turned(operator: BinaryOperator) -> BinaryOperator {
    use BinaryOperator::{Greater, GreaterEqual, Less, LessEqual};
    match operator {
        Less => Greater,
        LessEqual => GreaterEqual,
        Greater => Less,
        GreaterEqual => LessEqual,
        other => other,
    }
}
