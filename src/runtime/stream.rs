//! Brook+ streams, their element type known at run time.

use super::element::ElementType;
use super::{Device, Error, Result};
use brook_driver::Buffer;
use std::fmt;
use std::sync::Arc;

/// Most dimensions of a stream.
pub(super) const MOST_DIMENSIONS: usize = 4;

/// Extents of a stream or array, as kernels receive them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) rank: usize,
    /// Fastest first; those beyond the rank are 1.
    pub(super) extents: [u32; MOST_DIMENSIONS],
}

impl Shape {
    /// `None` if there are no dimensions, too many, empty ones, or more elements than memory has
    /// addresses.
    pub(super) fn new(slowest_first: &[u32]) -> Option<Self> {
        let rank = slowest_first.len();
        if rank == 0 || rank > MOST_DIMENSIONS || slowest_first.contains(&0) {
            return None;
        }
        let mut extents = [1; MOST_DIMENSIONS];
        for (to, from) in extents.iter_mut().zip(slowest_first.iter().rev()) {
            *to = *from;
        }
        let product = slowest_first
            .iter()
            .try_fold(1u64, |n, e| n.checked_mul((*e).into()));
        product
            .filter(|n| *n <= 1 << 48)
            .map(|_| Self { rank, extents })
    }

    /// A single element, in that many dimensions.
    pub(super) fn single(rank: usize) -> Self {
        Self {
            rank,
            extents: [1; MOST_DIMENSIONS],
        }
    }

    /// Number of elements.
    pub(super) fn count(&self) -> u64 {
        self.extents.iter().map(|e| u64::from(*e)).product()
    }

    /// `struct { uint32_t extent[4]; uint32_t linear; }` of the generated source. `linear` says that
    /// the shape is the domain's: the work item's index is the element's.
    pub(super) fn to_bytes(self, domain: &Self) -> [u8; 20] {
        let mut bytes = [0; 20];
        let words = self.extents.into_iter().chain([u32::from(self == *domain)]);
        for (room, word) in bytes.chunks_exact_mut(4).zip(words) {
            room.copy_from_slice(&word.to_le_bytes());
        }
        bytes
    }
}

impl fmt::Display for Shape {
    /// As Brook+ writes extents: `<rows, columns>`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let slowest_first = self.extents[..self.rank].iter().rev();
        let words: Vec<String> = slowest_first.map(u32::to_string).collect();
        write!(f, "<{}>", words.join(", "))
    }
}

/// A stream: elements in device memory, in one to four dimensions. Clones share the memory.
///
/// Elements lie row-major, packed as on the host: a `float3` takes 12 bytes.
#[derive(Clone)]
pub struct DynStream {
    pub(super) element: ElementType,
    pub(super) shape: Shape,
    pub(super) memory: Arc<dyn Buffer>,
    pub(super) device: Device,
}

impl Device {
    /// A stream of zeros. `element` is the type's name (`float4`, `unsigned int`; `bytes:20` for a struct or
    /// an array), `extents` are
    /// given slowest first, as in `float s<rows, columns>`.
    ///
    /// # Errors
    /// No such type, no such shape, or not enough memory.
    pub fn stream(&self, element: &str, extents: &[u32]) -> Result<DynStream> {
        let type_ = ElementType::from_name(element).ok_or_else(|| {
            Error::argument(format!(
                "Stream Allocation: there are no streams of '{element}'"
            ))
        })?;
        let shape = Shape::new(extents).ok_or_else(|| {
            Error::argument(format!(
                "Stream Allocation: {extents:?} are no extents of a stream: one to four positive numbers"
            ))
        })?;
        DynStream::allocate(self, type_, shape)
    }
}

impl DynStream {
    pub(super) fn allocate(device: &Device, element: ElementType, shape: Shape) -> Result<Self> {
        let bytes = usize::try_from(shape.count() * element.size() as u64)
            .map_err(|_| Error::argument("Stream Allocation: too many elements"))?;
        let memory = device.allocate(bytes)?;
        memory.zero()?;
        Ok(Self {
            element,
            shape,
            memory,
            device: device.clone(),
        })
    }

    /// The element type's name: `float4`.
    pub fn element(&self) -> String {
        self.element.to_string()
    }

    /// Bytes of one element on the host.
    pub fn element_bytes(&self) -> usize {
        self.element.size()
    }

    /// Extents, slowest first.
    pub fn extents(&self) -> Vec<u32> {
        self.shape.extents[..self.shape.rank]
            .iter()
            .rev()
            .copied()
            .collect()
    }

    /// Bytes of all elements.
    pub fn bytes(&self) -> usize {
        self.memory.len()
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
        Ok(self.memory.write(0, bytes)?)
    }

    /// Copies all elements to the host (Brook+'s `streamWrite`), after every kernel called so far.
    ///
    /// # Errors
    /// The number of bytes is not [`DynStream::bytes`], or the copy failed.
    pub fn write(&self, bytes: &mut [u8]) -> Result<()> {
        self.check("Stream Write", bytes.len())?;
        Ok(self.memory.read(0, bytes)?)
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
        let copy = Self::allocate(&self.device, self.element, self.shape)?;
        let mut bytes = vec![0; self.bytes()];
        self.write(&mut bytes)?;
        copy.read(&bytes)?;
        Ok(copy)
    }
}

impl fmt::Debug for DynStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the stream of {}{}", self.element, self.shape)
    }
}
