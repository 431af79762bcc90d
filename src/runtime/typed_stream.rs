//! Brook+ streams of a type that the compiler knows.

use super::element::ElementType;
use super::layout::MOST_DIMENSIONS;
use super::plain::{bytes_of, bytes_of_mut, zeros};
use super::{
    Device, DynStream, Element, ElementKind, Error, ExecutionDomain, Kernel, Result, StreamArgument,
};
use std::fmt;
use std::marker::PhantomData;

/// A stream: elements in device memory, in one to four dimensions. Clones share the memory, and so do
/// parts ([`Stream::domain`]).
///
/// `T` is a number, an array of up to four numbers for a vector (`[f32; 4]` for a `float4`), or a
/// structure that [`structure!`](crate::structure) declares.
///
/// ```no_run
/// use brook::{BuildOptions, Device, Source, Stream, stream_args};
///
/// # fn main() -> Result<(), brook::runtime::Error> {
/// let device = Device::detect()?;
/// let source = Source::new("add.br", "kernel void add(float a<>, float k, out float b<>) { b = a + k; }");
/// let add = device.build(source, &BuildOptions::new())?.kernel("add")?;
/// let a = Stream::<f32>::new(&device, &[2, 3])?;
/// let b = Stream::<f32>::new(&device, &[2, 3])?;
/// a.read(&[1.0; 6])?;
/// add.call(stream_args![&a, 2.0f32, &b])?;
/// assert_eq!(b.to_vec()?, [3.0; 6]);
/// // Only where the last two columns are:
/// add.domain_offset(&[1, 0]).domain_size(&[2, 2]).call(stream_args![&b, 1.0f32, &a])?;
/// # Ok(())
/// # }
/// ```
pub struct Stream<T: Element> {
    stream: DynStream,
    element: PhantomData<T>,
}

impl<T: Element> Stream<T> {
    /// A stream of zeros; extents are given slowest first, as in `float s<rows, columns>`.
    ///
    /// # Errors
    /// No such shape, a type that streams have not got, or not enough memory.
    pub fn new(device: &Device, extents: &[u32]) -> Result<Self> {
        Ok(Self::of(device.stream(&name::<T>(), extents)?))
    }

    fn of(stream: DynStream) -> Self {
        Self {
            stream,
            element: PhantomData,
        }
    }

    /// The stream without its type.
    pub fn as_dyn(&self) -> &DynStream {
        &self.stream
    }

    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.stream.layout.shape.rank
    }

    /// Extents, slowest first.
    pub fn extents(&self) -> Vec<u32> {
        self.stream.extents()
    }

    /// Number of elements, of which there is at least one.
    #[expect(clippy::len_without_is_empty, reason = "a stream is never empty")]
    pub fn len(&self) -> usize {
        // All of it fits memory, so a part does.
        self.stream.layout.shape.count() as usize
    }

    /// The device that holds it.
    pub fn device(&self) -> &Device {
        self.stream.device()
    }

    /// Fills the stream (Brook+'s `streamRead`); elements row-major.
    ///
    /// # Errors
    /// Not as many elements, or the copy failed.
    pub fn read(&self, elements: &[T]) -> Result<()> {
        self.stream.read(bytes_of(elements))
    }

    /// Copies all elements to the host (Brook+'s `streamWrite`), after every kernel called so far.
    ///
    /// # Errors
    /// Not as many elements, or the copy failed.
    pub fn write(&self, elements: &mut [T]) -> Result<()> {
        self.stream.write(bytes_of_mut(elements))
    }

    /// All elements, copied to the host.
    ///
    /// # Errors
    /// As [`Stream::write`].
    pub fn to_vec(&self) -> Result<Vec<T>> {
        let mut elements = zeros(self.len());
        self.write(&mut elements)?;
        Ok(elements)
    }

    /// Copies all elements of `source`, which may be on another device.
    ///
    /// # Errors
    /// Another shape, or the copy failed.
    pub fn assign(&self, source: &Self) -> Result<()> {
        self.stream.assign(&source.stream)
    }

    /// The part between `start`, included, and `end`, left out: one number a dimension, *fastest
    /// first*. Kernels that take it see a stream of that size; it shares the memory.
    ///
    /// # Errors
    /// Places outside of the stream, or a part with nothing in it.
    pub fn domain(&self, start: &[u32], end: &[u32]) -> Result<Self> {
        self.stream.domain(start, end).map(Self::of)
    }

    /// The same stream; kernels that write it run for its first `threads` elements only.
    ///
    /// # Errors
    /// It has not got one dimension, or not as many elements.
    pub fn exec_domain(&self, threads: u32) -> Result<Self> {
        self.stream.exec_domain(threads).map(Self::of)
    }

    /// Whether every kernel called so far on its device has ended (Brook+'s `isSync`).
    ///
    /// # Errors
    /// The device's.
    pub fn is_sync(&self) -> Result<bool> {
        self.device().is_idle()
    }

    /// Waits for every kernel called so far on its device (Brook+'s `finish`).
    ///
    /// # Errors
    /// The device's, or those of the kernels.
    pub fn finish(&self) -> Result<()> {
        self.device().synchronize()
    }
}

/// What streams call the type.
fn name<T: Element>() -> String {
    match T::KIND {
        ElementKind::Numbers(scalar, width @ 1..=4) => {
            let words = scalar.c_name();
            match width {
                1 => words.to_string(),
                _ => format!("{words}{width}"),
            }
        }
        _ => ElementType::Bytes(size_of::<T>()).name(),
    }
}

impl<T: Element> Clone for Stream<T> {
    fn clone(&self) -> Self {
        Self::of(self.stream.clone())
    }
}

impl<T: Element> fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.stream.fmt(f)
    }
}

impl<T: Element> TryFrom<DynStream> for Stream<T> {
    type Error = Error;

    fn try_from(stream: DynStream) -> Result<Self> {
        let wanted = name::<T>();
        match ElementType::from_name(&wanted) == Some(stream.element) {
            true => Ok(Self::of(stream)),
            false => Err(Error::argument(format!(
                "{stream:?} is not one of {wanted}"
            ))),
        }
    }
}

/// A kernel about to be called for a part of its outputs: Brook+'s `domainOffset` and `domainSize`.
#[derive(Clone, Copy, Debug)]
#[must_use = "nothing is called yet"]
pub struct KernelDomain<'k> {
    kernel: &'k Kernel,
    domain: ExecutionDomain,
}

impl Kernel {
    /// Begins a call with the first element it is for, fastest dimension first.
    pub fn domain_offset(&self, offset: &[u32]) -> KernelDomain<'_> {
        let domain = ExecutionDomain::default();
        let kernel = self;
        KernelDomain { kernel, domain }.domain_offset(offset)
    }

    /// Begins a call with how many elements it is for, fastest dimension first.
    pub fn domain_size(&self, size: &[u32]) -> KernelDomain<'_> {
        let domain = ExecutionDomain::default();
        let kernel = self;
        KernelDomain { kernel, domain }.domain_size(size)
    }
}

impl KernelDomain<'_> {
    /// The first element, fastest dimension first; zero where nothing is said.
    pub fn domain_offset(mut self, offset: &[u32]) -> Self {
        self.domain.offset = Some(extended(offset, 0));
        self
    }

    /// How many elements, fastest dimension first; one where nothing is said.
    pub fn domain_size(mut self, size: &[u32]) -> Self {
        self.domain.size = Some(extended(size, 1));
        self
    }

    /// Calls the kernel there.
    ///
    /// # Errors
    /// As [`Kernel::call_over`].
    pub fn call(self, arguments: &mut [StreamArgument<'_>]) -> Result<()> {
        self.kernel.call_over(Some(&self.domain), arguments)
    }
}

fn extended(numbers: &[u32], filler: u32) -> [u32; MOST_DIMENSIONS] {
    let mut all = [filler; MOST_DIMENSIONS];
    for (to, from) in all.iter_mut().zip(numbers) {
        *to = *from;
    }
    all
}
