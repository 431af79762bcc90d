//! Which elements the iterations of a nest have.

use super::forms::{Form, Forms};
use super::nest::Nest;
use super::pointed;
use crate::body::{Body, ExpressionId, PlaceId, Program, Root, StatementId, StatementKind};
use crate::facts::Definitions;
use std::ops::Range;

/// Iterations of one loop, or of several that count together: `slopes[0] * k0 + slopes[1] * k1 …` is each number from `low` to
/// `high` once.
struct Axis {
    slopes: Vec<i64>,
    low: i64,
    high: i64,
}

/// The elements if each is one iteration's, and they lie side by side.
pub(super) fn elements(
    program: &Program,
    body: &Body,
    definitions: &Definitions,
    nest: &Nest<'_>,
    value: &dyn Fn(usize) -> Option<i64>,
) -> Option<Range<u64>> {
    let mut forms = Forms::new(program, body, definitions, value);
    forms.count(nest)?;
    let mut axes = axes(&forms);
    let tiles = nest.loops.iter().filter_map(|l| Some((l.guard?, true)));
    let mut conditions = Vec::new();
    for (condition, holds) in tiles.chain(nest.guards.iter().copied()) {
        forms.conditions(condition, holds, &mut conditions)?;
    }
    for condition in &conditions {
        bound(&forms, &mut axes, condition)?;
    }
    let mut index: Option<Form> = None;
    for place in places(body, &nest.rest) {
        let Root::Pointer(pointer) = body.place(place).root else {
            continue;
        };
        let (_, moved) = pointed(body, definitions, pointer)?;
        let mut sum = None;
        for by in moved {
            let by = forms.form(by)?;
            sum = Some(match sum {
                None => by,
                Some(sum) => by.plus(&sum)?,
            });
        }
        let mut found = sum?;
        // Loops that have no part in it are no difference.
        found.slopes.resize(forms.counters.len(), 0);
        match &index {
            Some(index) if *index != found => return None,
            _ => index = Some(found),
        }
    }
    side_by_side(&axes, &index?)
}

fn axes(forms: &Forms<'_>) -> Vec<Axis> {
    let counters = forms.counters.len();
    let axis = |(counter, (.., count)): (usize, &(_, _, i64))| {
        let mut slopes = vec![0; counters];
        slopes[counter] = 1;
        let (low, high) = (0, count - 1);
        Axis { slopes, low, high }
    };
    forms.counters.iter().enumerate().map(axis).collect()
}

/// Leaves out iterations in which a sum is more than 0; `None` where those that are left are no axes.
fn bound(forms: &Forms<'_>, axes: &mut Vec<Axis>, form: &Form) -> Option<()> {
    let (_, high) = forms.range(form)?;
    if high <= 0 {
        return Some(());
    }
    let slopes: Vec<i64> = (0..forms.counters.len()).map(|c| form.slope(c)).collect();
    let gcd = slopes.iter().fold(0, |a, b| gcd(a, b.abs()));
    if gcd == 0 {
        return None;
    }
    let sign = slopes.iter().find(|s| **s != 0)?.signum();
    let slopes: Vec<i64> = slopes.iter().map(|s| s / gcd * sign).collect();
    if slopes.iter().any(|s| *s < 0) {
        return None;
    }
    // sign * gcd * axis + constant <= 0
    let most = form.constant.checked_neg()?.div_euclid(gcd);
    let axis = match axes.iter_mut().find(|a| a.slopes == slopes) {
        Some(axis) => axis,
        None => {
            let axis = together(axes, slopes)?;
            axes.push(axis);
            axes.last_mut()?
        }
    };
    match sign {
        1 => axis.high = axis.high.min(most),
        _ => axis.low = axis.low.max(most.checked_neg()?),
    }
    Some(())
}

/// Takes the loops that these slopes are of from the axes, if they count together without a gap.
fn together(axes: &mut Vec<Axis>, slopes: Vec<i64>) -> Option<Axis> {
    let meets = |axis: &Axis| {
        axis.slopes
            .iter()
            .zip(&slopes)
            .any(|(a, b)| *a != 0 && *b != 0)
    };
    let (mut parts, rest): (Vec<Axis>, Vec<Axis>) = axes.drain(..).partition(meets);
    *axes = rest;
    let own = |axis: &Axis| axis.slopes.iter().position(|s| *s != 0);
    let factor =
        |axis: &Axis| own(axis).map_or(0, |counter| slopes[counter] / axis.slopes[counter]);
    parts.sort_by_key(factor);
    let (mut next, mut low, mut high) = (1i64, 0i64, 0i64);
    for axis in &parts {
        let scaled = axis
            .slopes
            .iter()
            .zip(&slopes)
            .all(|(a, b)| *a == 0 || a.checked_mul(factor(axis)) == Some(*b));
        if axis.high < axis.low {
            return None;
        }
        if !scaled || factor(axis) != next {
            return None;
        }
        low = low.checked_add(axis.low.checked_mul(next)?)?;
        high = high.checked_add(axis.high.checked_mul(next)?)?;
        next = next.checked_mul((axis.high - axis.low).checked_add(1)?)?;
    }
    Some(Axis { slopes, low, high })
}

/// The numbers that an index is, if it is each of them once.
fn side_by_side(axes: &[Axis], index: &Form) -> Option<Range<u64>> {
    let (mut parts, mut first) = (Vec::new(), index.constant);
    for axis in axes {
        let counter = axis.slopes.iter().position(|s| *s != 0)?;
        let factor = index.slope(counter) / axis.slopes[counter];
        let scaled =
            |(c, s): (usize, &i64)| *s == 0 || s.checked_mul(factor) == Some(index.slope(c));
        if !axis.slopes.iter().enumerate().all(scaled) || axis.high < axis.low {
            return None;
        }
        let extent = (axis.high - axis.low).checked_add(1)?;
        // Loops may count down.
        let least = if factor < 0 { axis.high } else { axis.low };
        first = first.checked_add(factor.checked_mul(least)?)?;
        parts.push((factor.checked_abs()?, extent));
    }
    parts.sort_unstable();
    let mut next = 1i64;
    for (factor, extent) in parts {
        if extent == 1 {
            continue;
        }
        if factor != next {
            return None;
        }
        next = next.checked_mul(extent)?;
    }
    let first = u64::try_from(first).ok()?;
    Some(first..first.checked_add(u64::try_from(next).ok()?)?)
}

fn gcd(a: i64, b: i64) -> i64 {
    match b {
        0 => a,
        b => gcd(b, a % b),
    }
}

/// All places that statements read and write.
pub(super) fn places(body: &Body, list: &[StatementId]) -> Vec<PlaceId> {
    let mut all = Vec::new();
    each_value(body, list, &mut |id| all.extend(body.place_of(id)));
    all
}

/// Calls a visitor with all values in some statements of the kinds that maps are made of.
pub(super) fn each_value(body: &Body, list: &[StatementId], visit: &mut dyn FnMut(ExpressionId)) {
    for &id in list {
        match &body.statement(id).kind {
            StatementKind::Expression(value) => body.each_value(*value, visit),
            StatementKind::Block(inside) => each_value(body, inside, visit),
            StatementKind::If {
                condition,
                then,
                otherwise,
            } => {
                body.each_value(*condition, visit);
                each_value(body, then, visit);
                each_value(body, otherwise, visit);
            }
            _ => {}
        }
    }
}
