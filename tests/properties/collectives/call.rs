//! One call of a function of a group: its text, and what every item gets.

use super::number::{Number, Operator, Type};
use crate::properties::random::Random;

#[derive(Clone, Copy, PartialEq)]
enum Function {
    Reduce(Operator),
    Inclusive(Operator),
    Exclusive(Operator),
    All,
    Any,
    /// From the item at this place, x first.
    Broadcast([i64; 3]),
}

/// A call, and what it is given.
pub struct Call {
    function: Function,
    value_type: Type,
    argument: Argument,
}

enum Argument {
    /// The input's element so many places behind the item's own.
    Input(i64),
    /// Whether that is larger than a number: votes alone.
    Larger(i64, i64),
    Nested(Box<Call>),
}

/// Where the input of one item of one round is found.
pub struct Place<'a> {
    /// Items from the input's first one to the group's.
    pub first: usize,
    /// What the round adds.
    pub shift: i64,
    /// The items' number along x, y and z.
    pub extents: [i64; 3],
    /// The items that there are, fewer than the extents say in the last tile.
    pub items: usize,
    /// The elements of one type.
    pub input: &'a dyn Fn(Type, usize) -> Number,
    /// How many of them there are.
    pub length: usize,
}

impl Call {
    /// A call by a group of these extents, of which at least `present` items are there.
    pub fn random(random: &mut Random, extents: &[i64], present: i64, depth: usize) -> Self {
        let value_type = random.pick(&Type::ALL);
        let mut call = Self::of_type(random, value_type, extents, present, depth);
        if random.within(1, 5) == 1 {
            call = Self {
                function: random.pick(&[Function::All, Function::Any]),
                value_type,
                argument: Argument::Larger(shift(random), random.within(-40, 40)),
            };
        }
        call
    }

    fn of_type(
        random: &mut Random,
        value_type: Type,
        extents: &[i64],
        present: i64,
        depth: usize,
    ) -> Self {
        let operator = random.pick(&Operator::ALL);
        let function = match random.within(0, 6) {
            0 | 1 => Function::Reduce(operator),
            2 | 3 => Function::Inclusive(operator),
            4 | 5 => Function::Exclusive(operator),
            _ => {
                let mut place = [0; 3];
                for (p, extent) in place.iter_mut().zip(extents.iter().rev()) {
                    *p = random.within(0, extent.min(&present) - 1);
                }
                Function::Broadcast(place)
            }
        };
        let nested = depth > 0 && random.within(1, 4) == 1;
        let argument = match nested {
            true => {
                let inner = Self::of_type(random, value_type, extents, present, depth - 1);
                Argument::Nested(Box::new(inner))
            }
            false => Argument::Input(shift(random)),
        };
        let call = Self {
            function,
            value_type,
            argument,
        };
        // A float's sums of sums would be rounded, in an order that nobody promises.
        match call.rounds() {
            true => Self {
                argument: Argument::Input(shift(random)),
                ..call
            },
            false => call,
        }
    }

    fn rounds(&self) -> bool {
        let mut sums = 0;
        let mut at = self;
        loop {
            sums += usize::from(at.adds());
            match &at.argument {
                Argument::Nested(inner) => at = inner,
                _ => return sums > 1 && self.value_type.is_real(),
            }
        }
    }

    fn adds(&self) -> bool {
        use Function::{Exclusive, Inclusive, Reduce};
        matches!(
            self.function,
            Reduce(Operator::Add) | Inclusive(Operator::Add) | Exclusive(Operator::Add)
        )
    }

    fn is_vote(&self) -> bool {
        matches!(self.function, Function::All | Function::Any)
    }

    /// The result's type.
    pub fn result(&self) -> Type {
        match self.is_vote() {
            true => Type::Int,
            false => self.value_type,
        }
    }

    /// As a program writes it, in a loop over `round` or not.
    pub fn text(&self, axes: usize, round: &str) -> String {
        let input = |shift: i64, ty: Type| format!("x{}[(e + {shift}{round}) % n]", ty.letter());
        let value = match &self.argument {
            Argument::Input(shift) => input(*shift, self.value_type),
            Argument::Larger(shift, limit) => {
                // Unsigned values are not compared with numbers below zero.
                let limit = (*limit).max(if self.is_unsigned() { 0 } else { i64::MIN });
                format!("{} > {limit}", input(*shift, self.value_type))
            }
            Argument::Nested(call) => call.text(axes, round),
        };
        match self.function {
            Function::Reduce(o) => format!("work_group_reduce_{}({value})", o.word()),
            Function::Inclusive(o) => format!("work_group_scan_inclusive_{}({value})", o.word()),
            Function::Exclusive(o) => format!("work_group_scan_exclusive_{}({value})", o.word()),
            // Any number that is not zero says yes.
            Function::All => format!("(work_group_all({value}) != 0)"),
            Function::Any => format!("(work_group_any({value}) != 0)"),
            Function::Broadcast(place) => {
                let place: Vec<String> = place[..axes].iter().map(i64::to_string).collect();
                format!("work_group_broadcast({value}, {})", place.join(", "))
            }
        }
    }

    fn is_unsigned(&self) -> bool {
        matches!(self.value_type, Type::UInt | Type::ULong)
    }

    /// Every item's result.
    pub fn results(&self, place: &Place<'_>) -> Vec<Number> {
        let ty = self.value_type;
        let input = |shift: i64, item: usize| {
            let at = place.first + item + (shift + place.shift) as usize;
            (place.input)(ty, at % place.length)
        };
        let values: Vec<Number> = match &self.argument {
            Argument::Input(shift) => (0..place.items).map(|i| input(*shift, i)).collect(),
            Argument::Larger(shift, limit) => {
                let limit = (*limit).max(if self.is_unsigned() { 0 } else { i64::MIN });
                let larger = |number| match number {
                    Number::Integer(n) => n > i128::from(limit),
                    Number::Real(x) => x > limit as f64,
                };
                let all = (0..place.items).map(|i| larger(input(*shift, i)));
                all.map(|holds| Number::Integer(holds.into())).collect()
            }
            Argument::Nested(call) => call.results(place),
        };
        let same = |number| vec![number; place.items];
        match self.function {
            Function::Reduce(o) => {
                let all = values.into_iter().reduce(|a, b| ty.both(o, a, b));
                same(all.unwrap())
            }
            Function::Inclusive(o) => scan(ty, o, &values)[1..].to_vec(),
            Function::Exclusive(o) => scan(ty, o, &values)[..place.items].to_vec(),
            Function::All => {
                let all = values.iter().all(|v| *v != Number::Integer(0));
                same(Number::Integer(all.into()))
            }
            Function::Any => {
                let any = values.iter().any(|v| *v != Number::Integer(0));
                same(Number::Integer(any.into()))
            }
            Function::Broadcast([x, y, z]) => {
                let [width, height, _] = place.extents;
                same(values[(x + width * (y + height * z)) as usize])
            }
        }
    }
}

/// What the values before each place become, and at the end all of them.
fn scan(ty: Type, operator: Operator, values: &[Number]) -> Vec<Number> {
    let mut sums = vec![ty.identity(operator)];
    for value in values {
        sums.push(ty.both(operator, *sums.last().unwrap(), *value));
    }
    sums
}

fn shift(random: &mut Random) -> i64 {
    random.within(0, 300)
}
