//! Kernels: declarations of vectors in all spellings, and statements over them.

use super::tree::{Function, LETTERS, Names, Place, Tree, Values};
use super::value::{Base, Number, Type};
use super::{any_type, number};
use crate::properties::random::Random;
use std::fmt::Write;

const GROUPS: usize = 3;
const ITEMS: usize = 8;

/// Items of a launch.
pub const COUNT: usize = GROUPS * ITEMS;

/// An argument of a kernel, as it lies in memory.
pub struct Given {
    pub buffer: bool,
    pub bytes: Vec<u8>,
}

pub struct Kernel {
    pub name: String,
    pub given: Vec<Given>,
    pub result: Type,
    pub expected: Vec<Vec<Number>>,
    pub text: String,
}

/// The words of a type in some order, with something between them.
pub fn spelled(random: &mut Random, ty: Type, constant: bool) -> String {
    let name = ty.name();
    let gap = random.pick(&[
        " ",
        " ",
        " ",
        "  ",
        " /* twice */ ",
        "/**/",
        " /* const float3 *x[2] */",
        "\n",
        " \\\n",
        " // float4\n",
        "\t",
    ]);
    let behind = random.pick(&["", "", "", " /* v */", " // const\n", "/* double */"]);
    let text = match (constant, random.chance(50)) {
        (false, _) => name,
        (true, true) => format!("const{gap}{name}"),
        (true, false) => format!("{name}{gap}const"),
    };
    format!("{text}{behind}")
}

/// A kernel as it is being written.
struct Writer<'k> {
    random: &'k mut Random,
    places: Vec<Place>,
    functions: &'k [Function],
    /// What each item knows.
    values: Vec<Values>,
    /// Places that can be changed.
    variables: Vec<Place>,
    text: String,
    names: usize,
}

impl Kernel {
    pub fn random(random: &mut Random, index: usize, functions: &[Function]) -> Self {
        let name = format!("k{index}");
        let mut writer = Writer {
            random,
            places: vec![Place::new("i", Type::scalar(Base::Int))],
            functions,
            values: (0..COUNT)
                .map(|i| Values::from([("i".to_string(), vec![Number::Int(i as i128)])]))
                .collect(),
            variables: Vec::new(),
            text: String::new(),
            names: 0,
        };
        let mut text = String::new();
        let record = writer.types(index, &mut text);
        let (given, list) = writer.parameters();
        let result = any_type(writer.random);
        writer.group();
        for _ in 0..writer.random.within(2, 6) {
            writer.statement(&record);
        }
        let (value, expected) = writer.defined(result, 4);
        let _ = write!(
            text,
            "@kernel void {name}(const int n, {list}{} *o) {{\n  for (int g = 0; g < {GROUPS}; ++g; @outer) {{\n{}    \
             o[i] = {};\n    }}\n  }}\n}}\n",
            spelled(writer.random, result, false),
            writer.text,
            value
        );
        Self {
            name,
            given,
            result,
            expected,
            text,
        }
    }
}

/// A structure with vectors: its name, and its fields.
struct Record {
    name: String,
    fields: Vec<(String, Type)>,
}

impl Writer<'_> {
    fn name(&mut self) -> String {
        self.names += 1;
        // Kernels share names, also with fields.
        format!("{}{}", ["v", "p", "s"][self.names % 3], self.names)
    }

    fn types(&mut self, index: usize, text: &mut String) -> Record {
        let name = format!("Record{index}");
        let mut fields = Vec::new();
        let mut list = String::new();
        for at in 0..self.random.within(1, 3) {
            let ty = any_type(self.random);
            let field = format!("{}{at}", ["v", "p", "s"][at as usize]);
            let words = spelled(self.random, ty, false);
            let _ = write!(list, " {words} {field};");
            fields.push((field, ty));
        }
        let _ = writeln!(text, "struct {name} {{{list} }};");
        Record { name, fields }
    }

    fn declare(&mut self, place: Place, values: Vec<Vec<Number>>) {
        for (item, value) in self.values.iter_mut().zip(values) {
            item.insert(place.key.clone(), value);
        }
        self.places.push(place);
    }

    fn parameters(&mut self) -> (Vec<Given>, String) {
        let mut given = Vec::new();
        let mut list = String::new();
        for _ in 0..self.random.within(2, 5) {
            let name = self.name();
            let ty = any_type(self.random);
            let buffer = self.random.chance(60);
            let component = |random: &mut Random| number(random, ty.base);
            let one = |random: &mut Random| (0..ty.width).map(|_| component(random)).collect();
            let mut place = Place::new(name.clone(), ty);
            let values: Vec<Vec<Number>> = if buffer {
                let restrict = self.random.pick(&["", "@restrict "]);
                let _ = write!(
                    list,
                    "{restrict}{} *{name}, ",
                    spelled(self.random, ty, true)
                );
                place.forms = vec![
                    format!("{name}[i]"),
                    format!("{name}[i]"),
                    format!("*({name} + i)"),
                    format!("(*(&{name}[i]))"),
                    format!("({name})[ i ]"),
                ];
                (0..COUNT).map(|_| one(self.random)).collect()
            } else {
                let _ = write!(list, "{} {name}, ", spelled(self.random, ty, true));
                vec![one(self.random); COUNT]
            };
            given.push(Given {
                buffer,
                bytes: bytes(ty, &values[..if buffer { COUNT } else { 1 }]),
            });
            self.declare(place, values);
        }
        (given, list)
    }

    /// What the group shares and what items keep, and the loops around the rest.
    fn group(&mut self) {
        let kept = self.random.chance(50);
        let (shared, own) = (any_type(self.random), any_type(self.random));
        if kept {
            let a = spelled(self.random, shared, false);
            let b = spelled(self.random, own, false);
            let _ = writeln!(
                self.text,
                "    @shared {a} shared_one[{ITEMS}];\n    @exclusive {b} own;"
            );
        }
        let head = format!(
            "    for (int j = 0; j < {ITEMS}; ++j; @inner) {{\n      const int i = g * {ITEMS} + j;\n"
        );
        self.text += &head;
        if kept {
            let (first, of_first) = self.defined(shared, 2);
            let (second, of_second) = self.defined(own, 2);
            let _ = writeln!(
                self.text,
                "      shared_one[j] = {first};\n      own = {second};\n    }}"
            );
            self.text += &head;
            let mut place = Place::new("shared_one", shared);
            place.forms = vec!["shared_one[j]".to_string(), "*(shared_one + j)".to_string()];
            self.declare(place, of_first);
            self.declare(Place::new("own", own), of_second);
        }
    }

    /// An expression that is defined for all items, and what it is worth as the type.
    fn defined(&mut self, ty: Type, depth: usize) -> (String, Vec<Vec<Number>>) {
        loop {
            let (tree, values) = self.expression(ty, depth);
            let converted = |value: Vec<Number>| {
                let parts = value.into_iter().map(|v| v.converted(ty.base));
                parts.collect::<Option<Vec<Number>>>()
            };
            if let Some(values) = values.into_iter().map(converted).collect() {
                return (tree.text(), values);
            }
        }
    }

    /// The same before it is converted to the type.
    fn expression(&mut self, ty: Type, depth: usize) -> (Tree, Vec<Vec<Number>>) {
        loop {
            let names = Names {
                places: &self.places,
                functions: self.functions,
            };
            let tree = Tree::random(self.random, ty, &names, depth);
            let values = self.values.iter().map(|values| tree.value(values));
            if let Some(values) = values.collect() {
                return (tree, values);
            }
        }
    }

    fn statement(&mut self, record: &Record) {
        match self.random.within(0, 9) {
            0..4 => self.declaration(),
            4 => self.list(),
            5 => self.record(record),
            6 => self.pointer(),
            _ => self.change(),
        }
    }

    fn declaration(&mut self) {
        let ty = any_type(self.random);
        let (value, values) = self.defined(ty, 3);
        let name = self.name();
        let constant = self.random.chance(60);
        let words = spelled(self.random, ty, constant);
        let _ = writeln!(self.text, "      {words} {name} = {value};");
        let place = Place::new(name, ty);
        if !constant {
            self.variables.push(place.clone());
        }
        self.declare(place, values);
    }

    /// An array, or a variable with its components in braces.
    fn list(&mut self) {
        let ty = any_type(self.random);
        let (first, of_first) = self.defined(ty, 2);
        let (second, of_second) = self.defined(ty, 2);
        let name = self.name();
        let words = spelled(self.random, ty, false);
        let _ = writeln!(
            self.text,
            "      {words} {name}[2];\n      {name}[0] = {first};\n      {name}[1] = {second};"
        );
        for (at, values) in [of_first, of_second].into_iter().enumerate() {
            let mut place = Place::new(format!("{name}[{at}]"), ty);
            place.forms.push(format!("*({name} + {at})"));
            self.variables.push(place.clone());
            self.declare(place, values);
        }
    }

    fn record(&mut self, record: &Record) {
        let name = self.name();
        let _ = writeln!(self.text, "      struct {} {name};", record.name);
        for (field, ty) in &record.fields {
            let (value, values) = self.defined(*ty, 2);
            let _ = writeln!(self.text, "      {name}.{field} = {value};");
            let mut place = Place::new(format!("{name}.{field}"), *ty);
            place.forms.push(format!("(&{name})->{field}"));
            self.variables.push(place.clone());
            self.declare(place, values);
        }
    }

    /// A pointer to what is there.
    fn pointer(&mut self) {
        let vectors: Vec<Place> = (self.variables.iter())
            .filter(|p| !p.key.contains('*'))
            .cloned()
            .collect();
        if vectors.is_empty() {
            return self.declaration();
        }
        let to = vectors[self.random.within(0, vectors.len() as i64 - 1) as usize].clone();
        let name = self.name();
        let words = spelled(self.random, to.ty, true);
        let _ = writeln!(self.text, "      {words} *{name} = &{};", to.key);
        // What the variable is now, the pointer leads to later.
        let place = Place {
            forms: vec![format!("*{name}"), format!("{name}[0]")],
            ..to
        };
        self.places.push(place);
    }

    fn change(&mut self) {
        if self.variables.is_empty() {
            return self.declaration();
        }
        let at = self.random.within(0, self.variables.len() as i64 - 1) as usize;
        let place = self.variables[at].clone();
        let base = place.ty.base;
        let operator = self.random.pick(match base.is_float() {
            true => &["", "+", "-", "*", "/"],
            false => &["", "+", "-", "*", "%", "&", "^"],
        });
        let part = (place.ty.width > 1 && self.random.chance(30))
            .then(|| self.random.within(0, place.ty.width as i64 - 1) as usize);
        let mut ty = place.ty;
        if part.is_some() || (place.ty.width > 1 && !operator.is_empty() && self.random.chance(50))
        {
            ty = Type::scalar(
                self.random
                    .pick(&[Base::Int, Base::Float, Base::Double, base]),
            );
            if matches!(operator, "%" | "&" | "^") && ty.base.is_float() {
                ty.base = Base::Short;
            }
        }
        let (value, by) = self.expression(ty, 2);
        let ty = value.ty;
        if matches!(operator, "%" | "&" | "^") && ty.base.is_float() {
            return;
        }
        let value = value.text();
        let after: Option<Vec<Vec<Number>>> = (self.values.iter().zip(by))
            .map(|(values, by)| {
                let mut now = values.get(&place.key)?.clone();
                for (at, component) in now.iter_mut().enumerate() {
                    if part.is_some_and(|p| p != at) {
                        continue;
                    }
                    let by = *by.get(at).or(by.first())?;
                    // Scalars are computed with as C does, vectors in their own type.
                    let within = match (part, place.ty.width) {
                        (None, 2..) => base,
                        _ => base.common(ty.base),
                    };
                    let by = by.converted(within)?;
                    *component = match operator {
                        "" => by,
                        _ => component.converted(within)?.binary(operator, by, within)?,
                    }
                    .converted(base)?;
                }
                Some(now)
            })
            .collect();
        let Some(after) = after else { return };
        let target = match part {
            Some(p) => format!("{}.{}", place.key, LETTERS[p]),
            None => place.key.clone(),
        };
        let _ = writeln!(self.text, "      {target} {operator}= {value};");
        for (values, value) in self.values.iter_mut().zip(after) {
            values.insert(place.key.clone(), value);
        }
    }
}

/// Values as they lie in memory.
fn bytes(ty: Type, values: &[Vec<Number>]) -> Vec<u8> {
    let zero = vec![0; ty.base.size()];
    let mut out = Vec::new();
    for value in values {
        for at in 0..ty.places() {
            let bytes = value.get(at).map(|v| v.bytes(ty.base));
            out.extend(bytes.unwrap_or_else(|| zero.clone()));
        }
    }
    out
}
