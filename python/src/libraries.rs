//! torch's and CuPy's arrays, asked what their protocols say in a tenth of the time.

use crate::dlpack;
use crate::element::{ElementType, known_dtype};
use crate::foreign::Foreign;
use brook::expr::Scalar;
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyString;

/// A library whose arrays are known here.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Library {
    Torch,
    Cupy,
    /// JAX tells DLPack's consumer when an array is ready, and nobody else.
    Jax,
    Other,
}

/// The library that an object is of.
pub(crate) fn library(object: &Bound<'_, PyAny>) -> PyResult<Library> {
    let module = object.get_type().module()?;
    let module = module.to_str()?;
    Ok(match module.split('.').next().unwrap_or_default() {
        "torch" => Library::Torch,
        "cupy" => Library::Cupy,
        "jax" | "jaxlib" => Library::Jax,
        _ => Library::Other,
    })
}

/// A value that a module has, looked up once: that takes as long as a launch.
macro_rules! known {
    ($py:expr, $module:literal, $($name:literal).+) => {{
        static KNOWN: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
        KNOWN.get_or_try_init($py, || {
            let found = $py.import($module)?.into_any();
            $(let found = found.getattr($name)?;)+
            Ok::<_, PyErr>(found.unbind())
        })
    }};
}

/// The stream that a library would use now for the device that its array is on; nothing of libraries that do not say.
pub(crate) fn current_stream(
    object: &Bound<'_, PyAny>,
    library: Library,
) -> PyResult<Option<usize>> {
    let py = object.py();
    match library {
        Library::Torch => {
            let device = object.getattr(intern!(py, "device"))?;
            torch_stream(&device).map(Some)
        }
        Library::Cupy => cupy_stream(py).map(Some),
        _ => Ok(None),
    }
}

fn torch_stream(device: &Bound<'_, PyAny>) -> PyResult<usize> {
    let py = device.py();
    // What compilers for torch call; `current_stream` makes objects, and takes ten times as long.
    if let Ok(current) = known!(py, "torch._C", "_cuda_getCurrentRawStream") {
        return { current.bind(py) }
            .call1((device.getattr(intern!(py, "index"))?,))?
            .extract();
    }
    let current = known!(py, "torch.cuda", "current_stream")?.bind(py);
    let current = current.call1((device,))?;
    current.getattr(intern!(py, "cuda_stream"))?.extract()
}

fn cupy_stream(py: Python<'_>) -> PyResult<usize> {
    let current = known!(py, "cupy.cuda", "get_current_stream")?.bind(py);
    current.call0()?.getattr(intern!(py, "ptr"))?.extract()
}

/// What is known of an array of CuPy's; nothing of what its protocols have to tell.
pub(crate) fn cupy(object: &Bound<'_, PyAny>) -> PyResult<Option<Foreign>> {
    let py = object.py();
    if !object.is_exact_instance(known!(py, "cupy", "ndarray")?.bind(py)) {
        return Ok(None);
    }
    let Some(scalar) = known_dtype(&object.getattr(intern!(py, "dtype"))?)? else {
        return Ok(None);
    };
    if known!(py, "cupy.cuda.runtime", "is_hip")?
        .bind(py)
        .is_truthy()?
    {
        return Ok(None);
    }
    let data = object.getattr(intern!(py, "data"))?;
    let flags = object.getattr(intern!(py, "flags"))?;
    Ok(Some(Foreign {
        pointer: data.getattr(intern!(py, "ptr"))?.extract()?,
        device: dlpack::CUDA,
        ordinal: Some(data.getattr(intern!(py, "device_id"))?.extract()?),
        shape: object.getattr(intern!(py, "shape"))?.extract()?,
        element: ElementType::number(scalar),
        writable: true,
        packed: flags.getattr(intern!(py, "c_contiguous"))?.extract()?,
        keep: object.clone().unbind(),
        stream: Some(cupy_stream(py)?),
    }))
}

/// What is known of a tensor of torch's; nothing of what its protocols have to tell.
pub(crate) fn torch(object: &Bound<'_, PyAny>) -> PyResult<Option<Foreign>> {
    let py = object.py();
    let truth = |method: &Bound<'_, PyString>| object.call_method0(method)?.is_truthy();
    if truth(intern!(py, "is_neg"))? || truth(intern!(py, "is_conj"))? {
        return Err(PyTypeError::new_err(
            "a tensor whose memory has its negative or conjugate: x.resolve_neg().resolve_conj() has its own",
        ));
    }
    let exact = object.is_exact_instance(known!(py, "torch", "Tensor")?.bind(py));
    let Some(scalar) = torch_scalar(&object.getattr(intern!(py, "dtype"))?)?.filter(|_| exact)
    else {
        return Ok(None);
    };
    let device = object.getattr(intern!(py, "device"))?;
    let kind = device.getattr(intern!(py, "type"))?;
    let (kind, ordinal, stream) = match kind.extract::<&str>()? {
        "cpu" => (dlpack::CPU, None, None),
        "cuda" => {
            let kind = match known!(py, "torch", "version"."hip")?.is_none(py) {
                true => dlpack::CUDA,
                false => dlpack::ROCM,
            };
            let index = device.getattr(intern!(py, "index"))?.extract()?;
            (kind, Some(index), Some(torch_stream(&device)?))
        }
        _ => return Ok(None),
    };
    let strided = known!(py, "torch", "strided")?.bind(py);
    if !object.getattr(intern!(py, "layout"))?.is(strided) {
        return Ok(None);
    }
    Ok(Some(Foreign {
        pointer: object.call_method0(intern!(py, "data_ptr"))?.extract()?,
        device: kind,
        ordinal,
        shape: object.getattr(intern!(py, "shape"))?.extract()?,
        element: ElementType::number(scalar),
        writable: true,
        packed: truth(intern!(py, "is_contiguous"))?,
        keep: object.clone().unbind(),
        stream,
    }))
}

fn torch_scalar(dtype: &Bound<'_, PyAny>) -> PyResult<Option<Scalar>> {
    static ALL: PyOnceLock<Vec<(Py<PyAny>, Scalar)>> = PyOnceLock::new();
    let py = dtype.py();
    let all = ALL.get_or_try_init(py, || {
        let torch = py.import("torch")?;
        let names = [
            ("float32", Scalar::Float),
            ("float64", Scalar::Double),
            ("int32", Scalar::Int),
            ("int64", Scalar::Long),
            ("uint8", Scalar::UChar),
            ("int8", Scalar::Char),
            ("int16", Scalar::Short),
            ("bool", Scalar::Bool),
        ];
        let of = |(name, scalar)| Ok((torch.getattr(name)?.unbind(), scalar));
        names.into_iter().map(of).collect::<PyResult<Vec<_>>>()
    })?;
    Ok({ all.iter() }
        .find(|(known, _)| known.is(dtype))
        .map(|(_, scalar)| *scalar))
}

/// A tensor of torch's without its history, where torch keeps none: within a function of autograd's, or `torch.no_grad()`.
pub(crate) fn detached<'py>(tensor: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let py = tensor.py();
    if !tensor.getattr(intern!(py, "requires_grad"))?.is_truthy()? {
        return Ok(tensor.clone());
    }
    let enabled = py.import("torch")?.call_method0("is_grad_enabled")?;
    match enabled.is_truthy()? {
        true => Err(PyTypeError::new_err(
            "a tensor that requires a gradient, which no kernel computes: x.detach() has none, and so has what a torch.autograd.Function is given",
        )),
        false => tensor.call_method0(intern!(py, "detach")),
    }
}
