//! Row gathers: gathers that read at an element's place along its row, or against it, plus what is the same along it.
//!
//! **Legality.** The fastest index is `s + x` or `s - x`, in integers that wrap, where `x` is the place along the row and `s` a
//! constant, and perhaps a parameter or its negative. Where all such gathers of a row are inside, they are without what clamps
//! an index; whoever writes that compares in 64 bits.
//!
//! **Gain.** Rows are cut into that part and the ends. Without the clamps the reads of neighbouring elements lie side by side,
//! and are vectors.

use crate::body::{
    BinaryOperator, Body, Builtin, ExpressionId, ExpressionKind, PlaceId, Program, Root, Step,
    TypeKind, UnaryOperator, VariableId,
};
use crate::expr::{Scalar, Value};
use crate::facts::Definitions;
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// A gather that reads beside the element's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowGather {
    /// The access.
    pub(crate) at: Span,
    /// The index is the negative of the place.
    pub(crate) back: bool,
    /// The constant that is added.
    pub(crate) offset: i32,
    /// A parameter that is added, and whether it is its negative.
    pub(crate) term: Option<(VariableId, bool)>,
    /// The other indices are the same along a row.
    pub(crate) one_row: bool,
}

/// What a kernel's function is given.
pub(crate) struct Given<'g> {
    /// The place of its element.
    pub(crate) here: VariableId,
    /// Values that are the same for all elements.
    pub(crate) values: &'g [VariableId],
    /// The extents of arrays' fastest dimensions.
    pub(crate) rows: &'g HashSet<VariableId>,
}

/// Such gathers of a kernel, as a function of one element, by where they are written.
pub(crate) fn row_gathers(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    given: &Given<'_>,
) -> Vec<RowGather> {
    let this = Rows {
        program,
        body,
        definitions,
        given,
        temporary: temporary(body, definitions),
    };
    let places = body.place_ids();
    places.filter_map(|place| this.gather(place)).collect()
}

/// A value in terms of a row of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Along {
    /// The place of the element.
    Place,
    /// `s + x`, or `s - x` if it goes back.
    Beside { back: bool, by: Sum },
    /// The same for all elements of the row, and what, if it is such a sum.
    Even(Option<Sum>),
}

/// A constant, and a parameter or its negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sum {
    constant: i64,
    term: Option<(VariableId, bool)>,
}

impl Sum {
    fn negative(self) -> Option<Self> {
        Some(Self {
            constant: self.constant.checked_neg()?,
            term: self.term.map(|(of, negative)| (of, !negative)),
        })
    }

    /// `None` if there are two parameters.
    fn plus(self, other: Self) -> Option<Self> {
        Some(Self {
            constant: self.constant.checked_add(other.constant)?,
            term: match (self.term, other.term) {
                (Some(_), Some(_)) => return None,
                (term, None) | (None, term) => term,
            },
        })
    }
}

struct Rows<'b> {
    program: &'b Program,
    body: &'b Body,
    definitions: &'b Definitions,
    given: &'b Given<'b>,
    temporary: HashMap<VariableId, ExpressionId>,
}

/// What temporary variables hold: they are written where they are read, once.
fn temporary(body: &Body, definitions: &Definitions) -> HashMap<VariableId, ExpressionId> {
    let mut found = HashMap::new();
    for expression in &body.expressions {
        if let ExpressionKind::Assign { place, value } = expression.kind
            && let Root::Variable(id @ VariableId::Local(index)) = body.place(place).root
            && body.variables[index as usize].name.starts_with('%')
            && definitions.is_assigned_once(body, id)
        {
            found.insert(id, value);
        }
    }
    found
}

impl Rows<'_> {
    fn gather(&self, id: PlaceId) -> Option<RowGather> {
        let body = self.body;
        let place = body.place(id);
        let Root::Pointer(pointer) = place.root else {
            return None;
        };
        let ExpressionKind::Offset(_, index) = body.expression(pointer).kind else {
            return None;
        };
        let (mut fastest, mut one_row) = (None, true);
        let mut clamps = Vec::new();
        self.clamps(index, &mut clamps);
        for (index, extent) in clamps {
            match self.given.rows.contains(&extent) {
                true => fastest = Some(index),
                false => one_row &= matches!(self.index(index), Some(Along::Even(_))),
            }
        }
        let Some(Along::Beside { back, by }) = fastest.and_then(|f| self.index(f)) else {
            return None;
        };
        Some(RowGather {
            at: place.span,
            back,
            offset: i32::try_from(by.constant).ok()?,
            term: by.term.filter(|(of, _)| self.is_visible(*of)),
            one_row,
        })
        .filter(|found| found.term == by.term)
    }

    /// The indices that are clamped in the number of an element, each with the variable that is its dimension's extent.
    fn clamps(&self, id: ExpressionId, found: &mut Vec<(ExpressionId, VariableId)>) {
        let body = self.body;
        match &body.expression(id).kind {
            ExpressionKind::Builtin(Builtin::Clamp, values) => {
                if let [index, extent] = values[..]
                    && let Some(extent) = body.read_whole(extent)
                {
                    found.push((index, extent));
                }
            }
            ExpressionKind::Binary(_, a, b) => {
                self.clamps(*a, found);
                self.clamps(*b, found);
            }
            _ => {}
        }
    }

    /// Whether a parameter's name means the parameter everywhere in the kernel.
    fn is_visible(&self, id: VariableId) -> bool {
        let name = &self.program.variable(self.body, id).name;
        let all = self.body.variables.iter();
        all.filter(|v| v.name == *name).count() == 1
    }

    /// An index, a `long`, in terms of the row: that of the integer that it was.
    fn index(&self, id: ExpressionId) -> Option<Along> {
        match self.body.expression(id).kind {
            ExpressionKind::Convert(inside) => self.along(inside),
            _ => self.along(id),
        }
    }

    /// What is known of a value once it is of its type.
    fn along(&self, id: ExpressionId) -> Option<Along> {
        let integer = |s: Scalar| matches!(s, Scalar::Int | Scalar::UInt);
        let found = self.found(id)?;
        let kind = self.program.types.kind(self.body.expression(id).ty);
        match (found, kind) {
            (Along::Place, TypeKind::Vector(v)) if integer(v.scalar) => Some(found),
            (Along::Beside { .. }, TypeKind::Scalar(s)) if integer(s) => Some(found),
            (Along::Even(value), TypeKind::Scalar(s)) => {
                Some(Along::Even(value.filter(|_| integer(s))))
            }
            _ => None,
        }
    }

    fn found(&self, id: ExpressionId) -> Option<Along> {
        let body = self.body;
        match body.expression(id).kind {
            ExpressionKind::Literal(value) => Some(Along::Even(match value {
                Value::Int(_, constant) => Some(Sum {
                    constant,
                    term: None,
                }),
                Value::Float(..) => None,
            })),
            ExpressionKind::Load(place) => self.loaded(place),
            ExpressionKind::Component(of, index) => self.component(self.along(of)?, index),
            ExpressionKind::Convert(inside) | ExpressionKind::Comma(_, inside) => {
                self.along(inside)
            }
            // Its first components.
            ExpressionKind::Construct(ref parts) => {
                let (first, rest) = parts.split_first()?;
                let place = Along::Beside {
                    back: false,
                    by: Sum::default(),
                };
                let even = |e: &ExpressionId| matches!(self.along(*e), Some(Along::Even(_)));
                let same = self.along(*first) == Some(place) && rest.iter().all(even);
                same.then_some(Along::Place)
            }
            ExpressionKind::Unary(UnaryOperator::Negate, inside) => match self.along(inside)? {
                Along::Even(value) => Some(Along::Even(value.and_then(Sum::negative))),
                Along::Beside { back, by } => Some(Along::Beside {
                    back: !back,
                    by: by.negative()?,
                }),
                Along::Place => None,
            },
            ExpressionKind::Binary(
                operator @ (BinaryOperator::Add | BinaryOperator::Subtract),
                left,
                right,
            ) => sum(operator, self.along(left)?, self.along(right)?),
            // Of what is the same for all of them it is the same.
            ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::And(..)
            | ExpressionKind::Or(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Builtin(..) => {
                let even = |e| matches!(self.along(e), Some(Along::Even(_)));
                body.operands(id).all(even).then_some(Along::Even(None))
            }
            _ => None,
        }
    }

    fn loaded(&self, place: PlaceId) -> Option<Along> {
        let place = self.body.place(place);
        let Root::Variable(id) = place.root else {
            return None;
        };
        let whole = if id == self.given.here {
            Along::Place
        } else if self.given.values.contains(&id) {
            if !self.definitions.is_steady(self.body, id) {
                return None;
            }
            let sum = Sum {
                constant: 0,
                term: Some((id, false)),
            };
            let number = self.program.variable(self.body, id).ty;
            let scalar = matches!(self.program.types.kind(number), TypeKind::Scalar(_));
            Along::Even(Some(sum).filter(|_| scalar))
        } else {
            let value = self.definitions.only_value(id);
            let value = value.or_else(|| self.temporary.get(&id).copied());
            self.along(value?)?
        };
        match place.path[..] {
            [] => Some(whole),
            [Step::Component(index)] => self.component(whole, index),
            _ => None,
        }
    }

    fn component(&self, of: Along, index: u32) -> Option<Along> {
        match (of, index) {
            (Along::Place, 0) => Some(Along::Beside {
                back: false,
                by: Sum::default(),
            }),
            (Along::Place, _) | (Along::Even(_), _) => Some(Along::Even(None)),
            _ => None,
        }
    }
}

/// The sum or difference of two values.
fn sum(operator: BinaryOperator, left: Along, right: Along) -> Option<Along> {
    use Along::{Beside, Even};
    let right = match (operator, right) {
        (BinaryOperator::Add, right) => right,
        (_, Even(value)) => Even(value.and_then(Sum::negative)),
        (_, Beside { back, by }) => Beside {
            back: !back,
            by: by.negative()?,
        },
        (_, Along::Place) => return None,
    };
    Some(match (left, right) {
        (Beside { back, by }, Even(Some(s))) | (Even(Some(s)), Beside { back, by }) => Beside {
            back,
            by: by.plus(s)?,
        },
        (Even(Some(a)), Even(Some(b))) => Even(a.plus(b)),
        (Even(_), Even(_)) => Even(None),
        _ => return None,
    })
}
