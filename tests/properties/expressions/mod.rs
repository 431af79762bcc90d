//! Kernels of random expressions over all types of Brook+, with values at the edges of these, against what the language
//! says of each element, computed here.
//!
//! - `value.rs`: numbers, and what operators make of them.
//! - `tree.rs`: expressions.

mod tree;
mod value;

use super::random::Random;
use super::stream_executor::{Given, StreamExecutor};
use brook::Checking;
use brook::runtime::{BuildOptions, Math};
use tree::{INT, LETTERS, Scope, Tree, Values, base_for, floating, integer, lower};
use value::{Base, Number, Type};

/// Elements of each stream.
const COUNT: usize = 61;
const LINE: usize = 7;
const ROWS: [usize; 2] = [3, 5];

/// One source with some kernels.
pub struct Expressions {
    kernels: Vec<Kernel>,
    line: Vec<i64>,
    rows: Vec<Vec<i64>>,
    relaxed: bool,
}

struct Kernel {
    /// Inputs, and what each element is.
    inputs: Vec<(String, Type)>,
    values: Vec<Vec<Vec<Number>>>,
    statements: Vec<Statement>,
    value: Tree,
    result: Type,
}

enum Statement {
    Declared(String, Type, Tree),
    /// `v OP= value`
    Changed(String, Type, &'static str, Tree),
    /// `v.yx = value`
    Parts(String, Vec<usize>, Tree),
    /// `T w = v++`: the new name, the old one, the operator, and whether it stands in front.
    Stepped(String, String, Type, &'static str, bool),
}

impl Expressions {
    pub fn random(random: &mut Random, count: usize, relaxed: bool) -> Self {
        let mut whole = |_| integer(random, Base::Int);
        let line = (0..LINE).map(&mut whole).collect();
        let rows = (0..ROWS[0])
            .map(|_| (0..ROWS[1]).map(&mut whole).collect())
            .collect();
        Self {
            kernels: (0..count)
                .map(|_| Kernel::random(random, relaxed))
                .collect(),
            line,
            rows,
            relaxed,
        }
    }

    pub fn source(&self) -> String {
        let kernels = self.kernels.iter().enumerate();
        kernels.map(|(i, k)| k.source(i)).collect()
    }

    pub fn checking(&self) -> Checking {
        Checking::from_flags(if self.relaxed { "a" } else { "" })
    }

    pub fn run(&self, name: &str) -> Result<(), String> {
        let options = BuildOptions::new().cache(false).math(Math::Strict);
        let built = StreamExecutor::build(name, &self.source(), self.checking(), options);
        let built = built.map_err(|e| format!("{e}\n{}", self.source()))?;
        let mut wrong = Vec::new();
        for (index, kernel) in self.kernels.iter().enumerate() {
            if let Err(error) = kernel.run(&built, index, self) {
                wrong.push(format!("{error}\n{}", kernel.source(index)));
            }
        }
        match wrong.len() {
            0 => Ok(()),
            n => Err(format!(
                "{n} of {} kernels:\n{}",
                self.kernels.len(),
                wrong.join("\n")
            )),
        }
    }
}

impl Kernel {
    fn random(random: &mut Random, relaxed: bool) -> Self {
        let mut any = |most: i64| {
            let width = random.pick(&[1, 1, 1, 2, 3, 4]).min(most as usize);
            let base = base_for(random, width);
            Type { base, width }
        };
        let mut inputs = vec![("a".to_string(), INT)];
        for name in ["b", "cc"] {
            inputs.push((name.to_string(), any(4)));
        }
        let mut result = any(4);
        // Integers of 32 bits have the most to go wrong.
        if random.within(0, 2) == 0 {
            result.base = random.pick(&[Base::Int, Base::UInt]);
        }
        if random.within(0, 1) == 0 {
            inputs[1].1 = result;
        }
        let values = inputs.iter().map(|(_, ty)| elements(random, *ty)).collect();
        let mut scope = Scope {
            names: inputs.clone(),
            relaxed,
        };
        let mut statements = Vec::new();
        for number in 0..random.within(0, 4) {
            let statement = Statement::random(random, &scope, number, result);
            if let Some(declared) = statement.declares() {
                scope.names.push(declared);
            }
            statements.push(statement);
        }
        let depth = random.within(2, 4) as usize;
        let given = scope.given(random, result);
        let value = Tree::random(random, given, &scope, depth);
        Self {
            inputs,
            values,
            statements,
            value,
            result,
        }
    }

    fn source(&self, index: usize) -> String {
        let mut out = format!("kernel void k{index}(");
        for (name, ty) in &self.inputs {
            out += &format!("{} {name}<>, ", ty.name());
        }
        out += &format!("int g[], int h[][], out {} o<>) {{\n", self.result.name());
        for statement in &self.statements {
            out += &format!("  {}\n", statement.text());
        }
        out + &format!("  o = {};\n}}\n", self.value.text())
    }

    fn expected(&self, element: usize, of: &Expressions) -> Vec<Number> {
        let inputs = self.inputs.iter().zip(&self.values);
        let mut values = Values {
            variables: inputs
                .map(|((n, _), v)| (n.clone(), v[element].clone()))
                .collect(),
            line: of.line.clone(),
            rows: of.rows.clone(),
        };
        for statement in &self.statements {
            statement.run(&mut values);
        }
        self.value.value_as(self.result, &values)
    }

    fn run(&self, built: &StreamExecutor, index: usize, of: &Expressions) -> Result<(), String> {
        let mut arguments = Vec::new();
        for ((_, ty), values) in self.inputs.iter().zip(&self.values) {
            let mut bytes = Vec::new();
            for number in values.iter().flatten() {
                number.bytes(ty.base, &mut bytes);
            }
            arguments.push(Given::stream(&ty.name(), &[COUNT as u32], bytes));
        }
        let ints = |values: &mut dyn Iterator<Item = &i64>| -> Vec<u8> {
            values.flat_map(|v| (*v as i32).to_le_bytes()).collect()
        };
        let line = ints(&mut of.line.iter());
        arguments.push(Given::stream("int", &[LINE as u32], line));
        let rows = ints(&mut of.rows.iter().flatten());
        arguments.push(Given::stream("int", &ROWS.map(|n| n as u32), rows));
        let ty = self.result;
        let size = ty.base.size();
        let out = vec![0; COUNT * ty.width * size];
        arguments.push(Given::stream(&ty.name(), &[COUNT as u32], out));
        built.call(&format!("k{index}"), &mut arguments)?;
        let bytes = arguments.last().ok_or("an output")?.bytes();
        for (element, found) in bytes.chunks_exact(size * ty.width).enumerate() {
            let found: Vec<Number> = found
                .chunks_exact(size)
                .map(|b| Number::from_bytes(ty.base, b))
                .collect();
            let expected = self.expected(element, of);
            if !found.iter().zip(&expected).all(|(a, b)| a.same(*b)) {
                let given: Vec<String> = self
                    .inputs
                    .iter()
                    .zip(&self.values)
                    .map(|((name, _), v)| format!("{name} = {:?}", v[element]))
                    .collect();
                return Err(format!(
                    "element {element} is {found:?}, not {expected:?}, for {}",
                    given.join(", ")
                ));
            }
        }
        Ok(())
    }
}

impl Statement {
    fn random(random: &mut Random, scope: &Scope, number: i64, ty: Type) -> Self {
        let names = &scope.names;
        let local = |(name, _): &&(String, Type)| name.starts_with('v');
        let locals: Vec<&(String, Type)> = names.iter().filter(local).collect();
        if locals.is_empty() || random.within(0, 2) == 0 {
            let ty = match random.within(0, 2) {
                0 => INT,
                1 => ty,
                _ => names[random.within(0, names.len() as i64 - 1) as usize].1,
            };
            let given = scope.given(random, ty);
            let value = Tree::random(random, given, scope, 2);
            return Self::Declared(format!("v{number}"), ty, value);
        }
        let (name, ty) = locals[random.within(0, locals.len() as i64 - 1) as usize].clone();
        match random.within(0, 3) {
            0 if ty.width == 1 => {
                let operator = random.pick(&["+", "-"]);
                let first = random.within(0, 1) == 0;
                Self::Stepped(format!("v{number}"), name, ty, operator, first)
            }
            1 if ty.width > 1 => {
                let mut places: Vec<usize> = (0..ty.width).collect();
                let count = random.within(1, ty.width as i64) as usize;
                let mut chosen = Vec::new();
                for _ in 0..count {
                    let at = random.within(0, places.len() as i64 - 1) as usize;
                    chosen.push(places.remove(at));
                }
                let part = Type { width: count, ..ty };
                Self::Parts(name, chosen, Tree::random(random, part, scope, 2))
            }
            _ => {
                let operators: &[&'static str] = match ty.base.is_float() {
                    true => &["+", "-", "*", "/"],
                    false => &[
                        "+", "-", "*", "+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^",
                    ],
                };
                let operator = random.pick(operators);
                let by = match scope.relaxed && random.within(0, 1) == 0 {
                    true => lower(random, ty),
                    false => ty,
                };
                Self::Changed(name, ty, operator, Tree::random(random, by, scope, 2))
            }
        }
    }

    fn declares(&self) -> Option<(String, Type)> {
        match self {
            Self::Declared(name, ty, _) => Some((name.clone(), *ty)),
            Self::Stepped(name, _, ty, ..) => Some((name.clone(), *ty)),
            _ => None,
        }
    }

    fn text(&self) -> String {
        match self {
            Self::Declared(name, ty, value) => {
                format!("{} {name} = {};", ty.name(), value.text())
            }
            Self::Changed(name, _, operator, value) => {
                format!("{name} {operator}= {};", value.text())
            }
            Self::Parts(name, places, value) => {
                let letters: String = places.iter().map(|&i| LETTERS[i]).collect();
                format!("{name}.{letters} = {};", value.text())
            }
            Self::Stepped(name, of, ty, operator, true) => {
                format!("{} {name} = {operator}{operator}{of};", ty.name())
            }
            Self::Stepped(name, of, ty, operator, false) => {
                format!("{} {name} = {of}{operator}{operator};", ty.name())
            }
        }
    }

    fn run(&self, values: &mut Values) {
        match self {
            Self::Declared(name, ty, value) => {
                let value = value.value_as(*ty, values);
                values.variables.push((name.clone(), value));
            }
            Self::Changed(name, ty, operator, value) => {
                let by = value.value_as(*ty, values);
                let base = ty.base;
                for (v, by) in variable(values, name).iter_mut().zip(by) {
                    *v = v.binary(operator, by, base);
                }
            }
            Self::Parts(name, places, value) => {
                let parts = value.value(values);
                let variable = variable(values, name);
                for (&place, part) in places.iter().zip(parts) {
                    variable[place] = part;
                }
            }
            Self::Stepped(name, of, ty, operator, first) => {
                let one = Number::whole(ty.base, 1);
                let variable = variable(values, of);
                let before = variable[0];
                variable[0] = before.binary(operator, one, ty.base);
                let value = if *first { variable[0] } else { before };
                values.variables.push((name.clone(), vec![value]));
            }
        }
    }
}

impl Scope {
    /// The type of what is assigned to a variable of a type.
    fn given(&self, random: &mut Random, ty: Type) -> Type {
        if !self.relaxed || random.within(0, 2) > 0 {
            return ty;
        }
        let width = random.within(1, 4) as usize;
        let base = base_for(random, width);
        Type { base, width }
    }
}

fn variable<'v>(values: &'v mut Values, name: &str) -> &'v mut Vec<Number> {
    let mut all = values.variables.iter_mut().rev();
    &mut all.find(|(n, _)| n == name).unwrap().1
}

fn elements(random: &mut Random, ty: Type) -> Vec<Vec<Number>> {
    let mut one = || match ty.base {
        Base::Float | Base::Double => {
            let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
            let value = match random.within(0, 9) {
                0 => random.pick(&special),
                _ => floating(random),
            };
            match ty.base {
                Base::Float => Number::Float(value as f32),
                _ => Number::Double(value),
            }
        }
        base => Number::Int(integer(random, base)),
    };
    (0..COUNT)
        .map(|_| (0..ty.width).map(|_| one()).collect())
        .collect()
}
