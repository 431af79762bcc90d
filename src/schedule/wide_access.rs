//! Items that run several neighbouring iterations along x at once: which nests run so, and how many iterations an item has
//! (`rewrite/okl/wide_access/` says what becomes of them).

use super::windows::Window;
use super::{WIDE, coarsening, extents};
use crate::backend::Backend;
use crate::expr::{self, Scalar};
use crate::module::{ElementAccess, Elementwise, LoopId, MOST_OPERATIONS, Module, Nest};
use crate::options::Choices;

/// Who reads several rows accesses so many bytes at once unless somebody says otherwise: rows that begin at all such addresses are
/// more than those that begin where there are 16.
const WIDE_ROWS: usize = 8;

/// What an item has of arrays at once has no more bytes than these if somebody reads neighbours, or too few items have registers.
const MOST_BYTES: usize = 128;

/// The same if it runs several iterations of an outer loop, which keep what they have read (13 points of a cube in `double`), and if these
/// share most of that (27 points).
const MOST_BYTES_KEPT: usize = 192;
const MOST_BYTES_SHARED: usize = 320;

/// Of how many iterations of an outer loop that is: each begins with what the one before has read, so that more registers than for
/// one are hardly needed. Of eight, some stencils gain more, and others lose a tenth.
const ITERATIONS: usize = 4;

/// How the items of a nest run several iterations at once.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    /// How many.
    pub(crate) width: usize,
    /// So many iterations before the first one of all the first chunk begins.
    pub(crate) shift: usize,
    /// Of each array's elements, what an item needs.
    pub(crate) windows: Vec<Window>,
    /// How many iterations a group of the program has along x.
    pub(crate) items: usize,
    /// The two loops along x are those of one tile.
    pub(crate) tiles: bool,
}

impl Wide {
    /// How the items of a nest run several iterations at once, if they do: no more than somebody has chosen, and if somebody
    /// has, whatever there is to do. With it comes the outer loop of which they run several iterations besides.
    pub(crate) fn of(
        module: &Module,
        backend: &Backend,
        nest: &Nest,
        choices: Choices,
    ) -> Option<(Self, Option<(LoopId, usize)>)> {
        if !backend.lowering.wide {
            return None;
        }
        let this = nest.legal.wide.as_ref()?;
        let items = nest.inner.first().and_then(expr::constant)?;
        let items = usize::try_from(items)
            .ok()
            .filter(|_| nest.threads.is_some())?;
        // What the launch cannot count is not grouped.
        let counted = nest
            .outer
            .first()
            .is_some_and(|e| expr::constant(e).is_none_or(|n| n < i64::from(u32::MAX)));
        let counted = counted && extents::is_known(&module.loop_(this.outer).count);
        let directive = |d: &crate::module::Directive| nest.span.contains(d.span);
        if !counted || module.directives.iter().any(directive) || hides(module, this.leaf) {
            return None;
        }
        let outermost = coarsening::iterations(module, nest, choices.coarsen);
        let many = |(outer, few)| (outer, choices.coarsen.map_or(ITERATIONS, |_| few));
        let outermost = outermost.map(many);
        let outermost = outermost.filter(|(outer, _)| *outer != this.outer && this.total);
        let again = nest.legal.coarsened.as_ref().map_or(0, |c| c.again);
        let mut width = WIDE / this.elements.iter().map(|e| e.scalar.size()).max()?;
        while width > 1 {
            if let Some(wide) = Self::with(module, this, items, width)
                && let Some(coarse) = wide.coarse(this, (outermost, again), choices)
            {
                return Some((wide, coarse));
            }
            width /= 2;
        }
        None
    }

    /// How it is with so many iterations, if they can run at once, and accesses become fewer by it.
    fn with(module: &Module, this: &Elementwise, items: usize, width: usize) -> Option<Self> {
        let written = this.elements.iter().find(|e| e.writes);
        let own = written.or(this.elements.first())?.offset;
        let shift = own.rem_euclid(width as i64);
        let tiles = module.loop_(this.outer).children.contains(&this.leaf)
            && module.loop_(this.leaf).tile.is_some();
        // Iterations before the first one of all are counted where no groups are.
        if !items.is_multiple_of(width) || shift != 0 && !(tiles && this.total) {
            return None;
        }
        let windows = this.elements.iter();
        let windows: Vec<Window> = windows.map(|e| Window::of(e, width, shift)).collect();
        let all = || this.elements.iter().zip(&windows);
        if all().any(|(e, w)| e.writes && !w.is_one_piece()) {
            return None;
        }
        let before: usize = this.elements.iter().map(|e| e.distances() * width).sum();
        let accesses: usize = windows.iter().map(Window::accesses).sum();
        let pays = 10 * accesses <= 7 * before;
        pays.then_some(Self {
            width,
            shift: usize::try_from(shift).unwrap_or(0),
            windows,
            items,
            tiles,
        })
    }

    /// Which outer loop items run several iterations of besides; nothing if that is too much for them.
    fn coarse(
        &self,
        this: &Elementwise,
        (outermost, again): (Option<(LoopId, usize)>, usize),
        choices: Choices,
    ) -> Option<Option<(LoopId, usize)>> {
        let largest = this.elements.iter().map(|e| e.scalar.size()).max()?;
        let double = this.elements.iter().any(|e| e.scalar == Scalar::Double);
        let scalar = if double {
            Scalar::Double
        } else {
            Scalar::Float
        };
        let operations = self.width * this.work.straight_in(scalar)?;
        let neighbours = self.windows.iter().any(|w| !w.is_one_piece());
        let outermost = outermost.filter(|_| neighbours);
        if let Some(most) = choices.elements {
            let fits = self.width <= usize::from(most);
            return fits.then_some(outermost);
        }
        if !neighbours {
            return (operations <= MOST_OPERATIONS).then_some(None);
        }
        let array = |e: &ElementAccess| this.elements.iter().filter(|o| o.array == e.array).count();
        let rows = this.elements.iter().any(|e| array(e) > 1);
        if rows && self.width * largest > WIDE_ROWS.max(2 * largest) {
            return None;
        }
        let windows = this.elements.iter().zip(&self.windows);
        let bytes: usize = windows.map(|(e, w)| e.scalar.size() * w.count).sum();
        let fits = |operations: usize, most: usize| operations <= MOST_OPERATIONS && bytes <= most;
        let reads = this.elements.iter().filter(|e| e.reads);
        let reads: usize = reads.map(ElementAccess::distances).sum();
        // Of what iterations have in common, half is counted once.
        let together = outermost.filter(|(_, many)| {
            let most = match 2 * again >= reads {
                true => MOST_BYTES_SHARED,
                false => MOST_BYTES_KEPT,
            };
            fits(operations * many / 2, most)
        });
        (together.is_some() || fits(operations, MOST_BYTES)).then_some(together)
    }

    /// What the loop variable of the innermost loop is computed of.
    pub(crate) fn index(&self) -> &'static str {
        match self.tiles {
            true => "brook_iteration_x",
            false => "brook_item_x",
        }
    }

    /// How many chunks have as many iterations as a group of the program.
    pub(crate) fn chunks(&self) -> usize {
        self.items / self.width
    }
}

/// Whether a loop's variable hides that of a loop around it.
fn hides(module: &Module, leaf: LoopId) -> bool {
    // The halves of a tile have one.
    let around = module.and_around(leaf).map(|id| module.loop_(id));
    let around = around.filter(|l| l.is_statement());
    let mut names: Vec<&str> = around.map(|l| l.header.variable.as_str()).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    names.len() < all
}
