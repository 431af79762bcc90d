//! What kernels of OKL are given, checked against what they take.

use crate::array::{Array, Keep};
use crate::element::{self, ElementType};
use crate::errors::Raise;
use crate::extents;
use crate::foreign::Foreign;
use crate::kernel::Kernel;
use crate::parameter::{Kind, Wanted};
use crate::state::State;
use crate::structures::fits_structure;
use crate::values::{natural, number, structure, vector_bytes};
use brook::expr::Scalar;
use brook::module::VectorType;
use brook::runtime::{DynMemory, ElementKind, KernelArgument};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyInt, PyString, PyTuple};
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
    /// What has the memory of other libraries' arrays whose streams nobody knows.
    pub(crate) objects: Vec<Py<PyAny>>,
    /// The same of others: their libraries give memory away in the order of their streams.
    pub(crate) ordered: Vec<Py<PyAny>>,
    /// The same, of arrays that were imported before.
    pub(crate) kept: Vec<Arc<Keep>>,
    /// Shapes of arrays whose parameters have extents, by the parameter's number.
    shapes: Vec<(usize, Vec<usize>)>,
}

/// A parameter that an argument is for, in messages.
#[derive(Clone, Copy)]
pub(crate) struct Place<'k> {
    pub(crate) kernel: &'k Kernel,
    pub(crate) index: usize,
    pub(crate) wanted: &'k Wanted,
}

impl Place<'_> {
    pub(crate) fn label(self) -> String {
        format!(
            "argument {} '{}' of kernel '{}'",
            self.index + 1,
            self.wanted.name,
            self.kernel.name()
        )
    }

    pub(crate) fn mismatch(self, wants: &str, got: &Bound<'_, PyAny>) -> PyErr {
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
            ordered: Vec::new(),
            kept: Vec::new(),
            shapes: Vec::new(),
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
        if kernel.template {
            all.check_instance(kernel, given)?;
        } else if !all.shapes.is_empty() {
            let dimensions = |index: usize| &*kernel.wanted[index].dimensions;
            extents::check(kernel, given, &all.shapes, &dimensions)?;
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
            Kind::Template(_) => natural(place, object),
            Kind::Unknown => Err(unknown(place)),
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
            self.note_shape(place, &array.element, &array.shape);
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
        self.note_shape(place, &foreign.element, &foreign.shape);
        check_writable(place, foreign.writable)?;
        let memory = foreign.memory(object.py(), state, &|| place.label())?;
        match foreign.stream {
            Some(stream) => {
                if !self.streams.contains(&stream) {
                    self.streams.push(stream);
                }
                self.ordered.push(foreign.keep);
            }
            // It is there for our own queue.
            None => {
                self.own = true;
                self.objects.push(foreign.keep);
            }
        }
        Ok(Slot::Memory(memory, foreign.writable))
    }

    /// Checks shapes against the extents that a template's parameters have with these arguments.
    fn check_instance(&self, kernel: &Kernel, given: &Bound<'_, PyTuple>) -> PyResult<()> {
        let list: Vec<KernelArgument<'_>> = self.slots.iter().map(|s| s.lent()).collect();
        let metadata = given.py().detach(|| kernel.kernel.metadata_for(&list));
        let parameters = &metadata.raise(given.py())?.parameters;
        let dimensions = |index: usize| &*parameters[index].dimensions;
        extents::check(kernel, given, &self.shapes, &dimensions)
    }

    fn note_shape(&mut self, place: Place<'_>, element: &ElementType, shape: &[usize]) {
        if place.kernel.template || !place.wanted.dimensions.is_empty() {
            let shape = extents::shape_of(place, element, shape);
            self.shapes.push((place.index, shape));
        }
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
            let Kind::Template(parameter) = wanted.kind else {
                continue;
            };
            let place = Place {
                kernel,
                index,
                wanted,
            };
            let object = given.get_borrowed_item(index)?;
            self.slots[index] = match told(&self.slots, parameter) {
                Some(scalar) => Slot::Number(number(place, scalar, &object)?),
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
pub(crate) fn pointer_words(wanted: &Wanted) -> String {
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

/// Of a type whose size is not known: what is given could be of any other.
fn unknown(place: Place<'_>) -> PyErr {
    PyTypeError::new_err(format!(
        "{} is of type {}, and how that lies in memory is not known here: an array of uint8 has the bytes of an array of them",
        place.label(),
        place.wanted.type_name
    ))
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
        // Bytes are anything.
        _ if element.kind == ElementKind::Numbers(Scalar::UChar, 1) => Ok(()),
        _ if wanted.bytes.is_none() => Err(unknown(place)),
        _ => match &element.dtype {
            Some(dtype) => fits_structure(place, dtype.bind(object.py()), object),
            None if !wanted.numbers.is_empty() => match element.kind {
                // Nothing lies between them.
                ElementKind::Numbers(scalar, _)
                    if wanted.numbers.iter().all(|(_, n)| *n == scalar)
                        && wanted.bytes == Some(wanted.numbers.len() * scalar.size()) =>
                {
                    Ok(())
                }
                _ => wrong(),
            },
            None => wrong(),
        },
    }
}
