//! Random indices, whose numbers are computed for each place, beside what is said of all places at once.

use super::super::layout::{Range, Shape};
use super::places::Places;
use super::{Elements, StreamArgument};
use crate::expr::Scalar;
use crate::module::{Binary, Index, Unary};
use std::sync::Arc;

const EXTENTS: [i32; 2] = [7, 5];

fn range() -> Range {
    Range::all(&Shape::new(&[EXTENTS[1] as u32, EXTENTS[0] as u32]).unwrap())
}

fn index(text: &str) -> Index {
    Index::try_from(text.to_string()).unwrap()
}

/// The number at a place; `None` where nobody computes it.
fn computed(index: &Index, place: [i32; 2]) -> Option<f64> {
    let number = |index| computed(index, place);
    Some(match index {
        Index::Number(_, number) => *number,
        Index::Place(axis) | Index::PlaceOf(_, axis) => place[*axis].into(),
        Index::As(Scalar::Bool, inside) => f64::from(number(inside)? != 0.0),
        Index::As(_, inside) => number(inside)?,
        Index::Unary(Unary::Not, inside) => f64::from(number(inside)? == 0.0),
        Index::Unary(_, inside) => -number(inside)?,
        Index::Either(parts) => match number(&parts[0])? != 0.0 {
            true => number(&parts[1])?,
            false => number(&parts[2])?,
        },
        Index::When(parts) => match number(&parts[0])? != 0.0 {
            true => number(&parts[1])?,
            false => return None,
        },
        Index::Binary(operator, parts) => {
            let (a, b) = (number(&parts[0])?, number(&parts[1])?);
            match operator {
                Binary::Add => a + b,
                Binary::Subtract => a - b,
                Binary::Least => a.min(b),
                Binary::Most => a.max(b),
                Binary::Less => f64::from(a < b),
                Binary::LessEqual => f64::from(a <= b),
                Binary::Greater => f64::from(a > b),
                Binary::GreaterEqual => f64::from(a >= b),
                Binary::Equal => f64::from(a == b),
                Binary::NotEqual => f64::from(a != b),
                Binary::And => f64::from(a != 0.0 && b != 0.0),
                _ => f64::from(a != 0.0 || b != 0.0),
            }
        }
        Index::Value(..) | Index::OneOf(_) | Index::Counter(..) => return None,
    })
}

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (self.0 >> 33) % sides
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.roll(all.len() as u64) as usize]
    }

    fn number(&mut self, depth: u32) -> Index {
        let kind = if depth == 0 {
            self.roll(3)
        } else {
            self.roll(8)
        };
        match kind {
            0 => Index::Number(Scalar::Int, self.roll(9) as f64 - 2.0),
            1 => Index::Place(self.roll(2) as usize),
            2 => Index::PlaceOf(0, self.roll(2) as usize),
            3 => {
                let parts = [
                    self.truth(depth - 1),
                    self.number(depth - 1),
                    self.number(depth - 1),
                ];
                Index::Either(Arc::new(parts))
            }
            4 => Index::When(Arc::new([self.truth(depth - 1), self.number(depth - 1)])),
            _ => {
                let operator =
                    self.pick(&[Binary::Add, Binary::Subtract, Binary::Least, Binary::Most]);
                Index::Binary(
                    operator,
                    Arc::new([self.number(depth - 1), self.number(depth - 1)]),
                )
            }
        }
    }

    fn truth(&mut self, depth: u32) -> Index {
        let kind = if depth == 0 { 0 } else { self.roll(5) };
        match kind {
            1 => Index::Unary(Unary::Not, Arc::new(self.truth(depth - 1))),
            2 => {
                let operator = self.pick(&[Binary::And, Binary::Or]);
                Index::Binary(
                    operator,
                    Arc::new([self.truth(depth - 1), self.truth(depth - 1)]),
                )
            }
            3 => {
                let zero = Index::Number(Scalar::Int, 0.0);
                let inside = Index::As(Scalar::Int, Arc::new(self.truth(depth - 1)));
                let operator = self.pick(&[Binary::Equal, Binary::NotEqual]);
                Index::Binary(operator, Arc::new([inside, zero]))
            }
            _ => {
                let operator = self.pick(&[
                    Binary::Less,
                    Binary::LessEqual,
                    Binary::Greater,
                    Binary::GreaterEqual,
                    Binary::Equal,
                    Binary::NotEqual,
                ]);
                let depth = depth.saturating_sub(1);
                let sides = [self.number(depth), self.number(depth)];
                let sides = match self.roll(3) {
                    0 => sides.map(|side| Index::As(Scalar::Float, Arc::new(side))),
                    _ => sides,
                };
                Index::Binary(operator, Arc::new(sides))
            }
        }
    }
}

/// Whether what is said of all places is true of each.
fn holds_all_places(index: &Index, elements: &Elements<'_>) -> bool {
    let Some(found) = elements.number(index, &Places::of(elements.range)) else {
        return true;
    };
    let all = (0..EXTENTS[1]).flat_map(|y| (0..EXTENTS[0]).map(move |x| [x, y]));
    all.into_iter().all(|place| {
        computed(index, place).is_none_or(|number| {
            let mut parts = found.parts().iter();
            parts.any(|(least, most)| *least <= number && number <= *most)
        })
    })
}

#[test]
fn numbers_of_all_places_hold_those_of_each() {
    let range = range();
    let arguments: [StreamArgument<'_>; 0] = [];
    let elements = Elements {
        range: &range,
        arguments: &arguments,
        placed: &|_| true,
    };
    let mut dice = Dice(7);
    let mut known = 0;
    for _ in 0..40_000 {
        let index = dice.number(4);
        assert!(holds_all_places(&index, &elements), "{index}");
        known += u32::from(elements.stay_in(&[vec![index]], &[12]));
    }
    assert!(known > 1_000, "{known}");
}

#[test]
fn conditions_keep_gathers_inside() {
    let range = range();
    let arguments: [StreamArgument<'_>; 0] = [];
    let elements = Elements {
        range: &range,
        arguments: &arguments,
        placed: &|_| true,
    };
    for (text, expected) in [
        ("x", true),
        ("x 1:int subtract", false),
        ("x 0:int greater x 1:int subtract 0:int either", true),
        ("x 0:int greater x 2:int subtract 0:int either", false),
        ("x 0:int greater_equal x 1:int subtract 0:int either", false),
        ("x 0:int equal 0:int x 1:int subtract either", true),
        ("x 0:int not_equal x 1:int subtract when", true),
        ("x 3:int not_equal x 1:int subtract when", false),
        ("6:int x greater x 1:int add when", true),
        ("x float 6:float less x 1:int add when", true),
        ("x 1:int add 7:int less x 1:int add when", true),
        ("x 6:int less not x 1:int add when", false),
        ("x 6:int less y 0:int greater and x y add when", false),
        ("x 6:int less y 1:int less and x y add when", true),
        ("x 6:int less y 1:int less or x y add when", false),
        (
            "x 5:int greater y 3:int greater or not x y add 2:int subtract when",
            false,
        ),
        (
            "x 1:int less y 1:int less or not x 1:int subtract when",
            true,
        ),
        ("x 6:int less int 0:int not_equal x 1:int add when", true),
        (
            "x 6:int less int 0:int equal x 1:int add 6:int either",
            false,
        ),
        ("x 9:int greater x 100:int add when", true),
    ] {
        assert_eq!(
            elements.stay_in(&[vec![index(text)]], &[7]),
            expected,
            "{text}"
        );
    }
    // What wraps, is no number of `float`, or counts no more.
    for text in [
        "120:double char double 200:double char double subtract int",
        "100000000000000000000:float 100000000000000000000:float multiply 0:float multiply int",
        "4:float 0.000000000000000000000000000001:float 0.000000000000000000000000000001:float multiply \
         1000000000000000000000000000000:float multiply 1000000000000000000000000000000:float multiply subtract int",
        "16777220:float exact 16777218:float subtract int",
    ] {
        assert!(!elements.stay_in(&[vec![index(text)]], &[7]), "{text}");
    }
    // Of the other axis nothing is known.
    assert!(!elements.stay_in(&[vec![index("x")], Vec::new()], &[7, 5]));
    assert!(elements.stay_in(&[vec![index("x")], vec![index("y")]], &[7, 5]));
    assert!(!elements.stay_in(&[vec![index("x")], vec![index("y")]], &[7, 4]));
}
