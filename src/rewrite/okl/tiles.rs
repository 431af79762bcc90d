//! The last tile of a loop, which may reach past the end of the variable's type: what is compared is how
//! much remains, not where an item past the end would be.

use crate::expr::{Scalar, constant};
use crate::lex::without_const;
use crate::module::{Comparison, Header, Loop};
use crate::rewrite::text::parenthesized;
use crate::schedule::is_canonical;

/// Whether an item of the last tile may lie beyond what the loop variable's type holds, as far as is
/// known.
pub(super) fn may_wrap(part: &Loop) -> bool {
    let h = &part.header;
    let (Some(tile), None) = (&part.tile, h.wide()) else {
        return false;
    };
    let (low, high) = match h.scalar {
        Some(Scalar::Int) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some(Scalar::UInt) => (0, i64::from(u32::MAX)),
        _ => return false,
    };
    if h.is_auto() {
        return false;
    }
    let width = constant(&tile.size).zip(constant(&h.step));
    let width = width.and_then(|(size, step)| size.checked_mul(step));
    let last = constant(&h.end).zip(width).and_then(|(end, width)| {
        if h.down {
            end.checked_sub(width)
        } else {
            end.checked_add(width)
        }
    });
    !last.is_some_and(|last| (low..=high).contains(&last))
}

/// The type in which a loop over tiles counts, where it stays a loop.
pub(super) fn counter(part: &Loop) -> Option<&'static str> {
    (may_wrap(part) || may_cover_too_much(&part.header)).then_some("long")
}

/// The lower and the upper end of a loop, where they are known.
fn constant_ends(h: &Header) -> (Option<i64>, Option<i64>) {
    let (start, end) = (constant(&h.start), constant(&h.end));
    match h.down {
        true => (end, start),
        false => (start, end),
    }
}

/// Whether more than an `int` counts may lie between a loop's ends: OpenMP's compilers count in the type of the variable.
fn may_cover_too_much(h: &Header) -> bool {
    if h.scalar != Some(Scalar::Int) || h.wide().is_some() || h.is_auto() {
        return false;
    }
    match constant_ends(h) {
        (Some(from), Some(to)) => i128::from(to) - i128::from(from) > i128::from(i32::MAX),
        (Some(from), None) => from < 0,
        (None, Some(to)) => to >= 0,
        (None, None) => true,
    }
}

/// The header of a loop within a tile, with the loop's end as its own where that comes first. `tile` is
/// the tile's first value, `width` what a tile covers, `wide` says that `tile` is of a wider type, `canonical` that the loop has the form that OpenMP knows, with one
/// variable.
pub(super) fn within(
    part: &Loop,
    tile: &str,
    width: &str,
    wide: bool,
    texts: (&str, &str),
    canonical: bool,
) -> String {
    let h = &part.header;
    let (end, step) = texts;
    let (i, ty) = (&h.variable, h.plain_type());
    let (compare, sign) = if h.down { (">", '-') } else { ("<", '+') };
    let first = format!("{ty} {i} = {tile}");
    let bound = bound(part, tile, width, wide, end);
    match canonical {
        true => format!("for ({first}; {i} {compare} ({bound}); {i} {sign}= {step})"),
        false => {
            let last = format!("brook_end_{i}");
            format!("for ({first}, {last} = {bound}; {i} {compare} {last}; {i} {sign}= {step})")
        }
    }
}

/// Where the loop within a tile ends.
pub(super) fn bound(part: &Loop, tile: &str, width: &str, wide: bool, end: &str) -> String {
    let h = &part.header;
    let sign = if h.down { '-' } else { '+' };
    let remains = distance(h, tile, end, wide);
    let most = match is_signed(h, wide) {
        true => width.to_string(),
        false => format!("(unsigned int){}", parenthesized(width)),
    };
    let end = parenthesized(end.trim());
    let bound = match h.comparison {
        Comparison::LessEqual => format!("{end} + 1"),
        Comparison::GreaterEqual => format!("{end} - 1"),
        _ => end,
    };
    format!("{remains} < {most} ? {bound} : {tile} {sign} {width}")
}

/// The condition under which an item so far behind a tile's first value runs.
pub(super) fn check(part: &Loop, tile: &str, offset: &str, end: &str, wide: bool) -> String {
    let h = &part.header;
    let compare = match h.comparison {
        Comparison::LessEqual | Comparison::GreaterEqual => "<=",
        _ => "<",
    };
    let remains = distance(h, tile, end, wide);
    match is_signed(h, wide) {
        true => format!("{offset} {compare} {remains}"),
        false => format!(
            "(unsigned int){} {compare} {remains}",
            parenthesized(offset)
        ),
    }
}

/// How far the loop's end is from a tile's first value.
fn distance(h: &Header, tile: &str, end: &str, wide: bool) -> String {
    let end = parenthesized(end.trim());
    let (from, to) = if h.down {
        (end.as_str(), tile)
    } else {
        (tile, end.as_str())
    };
    match is_signed(h, wide) {
        true if from == "0" => to.to_string(),
        true => format!("{to} - {from}"),
        false => format!("(unsigned int){to} - (unsigned int){from}"),
    }
}

/// Whether the distance fits into the type in which it is computed: if both ends are on one side of zero,
/// or in a wider type.
fn is_signed(h: &Header, wide: bool) -> bool {
    wide || h.scalar == Some(Scalar::UInt) || constant_ends(h).0.is_some_and(|n| n >= 0)
}

/// Whether the iterations of a loop can be counted in the type of its variable, as far as is known: neither the
/// distance that it covers nor a step past its end leaves that type.
pub(super) fn fits(h: &Header) -> bool {
    if !is_canonical(h) {
        return false;
    }
    let (low, high) = match h.scalar {
        Some(Scalar::Int) => (i64::from(i32::MIN), i64::from(i32::MAX)),
        Some(Scalar::UInt) => (0, i64::from(u32::MAX)),
        _ => return true,
    };
    if h.is_auto() {
        return true;
    }
    let (from, to) = constant_ends(h);
    match (from, to, constant(&h.step)) {
        (Some(from), Some(to), Some(step)) => {
            let past = i128::from(to) + i128::from(step);
            let before = i128::from(from) - i128::from(step);
            let inside = past <= i128::from(high) && (!h.down || before >= i128::from(low));
            inside && past - i128::from(from) <= i128::from(i32::MAX)
        }
        // Bounds on one side of zero, and nothing that reaches past them.
        (Some(from), _, Some(1)) => from >= 0,
        (None, _, Some(1)) => h.scalar == Some(Scalar::UInt),
        _ => false,
    }
}

/// Whether a loop may begin below zero and reach so far that the distance from there does not fit.
pub(super) fn crosses_zero(h: &Header) -> bool {
    !is_signed(h, false) && !fits(h)
}

/// The loop variable of what is counted in a wider one.
pub(super) fn counted(h: &Header) -> String {
    let ty = without_const(&h.type_name);
    format!(
        "{} {} = ({ty})brook_long_{};",
        h.type_name, h.variable, h.variable
    )
}
