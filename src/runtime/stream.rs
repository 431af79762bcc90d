//! Brook+ streams, their element type known at run time.

use super::element::ElementType;
use super::fusion::Fusion;
use super::layout::{Layout, Shape};
use super::spread::{self, Rows};
use super::stream_memory::StreamMemory;
use super::trace::{self, What};
use super::{Device, Error, Result};
use crate::expr::Scalar;
use crate::module::Fixed;
use brook_driver::{Buffer, NativeMemory};
use std::ffi::c_void;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A stream: elements in device memory, in one to four dimensions. Clones share the memory, and so
/// do parts ([`DynStream::domain`]).
///
/// Elements lie row-major, packed as on the host: a `float3` takes 12 bytes.
#[derive(Clone)]
pub struct DynStream {
    pub(super) element: ElementType,
    pub(super) layout: Layout,
    /// For how many elements kernels run that write it, where that was said.
    pub(super) threads: Option<u32>,
    pub(super) memory: Arc<StreamMemory>,
    pub(super) device: Device,
    marks: Arc<Marks>,
    /// Who is told where a call that waited fails.
    late: Option<Arc<Late>>,
}

/// Is told what has become of a call that waited and writes the stream.
type Late = dyn Fn(&Error) + Send + Sync;

/// What is true of a stream and of all its parts.
#[derive(Default)]
struct Marks {
    /// Somebody has given elements to it: what the sanitizer asks.
    written: AtomicBool,
    /// Others find its memory without asking for the stream.
    exposed: AtomicBool,
}

impl Device {
    /// A stream of zeros. Where calls wait ([`Device::set_fusion`]), it gets its memory when that is needed. `element` is the type's name (`float4`, `unsigned int`; `bytes:20` for a struct or
    /// an array), `extents` are
    /// given slowest first, as in `float s<rows, columns>`.
    ///
    /// # Errors
    /// No such type, no such shape, or not enough memory.
    pub fn stream(&self, element: &str, extents: &[u32]) -> Result<DynStream> {
        let (type_, shape) = shape_of(element, extents)?;
        DynStream::make(self, type_, shape, self.fusion() != Fusion::Off)
    }
}

impl DynStream {
    /// Somebody else's memory as a stream; see [`Device::import`].
    ///
    /// # Errors
    /// As [`Device::stream`] and [`Device::import`].
    ///
    /// # Safety
    /// As [`Device::import`], for all elements.
    pub unsafe fn import(
        device: &Device,
        element: &str,
        extents: &[u32],
        memory: NativeMemory,
    ) -> Result<Self> {
        let (element, shape) = shape_of(element, extents)?;
        let bytes = usize::try_from(shape.count() * element.size() as u64)
            .map_err(|_| Error::argument("Stream Allocation: too many elements"))?;
        // SAFETY: by this function's contract.
        let imported = unsafe { device.driver().import(memory, bytes) }?;
        Ok(Self {
            element,
            layout: Layout::packed(shape),
            threads: None,
            memory: StreamMemory::imported(device, imported, memory),
            device: device.clone(),
            // Its owner may have written there, and looks there.
            marks: Arc::new(Marks {
                written: AtomicBool::new(true),
                exposed: AtomicBool::new(true),
            }),
            late: None,
        })
    }

    /// The vendor's object behind the whole that it belongs to; valid as long as this.
    pub fn native(&self) -> NativeMemory {
        // Whoever asks for it may write there, now or later.
        self.set_written();
        self.expose();
        let memory = self.memory.buffer();
        memory.map_or(NativeMemory::Unknown, |memory| memory.native())
    }

    /// Memory of a device as a stream, whatever others do with it.
    pub(super) fn on(
        device: &Device,
        element: ElementType,
        layout: Layout,
        memory: Arc<dyn Buffer>,
    ) -> Self {
        Self::of_memory(device, element, layout, StreamMemory::of(device, memory))
    }

    pub(super) fn of_memory(
        device: &Device,
        element: ElementType,
        layout: Layout,
        memory: Arc<StreamMemory>,
    ) -> Self {
        Self {
            element,
            layout,
            threads: None,
            memory,
            device: device.clone(),
            marks: Arc::default(),
            late: None,
        }
    }

    /// The same elements in what is the same memory, of which nothing else is known, in another order of dimensions.
    pub(super) fn in_memory(&self, memory: Arc<StreamMemory>, layout: Layout) -> Self {
        Self {
            threads: self.threads,
            ..Self::of_memory(&self.device, self.element, layout, memory)
        }
    }

    pub(super) fn allocate(device: &Device, element: ElementType, shape: Shape) -> Result<Self> {
        Self::make(device, element, shape, false)
    }

    fn make(device: &Device, element: ElementType, shape: Shape, later: bool) -> Result<Self> {
        let bytes = usize::try_from(shape.count() * element.size() as u64)
            .map_err(|_| Error::argument("Stream Allocation: too many elements"))?;
        let rows = Rows::of(shape.extents, element.size());
        let memory = StreamMemory::new(device, (bytes, rows), later)?;
        Ok(Self {
            element,
            layout: Layout::packed(shape),
            threads: None,
            memory,
            device: device.clone(),
            marks: Arc::default(),
            late: None,
        })
    }

    /// The part between `start`, included, and `end`, left out: one number a dimension, *fastest
    /// first*. Kernels that take it see a stream of that size; it shares the memory.
    ///
    /// A part may have no elements: kernels that write it have nothing to do.
    ///
    /// # Errors
    /// Places outside of the stream, or the end before the start.
    pub fn domain(&self, start: &[u32], end: &[u32]) -> Result<Self> {
        let rank = self.layout.shape.rank;
        if start.len() != rank || end.len() != rank {
            return Err(Error::argument(
                "Domain Operator: Failed to create domain stream",
            ));
        }
        if start.iter().zip(end).any(|(from, to)| from > to) {
            return Err(Error::argument(
                "Domain Operator: Start point is more than end point, failed to create domain stream",
            ));
        }
        let layout = self.layout.part(start, end).ok_or_else(|| {
            Error::argument(
                "Domain Operator: Domain dimensions are bigger than original stream, failed to create \
                 domain stream",
            )
        })?;
        Ok(Self {
            layout,
            threads: None,
            ..self.clone()
        })
    }

    /// The same stream; kernels that write it run for its first `threads` elements only.
    ///
    /// # Errors
    /// It has not got one dimension, or not as many elements.
    pub fn exec_domain(&self, threads: u32) -> Result<Self> {
        let fail = |what| Err(Error::argument(what));
        let shape = &self.layout.shape;
        if shape.rank != 1 {
            return fail("Exec Domain: This API is valid only for 1D stream");
        }
        if threads == 0 {
            return fail("Exec Domain: Number of threads must be more than 0");
        }
        if threads > shape.extents[0] {
            return fail("Exec Domain: Number of threads specified more than stream dimension");
        }
        Ok(Self {
            threads: Some(threads),
            ..self.clone()
        })
    }

    /// The element type's name: `float4`.
    pub fn element(&self) -> String {
        self.element.to_string()
    }

    /// The type of an element's numbers, and how many it has; `None` for structs and arrays.
    pub(crate) fn numbers(&self) -> Option<(Scalar, u8)> {
        self.element.numbers()
    }

    /// What an element of fixed point is.
    pub(crate) fn fixed(&self) -> Option<Fixed> {
        match self.element {
            ElementType::Fixed(fixed) => Some(fixed),
            _ => None,
        }
    }

    /// Bytes of one element on the host.
    pub fn element_bytes(&self) -> usize {
        self.element.size()
    }

    /// Extents, slowest first.
    pub fn extents(&self) -> Vec<u32> {
        let shape = &self.layout.shape;
        shape.extents[..shape.rank].iter().rev().copied().collect()
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> usize {
        // All of it fits memory, so a part does.
        self.layout.shape.count() as usize * self.element.size()
    }

    /// Which device of its set has which rows as they are now, by the number in [`Device::parts`], in the order of the rows: those
    /// along its slowest dimension of more than one. Rows that several have are said of the first of them; those that
    /// nobody has written, of none. Nothing where the device is no set.
    ///
    /// # Errors
    /// Those of calls that have waited; there is not enough memory.
    pub fn placement(&self) -> Result<Vec<(usize, Range<usize>)>> {
        if self.device.parts().is_empty() {
            return Ok(Vec::new());
        }
        self.device.catch_up_for(&[self], &[])?;
        spread::placement(self)
    }

    /// The rows that a device of its set has as they are now, its own ones and copies of others, in order; the device by its
    /// number in [`Device::parts`]. Nothing where the device is no set, or has no such part.
    ///
    /// # Errors
    /// Those of calls that have waited; there is not enough memory.
    pub fn rows_on(&self, part: usize) -> Result<Vec<Range<usize>>> {
        if part >= self.device.parts().len() {
            return Ok(Vec::new());
        }
        self.device.catch_up_for(&[self], &[])?;
        spread::rows_on(self, part)
    }

    /// Gives the devices of its set so many rows each, in order, instead of as many as the others: where rows take unlike times, or devices are
    /// unlike. Rows are brought where they now belong; kernels that write the stream run there. `counts` has a number for each of
    /// [`Device::parts`], and their sum is the number of rows. Where the device is no set, the only number is that of all rows.
    ///
    /// # Errors
    /// Other numbers; it is a part of a stream, or memory whose address others know; those of calls that have waited; there is not
    /// enough memory.
    pub fn share_out(&self, counts: &[usize]) -> Result<()> {
        self.device.catch_up_for(&[self], &[])?;
        if !self.device.parts().is_empty() {
            return spread::share_out(self, counts);
        }
        let rows = Rows::of(self.layout.whole, 1).count;
        match counts {
            [all] if *all == rows => Ok(()),
            _ => Err(Error::argument(format!(
                "Stream Distribution: {rows} rows are one device's; got {counts:?}"
            ))),
        }
    }

    /// Has rows brought to a device of its set, by its number in [`Device::parts`], beside what devices compute: before a kernel there reads
    /// them, as halos or copies. They stay as long as nobody writes them elsewhere. Nothing where the device is no set.
    ///
    /// # Errors
    /// There is no such device or row; those of calls that have waited; there is not enough memory.
    pub fn prefetch(&self, part: usize, rows: Range<usize>) -> Result<()> {
        let parts = self.device.parts().len();
        self.device.catch_up_for(&[self], &[])?;
        match parts {
            0 => Ok(()),
            _ if part < parts => spread::prefetch(self, part, &rows),
            _ => Err(Error::argument(format!(
                "Stream Distribution: the set has {parts} devices, and none of number {part}"
            ))),
        }
    }

    /// The device that holds it.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Fills the stream with the bytes of all its elements (Brook+'s `streamRead`).
    ///
    /// # Errors
    /// The number of bytes is not [`DynStream::bytes`], or the copy failed.
    pub fn read(&self, bytes: &[u8]) -> Result<()> {
        self.check("Stream Read", bytes.len())?;
        self.device.catch_up_for(&[], &[self])?;
        self.set_written();
        let memory = match self.is_whole() {
            true => self.memory.to_be_filled()?,
            false => self.memory.buffer()?,
        };
        let mut rest = bytes;
        for (offset, length) in self.runs() {
            let (run, after) = rest.split_at(length);
            let what = What::from_host(length);
            trace::waiting(&self.device, what, || memory.write(offset, run))?;
            rest = after;
        }
        Ok(())
    }

    /// Copies all elements to the host (Brook+'s `streamWrite`), after every kernel called so far.
    ///
    /// # Errors
    /// The number of bytes is not [`DynStream::bytes`], or the copy failed.
    pub fn write(&self, bytes: &mut [u8]) -> Result<()> {
        self.check("Stream Write", bytes.len())?;
        self.device.catch_up_for(&[self], &[])?;
        let memory = self.memory.buffer()?;
        let mut rest = bytes;
        for (offset, length) in self.runs() {
            let (run, after) = rest.split_at_mut(length);
            let what = What::to_host(length);
            trace::waiting(&self.device, what, || memory.read(offset, run))?;
            rest = after;
        }
        Ok(())
    }

    /// As [`DynStream::read`] or [`DynStream::write`] in `copy`, with the host's memory page-locked meanwhile where
    /// that is possible (Brook+'s `nocopy`).
    ///
    /// # Safety
    /// There are as many bytes at `memory` as the stream has, for as long as this takes.
    pub unsafe fn pinning<R>(&self, memory: *mut c_void, copy: impl FnOnce() -> R) -> R {
        // SAFETY: by this function's contract.
        let _pinned = unsafe { self.device.driver().pin(memory, self.bytes()) };
        copy()
    }

    /// Copies all elements of `source`, which may be on another device.
    ///
    /// # Errors
    /// Another type or shape, or the copy failed.
    pub fn assign(&self, source: &Self) -> Result<()> {
        if self.layout.shape != source.layout.shape {
            return Err(Error::argument(
                "Stream Assign: Input stream rank and dimension doesn't match with destination",
            ));
        }
        if self.element != source.element {
            return Err(Error::argument(format!(
                "Stream Assign: Invalid input stream: one of {} instead of {}",
                source.element, self.element
            )));
        }
        self.device.catch_up_for(&[], &[self])?;
        source.device.catch_up_for(&[source], &[])?;
        if self.layout.is_packed() && source.layout.is_packed() {
            if source.is_written() {
                self.set_written();
            }
            let bytes = self.bytes();
            // Which may be the same.
            let from = source.memory.buffer()?;
            let to = self.memory.to_be_filled()?;
            let copy = || to.copy_from(0, &**from, 0, bytes);
            let what = What::copy("copy", bytes);
            return Ok(trace::enqueuing(&self.device, None, what, copy)?);
        }
        let mut bytes = vec![0; self.bytes()];
        source.write(&mut bytes)?;
        self.read(&bytes)
    }

    /// Somebody gives it elements.
    pub(super) fn set_written(&self) {
        self.marks.written.store(true, Ordering::Relaxed);
    }

    /// Says who is told if a call that waits and writes this stream fails when it is made: instead of whoever asks for
    /// something else then.
    pub(crate) fn on_late_error(&mut self, told: impl Fn(&Error) + Send + Sync + 'static) {
        self.late = Some(Arc::new(told));
    }

    /// Tells whoever has asked for it; whether anybody has.
    pub(super) fn tell(&self, error: &Error) -> bool {
        if let Some(late) = &self.late {
            late(error);
        }
        self.late.is_some()
    }

    /// From now on others know its memory: calls with it are made at once. Calls that wait are made; what becomes of them
    /// is said by whatever is asked for next.
    pub(super) fn expose(&self) {
        self.marks.exposed.store(true, Ordering::Relaxed);
        self.device.catch_up_later_told();
    }

    pub(super) fn is_exposed(&self) -> bool {
        self.marks.exposed.load(Ordering::Relaxed)
    }

    /// Whether anybody has done so, for any part of it.
    pub(super) fn is_written(&self) -> bool {
        self.marks.written.load(Ordering::Relaxed)
    }

    /// Whether elements of `other` are elements of this stream.
    pub(super) fn overlaps(&self, other: &Self) -> bool {
        let alike = self.layout.whole == other.layout.whole && self.element == other.element;
        match alike && self.memory.is_one_with(&other.memory) {
            true => !self.layout.is_apart_from(&other.layout),
            false => self.memory.meets(&other.memory),
        }
    }

    /// Whether its elements are those of `other`, one by one.
    pub(super) fn is_same_part(&self, other: &Self) -> bool {
        self.memory.is_one_with(&other.memory) && self.layout == other.layout
    }

    /// Whether it is known to have all elements of `other`.
    pub(super) fn covers(&self, other: &Self) -> bool {
        self.is_same_part(other) || self.is_whole() && Arc::ptr_eq(&self.memory, &other.memory)
    }

    /// Whether it is all of its memory.
    fn is_whole(&self) -> bool {
        self.layout.is_packed() && self.bytes() == self.memory.len()
    }

    /// Gets its memory if it has none yet.
    pub(crate) fn reserve(&self) -> Result<()> {
        self.memory.buffer().map(drop)
    }

    /// Says that all of its elements will be written.
    pub(super) fn will_be_filled(&self) -> Result<()> {
        match self.is_whole() {
            true => self.memory.to_be_filled().map(drop),
            false => Ok(()),
        }
    }

    /// Bytes that lie side by side: where they begin, and how many there are.
    fn runs(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.element.size();
        let runs = self.layout.runs();
        runs.map(move |(first, count)| (first as usize * size, count as usize * size))
    }

    fn check(&self, what: &str, bytes: usize) -> Result<()> {
        if bytes == self.bytes() {
            return Ok(());
        }
        Err(Error::argument(format!(
            "{what}: {self:?} has {} bytes, the host's side {bytes}",
            self.bytes()
        )))
    }

    /// A stream of its own with the same content.
    pub(super) fn duplicate(&self) -> Result<Self> {
        let copy = Self::allocate(&self.device, self.element, self.layout.shape)?;
        copy.assign(self)?;
        Ok(copy)
    }
}

/// The type and the shape that a declaration means.
fn shape_of(element: &str, extents: &[u32]) -> Result<(ElementType, Shape)> {
    let type_ = ElementType::from_name(element).ok_or_else(|| {
        Error::argument(format!(
            "Stream Allocation: Stream of this type not supported on the device: there are none of '{element}'"
        ))
    })?;
    let shape = Shape::new(extents).ok_or_else(|| {
        Error::argument(format!(
            "Stream Allocation: This dimension not supported on underlying hardware: {extents:?} \
             instead of one to four positive numbers"
        ))
    })?;
    Ok((type_, shape))
}

impl fmt::Debug for DynStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the stream of {}{}", self.element, self.layout.shape)
    }
}
