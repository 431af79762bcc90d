//! Statements of one item.

use super::expression::{Expr, Level};
use super::scope::{Array, Form, Function, Variable};
use super::text::Text;
use super::value::{Range, Type};
use crate::properties::random::Random;

/// Writes what an item does, knowing what there is to name.
pub struct Writer<'a> {
    pub random: &'a mut Random,
    pub variables: Vec<Variable>,
    pub arrays: Vec<Array>,
    /// Arrays that all items change by atomic operations of one kind.
    pub counters: Vec<Counter>,
    pub functions: Vec<Function>,
    /// Whether statements are those of a short kernel, which compilers turn inside out.
    pub short: bool,
    /// Where variables outlive the part of a body that declares them: the item's number in plain C++ and how many
    /// items there are. Their declarations for all items are noted.
    pub carried: Option<Carried>,
    /// Whether `continue` ends the item's iteration.
    pub leaves: bool,
    names: usize,
}

pub struct Carried {
    pub item: String,
    pub items: usize,
    pub declared: Vec<String>,
}

#[derive(Clone)]
pub struct Counter {
    pub array: Array,
    pub operation: Operation,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Operation {
    Add,
    Xor,
    Or,
    Minimum,
    Maximum,
}

impl<'a> Writer<'a> {
    pub fn new(random: &'a mut Random) -> Self {
        Self {
            random,
            variables: Vec::new(),
            arrays: Vec::new(),
            counters: Vec::new(),
            functions: Vec::new(),
            short: false,
            carried: None,
            leaves: false,
            names: 0,
        }
    }

    /// A name that nothing else has; many begin with a word that means something elsewhere.
    pub fn name(&mut self) -> String {
        self.names += 1;
        let stems = [
            "v",
            "x",
            "t",
            "sum",
            "restricted",
            "volatile_rate",
            "automatic",
            "doing",
            "shared_",
            "kernel_",
            "inner",
            "tile_",
            "long_",
            "constant_",
            "thread",
            "lane",
            "brook",
        ];
        format!("{}{}", self.random.pick(&stems), self.names)
    }

    pub fn any_type(&mut self) -> Type {
        let usual = [
            Type::Int,
            Type::Int,
            Type::Float,
            Type::Float,
            Type::Double,
            Type::Bool,
        ];
        match self.random.chance(60) {
            true => self.random.pick(&usual),
            false => self.random.pick(&Type::INTEGERS),
        }
    }

    pub fn of_type(&mut self, ty: Type, depth: u32) -> Expr {
        let depth = if self.short { depth.min(1) } else { depth };
        let e = match (ty, self.random.chance(15)) {
            (Type::Bool, false) => self.truth(depth),
            (_, true) => self.value(depth),
            _ if ty.is_float() => self.floating(depth),
            _ => self.integer(depth),
        };
        self.fitted(e, ty, ty.range())
    }

    /// Statements in a scope of their own.
    pub fn scope(&mut self, out: &mut Text, depth: usize, count: i64, nested: u32) {
        let (variables, arrays) = (self.variables.clone(), self.arrays.clone());
        let carried = self.carried.take();
        self.statements(out, depth, count, nested);
        self.carried = carried;
        self.variables = variables;
        self.arrays = arrays;
    }

    pub fn statements(&mut self, out: &mut Text, depth: usize, count: i64, nested: u32) {
        for _ in 0..count {
            self.statement(out, depth, nested);
        }
    }

    fn statement(&mut self, out: &mut Text, depth: usize, nested: u32) {
        if self.short {
            return match self.random.within(0, 5) {
                0 | 1 => self.declaration(out, depth),
                2 => self.chosen(out, depth),
                _ => self.assignment(out, depth),
            };
        }
        let kinds = if nested > 0 { 21 } else { 13 };
        match self.random.within(0, kinds) {
            0..=2 => self.declaration(out, depth),
            3 => self.table(out, depth),
            4..=7 => self.assignment(out, depth),
            8..=10 => self.chosen(out, depth),
            11 | 12 => self.counted(out, depth),
            13 => self.comment(out, depth),
            14..=16 => self.condition(out, depth, nested),
            17 => self.sum(out, depth),
            18 => self.rounds(out, depth, nested),
            19 => self.repeated(out, depth, nested),
            20 => self.switched(out, depth, nested),
            _ => {
                out.line(depth, &Text::same("{"));
                self.scope(out, depth + 1, 2, nested - 1);
                out.line(depth, &Text::same("}"));
            }
        }
    }

    fn comment(&mut self, out: &mut Text, depth: usize) {
        let words = [
            "// do auto volatile restrict",
            "/* goto @barrier } */",
            "// 'it's",
            ";",
        ];
        let line = self.random.pick(&words);
        out.line(depth, &Text::same(line));
    }

    /// Declares a variable with a value: a line of OKL, and what plain C++ has instead.
    pub fn declare(
        &mut self,
        out: &mut Text,
        depth: usize,
        variable: Variable,
        words: &str,
        value: Option<&Text>,
    ) {
        let (mut name, initial) = (variable.text.okl.clone(), value.cloned());
        let mut line = match &initial {
            Some(value) => {
                // What could be a parameter's declaration is one.
                let number = value
                    .okl
                    .starts_with(|c: char| c.is_ascii_digit() || c == '(');
                let form = match self.random.within(0, 9) {
                    0 | 1 if number => format!("{words} {name}({{}});"),
                    _ => format!("{words} {name} = {{}};"),
                };
                Text::form(&form, &[value])
            }
            None => Text::same(format!("{words} {name};")),
        };
        let mut text = Text::same(name.clone());
        if let Some(carried) = &mut self.carried {
            let ty = variable.ty.name();
            carried
                .declared
                .push(format!("{ty} {name}_[{}];", carried.items));
            let place = format!("{name}_[{}]", carried.item);
            line.plain = match &initial {
                Some(value) => format!("{place} = {};", value.plain),
                None => String::new(),
            };
            text = Text::new(std::mem::take(&mut name), place);
        }
        out.line(depth, &line);
        self.variables.push(Variable { text, ..variable });
    }

    fn declaration(&mut self, out: &mut Text, depth: usize) {
        let ty = self.any_type();
        let e = self.of_type(ty, 3);
        let name = self.name();
        let constant = self.random.chance(35);
        let range = match (constant, ty.is_float()) {
            (true, true) => e.range,
            (true, false) if ty != Type::Bool => e.range.converted(ty),
            _ => ty.range(),
        };
        let variable = Variable {
            text: Text::same(name),
            ty,
            range,
            mutable: !constant,
            memory: false,
        };
        let words = match constant {
            true => self
                .random
                .pick(&["const {}", "{} const", "const {}"])
                .replace("{}", ty.name()),
            false => ty.name().to_string(),
        };
        self.declare(out, depth, variable, &words, Some(&e.text));
    }

    /// A local array, filled by a list or by a loop.
    fn table(&mut self, out: &mut Text, depth: usize) {
        let ty = self.any_type();
        let sizes: Vec<usize> = match self.random.chance(25) {
            true => vec![self.random.pick(&[2, 3]), self.random.pick(&[2, 4])],
            false => vec![self.random.pick(&[2, 3, 4, 8])],
        };
        let name = self.name();
        let total: usize = sizes.iter().product();
        let brackets: String = sizes.iter().map(|s| format!("[{s}]")).collect();
        let mut array = Array {
            name: Text::same(name.clone()),
            ty,
            range: ty.range(),
            form: if sizes.len() == 1 {
                Form::Line(total)
            } else {
                Form::Rows(sizes.clone())
            },
            input: false,
        };
        if self.carried.is_some() || self.random.chance(50) {
            // A loop over all elements.
            let value = self.of_type(ty, 1);
            let line = Text::same(format!("{} {name}{brackets};", ty.name()));
            if let Some(carried) = &mut self.carried {
                carried.declared.push(format!(
                    "{} {name}_[{}]{brackets};",
                    ty.name(),
                    carried.items
                ));
                array.name.plain = format!("{name}_[{}]", carried.item);
                out.line(depth, &Text::new(line.okl, ""));
            } else {
                out.line(depth, &line);
            }
            let q = self.name();
            out.line(
                depth,
                &Text::same(format!("for (int {q} = 0; {q} < {total}; ++{q})")),
            );
            let place = match sizes.as_slice() {
                [_] => format!("[{q}]"),
                _ => format!("[{q} / {0}][{q} % {0}]", sizes[1]),
            };
            out.line(
                depth + 1,
                &Text::form(&format!("{{}}{place} = {{}};"), &[&array.name, &value.text]),
            );
        } else {
            let mut list = Text::default();
            for number in 0..total {
                let e = match self.random.chance(50) {
                    true => self.literal(ty),
                    false => self.of_type(ty, 1),
                };
                // A list converts nothing to less.
                let e = if e.ty == ty && e.range.within(ty.range()) {
                    e
                } else {
                    self.cast(e, ty)
                };
                let joint = match (number, sizes.len()) {
                    (0, _) => "",
                    (n, 2) if n % sizes[1] == 0 => "}, {",
                    _ => ", ",
                };
                list.push(&Text::form(&format!("{joint}{{}}"), &[&e.text]));
            }
            let form = if sizes.len() == 2 { "{{" } else { "{" };
            let end = if sizes.len() == 2 { "}}" } else { "}" };
            let constant = self.random.pick(&["", "const "]);
            let head = Text::same(format!("{constant}{} {name}{brackets} = {form}", ty.name()));
            let end = Text::same(format!("{end};"));
            out.line(depth, &Text::form("{}{}{}", &[&head, &list, &end]));
        }
        self.arrays.push(array);
    }

    fn assignment(&mut self, out: &mut Text, depth: usize) {
        let Some(variable) = self.a_variable(|v| v.mutable) else {
            return self.declaration(out, depth);
        };
        if variable.ty.is_float() || variable.ty == Type::Bool || self.random.chance(60) {
            let e = self.of_type(variable.ty, 3);
            return out.line(depth, &Text::form("{} = {};", &[&variable.text, &e.text]));
        }
        let held = Expr::of(&variable);
        let small = variable.ty.promoted() != variable.ty;
        if self.random.chance(30) && (small || !variable.ty.is_signed()) {
            let form = self.random.pick(&["++{};", "{}--;", "{}++;", "--{};"]);
            return out.line(depth, &Text::form(form, &[&variable.text]));
        }
        let op = self.random.pick(&["+", "-", "*", "&", "|", "^"]);
        let e = self.integer(2);
        let fits = match op {
            "&" | "|" | "^" => true,
            _ => self.sure(op, &held, &e).is_some(),
        };
        let e = if fits {
            e
        } else {
            self.cast(e, variable.ty.wrapping())
        };
        let fits = fits || self.sure(op, &held, &e).is_some();
        let form = match fits {
            true => format!("{{}} {op}= {{}};"),
            false => "{} = {};".to_string(),
        };
        out.line(depth, &Text::form(&form, &[&variable.text, &e.text]));
    }

    /// A value read from one of two places, one of which the item has written.
    fn chosen(&mut self, out: &mut Text, depth: usize) {
        let Some(own) = self.a_variable(|v| v.memory && v.mutable) else {
            return self.assignment(out, depth);
        };
        let ty = own.ty;
        let Some(input) = self.an_array(|a| a.input && a.ty == ty) else {
            return self.assignment(out, depth);
        };
        if self.random.chance(60) {
            let e = self.literal(ty);
            out.line(depth, &Text::form("{} = {};", &[&own.text, &e.text]));
        }
        let (c, there) = (self.truth(1), input.place(self));
        let (own, c) = (&own.text, &c.text);
        match self.random.within(0, 4) {
            0 | 1 => {
                let form = self
                    .random
                    .pick(&["{} = ({}) ? {} : {};", "{} = {} ? {} : {};"]);
                let c = if form.contains("({})") {
                    c.clone()
                } else {
                    Text::form("({})", &[c])
                };
                out.line(depth, &Text::form(form, &[own, &c, &there, own]));
            }
            2 => {
                let negated = Text::form("!({})", &[c]);
                out.line(
                    depth,
                    &Text::form("{} = {} ? {} : {};", &[own, &negated, own, &there]),
                );
            }
            _ => {
                let name = self.name();
                let words = ty.name();
                let variable = Variable {
                    text: Text::same(name),
                    ty,
                    range: ty.range(),
                    mutable: true,
                    memory: false,
                };
                self.declare(out, depth, variable, words, None);
                let held = self
                    .variables
                    .last()
                    .map(|v| v.text.clone())
                    .unwrap_or_default();
                out.line(depth, &Text::form("if ({}) {} = {};", &[c, &held, &there]));
                out.line(depth, &Text::form("else {} = {};", &[&held, own]));
                out.line(depth, &Text::form("{} = {};", &[own, &held]));
            }
        }
    }

    /// An atomic change of what all items count in.
    fn counted(&mut self, out: &mut Text, depth: usize) {
        if self.counters.is_empty() {
            return self.assignment(out, depth);
        }
        let at = self.random.within(0, self.counters.len() as i64 - 1) as usize;
        let counter = self.counters[at].clone();
        let place = counter.array.place(self);
        let ty = counter.array.ty;
        let e = match ty.is_float() {
            true => {
                let e = self.floating(2);
                self.fitted(e, ty, Range::new(-16, 16, 2))
            }
            false => self.integer(2),
        };
        // Signed sums stay far from the edges.
        let e = match (
            ty.is_float(),
            ty.is_signed() && counter.operation == Operation::Add,
        ) {
            (false, true) => self.reduced(e, 256),
            _ => e,
        };
        // C adds a `long` to an `unsigned int` as one, which may not hold the sum.
        let held = (ty, e.ty) != (Type::UInt, Type::Long);
        let plain = ty.is_float() || held && self.random.chance(50);
        let value = match e.ty == ty || plain {
            true => e,
            false => self.cast(e, ty),
        };
        let text = match counter.operation {
            Operation::Add if !ty.is_float() && self.random.chance(30) => {
                let form = self
                    .random
                    .pick(&["@atomic ++{};", "@atomic {}++;", "@atomic {}--;"]);
                Text::form(form, &[&place])
            }
            Operation::Add => {
                let forms = [
                    "@atomic {} += {};",
                    "@atomic {} -= {};",
                    "@atomic { {} += {}; }",
                ];
                let form = self.random.pick(&forms);
                let value = self.operand(&value, Level::Conditional);
                Text::form(form, &[&place, &value])
            }
            Operation::Xor => Text::form("@atomic {} ^= {};", &[&place, &value.text]),
            Operation::Or => Text::form("@atomic {} |= {};", &[&place, &value.text]),
            Operation::Minimum | Operation::Maximum => {
                let name = if counter.operation == Operation::Minimum {
                    "min"
                } else {
                    "max"
                };
                let value = self.cast(value, ty);
                let form = format!("@atomic {{}} = {name}({{}}, {{}});");
                Text::form(&form, &[&place, &place, &value.text])
            }
        };
        let plain = text.plain.replacen("@atomic ", "", 1);
        out.line(depth, &Text::new(text.okl, plain));
    }
}
