//! How the work of a reduction whose elements may be folded in any order is shared out.
//!
//! The tile of one output is seen as rows that lie in one piece, as long as can be. A GPU's neighbouring items
//! read neighbouring elements: of one row, or where rows are short, of the rows of neighbouring outputs.

use super::layout::{Layout, MOST_DIMENSIONS, Shape};
use brook_driver::DeviceKind;

/// Items of a group, and the most elements of different outputs that a loop takes at once.
const GROUP: u64 = 256;

/// Items that keep a GPU busy with reads.
const GPU_ITEMS: u64 = 1 << 19;

/// Elements that an item of a GPU has to fold at least for a part of its own to pay.
const FOLDS: u64 = 32;

/// Elements that a thread of a processor has to fold at least for the same.
const FOLDS_OF_THREAD: u64 = 1 << 14;

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
    pub(super) split: u32,
    /// Items that work on a part together, a power of two; on a processor, outputs that a loop takes at once.
    pub(super) lanes: u32,
    /// Items that combine the parts of an output.
    pub(super) last_lanes: u32,
}

impl Plan {
    /// For tiles of that shape, on a device with that many threads if it is a processor.
    pub(super) fn new(
        input: &Layout,
        output: &Shape,
        kind: DeviceKind,
        loops: bool,
        threads: u64,
    ) -> Self {
        let (input, output) = merged(*input, output.extents);
        let mut tile = input.shape;
        for (extent, by) in tile.extents.iter_mut().zip(output) {
            *extent /= by;
        }
        let outputs: u64 = output.iter().map(|e| u64::from(*e)).product();
        let row = u64::from(tile.extents[0]);
        let rows = u64::from(tile.extents[1]);
        let elements = tile.count();
        // Elements of a row for each item: a long load, or some if there are no other rows to hide its latency.
        let each = if elements / row >= 4 { 4 } else { 16 };
        let lanes = match loops {
            true if row == 1 => u64::from(output[0]).min(GROUP),
            true => 1,
            false => floor_power_of_two((row / each).clamp(1, GROUP)),
        };
        let wanted = match kind {
            DeviceKind::Cpu => (4 * threads).div_ceil(outputs.div_ceil(lanes)),
            DeviceKind::Gpu | DeviceKind::Accelerator => {
                GPU_ITEMS / (outputs * lanes).min(GPU_ITEMS)
            }
        };
        let folds = match loops {
            true if row == 1 => FOLDS_OF_THREAD.div_ceil(lanes),
            true => FOLDS_OF_THREAD,
            false => FOLDS * lanes,
        };
        let parts = wanted.min(elements / folds).max(1);
        // Whole rows, if there are enough of them.
        let strips = rows.min(parts);
        let split = match loops && row == 1 {
            true => 1,
            false => (parts / strips).min(row).max(1),
        };
        let parts = strips * split;
        Self {
            input,
            tile: Layout::within(tile, output),
            parts,
            split: split as u32,
            lanes: lanes as u32,
            last_lanes: floor_power_of_two((parts / 4).clamp(1, GROUP)) as u32,
        }
    }

    /// Numbers by the names that the launched functions know them by.
    pub(super) fn counts(&self) -> [(&'static str, u32); 3] {
        [
            ("brook_split", self.split),
            ("brook_lanes", self.lanes),
            ("brook_last_lanes", self.last_lanes),
        ]
    }
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

    fn plan(input: &[u32], output: &[u32]) -> Plan {
        let layout = Layout::packed(Shape::new(input).unwrap());
        Plan::new(
            &layout,
            &Shape::new(output).unwrap(),
            DeviceKind::Gpu,
            false,
            1,
        )
    }

    #[test]
    fn everything_is_one_row() {
        let all = plan(&[1 << 10, 1 << 8, 1 << 10], &[1, 1, 1]);
        assert_eq!(all.input.shape.extents, [1 << 28, 1, 1, 1]);
        assert_eq!((all.lanes, all.parts, all.split), (256, 2048, 2048));
        assert_eq!(all.last_lanes, 256);
    }

    #[test]
    fn rows_have_their_items() {
        let rows = plan(&[65536, 4096], &[65536, 1]);
        // The tiles of one long row.
        assert_eq!(rows.input.shape.extents, [1 << 28, 1, 1, 1]);
        assert_eq!(rows.tile.shape.extents, [4096, 1, 1, 1]);
        assert_eq!((rows.lanes, rows.parts), (256, 1));
        let short = plan(&[65536, 4], &[65536, 1]);
        assert_eq!((short.lanes, short.parts), (1, 1));
    }

    #[test]
    fn columns_are_read_side_by_side() {
        let columns = plan(&[65536, 4096], &[1, 4096]);
        assert_eq!(columns.tile.shape.extents, [1, 65536, 1, 1]);
        assert_eq!((columns.lanes, columns.parts, columns.split), (1, 128, 1));
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
