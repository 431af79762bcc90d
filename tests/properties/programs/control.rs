//! Statements that hold others.

use super::scope::Variable;
use super::text::Text;
use super::value::{Range, Type};
use super::writer::Writer;

impl Writer<'_> {
    pub fn condition(&mut self, out: &mut Text, depth: usize, nested: u32) {
        let c = self.truth(2);
        if self.leaves && self.carried.is_none() && self.random.chance(15) {
            return out.line(depth, &Text::form("if ({}) continue;", &[&c.text]));
        }
        out.line(depth, &Text::form("if ({}) {", &[&c.text]));
        let count = self.random.within(1, 3);
        self.scope(out, depth + 1, count, nested - 1);
        if self.random.chance(40) {
            out.line(depth, &Text::same("} else {"));
            self.scope(out, depth + 1, count, nested - 1);
        }
        out.line(depth, &Text::same("}"));
    }

    /// A sum in a loop.
    pub fn sum(&mut self, out: &mut Text, depth: usize) {
        let (q, count) = (self.name(), self.random.within(1, 5));
        let floating = self.random.chance(60);
        let scope = self.variables.len();
        self.variables.push(Variable::constant(
            Text::same(q.clone()),
            Type::Int,
            Range::new(0, (count - 1).into(), 0),
        ));
        let carried = self.carried.take();
        let e = match floating {
            true => self.floating(2),
            false => self.integer(2),
        };
        self.carried = carried;
        self.variables.truncate(scope);
        let few = Range::new(-128, 128, if floating { 2 } else { 0 });
        let ty = if floating { Type::Double } else { Type::Int };
        let e = self.fitted(e, ty, few);
        let ty = if floating {
            self.random.pick(&[Type::Float, Type::Double])
        } else {
            ty
        };
        let name = self.name();
        let variable = Variable {
            text: Text::same(name),
            ty,
            range: Range::new(few.low * 8, few.high * 8, few.scale),
            mutable: false,
            memory: false,
        };
        let zero = Text::same("0");
        self.declare(out, depth, variable, ty.name(), Some(&zero));
        let held = self
            .variables
            .last()
            .map(|v| v.text.clone())
            .unwrap_or_default();
        out.line(
            depth,
            &Text::same(format!("for (int {q} = 0; {q} < {count}; {q}++)")),
        );
        out.line(depth + 1, &Text::form("{} += {};", &[&held, &e.text]));
    }

    pub fn rounds(&mut self, out: &mut Text, depth: usize, nested: u32) {
        let (q, count) = (self.name(), self.random.within(1, 5));
        let ty = self
            .random
            .pick(&[Type::Int, Type::UInt, Type::Short, Type::Long]);
        let (head, word) = (ty.name(), self.random.within(0, 2));
        out.line(
            depth,
            &Text::same(match word {
                0 if ty.is_signed() => {
                    format!("for ({head} {q} = {}; {q} >= 0; --{q}) {{", count - 1)
                }
                1 => format!("for ({head} {q} = 0; {q} != {count}; {q} += 1) {{"),
                _ => format!("for ({head} {q} = 0; {q} < {count}; ++{q}) {{"),
            }),
        );
        let range = Range::new(0, (count - 1).into(), 0);
        let variables = self.variables.clone();
        self.variables
            .push(Variable::constant(Text::same(q), ty, range));
        let leaves = std::mem::replace(&mut self.leaves, true);
        self.scope(out, depth + 1, 2, nested - 1);
        self.leaves = leaves;
        if self.random.chance(20) {
            let c = self.truth(1);
            out.line(depth + 1, &Text::form("if ({}) break;", &[&c.text]));
        }
        self.variables = variables;
        out.line(depth, &Text::same("}"));
    }

    /// `while` or `do`, with a number of rounds that is bounded.
    pub fn repeated(&mut self, out: &mut Text, depth: usize, nested: u32) {
        let (q, count, c) = (self.name(), self.random.within(1, 6), self.truth(1));
        let ty = self
            .random
            .pick(&[Type::Int, Type::UChar, Type::UInt])
            .name();
        let first = self.random.chance(60);
        out.line(depth, &Text::same(format!("{ty} {q} = {count};")));
        out.line(
            depth,
            &match first {
                true => Text::form(&format!("while ({q} > 0 && ({{}})) {{"), &[&c.text]),
                false => Text::same("do {"),
            },
        );
        out.line(depth + 1, &Text::same(format!("--{q};")));
        let leaves = std::mem::replace(&mut self.leaves, true);
        self.scope(out, depth + 1, 2, nested - 1);
        self.leaves = leaves;
        out.line(
            depth,
            &match first {
                true => Text::same("}"),
                false => Text::form(&format!("}} while ({q} > 0 && ({{}}));"), &[&c.text]),
            },
        );
    }

    pub fn switched(&mut self, out: &mut Text, depth: usize, nested: u32) {
        let size = self.random.within(2, 5);
        let e = self.integer(2);
        let e = self.reduced(e, size.into());
        out.line(depth, &Text::form("switch ({}) {", &[&e.text]));
        for number in 0..size {
            let label = match number {
                0 => "default".to_string(),
                _ => format!("case {number}"),
            };
            out.line(depth + 1, &Text::same(format!("{label}: {{")));
            self.scope(out, depth + 2, 1, nested - 1);
            let end = if self.random.chance(75) {
                "} break;"
            } else {
                "}"
            };
            out.line(depth + 1, &Text::same(end));
        }
        out.line(depth, &Text::same("}"));
    }
}
