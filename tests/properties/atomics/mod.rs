//! Random atomics: every form, over numbers, vectors and structures, in global memory and in that of groups. What happens
//! to one place commutes, so that plain host code knows what comes out.

mod types;

use crate::properties::executor::{Argument, Executor};
use crate::properties::random::Random;
use brook::runtime::BuildOptions;
use types::{Base, STRUCTURES, TYPES, Type};

const ITEMS: i64 = 24;
const GROUPS: i64 = 3;

/// What happens to a place.
#[derive(Clone, Copy, PartialEq)]
enum Action {
    Add,
    Min,
    Max,
    Xor,
}

/// What an item contributes: `(k * factor + offset) % modulus - shift`, for each number of the type.
type Value = [i64; 4];

struct Statement {
    place: usize,
    /// Items whose number has this remainder by 3 run it; all with 3.
    when: i64,
    negative: bool,
    value: Vec<Value>,
    /// Only this number of the type.
    part: Option<usize>,
}

pub struct Kernel {
    ty: &'static Type,
    actions: Vec<Action>,
    statements: Vec<Statement>,
    text: String,
}

pub struct Atomics {
    kernels: Vec<Kernel>,
}

impl Atomics {
    pub fn random(random: &mut Random, count: usize) -> Self {
        let kernels = (0..count).map(|k| Kernel::random(random, k)).collect();
        Self { kernels }
    }

    pub fn source(&self) -> String {
        let mut text = STRUCTURES.to_string();
        for ty in &TYPES {
            text += &functions(ty);
        }
        self.kernels.iter().for_each(|k| text += &k.text);
        text
    }

    pub fn run(&self, name: &str, flags: &[&str]) -> Result<(), String> {
        let options = BuildOptions::new().cache(false);
        let options = flags.iter().fold(options, |o, flag| o.flag(*flag));
        let built = Executor::build(name, &self.source(), options);
        let built = built.map_err(|e| format!("{e}\n{}", self.source()))?;
        for (number, kernel) in self.kernels.iter().enumerate() {
            let run = kernel.run(&built, number);
            run.map_err(|e| format!("{name}: {e}\n{}", kernel.text))?;
        }
        Ok(())
    }
}

/// What changes whole values by functions.
fn functions(ty: &Type) -> String {
    let (name, word) = (ty.name, ty.name.replace(' ', "_"));
    let each = |make: &dyn Fn(&str, Base) -> String| -> String {
        ty.parts
            .iter()
            .map(|(part, base, _)| make(part, *base))
            .collect()
    };
    let union = if name == "Word" { "union " } else { "" };
    let sum = each(&|p, b| format!(" x{p} = ({})(x{p} + v{p});", b.name));
    let least = each(&|p, _| format!(" if (v{p} < x{p}) x{p} = v{p};"));
    let most = each(&|p, _| format!(" if (x{p} < v{p}) x{p} = v{p};"));
    let mut text = String::new();
    for (function, body) in [("sum", sum), ("least", least), ("most", most)] {
        text += &format!(
            "{union}{name} {function}_{word}({union}{name} x, const {union}{name} v) {{{body} return x; }}\n"
        );
    }
    text
}

impl Kernel {
    fn random(random: &mut Random, number: usize) -> Self {
        let ty = &TYPES[random.within(0, TYPES.len() as i64 - 1) as usize];
        let numbers = ty.parts.iter().all(|(_, b, _)| !b.real);
        let vector = ty.parts[0].0 == ".x";
        let scalar = ty.parts[0].0.is_empty();
        let actions: Vec<Action> = (0..random.within(1, 3))
            .map(|_| match random.within(0, 4) {
                0 => Action::Min,
                1 => Action::Max,
                2 if numbers && (scalar || vector) => Action::Xor,
                _ => Action::Add,
            })
            .collect();
        let mut statements = Vec::new();
        let mut body = String::new();
        let shared = random.chance(40);
        let memory = if shared { "s" } else { "x" };
        for at in 0..random.within(2, 6) {
            let place = random.within(0, actions.len() as i64 - 1) as usize;
            let value: Vec<Value> = (ty.parts.iter())
                .map(|(_, base, _)| {
                    let modulus = random.within(2, 7);
                    let shift = if base.signed {
                        random.within(0, modulus)
                    } else {
                        0
                    };
                    [random.within(1, 5), random.within(0, 9), modulus, shift]
                })
                .collect();
            let when = random.within(0, 3);
            let action = actions[place];
            let part = (!scalar && random.chance(25))
                .then(|| random.within(0, ty.parts.len() as i64 - 1) as usize);
            let own = format!("v{at}");
            for ((part, base, _), [factor, offset, modulus, shift]) in ty.parts.iter().zip(&value) {
                let text = format!(
                    "({})((k * {factor} + {offset}) % {modulus} - {shift})",
                    base.name
                );
                body += &match scalar {
                    true => format!("    const {} {own} = {text};\n", base.name),
                    false => format!(
                        "{}    {own}{part} = {text};\n",
                        if *part == ty.parts[0].0 {
                            format!("    {} {own};\n", ty.name)
                        } else {
                            String::new()
                        }
                    ),
                };
            }
            let index = match random.within(0, 2) {
                0 => format!("{place}"),
                1 => format!("k % 1 + {place}"),
                _ => format!("{place} * one"),
            };
            let mut m = match random.within(0, 2) {
                0 => format!("*({memory} + ({index}))"),
                1 => format!("({memory}[{index}])"),
                _ => format!("{memory}[{index}]"),
            };
            let mut v = own.clone();
            if let Some(part) = part {
                m = format!("{memory}[{index}]{}", ty.parts[part].0);
                v += ty.parts[part].0;
            }
            let word = ty.name.replace(' ', "_");
            let whole = part.is_none();
            let operators = scalar || vector || !whole;
            let negative = action == Action::Add && operators && random.chance(25);
            let text = spelled(
                random,
                (&m, &v),
                action,
                negative,
                (operators, whole, &word),
            );
            let text = match random.within(0, 5) {
                0 => format!("@atomic {{ {text}; }}"),
                1 if whole && !matches!(action, Action::Xor) => {
                    format!(
                        "{} w{at}; @atomic w{at} = {text}; use += 0 * (w{at}{1} == w{at}{1});",
                        ty.name, ty.parts[0].0
                    )
                }
                2 if whole => format!(
                    "{} w{at}; @atomic {{ w{at} = {m}; {text}; }} use += 0 * (w{at}{1} == w{at}{1});",
                    ty.name, ty.parts[0].0
                ),
                _ => format!("@atomic {text};"),
            };
            body += &match when {
                3 => format!("    {text}\n"),
                _ => format!("    if (k % 3 == {when}) {{ {text} }}\n"),
            };
            statements.push(Statement {
                place,
                when,
                negative,
                value,
                part,
            });
        }
        let (name, places) = (ty.name, actions.len());
        let head = format!(
            "@kernel void k{number}(const int n, const int one, {name} *given, int *used) {{\n"
        );
        let text = match shared {
            false => format!(
                "{head}  for (int g = 0; g < {GROUPS}; ++g; @outer) {{\n  for (int k = 0; k < {ITEMS}; ++k; @inner) {{\n\
                 \x20   {name} *const x = given + {places} * g;\n    int use = 0;\n{body}    if (use) used[0] = use;\n  }}\n  }}\n}}\n"
            ),
            true => format!(
                "{head}  for (int g = 0; g < {GROUPS}; ++g; @outer) {{\n    @shared {name} s[{places}];\n\
                 \x20 for (int k = 0; k < {ITEMS}; ++k; @inner) {{ if (k < {places}) s[k] = given[{places} * g + k]; }}\n\
                 \x20 for (int k = 0; k < {ITEMS}; ++k; @inner) {{\n    int use = 0;\n{body}    if (use) used[0] = use;\n  }}\n\
                 \x20 for (int k = 0; k < {ITEMS}; ++k; @inner) {{ if (k < {places}) given[{places} * g + k] = s[k]; }}\n  }}\n}}\n"
            ),
        };
        Self {
            ty,
            actions,
            statements,
            text,
        }
    }

    fn run(&self, built: &Executor, number: usize) -> Result<(), String> {
        let places = self.actions.len() * GROUPS as usize;
        let mut bytes = vec![0u8; places * self.ty.size];
        let start = |at: usize, part: usize| (at * 3 + part) as i64 % 5;
        for at in 0..places {
            for (part, (_, base, offset)) in self.ty.parts.iter().enumerate() {
                let to = at * self.ty.size + offset;
                bytes[to..to + base.size].copy_from_slice(&base.bytes(start(at, part)));
            }
        }
        let mut arguments = [
            Argument::int(ITEMS),
            Argument::int(1),
            Argument::Buffer(bytes),
            Argument::Buffer(vec![0; 4]),
        ];
        built.launch(&format!("k{number}"), &mut arguments)?;
        let bytes = arguments[2].bytes();
        for at in 0..places {
            for (part, (name, base, offset)) in self.ty.parts.iter().enumerate() {
                let expected = self.expected(at % self.actions.len(), part, start(at, part));
                let from = at * self.ty.size + offset;
                let found = &bytes[from..from + base.size];
                if found != base.bytes(expected) {
                    return Err(format!("place {at}{name} is {found:?}, not {expected}"));
                }
            }
        }
        Ok(())
    }

    /// What all items of a group make of a number.
    fn expected(&self, place: usize, part: usize, start: i64) -> i64 {
        let base = self.ty.parts[part].1;
        let mut x = start;
        for k in 0..ITEMS {
            for s in self.statements.iter().filter(|s| s.place == place) {
                if s.when != 3 && k % 3 != s.when || s.part.is_some_and(|p| p != part) {
                    continue;
                }
                let [factor, offset, modulus, shift] = s.value[part];
                let v = (k * factor + offset) % modulus - shift;
                x = match self.actions[place] {
                    Action::Add if s.negative => x - v,
                    Action::Add => x + v,
                    Action::Min => x.min(v),
                    Action::Max => x.max(v),
                    Action::Xor => x ^ v,
                };
                x = base.wrapped(x);
            }
        }
        x
    }
}

/// One change of memory in one of its spellings.
fn spelled(
    random: &mut Random,
    (m, v): (&str, &str),
    action: Action,
    negative: bool,
    (operators, whole, word): (bool, bool, &str),
) -> String {
    let function = |name: &str, swapped: bool| match swapped {
        true => format!("{m} = {name}_{word}({v}, {m})"),
        false => format!("{m} = {name}_{word}({m}, {v})"),
    };
    let scalar = !whole || operators && !word.ends_with(['2', '4']);
    let swapped = random.chance(50);
    match action {
        Action::Add if negative => match random.within(0, 2) {
            0 => format!("{m} -= {v}"),
            1 => format!("{m} = {m} - {v}"),
            _ => format!("{m} = ({m} - {v})"),
        },
        Action::Add if operators => match random.within(0, 5) {
            0 | 1 => format!("{m} += {v}"),
            2 => format!("{m} = {m} + {v}"),
            3 => format!("{m} = {v} + {m}"),
            4 => format!("{m} = {v} + {m} + {v} - {v}"),
            _ if whole => function("sum", swapped),
            _ => format!("{m} = {m} + ({v})"),
        },
        Action::Add => function("sum", swapped),
        Action::Xor => match random.within(0, 3) {
            0 | 1 => format!("{m} ^= {v}"),
            2 => format!("{m} = {v} ^ {m}"),
            _ => format!("{m} = {m} ^ {v} ^ {v} ^ {v}"),
        },
        Action::Min | Action::Max => {
            let (name, less, more, at_most) = match action {
                Action::Min => ("min", "<", ">", "<="),
                _ => ("max", ">", "<", ">="),
            };
            match random.within(0, if scalar { 6 } else { 0 }) {
                0 if whole => function(if name == "min" { "least" } else { "most" }, swapped),
                0 | 1 => format!("{m} = {name}({m}, {v})"),
                2 => format!("{m} = {name}({v}, {m})"),
                3 => format!("{m} = {m} {less} {v} ? {m} : {v}"),
                4 => format!("{m} = ({v} {more} {m}) ? {m} : ({v})"),
                5 => format!("{m} = {v} {at_most} {m} ? {v} : {m}"),
                _ => format!("{m} = {name}({name}({m}, {v}), {v})"),
            }
        }
    }
}
