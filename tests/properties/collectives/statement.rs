//! A statement with calls, alone or in a loop or condition.

use super::call::{Call, Place};
use super::number::{Number, Type};
use super::{Form, ROUNDS};
use crate::properties::random::Random;
use std::fmt::Write;

pub struct Statement {
    pub what: ConstructKind,
    pub around: Around,
}

pub enum ConstructKind {
    /// A variable with the call's value, then an element.
    Variable(Call),
    Element(Call),
    /// Which of two numbers, by a comparison of two calls.
    Comparison(Call, Call),
}

/// What stands around a statement.
#[derive(Clone, Copy)]
pub enum Around {
    Nothing,
    /// A loop of a number of rounds, of an argument's, or of more for each group.
    Rounds(i64),
    ToldRounds,
    GroupRounds,
    /// `if (g < N)`
    Groups(i64),
}

impl Around {
    pub fn rounds(self, group: i64) -> i64 {
        match self {
            Self::Nothing => 1,
            Self::Rounds(rounds) => rounds,
            Self::ToldRounds => ROUNDS,
            Self::GroupRounds => 1 + group % 2,
            Self::Groups(groups) => i64::from(group < groups),
        }
    }

    /// Rows of results that a statement needs.
    pub fn rows(self) -> i64 {
        self.rounds(0).max(self.rounds(1)).max(1)
    }

    pub fn is_loop(self) -> bool {
        !matches!(self, Self::Nothing | Self::Groups(_))
    }
}

impl ConstructKind {
    /// The type of what is written.
    pub fn result(&self) -> Type {
        match self {
            Self::Variable(call) | Self::Element(call) => call.result(),
            Self::Comparison(..) => Type::Int,
        }
    }

    pub fn results(&self, place: &Place<'_>) -> Vec<Number> {
        match self {
            Self::Variable(call) | Self::Element(call) => call.results(place),
            Self::Comparison(a, b) => {
                let pairs = a.results(place).into_iter().zip(b.results(place));
                pairs
                    .map(|(a, b)| Number::Integer((a < b).into()))
                    .collect()
            }
        }
    }
}

impl Statement {
    pub fn random(
        random: &mut Random,
        extents: &[i64],
        present: i64,
        form: Form,
        whole: bool,
    ) -> Self {
        let tiled = matches!(form, Form::Tiled(_));
        let mut call = |depth| Call::random(random, extents, present, depth);
        let (first, second) = (call(2), call(1));
        let what = match random.within(0, 4) {
            0 | 1 => ConstructKind::Variable(first),
            2 | 3 => ConstructKind::Element(first),
            _ if first.result() == second.result() => ConstructKind::Comparison(first, second),
            _ => ConstructKind::Element(second),
        };
        let around = match random.within(0, 7) {
            0 => Around::Rounds(random.within(0, 4)),
            1 => Around::ToldRounds,
            // In a tile nothing tells the group's number.
            2 if !tiled => Around::GroupRounds,
            // Of a group in part, nobody calls in a condition.
            3 if !tiled && whole => Around::Groups(random.within(0, 2)),
            _ => Around::Nothing,
        };
        Self { what, around }
    }

    /// The statement, the first of whose rows of results is `row`.
    pub fn write(&self, row: i64, axes: usize, text: &mut String) -> std::fmt::Result {
        let indent = "        ";
        match self.around {
            Around::Nothing => {}
            Around::Rounds(n) => writeln!(text, "{indent}for (int r = 0; r < {n}; ++r) {{")?,
            Around::ToldRounds => writeln!(text, "{indent}for (int r = 0; r < rounds; ++r) {{")?,
            Around::GroupRounds => {
                writeln!(text, "{indent}for (int r = 0; r < 1 + g % 2; ++r) {{")?;
            }
            Around::Groups(groups) => writeln!(text, "{indent}if (g < {groups}) {{")?,
        }
        let (round, own) = match self.around.is_loop() {
            true => (" + 5 * r", " + r"),
            false => ("", ""),
        };
        let ty = self.what.result();
        let element = format!("y{}[({row}{own}) * n + e]", ty.letter());
        match &self.what {
            ConstructKind::Variable(call) => {
                writeln!(
                    text,
                    "{indent}  const {} v{row} = {};",
                    ty.name(),
                    call.text(axes, round)
                )?;
                writeln!(text, "{indent}  {element} = v{row};")?;
            }
            ConstructKind::Element(call) => {
                writeln!(text, "{indent}  {element} = {};", call.text(axes, round))?;
            }
            ConstructKind::Comparison(a, b) => {
                let (a, b) = (a.text(axes, round), b.text(axes, round));
                writeln!(text, "{indent}  {element} = {a} < {b};")?;
            }
        }
        match self.around {
            Around::Nothing => Ok(()),
            _ => writeln!(text, "{indent}}}"),
        }
    }
}
