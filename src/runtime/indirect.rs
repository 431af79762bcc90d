//! BrookGPU's `streamGatherOp` and `streamScatterOp`: streams read and written through streams of places.
//!
//! Elements are taken one after the other, in row-major order of the index stream, so that several of one
//! place are well defined. Kernels as operations run on the device: the n-th elements of all places together.

use super::call_argument::StreamArgument;
use super::element::ElementType;
use super::layout::{Layout, Shape};
use super::stream::DynStream;
use super::{Error, Kernel, Result};
use crate::expr::{self, BinaryOperator, Expr, Scalar, Value};
use crate::module::Type;
use crate::render::{Form, Role};
use crate::runtime::launch::{from_bytes, to_bytes};
use std::collections::HashMap;

/// What a gather does to the element that it has read.
#[derive(Clone, Debug)]
pub enum GatherOperation {
    /// Nothing (`STREAM_GATHER_FETCH`).
    Fetch,
    /// It becomes one more (`STREAM_GATHER_INC`).
    Increment,
    /// It becomes the kernel's result for it.
    Kernel(Kernel),
}

/// How a scatter combines an element with the one that is there.
#[derive(Clone, Debug)]
pub enum ScatterOperation {
    /// It takes its place (`STREAM_SCATTER_ASSIGN`).
    Assign,
    /// The sum (`STREAM_SCATTER_ADD`).
    Add,
    /// The product (`STREAM_SCATTER_MUL`).
    Multiply,
    /// The kernel's result for the new one and the one that is there.
    Kernel(Kernel),
}

impl DynStream {
    /// `t[i] = array[index[i]]`, clamped to the array; then the operation changes the array's element.
    /// Components of an index are rounded to the nearest integer, x being the fastest; a single one counts
    /// the array's elements row by row.
    ///
    /// # Errors
    /// Streams that do not fit, an operation that is no kernel of one element, and whatever the device
    /// reports.
    pub fn gather(
        target: &Self,
        index: &Self,
        array: &Self,
        operation: &GatherOperation,
    ) -> Result<()> {
        let what = "Stream Gather";
        fit(what, target, index, array)?;
        let places = places(what, index, &array.layout)?;
        let size = array.element.size();
        let mut elements = bytes_of(array)?;
        if matches!(operation, GatherOperation::Fetch) {
            return target.read(&fetched(&elements, &places, size));
        }
        let mut read = vec![0; target.bytes()];
        for round in rounds(places.iter().map(|place| Some(place.clamped))) {
            let mut before = Vec::with_capacity(round.len() * size);
            for &(at, place) in &round {
                let element = &elements[place * size..][..size];
                read[at * size..][..size].copy_from_slice(element);
                before.extend_from_slice(element);
            }
            let after = match operation {
                // Returned above: elements that stay need no rounds.
                GatherOperation::Fetch => before,
                GatherOperation::Increment => {
                    each(array.element, &before, None, BinaryOperator::Add)?
                }
                GatherOperation::Kernel(kernel) => of_kernel(kernel, array, &[&before, &before])?,
            };
            put(
                &mut elements,
                &after,
                round.iter().map(|(_, place)| *place),
                size,
            );
        }
        array.read(&elements)?;
        target.read(&read)
    }

    /// `array[index[i]] = op(s[i], array[index[i]])`; places outside of the array are left out. Indices are
    /// those of [`DynStream::gather`].
    ///
    /// # Errors
    /// As [`DynStream::gather`]; a kernel takes two elements.
    pub fn scatter(
        source: &Self,
        index: &Self,
        array: &Self,
        operation: &ScatterOperation,
    ) -> Result<()> {
        let what = "Stream Scatter";
        fit(what, source, index, array)?;
        let places = places(what, index, &array.layout)?;
        let size = array.element.size();
        let mut elements = bytes_of(array)?;
        let new = bytes_of(source)?;
        for round in rounds(places.iter().map(|place| place.inside)) {
            let mut there = Vec::with_capacity(round.len() * size);
            let mut given = Vec::with_capacity(round.len() * size);
            for &(at, place) in &round {
                there.extend_from_slice(&elements[place * size..][..size]);
                given.extend_from_slice(&new[at * size..][..size]);
            }
            let after = combined(operation, array, given, &there)?;
            put(
                &mut elements,
                &after,
                round.iter().map(|(_, place)| *place),
                size,
            );
        }
        array.read(&elements)
    }
}

impl DynStream {
    /// What BrookGPU's runtime did for a scatter: `target[i] = op(array[index[i]], target[i])`, with the places of
    /// [`DynStream::gather`].
    ///
    /// # Errors
    /// As [`DynStream::scatter`].
    pub fn combine(
        target: &Self,
        index: &Self,
        array: &Self,
        operation: &ScatterOperation,
    ) -> Result<()> {
        let what = "Stream Scatter";
        fit(what, target, index, array)?;
        let size = array.element.size();
        let given = fetched(
            &bytes_of(array)?,
            &places(what, index, &array.layout)?,
            size,
        );
        let there = bytes_of(target)?;
        target.read(&combined(operation, array, given, &there)?)
    }
}

/// An operation's results for elements and what is there.
fn combined(
    operation: &ScatterOperation,
    like: &DynStream,
    given: Vec<u8>,
    there: &[u8],
) -> Result<Vec<u8>> {
    match operation {
        ScatterOperation::Assign => Ok(given),
        ScatterOperation::Add => each(like.element, there, Some(&given), BinaryOperator::Add),
        ScatterOperation::Multiply => {
            each(like.element, there, Some(&given), BinaryOperator::Multiply)
        }
        ScatterOperation::Kernel(kernel) => of_kernel(kernel, like, &[&given, there]),
    }
}

/// The elements at the places, clamped to the array.
fn fetched(elements: &[u8], places: &[Place], size: usize) -> Vec<u8> {
    let element = |place: &Place| &elements[place.clamped * size..][..size];
    places.iter().flat_map(element).copied().collect()
}

fn bytes_of(stream: &DynStream) -> Result<Vec<u8>> {
    let mut bytes = vec![0; stream.bytes()];
    stream.write(&mut bytes)?;
    Ok(bytes)
}

/// The elements and the places have to be as many, and of the array's type.
fn fit(what: &str, elements: &DynStream, index: &DynStream, array: &DynStream) -> Result<()> {
    if elements.element != array.element {
        return Err(Error::argument(format!(
            "{what}: {elements:?} and {array:?} have different elements"
        )));
    }
    if elements.layout.shape.extents != index.layout.shape.extents {
        return Err(Error::argument(format!(
            "{what}: {elements:?} needs as many places as it has elements; got {index:?}"
        )));
    }
    Ok(())
}

/// A place in the array, by the number of its element in row-major order.
struct Place {
    clamped: usize,
    /// `None` outside.
    inside: Option<usize>,
}

fn places(what: &str, index: &DynStream, array: &Layout) -> Result<Vec<Place>> {
    let rank = array.shape.rank;
    let wrong = || {
        Error::argument(format!(
            "{what}: an index into {rank} dimensions has one number, or one for each; got {index:?}"
        ))
    };
    let ty = index.element.number().ok_or_else(wrong)?;
    let width = usize::from(ty.width);
    let scalar = ty.base.scalar().ok_or_else(wrong)?;
    if width != 1 && width != rank {
        return Err(wrong());
    }
    // One number counts the elements row by row.
    let extents: Vec<u64> = match width == rank {
        true => array.shape.extents[..rank]
            .iter()
            .map(|e| u64::from(*e))
            .collect(),
        false => vec![array.shape.count()],
    };
    let bytes = bytes_of(index)?;
    let places = bytes.chunks(width * scalar.size()).map(|element| {
        let (mut clamped, mut inside, mut pitch) = (0u64, Some(0u64), 1u64);
        for (component, extent) in element.chunks(scalar.size()).zip(&extents) {
            let value = from_bytes(scalar, component).map_or(0.0, Value::as_f64);
            // NaN is index 0, as in kernels.
            let nearest = if value.is_nan() { 0.0 } else { value.round() };
            let most = extent.saturating_sub(1);
            let place = (nearest.max(0.0) as u64).min(most);
            let is_inside = nearest >= 0.0 && nearest < *extent as f64;
            clamped += place * pitch;
            inside = inside.filter(|_| is_inside).map(|i| i + place * pitch);
            pitch *= extent;
        }
        Place {
            clamped: clamped as usize,
            inside: inside.map(|i| i as usize),
        }
    });
    Ok(places.collect())
}

/// The first accesses to all places, the second ones, and so on: which access, and where.
fn rounds(places: impl Iterator<Item = Option<usize>>) -> Vec<Vec<(usize, usize)>> {
    let mut rounds: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut seen: HashMap<usize, usize> = HashMap::new();
    for (at, place) in places.enumerate() {
        let Some(place) = place else {
            continue;
        };
        let turn = seen.entry(place).or_default();
        if *turn == rounds.len() {
            rounds.push(Vec::new());
        }
        rounds[*turn].push((at, place));
        *turn += 1;
    }
    rounds
}

fn put(elements: &mut [u8], new: &[u8], places: impl Iterator<Item = usize>, size: usize) {
    for (element, place) in new.chunks(size).zip(places) {
        elements[place * size..][..size].copy_from_slice(element);
    }
}

/// The operator on each component; the right operand is 1 where there is none.
fn each(
    element: ElementType,
    left: &[u8],
    right: Option<&[u8]>,
    operator: BinaryOperator,
) -> Result<Vec<u8>> {
    let scalar = element.number().and_then(|ty: Type| ty.base.scalar());
    let Some(scalar) = scalar else {
        return Err(Error::argument(
            "Stream Scatter: structs and fixed point can only be assigned; an operation on them is a kernel",
        ));
    };
    let mut out = Vec::with_capacity(left.len());
    for (at, component) in left.chunks(scalar.size()).enumerate() {
        let other = match right {
            Some(bytes) => from_bytes(scalar, &bytes[at * scalar.size()..][..scalar.size()]),
            None => Some(Value::Int(Scalar::Int, 1).convert(scalar)),
        };
        let result = from_bytes(scalar, component)
            .zip(other)
            .and_then(|(a, b)| {
                let expr = Expr::binary(operator, Expr::Literal(a), Expr::Literal(b));
                expr::evaluate(&expr, &|_| None).ok()
            })
            .map(|value| value.convert(scalar));
        let Some(result) = result else {
            return Err(Error::argument(
                "Stream Scatter: the operation has no result",
            ));
        };
        let mut room = [0; 8];
        let size = to_bytes(result, &mut room);
        out.extend_from_slice(&room[..size]);
    }
    Ok(out)
}

/// A kernel's results for elements that are given as arguments, all at once: a map, or a reduction's function,
/// whose second argument is what it has reduced so far.
fn of_kernel(kernel: &Kernel, like: &DynStream, arguments: &[&[u8]; 2]) -> Result<Vec<u8>> {
    let count = arguments[0].len() / like.element.size();
    let line = |extents: &[u32]| {
        Shape::new(extents).ok_or_else(|| Error::argument("Stream Gather: too many elements"))
    };
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    let stream = |extents: &[u32], bytes: &[u8]| {
        let stream = DynStream::allocate(&like.device, like.element, line(extents)?)?;
        stream.read(bytes)?;
        Ok::<_, Error>(stream)
    };
    let result = DynStream::allocate(&like.device, like.element, line(&[count])?)?;
    let parameters = &kernel.metadata().parameters;
    let inputs = parameters.iter().filter(|p| p.role == Role::Input).count();
    let fits = parameters.len() == inputs + 1;
    match (kernel.metadata().form, inputs) {
        (Form::Reduce, 1) if fits => {
            // Rows of two: what there is, and what is reduced into it.
            let size = like.element.size();
            let pairs = arguments[1].chunks(size).zip(arguments[0].chunks(size));
            let rows: Vec<u8> = pairs.flat_map(|(a, b)| [a, b].concat()).collect();
            let rows = stream(&[count, 2], &rows)?;
            kernel.call(&mut in_order(kernel, &[&rows], &result))?;
        }
        (Form::Map, 1) if fits => {
            let only = stream(&[count], arguments[0])?;
            kernel.call(&mut in_order(kernel, &[&only], &result))?;
        }
        (Form::Map, 2) if fits => {
            let first = stream(&[count], arguments[0])?;
            let second = stream(&[count], arguments[1])?;
            kernel.call(&mut in_order(kernel, &[&first, &second], &result))?;
        }
        _ => {
            return Err(Error::argument(format!(
                "Kernel Execution: kernel '{}' is no operation: it has other parameters than one or two \
                 elements and a result",
                kernel.metadata().name
            )));
        }
    }
    bytes_of(&result)
}

/// Inputs and the result as the kernel's parameters come.
fn in_order<'a>(
    kernel: &Kernel,
    inputs: &[&'a DynStream],
    result: &'a DynStream,
) -> Vec<StreamArgument<'a>> {
    let mut inputs = inputs.iter();
    let parameters = kernel.metadata().parameters.iter();
    parameters
        .map(|parameter| match parameter.role {
            Role::Input => StreamArgument::Stream(inputs.next().copied().unwrap_or(result)),
            _ => StreamArgument::Stream(result),
        })
        .collect()
}
