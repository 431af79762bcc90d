//! Copies of host memory that is not page-locked: through page-locked pieces, by several threads.
//!
//! Drivers take such memory at a fraction of the bus's speed, since one thread copies it into a piece of its own. Here
//! each lane has two pieces and a queue: while one piece is on its way, the other is filled or emptied.

use crate::error::{Error, ErrorKind, Result};
use std::num::NonZero;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Most bytes of a piece: enough for the bus, and little enough for caches.
pub const PIECE: usize = 2 << 20;

/// Copies of fewer bytes are the driver's.
pub const LEAST_STAGED: usize = 8 << 20;

/// Most threads: what it takes to fill memory as fast as the fastest bus empties it.
const MOST_LANES: usize = 12;

/// By how much the first and the last pieces are shorter, lane by lane: the bus waits for the first ones to be filled,
/// and the host for the last ones to be emptied.
const SHORTER: [usize; 3] = [8, 4, 2];

/// Where host memory is, and in which direction the copy goes.
#[derive(Clone, Copy, Debug)]
pub enum Staged {
    /// To the device.
    From(*const u8),
    /// To the host.
    To(*mut u8),
}

// SAFETY: the memory is borrowed by whoever starts the copy until all threads have ended, and each thread has pieces of
// its own.
unsafe impl Send for Staged {}
// SAFETY: as above.
unsafe impl Sync for Staged {}

/// A queue with two page-locked pieces, for one copy.
pub trait Lane: Send {
    /// Prepares the thread that calls it, and makes the queue wait for what comes before the copy.
    ///
    /// # Errors
    /// The driver's.
    fn begin(&mut self) -> Result<()>;

    /// The first of the [`PIECE`] bytes of one of the two pieces.
    fn piece(&self, half: usize) -> *mut u8;

    /// Starts to copy between the beginning of a piece and the device, from byte `at` of the device's side.
    ///
    /// # Safety
    /// The device's side has that many bytes there, and the piece is left alone until [`Self::wait`].
    ///
    /// # Errors
    /// The driver's.
    unsafe fn start(&mut self, half: usize, at: usize, bytes: usize, to: Direction) -> Result<()>;

    /// Waits for what was last started with a piece.
    ///
    /// # Errors
    /// The driver's.
    fn wait(&mut self, half: usize) -> Result<()>;
}

/// Which way a piece goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host.
    ToDevice,
    /// From the device.
    ToHost,
}

/// How many lanes a copy of that many bytes is worth: each has a piece at least.
#[must_use]
pub fn lanes(bytes: usize) -> usize {
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    cores.min(MOST_LANES).min(bytes.div_ceil(PIECE))
}

/// Where pieces begin, and their lengths, in order.
fn pieces(bytes: usize, lanes: usize) -> Vec<(usize, usize)> {
    let (mut first, mut last) = (0, bytes);
    let (mut front, mut back) = (Vec::new(), Vec::new());
    for length in SHORTER.map(|by| PIECE / by) {
        for _ in 0..lanes {
            if last - first >= 2 * PIECE {
                front.push((first, length));
                first += length;
                last -= length;
                back.push((last, length));
            }
        }
    }
    let middle = (first..last).step_by(PIECE);
    front.extend(middle.map(|at| (at, PIECE.min(last - at))));
    front.extend(back.into_iter().rev());
    front
}

/// Copies between host and device, a thread a lane; complete on return.
///
/// # Safety
/// Both sides have that many bytes, and nobody else uses the host's meanwhile.
///
/// # Errors
/// The driver's; that there is no thread to be had.
pub unsafe fn copy_staged<L: Lane>(lanes: &mut [L], host: Staged, bytes: usize) -> Result<()> {
    let pieces = pieces(bytes, lanes.len());
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        let threads: Vec<_> = lanes
            .iter_mut()
            .map(|lane| {
                let (pieces, next) = (&pieces, &next);
                let work = move || {
                    let take = || pieces.get(next.fetch_add(1, Ordering::Relaxed)).copied();
                    // SAFETY: by this function's contract; lanes take different pieces of both sides.
                    unsafe { carry(lane, host, take) }
                };
                thread::Builder::new().spawn_scoped(scope, work)
            })
            .collect();
        let failed = || Error::new(ErrorKind::Device, "no thread to copy host memory with");
        let ended = threads
            .into_iter()
            .map(|thread| match thread.map(|t| t.join()) {
                Ok(Ok(copied)) => copied,
                _ => Err(failed()),
            });
        // All of them, whatever happens.
        let all: Vec<Result<()>> = ended.collect();
        all.into_iter().collect()
    })
}

/// One lane's share: pieces as it gets them.
///
/// # Safety
/// As [`copy_staged`]; nobody else gets these pieces.
unsafe fn carry<L: Lane>(
    lane: &mut L,
    host: Staged,
    take: impl Fn() -> Option<(usize, usize)>,
) -> Result<()> {
    lane.begin()?;
    // What each half has on its way: where, and how many bytes.
    let mut held: [Option<(usize, usize)>; 2] = [None; 2];
    let mut half = 1;
    while let Some((at, length)) = take() {
        half = 1 - half;
        // SAFETY: the range is within both sides; the piece is not in use any more.
        unsafe {
            land(lane, half, held[half].take(), host)?;
            let direction = match host {
                Staged::From(from) => {
                    let piece = lane.piece(half);
                    piece.copy_from_nonoverlapping(from.add(at), length);
                    Direction::ToDevice
                }
                Staged::To(_) => Direction::ToHost,
            };
            lane.start(half, at, length, direction)?;
        }
        held[half] = Some((at, length));
    }
    // What was started first is there first.
    for half in [1 - half, half] {
        // SAFETY: as above.
        unsafe { land(lane, half, held[half].take(), host) }?;
    }
    Ok(())
}

/// Waits for a piece that is on its way, and empties it.
///
/// # Safety
/// As [`copy_staged`].
unsafe fn land<L: Lane>(
    lane: &mut L,
    half: usize,
    held: Option<(usize, usize)>,
    host: Staged,
) -> Result<()> {
    let Some((at, length)) = held else {
        return Ok(());
    };
    lane.wait(half)?;
    if let Staged::To(to) = host {
        // SAFETY: the range is within the host's side, and the piece has arrived.
        unsafe {
            to.add(at)
                .copy_from_nonoverlapping(lane.piece(half), length);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A device in the host's memory. Copies are made when they are waited for: who does not wait sees old bytes.
    struct Mock {
        device: Staged,
        pieces: [Vec<u8>; 2],
        pending: [Option<(usize, usize, Direction)>; 2],
        refuses: bool,
    }

    impl Lane for Mock {
        fn begin(&mut self) -> Result<()> {
            match self.refuses {
                true => Err(Error::invalid("no")),
                false => Ok(()),
            }
        }

        fn piece(&self, half: usize) -> *mut u8 {
            self.pieces[half].as_ptr().cast_mut()
        }

        unsafe fn start(
            &mut self,
            half: usize,
            at: usize,
            bytes: usize,
            direction: Direction,
        ) -> Result<()> {
            assert!(self.pending[half].is_none());
            self.pending[half] = Some((at, bytes, direction));
            Ok(())
        }

        fn wait(&mut self, half: usize) -> Result<()> {
            let (at, bytes, direction) = self.pending[half].take().unwrap();
            let Staged::To(device) = self.device else {
                unreachable!()
            };
            let piece = self.piece(half);
            // SAFETY: both have that many bytes.
            unsafe {
                match direction {
                    Direction::ToDevice => device.add(at).copy_from_nonoverlapping(piece, bytes),
                    Direction::ToHost => piece.copy_from_nonoverlapping(device.add(at), bytes),
                }
            }
            Ok(())
        }
    }

    fn lanes_of(device: &mut [u8], count: usize) -> Vec<Mock> {
        let device = Staged::To(device.as_mut_ptr());
        let lane = |_| Mock {
            device,
            pieces: [vec![0; PIECE], vec![0; PIECE]],
            pending: [None; 2],
            refuses: false,
        };
        (0..count).map(lane).collect()
    }

    #[test]
    fn pieces_follow_each_other_and_are_short_at_both_ends() {
        for (bytes, lanes) in [(1, 1), (2 * PIECE, 2), (7 * PIECE + 5, 3), (64 * PIECE, 12)] {
            let all = pieces(bytes, lanes);
            let mut end = 0;
            for (at, length) in &all {
                assert_eq!(*at, end);
                assert!((1..=PIECE).contains(length));
                end += length;
            }
            assert_eq!(end, bytes);
        }
        let all = pieces(64 * PIECE, 12);
        assert_eq!(
            (all[0].1, all[12].1, all[24].1),
            (PIECE / 8, PIECE / 4, PIECE / 2)
        );
        assert_eq!((all[36].1, all[all.len() - 1].1), (PIECE, PIECE / 8));
    }

    #[test]
    fn every_byte_arrives_once() {
        for (bytes, count) in [
            (1, 3),
            (PIECE, 1),
            (PIECE + 1, 1),
            (7 * PIECE - 5, 2),
            (5 * PIECE, 4),
        ] {
            let source: Vec<u8> = (0..bytes).map(|i| (i % 251) as u8).collect();
            let mut device = vec![0; bytes];
            let mut lanes = lanes_of(&mut device, count);
            // SAFETY: both sides have that many bytes.
            unsafe { copy_staged(&mut lanes, Staged::From(source.as_ptr()), bytes) }.unwrap();
            assert!(
                device == source,
                "{bytes} bytes by {count} lanes to the device"
            );
            let mut back = vec![0; bytes];
            let mut lanes = lanes_of(&mut device, count);
            // SAFETY: as above.
            unsafe { copy_staged(&mut lanes, Staged::To(back.as_mut_ptr()), bytes) }.unwrap();
            assert!(back == source, "{bytes} bytes by {count} lanes to the host");
        }
    }

    #[test]
    fn a_failure_of_one_lane_is_told() {
        let source = vec![1; 3 * PIECE];
        let mut device = vec![0; 3 * PIECE];
        let mut lanes = lanes_of(&mut device, 3);
        lanes[1].refuses = true;
        // SAFETY: both sides have that many bytes.
        let copied =
            unsafe { copy_staged(&mut lanes, Staged::From(source.as_ptr()), source.len()) };
        assert_eq!(copied.unwrap_err().message, "no");
    }
}
