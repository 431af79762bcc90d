//! Row gathers: gathers that read at an element's place along its row, or against it, plus what is the same along it.
//!
//! **Legality.** The fastest index is `s + x` or `s - x`, in integers that wrap, where `x` is the place along the row and `s` a
//! constant, and perhaps a parameter or its negative. Where all such gathers of a row are inside, they are without what clamps
//! an index; whoever writes that compares in 64 bits. The numbers may be floating-point ones on the way, as `indexof` has them,
//! without a parameter: those are exact up to 2^24, and so is a sum where the place is below 2^23 and the constant below 2^22.
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
use foldhash::{HashMap, HashMapExt, HashSet};

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
    /// The index is a floating-point number somewhere: it is that where the place is below [`EXACT`].
    pub(crate) float: bool,
    /// The other indices are the same along a row.
    pub(crate) one_row: bool,
}

/// Up to here floating-point numbers are places, also with [`LARGEST`] added.
pub(crate) const EXACT: i64 = 1 << 23;

/// The largest constant that is added to one.
const LARGEST: i64 = 1 << 22;

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
    Number(Number),
    /// Its first component; the others are the same for all elements of the row.
    Vector(Number),
}

/// A number in terms of a row of elements.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    /// `s + x`, or `s - x` if it goes back.
    Beside { back: bool, by: Sum, float: bool },
    /// The same for all elements of the row, and what, if it is such a sum.
    Even(Option<Sum>),
}

/// The place itself.
const PLACE: Number = Number::Beside {
    back: false,
    by: Sum {
        constant: 0,
        term: None,
    },
    float: false,
};

impl Number {
    fn negative(self) -> Option<Self> {
        Some(match self {
            Self::Even(value) => Self::Even(value.and_then(Sum::negative)),
            Self::Beside { back, by, float } => Self::Beside {
                back: !back,
                by: by.negative()?,
                float,
            },
        })
    }

    fn plus(self, other: Self) -> Option<Self> {
        use Number::{Beside, Even};
        Some(match (self, other) {
            (Beside { back, by, float }, Even(Some(s)))
            | (Even(Some(s)), Beside { back, by, float }) => Beside {
                back,
                by: by.plus(s)?,
                float,
            },
            (Even(Some(a)), Even(Some(b))) => Even(a.plus(b)),
            (Even(_), Even(_)) => Even(None),
            _ => return None,
        })
    }

    /// What is known of it once it is a number of that type; `None` if it may be another then.
    fn of(self, scalar: Scalar) -> Option<Self> {
        let exact = |by: Sum| by.term.is_none() && by.constant.abs() <= LARGEST;
        let integer = matches!(scalar, Scalar::Int | Scalar::UInt);
        let known = |by: Sum| integer || scalar.is_float() && exact(by);
        match self {
            Self::Even(value) => Some(Self::Even(value.filter(|v| known(*v)))),
            Self::Beside { back, by, float } => known(by).then_some(Self::Beside {
                back,
                by,
                float: float || scalar.is_float(),
            }),
        }
    }
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
            && body.variables[index as usize].is_temporary()
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
                false => one_row &= matches!(self.index(index), Some(Number::Even(_))),
            }
        }
        let Some(Number::Beside { back, by, float }) = fastest.and_then(|f| self.index(f)) else {
            return None;
        };
        Some(RowGather {
            at: place.span,
            back,
            offset: i32::try_from(by.constant).ok()?,
            term: by.term.filter(|(of, _)| self.is_visible(*of)),
            float,
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

    /// An index, a `long`, in terms of the row: that of the number that it was. What is rounded was one of floating point.
    fn index(&self, id: ExpressionId) -> Option<Number> {
        let ExpressionKind::Convert(inside) = self.body.expression(id).kind else {
            return self.number(id);
        };
        self.number(self.rounded(inside).unwrap_or(inside))
    }

    /// What is rounded to the nearest place: `x` of `floor(x + 0.25)`.
    fn rounded(&self, id: ExpressionId) -> Option<ExpressionId> {
        let body = self.body;
        let ExpressionKind::Builtin(Builtin::Real("floor"), values) = &body.expression(id).kind
        else {
            return None;
        };
        let ExpressionKind::Binary(BinaryOperator::Add, value, quarter) =
            body.expression(*values.first()?).kind
        else {
            return None;
        };
        let ExpressionKind::Literal(quarter) = body.expression(quarter).kind else {
            return None;
        };
        (quarter.as_f64() == 0.25).then_some(value)
    }

    fn number(&self, id: ExpressionId) -> Option<Number> {
        match self.along(id)? {
            Along::Number(number) => Some(number),
            Along::Vector(_) => None,
        }
    }

    /// What is known of a value once it is of its type.
    fn along(&self, id: ExpressionId) -> Option<Along> {
        let kind = self.program.types.kind(self.body.expression(id).ty);
        Some(match (self.found(id)?, kind) {
            (Along::Number(number), TypeKind::Scalar(s)) => Along::Number(number.of(s)?),
            (Along::Vector(first), TypeKind::Vector(v)) => Along::Vector(first.of(v.scalar)?),
            _ => return None,
        })
    }

    fn found(&self, id: ExpressionId) -> Option<Along> {
        let body = self.body;
        match body.expression(id).kind {
            ExpressionKind::Literal(value) => Some(Along::Number(Number::Even(constant(value)))),
            ExpressionKind::Load(place) => self.loaded(place),
            ExpressionKind::Component(of, index) => component(self.along(of)?, index),
            ExpressionKind::Comma(_, inside) => self.along(inside),
            ExpressionKind::Convert(inside) => self.converted(id, inside),
            // Its components.
            ExpressionKind::Construct(ref parts) => {
                let (first, rest) = parts.split_first()?;
                let even = |e: &ExpressionId| matches!(self.number(*e), Some(Number::Even(_)));
                let all = rest.iter().all(even);
                all.then(|| self.number(*first).map(Along::Vector))?
            }
            ExpressionKind::Unary(UnaryOperator::Negate, inside) => match self.along(inside)? {
                Along::Number(number) => number.negative().map(Along::Number),
                Along::Vector(first) => first.negative().map(Along::Vector),
            },
            ExpressionKind::Binary(
                operator @ (BinaryOperator::Add | BinaryOperator::Subtract),
                left,
                right,
            ) => {
                let sum = |left: Number, right: Number| match operator {
                    BinaryOperator::Add => left.plus(right),
                    _ => left.plus(right.negative()?),
                };
                match (self.along(left)?, self.along(right)?) {
                    (Along::Number(a), Along::Number(b)) => sum(a, b).map(Along::Number),
                    (Along::Vector(a), Along::Vector(b)) => sum(a, b).map(Along::Vector),
                    _ => None,
                }
            }
            // Of what is the same for all of them it is the same.
            ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::And(..)
            | ExpressionKind::Or(..)
            | ExpressionKind::Conditional(..)
            | ExpressionKind::Builtin(..) => {
                let even = |e| matches!(self.along(e), Some(Along::Number(Number::Even(_))));
                let same = Along::Number(Number::Even(None));
                body.operands(id).all(even).then_some(same)
            }
            _ => None,
        }
    }

    /// A conversion. Those between floating-point numbers and unsigned ones are not the same modulo 2^32.
    fn converted(&self, id: ExpressionId, inside: ExpressionId) -> Option<Along> {
        let found = self.along(inside)?;
        let scalar = |id| match self.program.types.kind(self.body.expression(id).ty) {
            TypeKind::Scalar(s) => Some(s),
            TypeKind::Vector(v) => Some(v.scalar),
            _ => None,
        };
        let (from, to) = (scalar(inside)?, scalar(id)?);
        let other = from.is_float() && to.is_unsigned() || from.is_unsigned() && to.is_float();
        match found {
            Along::Number(Number::Even(_)) if other => Some(Along::Number(Number::Even(None))),
            _ if other => None,
            _ => Some(found),
        }
    }

    fn loaded(&self, place: PlaceId) -> Option<Along> {
        let place = self.body.place(place);
        let Root::Variable(id) = place.root else {
            return None;
        };
        let whole = if id == self.given.here {
            Along::Vector(PLACE)
        } else if self.given.values.contains(&id) {
            if !self.definitions.is_steady(self.body, id) {
                return None;
            }
            let sum = Sum {
                constant: 0,
                term: Some((id, false)),
            };
            let number = self.program.variable(self.body, id).ty;
            match self.program.types.kind(number) {
                TypeKind::Scalar(_) => Along::Number(Number::Even(Some(sum))),
                TypeKind::Vector(_) => Along::Vector(Number::Even(None)),
                _ => return None,
            }
        } else {
            let value = self.definitions.only_value(id);
            let value = value.or_else(|| self.temporary.get(&id).copied());
            self.along(value?)?
        };
        match place.path[..] {
            [] => Some(whole),
            [Step::Component(index)] => component(whole, index),
            _ => None,
        }
    }
}

fn component(of: Along, index: u32) -> Option<Along> {
    match (of, index) {
        (Along::Vector(first), 0) => Some(Along::Number(first)),
        (Along::Vector(_), _) => Some(Along::Number(Number::Even(None))),
        _ => None,
    }
}

/// A literal as a sum, if it is an integer.
fn constant(value: Value) -> Option<Sum> {
    let constant = match value {
        Value::Int(_, constant) => constant,
        Value::Float(_, number) => {
            let whole = number.trunc() == number && number.abs() <= LARGEST as f64;
            whole.then_some(number as i64)?
        }
    };
    Some(Sum {
        constant,
        term: None,
    })
}
