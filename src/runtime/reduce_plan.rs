//! How the work of a reduction whose elements may be folded in any order is shared out.
//!
//! The tile of one output is seen as rows that lie in one piece, as long as can be. A GPU's neighbouring items
//! read neighbouring elements: of one row, or where rows are short, of the rows of neighbouring outputs.

use super::layout::{Layout, MOST_DIMENSIONS, Shape};
use crate::module::LaunchVariable;
use crate::rewrite::{self, ACROSS, ONE_ROW};

/// Items of a group.
const GROUP: u64 = rewrite::GROUP as u64;

/// The most elements of a row that a thread of a processor reads at once, of different outputs: pages should be read
/// as far as they go, and the outputs, as many as there is memory for in the generated source, stay in the cache.
const LANES_OF_THREAD: u64 = 8192;

/// Elements that an item of a GPU has to fold at least for a part of its own to pay.
const FOLDS: u64 = 32;

/// Groups for each multiprocessor that all its items fill, and groups for single rows: registers let five or eight of
/// those run side by side, and the last of so many leave few places empty in either case.
const FULL_GROUPS: u64 = 8;
const ROW_GROUPS: u64 = 15;

/// Elements that a thread of a processor has to fold at least for the same.
const FOLDS_OF_THREAD: u64 = 1 << 14;

/// How the items of a GPU read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Along rows, whatever they are.
    Rows = 0,
    /// A row at a time, each item some elements at once: together they have all of the row.
    Across = ACROSS as isize,
    /// A row at a time, each item elements of some outputs.
    Outputs = 2,
    /// A row at a time, each item one element.
    Single = 3,
    /// Along the only row.
    Row = ONE_ROW as isize,
}

/// What the launched functions are told, besides what all reductions are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Plan {
    /// The input, in as few dimensions as its tiles allow.
    pub(super) input: Layout,
    /// Extents of a tile of it; what the generated source knows as pitches are the extents of the output.
    pub(super) tile: Layout,
    /// Parts of each tile.
    pub(super) parts: u64,
    /// Of those, how many share each row.
    split: u32,
    /// Items that work on a part together, a power of two; on a processor, outputs that a loop takes at once.
    lanes: u32,
    /// Items that combine the parts of an output.
    last_lanes: u32,
    /// How items read.
    mode: Mode,
}

/// The input and its tiles, in as few dimensions as can be.
struct Tiles {
    input: Layout,
    output: [u32; MOST_DIMENSIONS],
    tile: Shape,
}

impl Tiles {
    fn new(input: &Layout, output: &Shape) -> Self {
        let (input, output) = merged(*input, output.extents);
        let mut tile = input.shape;
        for (extent, by) in tile.extents.iter_mut().zip(output) {
            *extent /= by;
        }
        Self {
            input,
            output,
            tile,
        }
    }

    fn outputs(&self) -> u64 {
        self.output.iter().map(|e| u64::from(*e)).product()
    }

    /// Elements of a row of a tile, and rows.
    fn rows(&self) -> (u64, u64) {
        let [row, rows, ..] = self.tile.extents;
        (row.into(), rows.into())
    }

    /// Whether all rows begin, and all outputs lie, where that many elements are aligned.
    fn even(&self, width: u64) -> bool {
        let divides = |n: u32| u64::from(n).is_multiple_of(width);
        divides(self.input.start[0]) && divides(self.input.whole[0])
    }

    /// With so many parts wanted, which whole rows suit best.
    fn plan(self, wanted: u64, may_split: bool, lanes: u64, mode: Mode) -> Plan {
        let (row, rows) = self.rows();
        let strips = rows.min(wanted).max(1);
        let split = match may_split {
            true => (wanted / strips).min(row).max(1),
            false => 1,
        };
        let parts = strips * split;
        Plan {
            input: self.input,
            tile: Layout::within(self.tile, self.output),
            parts,
            split: split as u32,
            lanes: lanes as u32,
            last_lanes: floor_power_of_two((parts / 4).clamp(1, GROUP)) as u32,
            mode,
        }
    }
}

/// Elements of a row that hardly pay for what making them takes besides: neighbouring items read far from each other there, and loops
/// of so few elements are none of vectors.
const SHORT_ROW: u64 = 64;

/// Whether an output's tile consists of rows of few elements, which had better be in memory.
pub(super) fn has_short_rows(input: &Layout, output: &Shape) -> bool {
    let tiles = Tiles::new(input, output);
    let (row, _) = tiles.rows();
    tiles.outputs() > 1 && (2..SHORT_ROW).contains(&row)
}

impl Plan {
    /// For loops, on so many threads.
    pub(super) fn of_loops(input: &Layout, output: &Shape, threads: u64) -> Self {
        let tiles = Tiles::new(input, output);
        let (row, _) = tiles.rows();
        let lanes = match tiles.tile.count() / row {
            // The next output's row follows anyway.
            1 => 1,
            _ => (LANES_OF_THREAD / row).min(tiles.output[0].into()).max(1),
        };
        let wanted = (4 * threads).div_ceil(tiles.outputs().div_ceil(lanes));
        let most = tiles.tile.count() / FOLDS_OF_THREAD.div_ceil(lanes);
        let wanted = wanted.min(most).max(1);
        tiles.plan(wanted, lanes == 1, lanes, Mode::Rows)
    }

    /// For that many items at least, each of which can read `width` elements at once.
    pub(super) fn of_items(input: &Layout, output: &Shape, items: u64, width: u64) -> Self {
        let tiles = Tiles::new(input, output);
        let (row, rows) = tiles.rows();
        let even = tiles.even(width);
        let (mode, lanes) = if row == 1 {
            match even && u64::from(tiles.output[0]).is_multiple_of(width) && width > 1 {
                true => (Mode::Outputs, 1),
                false => (Mode::Single, 1),
            }
        } else if rows < 4 {
            // No other rows hide an access's latency: some for each item.
            (
                Mode::Rows,
                floor_power_of_two((row / (4 * width)).clamp(1, GROUP)),
            )
        } else if even && row.is_multiple_of(width) && is_lanes(row / width) {
            (Mode::Across, row / width)
        } else if is_lanes(row) {
            (Mode::Single, row)
        } else {
            (
                Mode::Rows,
                floor_power_of_two((row / width).clamp(1, GROUP)),
            )
        };
        let only = tiles.tile.count() == row;
        let mode = match mode {
            Mode::Rows if only => Mode::Row,
            other => other,
        };
        let items = match mode {
            Mode::Row => items / FULL_GROUPS * ROW_GROUPS,
            _ => items,
        };
        let each = if mode == Mode::Outputs { width } else { 1 };
        let busy = tiles.outputs() / each * lanes;
        let most = tiles.tile.count() * each / (FOLDS * lanes);
        let wanted = (items / busy.min(items)).min(most).max(1);
        tiles.plan(wanted, matches!(mode, Mode::Rows | Mode::Row), lanes, mode)
    }

    /// Items that combine the parts of an output, each every so-manieth.
    pub(super) fn last_lanes(&self) -> usize {
        self.last_lanes as usize
    }

    /// Numbers by the names that the launched functions know them by.
    pub(super) fn counts(&self) -> [(&'static str, u32); 4] {
        [
            (LaunchVariable::Split.name(), self.split),
            (LaunchVariable::Lanes.name(), self.lanes),
            (LaunchVariable::LastLanes.name(), self.last_lanes),
            (LaunchVariable::Mode.name(), self.mode as u32),
        ]
    }
}

/// Whether so many items of a group can work together.
fn is_lanes(n: u64) -> bool {
    n.is_power_of_two() && n <= GROUP
}

fn floor_power_of_two(n: u64) -> u64 {
    1 << n.ilog2()
}

/// Two neighbouring dimensions become one where tiles take all of the faster one and its elements lie side by
/// side.
fn merged(
    mut input: Layout,
    mut output: [u32; MOST_DIMENSIONS],
) -> (Layout, [u32; MOST_DIMENSIONS]) {
    let mut axis = 0;
    while axis + 1 < MOST_DIMENSIONS {
        let rest = output[axis + 1..].iter().chain(&input.whole[axis + 1..]);
        let more = rest.copied().any(|e| e != 1);
        let full = output[axis] == 1 && input.shape.extents[axis] == input.whole[axis];
        let room =
            u64::from(input.whole[axis]) * u64::from(input.whole[axis + 1]) <= u64::from(u32::MAX);
        if !(more && full && room) {
            axis += 1;
            continue;
        }
        let by = input.whole[axis];
        let join = |numbers: &mut [u32; MOST_DIMENSIONS], factor: u32, last: u32| {
            numbers[axis] = numbers[axis + 1] * factor;
            numbers.copy_within(axis + 2.., axis + 1);
            numbers[MOST_DIMENSIONS - 1] = last;
        };
        join(&mut input.shape.extents, by, 1);
        join(&mut input.whole, by, 1);
        join(&mut input.start, by, 0);
        join(&mut output, 1, 1);
    }
    (input, output)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a GPU with 128 multiprocessors.
    fn plan(input: &[u32], output: &[u32], width: u64) -> Plan {
        let layout = Layout::packed(Shape::new(input).unwrap());
        Plan::of_items(&layout, &Shape::new(output).unwrap(), 128 * 2048, width)
    }

    #[test]
    fn everything_is_one_row() {
        let all = plan(&[1 << 10, 1 << 8, 1 << 10], &[1, 1, 1], 4);
        assert_eq!(all.input.shape.extents, [1 << 28, 1, 1, 1]);
        assert_eq!((all.lanes, all.parts, all.split), (256, 1920, 1920));
        assert_eq!((all.last_lanes, all.mode), (256, Mode::Row));
    }

    #[test]
    fn rows_have_their_items() {
        let rows = plan(&[65536, 4096], &[65536, 1], 4);
        // The tiles of one long row.
        assert_eq!(rows.input.shape.extents, [1 << 28, 1, 1, 1]);
        assert_eq!(rows.tile.shape.extents, [4096, 1, 1, 1]);
        assert_eq!((rows.lanes, rows.parts), (256, 1));
        let short = plan(&[65536, 4], &[65536, 1], 4);
        assert_eq!((short.lanes, short.parts), (1, 1));
    }

    #[test]
    fn columns_are_read_side_by_side() {
        let columns = plan(&[65536, 4096], &[1, 4096], 4);
        assert_eq!(columns.tile.shape.extents, [1, 65536, 1, 1]);
        assert_eq!((columns.lanes, columns.parts, columns.split), (1, 256, 1));
        assert_eq!(columns.mode, Mode::Outputs);
        assert_eq!(plan(&[65536, 4095], &[1, 4095], 4).mode, Mode::Single);
    }

    #[test]
    fn rows_of_tiles_are_read_at_once() {
        let tiles = plan(&[4096, 4096], &[128, 128], 4);
        assert_eq!((tiles.lanes, tiles.mode), (8, Mode::Across));
        assert_eq!(plan(&[4096, 4098], &[128, 683], 4).mode, Mode::Rows);
        assert_eq!(plan(&[4096, 4104], &[128, 513], 16).mode, Mode::Single);
    }

    #[test]
    fn threads_read_rows_of_several_outputs() {
        let plan = |input: &[u32], output: &[u32]| {
            let layout = Layout::packed(Shape::new(input).unwrap());
            Plan::of_loops(&layout, &Shape::new(output).unwrap(), 4)
        };
        let columns = plan(&[8192, 4096], &[1, 4096]);
        assert_eq!((columns.lanes, columns.parts, columns.split), (4096, 16, 1));
        let tiles = plan(&[8192, 4096], &[256, 128]);
        assert_eq!((tiles.lanes, tiles.parts), (128, 1));
        let rows = plan(&[8192, 4096], &[8192, 1]);
        assert_eq!((rows.lanes, rows.parts), (1, 1));
        let all = plan(&[8192, 4096], &[1, 1]);
        assert_eq!((all.lanes, all.parts, all.split), (1, 16, 16));
    }

    #[test]
    fn a_part_of_a_stream_keeps_its_rows() {
        let whole = Layout::packed(Shape::new(&[8, 16]).unwrap());
        let part = whole.part(&[4, 2], &[12, 6]).unwrap();
        let (kept, _) = merged(part, [1, 1, 1, 1]);
        assert_eq!(kept, part);
        let strip = whole.part(&[0, 2], &[16, 6]).unwrap();
        let (joined, output) = merged(strip, [1, 4, 1, 1]);
        assert_eq!(joined.shape.extents, [64, 1, 1, 1]);
        assert_eq!((joined.start[0], joined.whole[0]), (32, 128));
        assert_eq!(output, [4, 1, 1, 1]);
    }
}
