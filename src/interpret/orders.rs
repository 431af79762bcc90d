//! A kernel in several orders of groups and items: what all of them found, and what depends on the order.

use super::findings::{Element, Finding, Findings, Kind, Who};
use super::{Argument, Failure, Launched, Order, Settings, run};
use crate::body::{BodyId, Program, Type, TypeKind};
use crate::expr::Scalar;

/// How far apart `float`s and `double`s may be, of numbers above 1 relative to them, for rounding to be the reason.
const ROUNDING: [f64; 2] = [1e-4, 1e-10];

/// What one run left: what it found and launched, and what it made of the arguments.
type Ran = Result<(Findings, Vec<Launched>, Vec<Argument>), Failure>;

/// Runs a kernel once in each order; arguments hold afterwards what the first one made of them, and what it launched is told.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_orders(
    program: &Program,
    kernel: BodyId,
    arguments: &mut Vec<Argument>,
    orders: &[Order],
    settings: &Settings,
) -> Result<(Vec<Finding>, Vec<Launched>), Failure> {
    let given = arguments.clone();
    let one = |order: Order, memory: u64| -> Ran {
        let settings = Settings {
            order,
            memory,
            ..settings.clone()
        };
        let mut mine = given.clone();
        let (found, launched) = run(program, kernel, &mut mine, &settings)?;
        Ok((found, launched, mine))
    };
    let mut all = side_by_side(orders, settings.memory, &one);
    let full = |ran: &Ran| matches!(ran, Err(Failure::Memory(_)));
    if orders.len() > 1 && all.iter().any(full) {
        // Each may take all that there is where no other one runs.
        all.clear();
        for &order in orders {
            all.push(Ok(one(order, settings.memory)?));
        }
    }
    let mut found: Option<Findings> = None;
    let mut launched = Vec::new();
    for ran in all {
        let (now, launches, mine) = ran?;
        match &mut found {
            None => {
                found = Some(now);
                *arguments = mine;
                launched = launches;
            }
            Some(found) => {
                found.merge(now);
                compare(program, kernel, arguments, &mine, found);
            }
        }
    }
    Ok((found.unwrap_or_default().into_sorted(), launched))
}

/// What each order comes to, in their order: each by a thread, with its part of the memory.
fn side_by_side(
    orders: &[Order],
    memory: u64,
    one: &(impl Fn(Order, u64) -> Ran + Sync),
) -> Vec<Ran> {
    let Some((&first, others)) = orders.split_first() else {
        return Vec::new();
    };
    let each = memory / orders.len() as u64;
    std::thread::scope(|scope| {
        let threads = others
            .iter()
            .map(|&order| scope.spawn(move || one(order, each)));
        let threads: Vec<_> = threads.collect();
        let mut all = vec![one(first, each)];
        let joined = threads.into_iter().map(|thread| thread.join());
        all.extend(joined.map(|ran| ran.unwrap_or_else(|panic| std::panic::resume_unwind(panic))));
        all
    })
}

/// Where the numbers of a type lie, in bytes.
fn numbers(program: &Program, ty: Type, at: u64, out: &mut Vec<(usize, Scalar)>) {
    let types = &program.types;
    match types.kind(ty) {
        TypeKind::Scalar(scalar) => out.push((at as usize, scalar)),
        TypeKind::Vector(vector) => {
            let size = vector.scalar.size();
            out.extend(
                (0..usize::from(vector.width)).map(|i| (at as usize + i * size, vector.scalar)),
            );
        }
        TypeKind::Array(of, count) => {
            for index in 0..count {
                numbers(program, of, at + index * types.size(of), out);
            }
        }
        TypeKind::Record(id) => {
            for field in &types.record(id).fields {
                numbers(program, field.ty, at + field.offset, out);
            }
        }
        TypeKind::Void | TypeKind::Pointer(_) => {}
    }
}

fn compare(
    program: &Program,
    kernel: BodyId,
    first: &[Argument],
    second: &[Argument],
    found: &mut Findings,
) {
    let body = &program.bodies[kernel.0 as usize];
    for ((one, other), variable) in first.iter().zip(second).zip(&body.variables) {
        let (Argument::Buffer { bytes: one, .. }, Argument::Buffer { bytes: other, .. }) =
            (one, other)
        else {
            continue;
        };
        let Some(of) = program.types.element(variable.ty) else {
            continue;
        };
        let size = program.types.size(of).max(1) as usize;
        let mut places = Vec::new();
        numbers(program, of, 0, &mut places);
        let pairs = one.chunks_exact(size).zip(other.chunks_exact(size));
        let extent = (one.len() / size) as u64;
        for (index, (one, other)) in pairs.enumerate() {
            if one == other {
                continue;
            }
            for &(at, scalar) in &places {
                let [a, b] = [one, other].map(|bytes| Number::read(&bytes[at..], scalar));
                let Some(kind) = a.differs(b, scalar) else {
                    continue;
                };
                let nobody = Who {
                    group: None,
                    item: None,
                };
                found.add(kind, variable.span, None, || Finding {
                    kind,
                    span: variable.span,
                    other: None,
                    element: Some(Element {
                        name: variable.name.clone(),
                        index: index as i64,
                        extent,
                    }),
                    who: nobody,
                    other_who: None,
                    detail: a.to_string(),
                    other_detail: b.to_string(),
                    launch: 0,
                    count: 1,
                });
            }
        }
    }
}

/// A number out of a buffer.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Integer(i128),
    Real(f64),
}

impl Number {
    fn read(bytes: &[u8], scalar: Scalar) -> Self {
        let raw = super::memory::fetch(bytes, 0, super::code::Width::of(scalar));
        match scalar {
            Scalar::Float => Self::Real(f32::from_bits(raw as u32).into()),
            Scalar::Double => Self::Real(f64::from_bits(raw)),
            _ if scalar.is_unsigned() => Self::Integer(raw.into()),
            _ => Self::Integer((raw as i64).into()),
        }
    }

    fn differs(self, other: Self, scalar: Scalar) -> Option<Kind> {
        let (Self::Real(a), Self::Real(b)) = (self, other) else {
            return (self != other).then_some(Kind::OrderDependence);
        };
        if a.to_bits() == b.to_bits() {
            return None;
        }
        let most = ROUNDING[usize::from(scalar == Scalar::Double)];
        let close = (a - b).abs() <= most * a.abs().max(1.0);
        Some(match close {
            true => Kind::OrderRounding,
            false => Kind::OrderDependence,
        })
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Integer(value) => value.fmt(f),
            Self::Real(value) => value.fmt(f),
        }
    }
}
