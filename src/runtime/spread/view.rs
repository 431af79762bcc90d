//! A stream of a set as one of its devices sees it.

use super::super::element::ElementType;
use super::super::layout::{Layout, Shape, Told};
use super::super::stream::DynStream;
use super::super::stream_memory::StreamMemory;
use super::super::{Device, Error, Result};
use super::buffer::SpreadBuffer;
use super::copies::Copies;
use super::rule;
use std::ops::Range;
use std::sync::Arc;

/// Memory of a stream, and where its elements lie there.
pub(super) struct Shared {
    memory: Arc<StreamMemory>,
    pub(super) layout: Layout,
    element: ElementType,
}

impl Shared {
    /// Memory that is one of a set's.
    pub(super) fn new(
        memory: Arc<StreamMemory>,
        layout: Layout,
        element: ElementType,
    ) -> Result<Self> {
        let this = Self {
            memory,
            layout,
            element,
        };
        this.buffer().map(drop)?;
        Ok(this)
    }

    /// A stream's, with its elements in as many dimensions as the layout has.
    pub(super) fn of(stream: &DynStream, layout: Layout) -> Result<Self> {
        Self::new(stream.memory.clone(), layout, stream.element)
    }

    /// Whether both are of one memory.
    pub(super) fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.memory, &other.memory)
    }

    fn buffer(&self) -> Result<&SpreadBuffer> {
        SpreadBuffer::of(&**self.memory.buffer()?).ok_or_else(|| {
            Error::argument(
                "Kernel Execution: the stream's memory is none that the devices of a set share",
            )
        })
    }

    /// The places along an axis, of the stream, that are a part's.
    pub(super) fn share(&self, part: usize, axis: usize) -> Result<Range<usize>> {
        let start = self.layout.start[axis] as usize;
        let share = self.buffer()?.share(part);
        Ok(share.start.saturating_sub(start)..share.end.saturating_sub(start))
    }

    /// The bytes from the first element with one of these places along an axis to the last one.
    pub(super) fn bytes(&self, axis: usize, places: &Range<usize>) -> Range<usize> {
        let size = self.element.size();
        let elements = self.layout.span(axis, places);
        elements.start * size..elements.end * size
    }

    /// All of its bytes.
    pub(super) fn all(&self) -> Range<usize> {
        self.bytes(0, &(0..self.layout.shape.extents[0] as usize))
    }

    /// Sees to it that a part has those bytes of the memory.
    pub(super) fn bring(&self, part: usize, bytes: &Range<usize>) -> Result<()> {
        Ok(self.buffer()?.bring(part, bytes)?)
    }

    /// Whether a part has those bytes of the memory.
    pub(super) fn has(&self, part: usize, bytes: &Range<usize>) -> Result<bool> {
        Ok(self.buffer()?.has(part, bytes))
    }

    /// As [`Shared::bring`], among other copies.
    pub(super) fn bring_among(
        &self,
        copies: &Copies<'_>,
        part: usize,
        bytes: &Range<usize>,
    ) -> Result<()> {
        Ok(self.buffer()?.bring_among(copies, part, bytes)?)
    }

    /// Sees to it that a part can write those bytes of the memory.
    pub(super) fn commit(&self, part: usize, bytes: &Range<usize>) -> Result<()> {
        Ok(self.buffer()?.commit(part, bytes)?)
    }

    /// Says that the part has written those bytes.
    pub(super) fn written(&self, part: usize, bytes: &Range<usize>) -> Result<()> {
        Ok(self.buffer()?.written(part, bytes)?)
    }

    /// The stream on one of the devices, whatever of it is there.
    pub(super) fn on(&self, part: usize, device: &Device) -> Result<DynStream> {
        let memory = self.buffer()?.part(part)?;
        Ok(DynStream::on(device, self.element, self.layout, memory))
    }

    /// Those of its elements with one of these places, as a stream of its own; they lie side by side. `None` where the device has
    /// no memory that begins there.
    pub(super) fn slab_on(
        &self,
        part: usize,
        device: &Device,
        axis: usize,
        (places, told): (&Range<usize>, Option<Told>),
    ) -> Result<Option<DynStream>> {
        let bytes = self.bytes(axis, places);
        let whole = self.buffer()?.part(part)?;
        let memory = whole.slice(bytes.start, bytes.len())?;
        if memory.needs_offset() {
            return Ok(None);
        }
        let mut extents = self.layout.shape.extents;
        extents[axis] = places.len() as u32;
        let rank = self.layout.shape.rank;
        let layout = Layout {
            told,
            ..Layout::packed(Shape { rank, extents })
        };
        Ok(Some(DynStream::on(device, self.element, layout, memory)))
    }

    /// Those of its rows along an axis, as a stream of that device.
    pub(super) fn rows_on(
        &self,
        part: usize,
        device: &Device,
        axis: usize,
        rows: &Range<usize>,
    ) -> Result<DynStream> {
        if self.layout.is_packed()
            && let Some(slab) = self.slab_on(part, device, axis, (rows, None))?
        {
            return Ok(slab);
        }
        let mut stream = self.on(part, device)?;
        stream.layout.start[axis] += rows.start as u32;
        stream.layout.shape.extents[axis] = rows.len() as u32;
        Ok(stream)
    }
}

/// As [`DynStream::placement`], of a stream of a set.
pub(in super::super) fn placement(stream: &DynStream) -> Result<Vec<(usize, Range<usize>)>> {
    let rows = Rows::of(stream)?;
    let held = rows.stream.buffer()?.holders(&rows.all).into_iter();
    let held = held.filter_map(|(bytes, part)| Some((part?, rows.whole(&bytes)?)));
    Ok(held.collect())
}

/// As [`DynStream::rows_on`], of a stream of a set.
pub(in super::super) fn rows_on(stream: &DynStream, part: usize) -> Result<Vec<Range<usize>>> {
    let rows = Rows::of(stream)?;
    let held = rows.stream.buffer()?.held(part, &rows.all).into_iter();
    Ok(held.filter_map(|bytes| rows.whole(&bytes)).collect())
}

/// As [`DynStream::share_out`], of a stream of a set.
pub(in super::super) fn share_out(stream: &DynStream, counts: &[usize]) -> Result<()> {
    let shared = Shared::of(stream, stream.layout)?;
    if stream.layout.shape.extents != stream.layout.whole {
        let why = "Stream Distribution: a part of a stream has no rows of its own to be shared out";
        return Err(Error::argument(why));
    }
    let done = shared.buffer()?.share_out(counts);
    done.map_err(|error| Error::from(error).context("Stream Distribution"))
}

/// As [`DynStream::prefetch`], of a stream of a set.
pub(in super::super) fn prefetch(
    stream: &DynStream,
    part: usize,
    rows: &Range<usize>,
) -> Result<()> {
    let shared = Shared::of(stream, stream.layout)?;
    let axis = rule::axis(&stream.layout.whole);
    let count = stream.layout.shape.extents[axis] as usize;
    if rows.start > rows.end || rows.end > count {
        return Err(Error::argument(format!(
            "Stream Distribution: the stream has {count} rows; got {} to {}",
            rows.start, rows.end
        )));
    }
    match rows.is_empty() {
        true => Ok(()),
        false => shared.bring(part, &shared.bytes(axis, rows)),
    }
}

/// The rows of a stream as bytes of its memory.
struct Rows {
    stream: Shared,
    count: usize,
    all: Range<usize>,
    /// Of the first one.
    bytes: usize,
    /// From one to the next.
    pitch: usize,
}

impl Rows {
    fn of(stream: &DynStream) -> Result<Self> {
        let shared = Shared::of(stream, stream.layout)?;
        let axis = rule::axis(&stream.layout.whole);
        let count = stream.layout.shape.extents[axis] as usize;
        let (first, all) = (shared.bytes(axis, &(0..1)), shared.all());
        let pitch = match count {
            0 | 1 => first.len().max(1),
            _ => shared.bytes(axis, &(1..2)).start - first.start,
        };
        Ok(Self {
            stream: shared,
            count,
            all,
            bytes: first.len(),
            pitch,
        })
    }

    /// Those of which all lies in some bytes.
    fn whole(&self, bytes: &Range<usize>) -> Option<Range<usize>> {
        let from = (bytes.start - self.all.start).div_ceil(self.pitch);
        let to = match bytes.end == self.all.end {
            true => self.count,
            false => (bytes.end - self.all.start + self.pitch - self.bytes) / self.pitch,
        };
        (from < to).then_some(from..to)
    }
}
