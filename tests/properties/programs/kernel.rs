//! Kernels: what they are given, and the loops around what items do.

use super::expression::Expr;
use super::group::Group;
use super::scope::{Array, Form, Function, Parameter, Variable};
use super::text::Text;
use super::value::{Range, Type};
use super::writer::{Counter, Operation, Writer};
use crate::properties::random::Random;

/// Elements of what items read and write.
pub const LENGTH: usize = 256;

/// The most that `n` is.
pub const MOST: i64 = 200;

/// What a kernel is given.
pub struct Given {
    pub name: String,
    pub ty: Type,
    /// A buffer of so many elements.
    pub elements: Option<usize>,
    written: bool,
    /// `@dim`
    sizes: Option<Vec<usize>>,
    /// How all items change it.
    pub operation: Option<Operation>,
}

/// One kernel, and the values of its scalars at each launch.
pub struct Kernel {
    pub name: String,
    pub given: Vec<Given>,
    pub launches: Vec<Vec<i128>>,
    pub text: Text,
}

impl Given {
    fn value(name: &str, ty: Type) -> Self {
        Self {
            name: name.to_string(),
            ty,
            elements: None,
            written: false,
            sizes: None,
            operation: None,
        }
    }

    fn declared(&self, random: &mut Random) -> Text {
        let (ty, name) = (self.ty.name(), &self.name);
        if self.elements.is_none() {
            return Text::same(format!("const {ty} {name}"));
        }
        let constant = if self.written { "" } else { "const " };
        let form = random.pick(&[
            "@restrict CT *N",
            "@restrict CT *N",
            "CT *N",
            "CT * @restrict N",
            "CT *N @restrict",
        ]);
        let mut okl = form
            .replace('C', constant)
            .replace('T', ty)
            .replace('N', name);
        if let Some(sizes) = &self.sizes {
            okl.push_str(&format!(" @dim({}, {})", sizes[0], sizes[1]));
        }
        Text::new(okl, format!("{constant}{ty} *{name}"))
    }

    fn array(&self) -> Array {
        let line = Array::line(
            Text::same(self.name.clone()),
            self.ty,
            self.elements.unwrap_or_default(),
        );
        Array {
            input: !self.written,
            form: self.sizes.clone().map_or(line.form, Form::Dim),
            ..line
        }
    }
}

impl Kernel {
    pub fn random(
        random: &mut Random,
        name: &str,
        functions: &[Function],
        tables: &[Array],
    ) -> Self {
        let given = given(random);
        let launches = (0..2)
            .map(|_| {
                let scalars = given.iter().filter(|g| g.elements.is_none());
                let number = |g: &Given| match g.name.as_str() {
                    "n" => i128::from(random.pick(&[0, 1, 37, 64, 100, 131, MOST, MOST])),
                    _ => g.ty.random(random),
                };
                scalars.map(number).collect()
            })
            .collect();
        let parameters: Vec<Text> = given.iter().map(|g| g.declared(random)).collect();
        let mut text = Text::new(
            format!("@kernel void {name}("),
            format!("static void {name}("),
        );
        for (number, parameter) in parameters.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            text.push(&Text::form(&format!("{comma}{{}}"), &[parameter]));
        }
        text.line(0, &Text::same(") {"));
        let mut writer = Writer::new(random);
        for g in given.iter().filter(|g| g.elements.is_none()) {
            let range = match g.name.as_str() {
                "n" => Range::new(0, MOST.into(), 0),
                _ => g.ty.range(),
            };
            let variable = Variable::constant(Text::same(g.name.clone()), g.ty, range);
            writer.variables.push(variable);
        }
        host_statement(&mut writer, &mut text);
        for _ in 0..writer.random.within(1, 2) {
            let around = writer.random.within(0, 9);
            let variables = writer.variables.clone();
            match around {
                0 => {
                    let h = writer.name();
                    let head = format!("  for (int {h} = 0; {h} < 2; ++{h}) {{");
                    text.line(0, &Text::same(head));
                    let variable =
                        Variable::constant(Text::same(h), Type::Int, Range::new(0, 1, 0));
                    writer.variables.push(variable);
                }
                1 => {
                    let c = writer.truth(1);
                    text.line(1, &Text::form("if ({}) {", &[&c.text]));
                }
                _ => text.line(1, &Text::same("{")),
            }
            writer.functions = functions.to_vec();
            writer.arrays = tables.to_vec();
            nest(&mut writer, &mut text, &given);
            writer.functions.clear();
            writer.arrays.clear();
            writer.counters.clear();
            writer.variables = variables;
            text.line(1, &Text::same("}"));
        }
        text.line(0, &Text::same("}"));
        Self {
            name: name.to_string(),
            given,
            launches,
            text,
        }
    }
}

fn given(random: &mut Random) -> Vec<Given> {
    let mut all = vec![Given::value("n", Type::Int)];
    let types = [Type::Float, Type::Float, Type::Double, Type::Int];
    let names = ["p", "volatile_rates", "restricted"];
    for name in names.iter().take(random.within(1, 3) as usize) {
        let ty = match random.chance(50) {
            true => random.pick(&types),
            false => random.pick(&Type::INTEGERS),
        };
        all.push(Given::value(name, ty));
    }
    let mut buffers: Vec<(Type, bool)> = Vec::new();
    for _ in 0..random.within(1, 3) {
        let ty = match random.chance(60) {
            true => random.pick(&types),
            false => random.pick(&Type::INTEGERS),
        };
        buffers.push((ty, true));
        buffers.push((ty, false));
    }
    buffers.push((random.pick(&Type::INTEGERS), false));
    for (number, (ty, written)) in buffers.into_iter().enumerate() {
        let stem = if written { "out" } else { "in" };
        all.push(Given {
            elements: Some(LENGTH),
            written,
            sizes: random
                .chance(15)
                .then(|| random.pick(&[[16, 16], [8, 32], [64, 4]]).to_vec()),
            ..Given::value(&format!("{stem}{number}"), ty)
        });
    }
    for number in 0..random.within(0, 2) {
        let operation = random.pick(&[
            Operation::Add,
            Operation::Add,
            Operation::Xor,
            Operation::Or,
            Operation::Minimum,
            Operation::Maximum,
        ]);
        let ty = random.pick(&[
            Type::Int,
            Type::UInt,
            Type::Long,
            Type::ULong,
            Type::Float,
            Type::Double,
        ]);
        let ty = match operation {
            Operation::Xor | Operation::Or if ty.is_float() => Type::Int,
            _ => ty,
        };
        all.push(Given {
            elements: Some(16),
            written: true,
            operation: Some(operation),
            ..Given::value(&format!("count{number}"), ty)
        });
    }
    all
}

/// A variable of the host's, which every nest is passed.
fn host_statement(writer: &mut Writer<'_>, text: &mut Text) {
    if writer.random.chance(50) {
        let e = writer.integer(2);
        let name = writer.name();
        let range = e.range.converted(Type::Int);
        let variable = Variable::constant(Text::same(name), Type::Int, range);
        writer.declare(text, 1, variable, "const int", Some(&e.text));
    }
}

/// An outermost loop.
fn nest(writer: &mut Writer<'_>, text: &mut Text, given: &[Given]) {
    // What is written here is read by nobody else; the rest can be read at any place.
    let mut own = Vec::new();
    for g in given.iter().filter(|g| g.elements.is_some()) {
        match g.operation {
            Some(operation) => {
                let array = Array {
                    form: Form::Line(16),
                    ..g.array()
                };
                writer.counters.push(Counter { array, operation });
            }
            None if g.written && (own.is_empty() || writer.random.chance(70)) => {
                own.push(g.array())
            }
            None => writer.arrays.push(g.array()),
        }
    }
    match writer.random.within(0, 2) {
        0 => tiled(writer, text, &own),
        _ => Group::random(writer).write(writer, text, &own),
    }
}

/// `for (…; …; …; @tile(64, @outer, @inner))`
fn tiled(writer: &mut Writer<'_>, text: &mut Text, own: &[Array]) {
    let size = writer.random.pick(&[1, 7, 16, 32, 64, 256]);
    let i = writer.name();
    let ty = writer.random.pick(&[Type::Int, Type::Int, Type::Long]);
    let head = format!("for ({} {i} = 0; {i} < n; ++{i}", ty.name());
    let kinds = writer.random.pick(&[
        "@outer, @inner",
        "@outer, @inner",
        "@outer, @inner, check=true",
    ]);
    let okl = format!("{head}; @tile({size}, {kinds})) {{");
    text.line(2, &Text::new(okl, format!("{head}) {{")));
    let range = Range::new(0, i128::from(MOST) - 1, 0);
    writer
        .variables
        .push(Variable::constant(Text::same(i.clone()), ty, range));
    owned(writer, own, &Text::same(i));
    writer.leaves = true;
    let (count, nested) = match writer.random.chance(40) {
        true => {
            writer.short = true;
            (writer.random.within(1, 3), 0)
        }
        false => (writer.random.within(3, 7), 2),
    };
    writer.scope(text, 3, count, nested);
    (writer.leaves, writer.short) = (false, false);
    text.line(2, &Text::same("}"));
}

/// The elements that an item has for itself.
pub fn owned(writer: &mut Writer<'_>, arrays: &[Array], item: &Text) {
    for array in arrays {
        let text = match &array.form {
            Form::Dim(sizes) => {
                let first = Text::form(&format!("({{}}) % {}", sizes[0]), &[item]);
                let second = Text::form(&format!("({{}}) / {}", sizes[0]), &[item]);
                array.at(&[first, second])
            }
            _ => Text::form("{}[{}]", &[&array.name, item]),
        };
        writer.variables.push(Variable {
            text,
            ty: array.ty,
            range: array.range,
            mutable: true,
            memory: true,
        });
    }
}

/// A function that kernels and later functions call.
pub fn function(
    random: &mut Random,
    name: &str,
    known: &[Function],
    tables: &[Array],
) -> (Function, Text) {
    let mut writer = Writer::new(random);
    writer.functions = known.to_vec();
    writer.arrays = tables.to_vec();
    let mut parameters = Vec::new();
    let mut list = Vec::new();
    for _ in 0..writer.random.within(1, 3) {
        let (ty, name) = (writer.any_type(), writer.name());
        if writer.random.chance(25) && ty != Type::Bool {
            list.push(format!("const {} *{name}", ty.name()));
            writer.arrays.push(Array::line(Text::same(name), ty, 16));
            parameters.push(Parameter::Pointer(ty, 16));
        } else {
            list.push(format!("{} {name}", ty.name()));
            writer.variables.push(Variable {
                mutable: true,
                ..Variable::constant(Text::same(name), ty, ty.range())
            });
            parameters.push(Parameter::Value(ty));
        }
    }
    let result = writer.any_type();
    let storage = writer
        .random
        .pick(&["", "static ", "inline ", "static inline "]);
    let head = format!("{storage}{} {name}({}) {{", result.name(), list.join(", "));
    let mut text = Text::default();
    text.line(0, &Text::same(head));
    let count = writer.random.within(0, 3);
    writer.statements(&mut text, 1, count, 1);
    if writer.random.chance(30) {
        let (c, e) = (writer.truth(1), writer.of_type(result, 1));
        text.line(1, &Text::form("if ({}) return {};", &[&c.text, &e.text]));
    }
    let e: Expr = writer.of_type(result, 2);
    text.line(1, &Text::form("return {};", &[&e.text]));
    text.line(0, &Text::same("}"));
    let function = Function {
        name: name.to_string(),
        result,
        parameters,
    };
    (function, text)
}
