//! How programs are built, as keyword arguments say it.

use crate::element::{ElementType, dtype_type};
use brook::runtime::ElementKind;
use brook::{BuildOptions, Define, Dialect, Options, Source};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString, PyType};

/// What a program is built from.
#[derive(Clone)]
pub(crate) struct Recipe {
    pub(crate) source: Source,
    pub(crate) options: Options,
    pub(crate) build: BuildOptions,
}

impl Recipe {
    /// Of a source and keyword arguments.
    pub(crate) fn new(source: Source, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let mut options = Options::default();
        let mut build = BuildOptions::new();
        let mut macros = Vec::new();
        for (name, value) in keywords.into_iter().flat_map(|k| k.iter()) {
            let name: String = name.extract()?;
            match name.as_str() {
                "include" => options.include_directories = paths(&value)?,
                "instantiate" => options.instantiate = words(&name, &value)?,
                "relaxed" => options.checking.relaxed = value.extract()?,
                "defines" => {
                    for (name, value) in value.cast::<PyDict>()?.iter() {
                        macros.push((name.extract()?, value));
                    }
                }
                "math" | "flags" | "standard" | "cache" => {}
                _ => macros.push((name, value)),
            }
        }
        for (name, value) in macros {
            let value = text_of(&name, &value)?;
            options.defines.push(Define { name, value });
        }
        build = build.translate(options.clone());
        for (name, value) in keywords.into_iter().flat_map(|k| k.iter()) {
            let name: String = name.extract()?;
            build = match name.as_str() {
                "math" => {
                    let math: String = value.extract()?;
                    build.math(math.parse().map_err(PyValueError::new_err)?)
                }
                "flags" => words(&name, &value)?
                    .into_iter()
                    .fold(build, BuildOptions::flag),
                "standard" if !value.is_none() => build.standard(value.extract::<String>()?),
                "cache" => build.cache(value.extract()?),
                _ => build,
            };
        }
        Ok(Self {
            source,
            options,
            build,
        })
    }
}

/// A source of that text. The language is what the caller says, or what the name tells.
pub(crate) fn source(name: &str, text: &str, language: Option<&str>) -> PyResult<Source> {
    let mut source = Source::new(name, text);
    source.dialect = match language {
        None => source.dialect,
        Some("okl") => Dialect::Okl,
        Some("brook") => Dialect::Brook,
        Some(other) => {
            return Err(PyValueError::new_err(format!(
                "language is 'okl' or 'brook', not '{other}'"
            )));
        }
    };
    Ok(source)
}

fn words(name: &str, value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    if value.is_instance_of::<PyString>() {
        return Ok(vec![value.extract()?]);
    }
    value
        .extract()
        .map_err(|_| PyTypeError::new_err(format!("{name} is a string or a list of strings")))
}

fn paths(value: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let path =
        |value: &Bound<'_, PyAny>| Ok(value.extract::<std::path::PathBuf>()?.display().to_string());
    match path(value) {
        Ok(path) => Ok(vec![path]),
        Err(_) => value
            .try_iter()?
            .map(|one| path(&one?))
            .collect::<PyResult<_>>(),
    }
}

/// A value as the text of a macro: numbers as they are, ``True`` and ``False`` as 1 and 0, dtypes as C's types.
fn text_of(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    let py = value.py();
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(u8::from(flag.is_true()).to_string());
    }
    if value.is_instance_of::<PyString>() {
        return value.extract();
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return number(name, value);
    }
    if value.is_instance_of::<PyType>() || value.is_instance(dtype_type(py)?)? {
        return c_name(value);
    }
    // numpy's scalars.
    match value.call_method0("item") {
        Ok(item) if item.is_instance_of::<PyBool>() => text_of(name, &item),
        Ok(item) if item.is_instance_of::<PyInt>() || item.is_instance_of::<PyFloat>() => {
            number(name, &item)
        }
        _ => Err(PyTypeError::new_err(format!(
            "macro {name}: a string, a number or a dtype can be the text of a macro; got {}",
            value.get_type().name()?
        ))),
    }
}

fn number(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    match value.extract::<f64>() {
        Ok(x) if !x.is_finite() => Err(PyValueError::new_err(format!(
            "macro {name}: {x} cannot be written as a number of C"
        ))),
        // What `float` makes of a subclass, such as numpy's.
        Ok(_) if value.is_instance_of::<PyFloat>() => Ok(value
            .py()
            .get_type::<PyFloat>()
            .call1((value,))?
            .repr()?
            .to_string()),
        _ => Ok(value
            .py()
            .get_type::<PyInt>()
            .call1((value,))?
            .repr()?
            .to_string()),
    }
}

/// C's name of a dtype's numbers.
pub(crate) fn c_name(dtype: &Bound<'_, PyAny>) -> PyResult<String> {
    match ElementType::of(dtype.py(), dtype)?.kind {
        ElementKind::Numbers(scalar, 1) => Ok(scalar.c_name().to_string()),
        _ => Err(PyTypeError::new_err(format!(
            "{dtype} is no type of numbers in C"
        ))),
    }
}
