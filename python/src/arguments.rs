//! What kernels of OKL are given, checked against what they take.

use crate::array::{Array, Keep};
use crate::element::{self, ElementType};
use crate::foreign::Foreign;
use crate::host::HostArray;
use crate::kernel::Kernel;
use crate::parameter::{Kind, Wanted};
use crate::state::State;
use brook::expr::Scalar;
use brook::module::VectorType;
use brook::runtime::{DynMemory, ElementKind, KernelArgument};
use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyString, PyTuple};
use std::sync::Arc;

/// An argument, ready for a launch.
pub(crate) enum Slot {
    Number(KernelArgument<'static>),
    Bytes(Vec<u8>),
    Vector(VectorType, Vec<u8>),
    Memory(DynMemory, bool),
    Null,
}

impl Slot {
    /// The same for the runtime.
    pub(crate) fn lent(&self) -> KernelArgument<'_> {
        match self {
            Self::Number(number) => *number,
            Self::Bytes(bytes) => KernelArgument::bytes(bytes),
            Self::Vector(ty, bytes) => KernelArgument::vector(*ty, bytes),
            Self::Memory(memory, writable) => KernelArgument::memory(memory, *writable),
            Self::Null => KernelArgument::null(),
        }
    }
}

/// The arguments of a launch.
pub(crate) struct Arguments {
    pub(crate) slots: Vec<Slot>,
    /// Streams of other libraries that have some of the arrays.
    pub(crate) streams: Vec<usize>,
    /// Whether there is memory in the order of our own queue.
    pub(crate) own: bool,
    /// What has the memory of other libraries' arrays.
    pub(crate) objects: Vec<Py<PyAny>>,
    /// The same, of arrays that were imported before.
    pub(crate) kept: Vec<Arc<Keep>>,
}

/// A parameter that an argument is for, in messages.
#[derive(Clone, Copy)]
struct Place<'k> {
    kernel: &'k Kernel,
    index: usize,
    wanted: &'k Wanted,
}

impl Place<'_> {
    fn label(self) -> String {
        format!(
            "argument {} '{}' of kernel '{}'",
            self.index + 1,
            self.wanted.name,
            self.kernel.name()
        )
    }

    fn mismatch(self, wants: &str, got: &Bound<'_, PyAny>) -> PyErr {
        PyTypeError::new_err(format!("{} is {wants}; got {}", self.label(), what(got)))
    }
}

/// An object in messages.
pub(crate) fn what(object: &Bound<'_, PyAny>) -> String {
    if let Ok(array) = object.cast::<Array>() {
        return format!("a {}", array.get().described());
    }
    let class = object.get_type();
    let name = class.name().map_or("object".to_string(), |n| n.to_string());
    let text = match object.is_instance_of::<PyInt>()
        || object.is_instance_of::<PyFloat>()
        || object.is_instance_of::<PyString>()
    {
        true => object.repr().map(|r| r.to_string()).unwrap_or_default(),
        false => String::new(),
    };
    if !text.is_empty() && text.len() < 60 {
        return format!("{name} {text}");
    }
    match (object.getattr("dtype"), object.getattr("shape")) {
        (Ok(dtype), Ok(shape)) => format!("{name} of {dtype}, shape {shape}"),
        _ => format!("an object of type {name}"),
    }
}

impl Arguments {
    /// Of a kernel's call. Arrays on a GPU that name no stream of their own are there for `stream`.
    pub(crate) fn new(
        kernel: &Kernel,
        given: &Bound<'_, PyTuple>,
        stream: Option<usize>,
    ) -> PyResult<Self> {
        let wanted = &kernel.wanted;
        if given.len() != wanted.len() {
            let names: Vec<&str> = wanted.iter().map(|w| w.name.as_str()).collect();
            let plural = if wanted.len() == 1 { "" } else { "s" };
            return Err(PyTypeError::new_err(format!(
                "kernel '{}' takes {} argument{plural} ({}); got {}",
                kernel.name(),
                wanted.len(),
                names.join(", "),
                given.len()
            )));
        }
        let mut all = Self {
            slots: Vec::with_capacity(wanted.len()),
            streams: Vec::new(),
            own: false,
            objects: Vec::new(),
            kept: Vec::new(),
        };
        let mut templates = false;
        for (index, wanted) in wanted.iter().enumerate() {
            let place = Place {
                kernel,
                index,
                wanted,
            };
            let object = given.get_borrowed_item(index)?;
            if matches!(wanted.kind, Kind::Template(_)) {
                // What arrays say of the template comes first.
                templates = true;
                all.slots.push(Slot::Null);
                continue;
            }
            let slot = all.slot(place, &object, stream)?;
            all.slots.push(slot);
        }
        if templates {
            all.template_values(kernel, given)?;
        }
        Ok(all)
    }

    fn slot(
        &mut self,
        place: Place<'_>,
        object: &Bound<'_, PyAny>,
        stream: Option<usize>,
    ) -> PyResult<Slot> {
        match place.wanted.kind {
            Kind::Number(scalar) => number(place, scalar, object).map(Slot::Number),
            Kind::Vector(vector) => vector_bytes(place, vector, object),
            Kind::Structure(bytes) => structure(place, bytes, object),
            Kind::Template(_) | Kind::Unknown => natural(place, object),
            Kind::Numbers(..) | Kind::Elements(_) => self.pointer(place, object, stream),
            Kind::Stream => Err(place.mismatch("a stream", object)),
        }
    }

    fn pointer(
        &mut self,
        place: Place<'_>,
        object: &Bound<'_, PyAny>,
        stream: Option<usize>,
    ) -> PyResult<Slot> {
        let state = &place.kernel.state;
        if let Ok(array) = object.cast::<Array>() {
            let array = array.get();
            check_elements(place, &array.element, &array.shape, object)?;
            if !array.state.is(state) {
                return Err(elsewhere(place, array, state));
            }
            check_writable(place, array.writable)?;
            self.own = true;
            self.kept.extend(array.keep.clone());
            return Ok(Slot::Memory(array.memory.clone(), array.writable));
        }
        if object.is_none() {
            return Ok(Slot::Null);
        }
        let Some(foreign) = Foreign::of(object, stream)? else {
            let wants = pointer_words(place.wanted);
            return Err(place.mismatch(&wants, object));
        };
        check_elements(place, &foreign.element, &foreign.shape, object)?;
        check_writable(place, foreign.writable)?;
        let memory = foreign.memory(object.py(), state, &|| place.label())?;
        match foreign.stream {
            Some(stream) if !self.streams.contains(&stream) => self.streams.push(stream),
            Some(_) => {}
            // It is there for our own queue.
            None => self.own = true,
        }
        self.objects.push(foreign.keep);
        Ok(Slot::Memory(memory, foreign.writable))
    }

    /// Values of types that are parameters of a template: of the type that arrays say, else of their own.
    fn template_values(&mut self, kernel: &Kernel, given: &Bound<'_, PyTuple>) -> PyResult<()> {
        let told = |slots: &[Slot], number: usize| {
            let pairs = kernel.wanted.iter().zip(slots);
            let scalars = pairs.filter_map(|(wanted, slot)| match (&wanted.kind, slot) {
                (Kind::Elements(Some(n)), Slot::Memory(memory, _)) if *n == number => {
                    match memory.kind() {
                        ElementKind::Numbers(scalar, 1) => Some(scalar),
                        _ => None,
                    }
                }
                _ => None,
            });
            { scalars }.next()
        };
        for (index, wanted) in kernel.wanted.iter().enumerate() {
            let Kind::Template(number) = wanted.kind else {
                continue;
            };
            let place = Place {
                kernel,
                index,
                wanted,
            };
            let object = given.get_borrowed_item(index)?;
            self.slots[index] = match told(&self.slots, number) {
                Some(scalar) => Slot::Number(self::number(place, scalar, &object)?),
                None => natural(place, &object)?,
            };
        }
        Ok(())
    }
}

fn elsewhere(place: Place<'_>, array: &Array, state: &State) -> PyErr {
    PyValueError::new_err(format!(
        "{} is memory of device {}; the kernel runs on {}",
        place.label(),
        array.state.device.name(),
        state.device.name()
    ))
}

fn check_writable(place: Place<'_>, writable: bool) -> PyResult<()> {
    match writable || place.wanted.constant {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!(
            "{} is not declared const, so the kernel may write it; got an array that is read only",
            place.label()
        ))),
    }
}

/// What a pointer wants, in words.
fn pointer_words(wanted: &Wanted) -> String {
    match wanted.kind {
        Kind::Numbers(scalar, 1) => format!("an array of {}", element::name(scalar)),
        Kind::Numbers(scalar, width) => {
            let name = &wanted.type_name;
            format!(
                "an array of {} of shape (…, {width}), for {name}",
                element::name(scalar)
            )
        }
        _ => format!("an array of {}", wanted.type_name),
    }
}

fn check_elements(
    place: Place<'_>,
    element: &ElementType,
    shape: &[usize],
    object: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let wanted = place.wanted;
    let wrong = || Err(place.mismatch(&pointer_words(wanted), object));
    match wanted.kind {
        Kind::Numbers(scalar, 1) if element.kind == ElementKind::Numbers(scalar, 1) => Ok(()),
        Kind::Numbers(scalar, 2) if element.kind == ElementKind::Numbers(scalar, 2) => Ok(()),
        Kind::Numbers(scalar, width) if element.kind == ElementKind::Numbers(scalar, 1) => {
            match shape.last() == Some(&width) {
                true => Ok(()),
                false => Err(PyValueError::new_err(format!(
                    "{} is {}; got {}",
                    place.label(),
                    pointer_words(wanted),
                    what(object)
                ))),
            }
        }
        Kind::Numbers(..) => wrong(),
        Kind::Elements(Some(_)) => Ok(()),
        _ => match &element.dtype {
            Some(dtype) => fits_structure(place, dtype.bind(object.py()), object),
            // Bytes are anything, and so is what nobody knows.
            None if element.kind == ElementKind::Numbers(Scalar::UChar, 1) => Ok(()),
            None if wanted.bytes.is_none() || !wanted.numbers.is_empty() => match element.kind {
                ElementKind::Numbers(scalar, _)
                    if wanted.numbers.iter().all(|(_, n)| *n == scalar) =>
                {
                    Ok(())
                }
                _ => wrong(),
            },
            None => wrong(),
        },
    }
}

/// Whether numpy's structures are what a kernel takes them for: as large, with numbers of the same types in the same places.
fn fits_structure(
    place: Place<'_>,
    dtype: &Bound<'_, PyAny>,
    object: &Bound<'_, PyAny>,
) -> PyResult<()> {
    let wanted = place.wanted;
    if wanted.fits.get().is_some_and(|known| known.is(dtype)) {
        return Ok(());
    }
    let size: usize = dtype.getattr("itemsize")?.extract()?;
    if wanted.bytes.is_some_and(|bytes| bytes != size) {
        let bytes = wanted.bytes.unwrap_or(0);
        return Err(place.mismatch(
            &format!("{}, of {bytes} bytes each", pointer_words(wanted)),
            object,
        ));
    }
    let mut found = Vec::new();
    numbers(dtype, 0, &mut found)?;
    found.sort_unstable_by_key(|(offset, _)| *offset);
    if !wanted.numbers.is_empty() && found != wanted.numbers {
        let list = |all: &[(usize, Scalar)]| {
            let all = all
                .iter()
                .map(|(at, s)| format!("{} at {at}", element::name(*s)));
            all.collect::<Vec<_>>().join(", ")
        };
        return Err(PyTypeError::new_err(format!(
            "{} is {}, which have {}; got elements with {}",
            place.label(),
            pointer_words(wanted),
            list(&wanted.numbers),
            list(&found)
        )));
    }
    let _ = wanted.fits.set(dtype.clone().unbind());
    Ok(())
}

/// The numbers that numpy's structures consist of, and where they lie.
fn numbers(
    dtype: &Bound<'_, PyAny>,
    offset: usize,
    found: &mut Vec<(usize, Scalar)>,
) -> PyResult<()> {
    let subarray = dtype.getattr("subdtype")?;
    if !subarray.is_none() {
        let (base, _): (Bound<'_, PyAny>, Bound<'_, PyAny>) = subarray.extract()?;
        let size: usize = base.getattr("itemsize")?.extract()?;
        let all: usize = dtype.getattr("itemsize")?.extract()?;
        return (0..all.checked_div(size).unwrap_or(0))
            .try_for_each(|index| numbers(&base, offset + index * size, found));
    }
    let fields = dtype.getattr("fields")?;
    if fields.is_none() {
        return match ElementType::of_dtype(dtype)?.kind {
            ElementKind::Numbers(scalar, count) => {
                found.extend((0..count).map(|n| (offset + n * scalar.size(), scalar)));
                Ok(())
            }
            _ => Ok(()),
        };
    }
    let names: Vec<String> = dtype.getattr("names")?.extract()?;
    for name in names {
        let field = fields.get_item(&name)?;
        let own: Bound<'_, PyAny> = field.get_item(0)?;
        let place: usize = field.get_item(1)?.extract()?;
        numbers(&own, offset + place, found)?;
    }
    Ok(())
}

/// A number of that type: an integer that it can hold, or what `float()` makes of an object.
fn number(
    place: Place<'_>,
    scalar: Scalar,
    object: &Bound<'_, PyAny>,
) -> PyResult<KernelArgument<'static>> {
    let wants = || format!("a {}", place.wanted.type_name);
    if scalar.is_float() {
        let x = float(object).ok_or_else(|| place.mismatch(&wants(), object))?;
        return Ok(match scalar {
            Scalar::Float => (x as f32).into(),
            _ => x.into(),
        });
    }
    let too_large = || {
        PyValueError::new_err(format!(
            "{} is a {}, which cannot hold {}",
            place.label(),
            place.wanted.type_name,
            object.repr().map(|r| r.to_string()).unwrap_or_default()
        ))
    };
    if scalar == Scalar::Bool {
        let class = object.get_type();
        let is_bool = object.is_instance_of::<PyBool>()
            || class.name().is_ok_and(|n| n == "bool" || n == "bool_");
        return match is_bool {
            true => Ok(object.is_truthy()?.into()),
            false => match object.extract::<i64>() {
                Ok(bit @ 0..=1) => Ok((bit == 1).into()),
                Ok(_) => Err(too_large()),
                Err(_) => Err(place.mismatch("a bool", object)),
            },
        };
    }
    let value = match object.extract::<i64>() {
        Ok(value) => i128::from(value),
        Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
            i128::from(object.extract::<u64>().map_err(|_| too_large())?)
        }
        Err(_) => return Err(place.mismatch(&wants(), object)),
    };
    let fits = match scalar {
        Scalar::Char => i8::try_from(value).ok().map(Into::into),
        Scalar::UChar => u8::try_from(value).ok().map(Into::into),
        Scalar::Short => i16::try_from(value).ok().map(Into::into),
        Scalar::UShort => u16::try_from(value).ok().map(Into::into),
        Scalar::Int => i32::try_from(value).ok().map(Into::into),
        Scalar::UInt => u32::try_from(value).ok().map(Into::into),
        Scalar::Long => i64::try_from(value).ok().map(Into::into),
        _ => u64::try_from(value).ok().map(Into::into),
    };
    fits.ok_or_else(too_large)
}

/// What `float()` makes of a number; nothing of texts, and of arrays but those of no dimensions.
fn float(object: &Bound<'_, PyAny>) -> Option<f64> {
    if object.is_instance_of::<PyString>() {
        return None;
    }
    if !object.is_instance_of::<PyFloat>() && !object.is_instance_of::<PyInt>() {
        let rank = object.getattr("ndim").and_then(|n| n.extract::<usize>());
        if rank.is_ok_and(|rank| rank > 0) {
            return None;
        }
    }
    object.extract().ok()
}

/// A value of the type that it has in Python: numpy's scalars have one, integers are `int`, or `long` where they are too large.
fn natural(place: Place<'_>, object: &Bound<'_, PyAny>) -> PyResult<Slot> {
    let typed = |scalar| number(place, scalar, object).map(Slot::Number);
    if object.is_instance_of::<PyBool>() {
        return typed(Scalar::Bool);
    }
    if object.is_instance_of::<PyInt>() {
        let small = object.extract::<i32>().is_ok();
        return typed(if small { Scalar::Int } else { Scalar::Long });
    }
    if let Ok(dtype) = object.getattr("dtype") {
        return match ElementType::of_dtype(&dtype)?.kind {
            ElementKind::Numbers(scalar, 1) => typed(scalar),
            _ => bytes(object).map(Slot::Bytes),
        };
    }
    match object.is_instance_of::<PyFloat>() {
        true => typed(Scalar::Double),
        false => Err(place.mismatch("a value", object)),
    }
}

fn bytes(object: &Bound<'_, PyAny>) -> PyResult<Vec<u8>> {
    let made = object.call_method0("tobytes")?;
    Ok(made.cast::<PyBytes>()?.as_bytes().to_vec())
}

/// Numbers side by side, as an array of a type: what numpy makes of a sequence.
fn components(object: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<(Vec<usize>, Vec<u8>)> {
    let py = object.py();
    let array = element::numpy(py, "asarray")?.call1((object,))?;
    let keywords = PyDict::new(py);
    keywords.set_item("casting", "same_kind")?;
    let array = array.call_method("astype", (element::name(scalar),), Some(&keywords))?;
    let shape = array.getattr("shape")?.extract()?;
    Ok((shape, bytes(&array)?))
}

fn vector_bytes(place: Place<'_>, vector: VectorType, object: &Bound<'_, PyAny>) -> PyResult<Slot> {
    let width = usize::from(vector.width);
    let wants = || format!("a {}: {width} numbers", place.wanted.type_name);
    let numbers = components(object, vector.scalar);
    let (shape, mut bytes) = numbers.map_err(|_| place.mismatch(&wants(), object))?;
    if shape != [width] {
        return Err(place.mismatch(&wants(), object));
    }
    bytes.resize(vector.size(), 0);
    Ok(Slot::Vector(vector, bytes))
}

fn structure(place: Place<'_>, size: usize, object: &Bound<'_, PyAny>) -> PyResult<Slot> {
    let wants = || {
        format!(
            "a {} of {size} bytes: a scalar of numpy's structured types",
            place.wanted.type_name
        )
    };
    if let Ok(bytes) = object.cast::<PyBytes>()
        && bytes.as_bytes().len() == size
    {
        return Ok(Slot::Bytes(bytes.as_bytes().to_vec()));
    }
    let wrong = |_| place.mismatch(&wants(), object);
    let dtype = object.getattr("dtype").map_err(wrong)?;
    let rank: usize = object
        .getattr("ndim")
        .map_err(wrong)?
        .extract()
        .map_err(wrong)?;
    if rank != 0 || HostArray::of(object)?.is_some_and(|a| a.bytes() != size) {
        return Err(place.mismatch(&wants(), object));
    }
    fits_structure(place, &dtype, object)?;
    bytes(object).map(Slot::Bytes)
}

/// A value of Brook+, whose numbers are of that type.
pub(crate) fn packed_value(object: &Bound<'_, PyAny>, scalar: Scalar) -> PyResult<Vec<u8>> {
    components(object, scalar).map(|(_, bytes)| bytes)
}
