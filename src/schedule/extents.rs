//! How many groups and items a nest has, as far as that is known, or as device code can compute it.

use crate::expr::{self, Expr};
use crate::module::Nest;

/// Whether device code can compute an expression of the host's: functions have other names
/// there, and tables of the host stay there.
pub(super) fn is_known(e: &Expr) -> bool {
    if let Expr::Call(..) | Expr::Element(..) = e {
        return false;
    }
    let mut known = true;
    let _ = e.map_parts(&mut |part| {
        known &= is_known(part);
        part.clone()
    });
    known
}

/// So much times the iterations of a nest's groups and items: what is known of it, and the other factors as text, in floating point,
/// where nothing overflows. `None` if device code cannot compute it.
pub(super) fn times_iterations(so_much: u64, nest: &Nest) -> Option<(u64, Vec<String>)> {
    let (mut known, mut unknown) = (so_much, Vec::new());
    for extent in nest.outer.iter().chain(&nest.inner) {
        match expr::constant(extent) {
            Some(n) => known = known.saturating_mul(u64::try_from(n).unwrap_or(0)),
            None if is_known(extent) => unknown.push(format!("(double)({extent})")),
            None => return None,
        }
    }
    Some((known, unknown))
}
