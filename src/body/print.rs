//! Bodies as text, for tests and for whoever looks for a fault: every conversion and every access is written out.

use super::{
    Atomicity, Body, Builtin, DistributedKind, ExpressionId, ExpressionKind, Memory, PlaceId,
    Program, Root, StatementId, StatementKind, Step, UnaryOperator, VariableId,
};
use crate::expr::Value;
use std::fmt::Write;

impl Program {
    /// A body as text: one statement a line.
    pub(crate) fn print(&self, body: &Body) -> String {
        let mut printer = Printer {
            program: self,
            body,
            out: String::new(),
            depth: 0,
        };
        printer.statements(&body.root);
        printer.out
    }
}

struct Printer<'a> {
    program: &'a Program,
    body: &'a Body,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn inside(&mut self, statements: &[StatementId]) {
        self.depth += 1;
        self.statements(statements);
        self.depth -= 1;
    }

    fn statements(&mut self, statements: &[StatementId]) {
        for id in statements {
            self.statement(*id);
        }
    }

    fn name(&self, id: VariableId) -> String {
        let name = &self.program.variable(self.body, id).name;
        match (name.is_empty(), id) {
            (false, _) => name.clone(),
            (true, VariableId::Local(index) | VariableId::Global(index)) => format!("%{index}"),
        }
    }

    fn statement(&mut self, id: StatementId) {
        match &self.body.statement(id).kind {
            StatementKind::Expression(value) => {
                let text = self.value(*value);
                self.line(&text);
            }
            StatementKind::Declare { variable, zeros } => {
                let of = self.program.variable(self.body, *variable);
                let memory = match of.memory {
                    Memory::Host => "host",
                    Memory::Shared => "shared",
                    Memory::Exclusive => "exclusive",
                    Memory::Group => "group",
                    Memory::Private => "private",
                    Memory::Constant => "constant",
                };
                let zeros = if *zeros { " = 0" } else { "" };
                let ty = self.program.type_name(of.ty);
                let text = format!("{memory} {ty} {}{zeros}", self.name(*variable));
                self.line(&text);
            }
            StatementKind::Block(inside) => {
                self.line("block");
                self.inside(inside);
            }
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                let text = format!("if {}", self.value(*condition));
                self.line(&text);
                self.inside(then);
                if !otherwise.is_empty() {
                    self.line("else");
                    self.inside(otherwise);
                }
            }
            StatementKind::Loop {
                initial,
                condition,
                step,
                body,
                late,
            } => {
                self.line(if *late { "do" } else { "loop" });
                self.depth += 1;
                self.statements(initial);
                let condition = condition.map_or("true".to_string(), |c| self.value(c));
                self.line(&format!("while {condition}"));
                self.inside(body);
                if let Some(step) = step {
                    let step = self.value(*step);
                    self.line(&format!("step {step}"));
                }
                self.depth -= 1;
            }
            StatementKind::Switch { value, cases } => {
                let text = format!("switch {}", self.value(*value));
                self.line(&text);
                for case in cases {
                    let label = case.label.map_or("default".to_string(), |l| l.to_string());
                    self.line(&format!("case {label}"));
                    self.inside(&case.body);
                }
            }
            StatementKind::Break => self.line("break"),
            StatementKind::Continue => self.line("continue"),
            StatementKind::Return(value) => {
                let value = value.map_or(String::new(), |v| format!(" {}", self.value(v)));
                self.line(&format!("return{value}"));
            }
            StatementKind::Barrier(scope) => {
                self.line(&format!("barrier {}", format!("{scope:?}").to_lowercase()));
            }
            StatementKind::Distributed(this) => {
                let kind = match this.kind {
                    DistributedKind::Outer => "outer",
                    DistributedKind::Inner => "inner",
                };
                let mut text = format!(
                    "{kind}({}) {} from {} count {} step {}",
                    this.axis,
                    self.name(this.variable),
                    self.value(this.first),
                    self.value(this.count),
                    self.value(this.step)
                );
                if let Some(guard) = this.guard {
                    let _ = write!(text, " if {}", self.value(guard));
                }
                for (waits, word) in [
                    (this.wait.before, " wait-before"),
                    (this.wait.after, " wait"),
                ] {
                    if waits {
                        text.push_str(word);
                    }
                }
                self.line(&text);
                self.inside(&this.body);
            }
            StatementKind::Opaque(what) => self.line(&format!("opaque: {what}")),
        }
    }

    fn values(&self, values: &[ExpressionId]) -> String {
        let all: Vec<String> = values.iter().map(|v| self.value(*v)).collect();
        all.join(", ")
    }

    fn value(&self, id: ExpressionId) -> String {
        let expression = self.body.expression(id);
        let ty = || self.program.type_name(expression.ty);
        match &expression.kind {
            ExpressionKind::Literal(Value::Int(_, value)) => value.to_string(),
            ExpressionKind::Literal(Value::Float(_, value)) => format!("{value:?}"),
            ExpressionKind::Null => "null".to_string(),
            ExpressionKind::Load(place) => self.place(*place),
            ExpressionKind::AddressOf(place) => format!("&{}", self.place(*place)),
            ExpressionKind::Unary(operator, a) => {
                let operator = match operator {
                    UnaryOperator::Negate => "-",
                    UnaryOperator::Complement => "~",
                    UnaryOperator::Not => "!",
                };
                format!("{operator}{}", self.value(*a))
            }
            ExpressionKind::Binary(operator, a, b) => {
                let operator = operator.text();
                format!("({} {operator} {})", self.value(*a), self.value(*b))
            }
            ExpressionKind::Offset(a, b) => format!("({} +> {})", self.value(*a), self.value(*b)),
            ExpressionKind::Difference(a, b) => {
                format!("({} -> {})", self.value(*b), self.value(*a))
            }
            ExpressionKind::And(a, b) => format!("({} && {})", self.value(*a), self.value(*b)),
            ExpressionKind::Or(a, b) => format!("({} || {})", self.value(*a), self.value(*b)),
            ExpressionKind::Conditional(c, a, b) => {
                let (c, a, b) = (self.value(*c), self.value(*a), self.value(*b));
                format!("({c} ? {a} : {b})")
            }
            ExpressionKind::Convert(a) => format!("{}({})", ty(), self.value(*a)),
            ExpressionKind::Assign { place, value } => {
                format!("{} = {}", self.place(*place), self.value(*value))
            }
            ExpressionKind::Update {
                place,
                operator,
                value,
                computed,
                before,
            } => {
                let inside = match *computed == expression.ty {
                    true => String::new(),
                    false => format!(" in {}", self.program.type_name(*computed)),
                };
                let before = if *before { " before" } else { "" };
                let (place, value) = (self.place(*place), self.value(*value));
                format!("{place} {}= {value}{inside}{before}", operator.text())
            }
            ExpressionKind::Comma(a, b) => format!("({}, {})", self.value(*a), self.value(*b)),
            ExpressionKind::Call(body, arguments) => {
                let name = &self.program.bodies[body.0 as usize].name;
                format!("{name}({})", self.values(arguments))
            }
            ExpressionKind::Builtin(builtin, arguments) => {
                let name = match builtin {
                    Builtin::Real(name) => name,
                    Builtin::Min => "min",
                    Builtin::Max => "max",
                    Builtin::Abs => "abs",
                    Builtin::Ones => "ones",
                    Builtin::LeadingZeros => "leading zeros",
                    Builtin::Clamp => "clamp",
                    Builtin::Inside => "inside",
                    Builtin::Copying => "copying",
                    Builtin::CopiesClosed => "copies closed",
                    Builtin::CopiesAwaited => "copies awaited",
                };
                format!("{}.{name}({})", ty(), self.values(arguments))
            }
            ExpressionKind::Construct(parts) => format!("{}{{{}}}", ty(), self.values(parts)),
            ExpressionKind::Component(a, index) => format!("{}.[{index}]", self.value(*a)),
            ExpressionKind::FieldOf(a, index) => format!("{}.{index}", self.value(*a)),
            ExpressionKind::Collective(function, arguments) => {
                format!("{}({})", function.name(), self.values(arguments))
            }
        }
    }

    fn place(&self, id: PlaceId) -> String {
        let place = self.body.place(id);
        let mut out = match place.root {
            Root::Variable(variable) => self.name(variable),
            Root::Pointer(pointer) => format!("*{}", self.value(pointer)),
        };
        for step in &place.path {
            let _ = match step {
                Step::Field(index) => write!(out, ".{index}"),
                Step::Component(index) => write!(out, ".[{index}]"),
                Step::Index(index) => write!(out, "[{}]", self.value(*index)),
            };
        }
        match place.atomicity {
            Atomicity::Plain => out,
            Atomicity::Atomic => format!("atomic {out}"),
        }
    }
}
