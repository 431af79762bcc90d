//! What a launch needs to know, as data: written to `STEM.json`, kept in the kernel cache, and read
//! by the runtime.

use super::Dtype;
use crate::expr::{Expr, Scalar};
use crate::grammar::Dialect;
use crate::module::{
    Element, HostFunction, Index, Kernel, KernelForm, KernelTemplate, LaunchVariable, Layout,
    Module, Parameter, ParameterKind, Statement, StructPart, Table, layout, parts,
};
use crate::options::Options;
use crate::rewrite::DeviceKernel;
use crate::schedule::{doings, elementwise, folds_alone, gathers_beside, width};
use crate::syntax::deeply;
use foldhash::HashMap;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything about the kernels of one translation that is not source text.
///
/// `dependencies` and `metadata` have the keys of the existing transpiler; the rest is ours.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Metadata {
    /// Files that went into the translation.
    pub dependencies: BTreeMap<String, String>,
    /// The device kernels (for a loop backend: the kernels) and their arguments.
    pub metadata: Vec<DeviceKernel>,
    /// Name of the backend.
    pub backend: String,
    /// `okl` or `brook`.
    pub dialect: String,
    /// The kernels as the user calls them, with the host's part of each.
    pub kernels: Vec<KernelMetadata>,
    /// Functions that the host's part calls.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub functions: Vec<HostFunction>,
    /// Arrays of constants that the host's part reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tables: Vec<Table>,
    /// Kernels that are templates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub templates: Vec<KernelTemplate>,
}

/// A kernel as the user calls it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct KernelMetadata {
    /// Its name in the source.
    pub name: String,
    /// How it is launched.
    pub form: Form,
    /// Its parameters in the order of the source.
    pub parameters: Vec<ParameterMetadata>,
    /// Streams of fewer dimensions than the kernel runs in have leading extents of 1 (BrookGPU).
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub pads_ranks: bool,
    /// A reduction that may fold elements in any order, because its variable changes only through one operator: how
    /// many elements an item of a GPU may read at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any_order: Option<usize>,
    /// Of such a reduction: the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operator: Option<String>,
    /// Brook+: elements of outputs depend on nothing but the same elements of inputs, values, what is gathered, and their place;
    /// of a reduction, what one element does to its variable depends on that element and values.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub elementwise: bool,
    /// Of such a kernel: it asks for its element's place.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placed: bool,
    /// Of such a kernel: there are loops, so that computing an element may take long.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub loops: bool,
    /// Of such a kernel: it calls functions that compilers for processors have for whole vectors, with other results to the bit.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub vector_functions: bool,
    /// Of such a kernel: it gathers beside its element's place, which processors do best in a kernel that does nothing else.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub gathers_beside: bool,
    /// Of such a kernel: there is another one for calls of which it is known that all gathers are inside of arrays whose elements
    /// 31 bits count.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub in_bounds: bool,
    /// The host's part. A loop backend has a single launch without extents.
    pub host: Vec<Statement>,
}

/// How a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// OKL: arguments are scalars and buffers.
    Okl,
    /// Brook+: over every element of the output streams. Besides its own parameters the host's part
    /// uses `brook_count` (ulong, number of elements), `brook_domain`, `brook_NAME_shape` for each
    /// array and stream, `brook_linear` (int, whether item i has element i of every stream; see `runtime`), and
    /// `brook_rows` and `brook_layers` (uint, the rows and layers of rows that have groups of their own; 0 where too
    /// many items of such groups would have no element), and of a kernel that is [`KernelMetadata::in_bounds`]
    /// `brook_in_bounds` (int, whether all that it gathers is known to be there).
    Map,
    /// Brook+ reduction: also `brook_parts` (ulong, parts that an output's elements are cut into),
    /// `brook_tile` (shape of the elements of one output) and `brook_partials` (a scratch buffer of
    /// `brook_count * brook_parts` elements). Where any order will do, `brook_split` (uint, parts that share a
    /// row), `brook_lanes` and `brook_last_lanes` (uint, items that work on a part, and on combining parts) and
    /// `brook_mode` (uint, how items read: see `runtime`).
    Reduce,
    /// BrookGPU's variable outputs: as a map, launched twice. `brook_parts` (ulong) ranges of elements run one
    /// by one each. With `brook_counts` (int) 1 each counts what it pushes into `brook_pushed`, one ulong for
    /// every range of every variable output; with 0 it pushes, from those numbers on.
    Vout,
}

/// A parameter of a kernel as the user calls it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ParameterMetadata {
    /// Its name.
    pub name: String,
    /// What it is.
    pub role: Role,
    /// The type's words: `float`, `float4`, `unsigned int`, `struct Ray`.
    #[serde(rename = "type")]
    pub type_name: String,
    /// The scalar type of a value, if it is one.
    pub scalar: Option<Scalar>,
    /// Bytes of a value, or of an element behind a pointer or in a stream, where known. Host layout:
    /// vectors are packed.
    pub bytes: Option<usize>,
    /// The type of a value that is no scalar, where its layout is known; of what a pointer points at, where that is a
    /// vector by another name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dtype: Option<Dtype>,
    /// Declared `const`.
    #[serde(rename = "const")]
    pub constant: bool,
    /// OKL: the extents that `@dim` and `@dimOrder` say, slowest first, as expressions of the kernel's values by name and of numbers;
    /// empty where they depend on anything else.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dimensions: Vec<Expr>,
    /// Brook+: the sizes of an array that has them, slowest first; such an array may also be given
    /// as host memory.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extents: Vec<u64>,
    /// Where the numbers of a struct lie, in bytes, for a value, or an element behind a pointer or in a
    /// stream; empty for other types, and where not all of its bytes are known as numbers or padding.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<(usize, Scalar)>,
    /// Brook+: what the indices of an array's gathers may be, axis by axis, fastest first, each as a number in terms of the element's place
    /// and of values; empty where that may be anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub indices: Vec<Vec<Index>>,
}

/// What a parameter is to whoever calls the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// A value, passed by copy.
    Value,
    /// A buffer.
    Buffer,
    /// Brook+: an input stream.
    Input,
    /// Brook+: an output stream.
    Output,
    /// Brook+: a stream or array read at any index; number of dimensions.
    Gather(usize),
    /// Brook+: a stream written at any index; number of dimensions.
    Scatter(usize),
    /// Brook+: what a reduction reduces into.
    Reduce,
    /// BrookGPU: a variable output.
    Vout,
}

impl Role {
    #[cfg(feature = "runtime")]
    /// Whether a stream is read, and nothing else is done with it.
    pub(crate) fn is_read(self) -> bool {
        matches!(self, Self::Input) || self.is_gathered()
    }

    #[cfg(feature = "runtime")]
    /// Whether it is read anywhere.
    pub(crate) fn is_gathered(self) -> bool {
        matches!(self, Self::Gather(_))
    }
}

impl Metadata {
    /// The metadata of a module translated for a backend. `device` are the functions that the
    /// generated source defines; `host` the host's part of each kernel, in the order of
    /// `module.kernels`.
    pub(crate) fn new(
        module: &Module,
        options: &Options,
        backend: &str,
        mut device: Vec<DeviceKernel>,
        host: Vec<Vec<Statement>>,
        dependencies: &[String],
    ) -> Self {
        describe(module, &mut device);
        let kernels = kernels(module, options, host);
        Self {
            dependencies: dependencies
                .iter()
                .map(|d| (d.clone(), String::new()))
                .collect(),
            metadata: device,
            backend: backend.to_string(),
            dialect: match module.dialect {
                Dialect::Okl => "okl".to_string(),
                Dialect::Brook => "brook".to_string(),
            },
            kernels,
            functions: module.host_functions.clone(),
            tables: module.tables.clone(),
            templates: module.templates.clone(),
        }
    }

    /// Reads what was written as JSON. A long sum is as deep as it has terms; what is deeper than any program is
    /// refused.
    ///
    /// # Errors
    /// Why it is no metadata.
    pub fn from_json(json: &[u8]) -> Result<Self, String> {
        let read = |json: &[u8]| {
            let mut deserializer = serde_json::Deserializer::from_slice(json);
            deserializer.disable_recursion_limit();
            let read = Self::deserialize(&mut deserializer);
            let read = read.and_then(|read| deserializer.end().map(|()| read));
            read.map_err(|e| e.to_string())
        };
        match levels(json) {
            0..=USUAL_LEVELS => read(json),
            levels if levels > MOST_LEVELS => Err(format!(
                "it has {levels} levels of lists; {MOST_LEVELS} can be read"
            )),
            _ => deeply(|| read(json)).unwrap_or_else(|| read(json)),
        }
    }

    /// As JSON in one line, which [`Metadata::from_json`] reads.
    ///
    /// # Errors
    /// It is deeper than what can be read.
    pub fn to_compact_json(&self) -> Result<String, String> {
        let written = deeply(|| serde_json::to_string(self));
        let written = written.unwrap_or_else(|| serde_json::to_string(self));
        let text = written.map_err(|e| e.to_string())?;
        Self::from_json(text.as_bytes()).map(|_| text)
    }

    /// Whether that JSON, which it was read from, says nothing else: what a later version adds is not read.
    #[cfg(feature = "runtime")]
    pub(crate) fn is_all_of(&self, json: &[u8]) -> bool {
        let same = || serde_json::to_vec(self).is_ok_and(|own| own == json);
        match levels(json) > USUAL_LEVELS {
            true => deeply(same).unwrap_or_else(same),
            false => same(),
        }
    }

    /// As pretty-printed JSON with a final line end.
    pub fn to_json(&self) -> String {
        // Serialising these types cannot fail: no map has keys that are not strings.
        let mut text = serde_json::to_string_pretty(self).unwrap_or_default();
        text.push('\n');
        text
    }
}

/// The kernels as the user calls them, but for sub-kernels; `host` as [`Metadata::new`] takes it.
pub(crate) fn kernels(
    module: &Module,
    options: &Options,
    host: Vec<Vec<Statement>>,
) -> Vec<KernelMetadata> {
    let doings = doings(module);
    let kernels =
        { module.kernels.iter().zip(host).enumerate() }.filter_map(|(number, (kernel, host))| {
            let doing = doings.get(number)?;
            let alone = elementwise(kernel, doing) || folds_alone(kernel, doing);
            let form = match kernel.form {
                KernelForm::Okl { .. } => Form::Okl,
                KernelForm::Map { .. } => Form::Map,
                KernelForm::Reduce { .. } => Form::Reduce,
                KernelForm::Vout => Form::Vout,
                KernelForm::SubKernel => return None,
            };
            let parameters = kernel
                .parameters
                .iter()
                .map(|p| parameter(module, p))
                .collect();
            Some(KernelMetadata {
                name: kernel.name.clone(),
                form,
                parameters,
                any_order: match kernel.form {
                    KernelForm::Reduce { operator: Some(_) } => {
                        Some(width(module, &doings, number, options))
                    }
                    _ => None,
                },
                operator: match kernel.form {
                    KernelForm::Reduce { operator } => operator.map(str::to_string),
                    _ => None,
                },
                elementwise: alone,
                placed: alone && doing.placed,
                loops: alone && doing.work.loops,
                vector_functions: alone && doing.vector_functions,
                gathers_beside: alone && gathers_beside(kernel),
                in_bounds: asks_for(&host, LaunchVariable::InBounds),
                pads_ranks: module.host.as_ref().is_some_and(|h| h.checking.brookgpu),
                host,
            })
        });
    kernels.collect()
}

/// Whether the host's part decides by a variable.
fn asks_for(host: &[Statement], variable: LaunchVariable) -> bool {
    let (wanted, mut asked) = (Expr::name(variable.name()), false);
    Statement::for_each_condition(host, &mut |condition| asked |= *condition == wanted);
    asked
}

/// Levels of lists and objects that any thread's stack has room for.
const USUAL_LEVELS: usize = 100;
/// Levels that are read at all: a sum of two thousand terms.
const MOST_LEVELS: usize = 4096;

/// How deep lists and objects are in a text, if it is JSON.
fn levels(json: &[u8]) -> usize {
    let (mut deepest, mut depth) = (0, 0usize);
    let (mut quoted, mut escaped) = (false, false);
    for byte in json {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

fn parameter(module: &Module, p: &Parameter) -> ParameterMetadata {
    let role = match p.kind {
        ParameterKind::Value | ParameterKind::Out => Role::Value,
        ParameterKind::Pointer(_) => Role::Buffer,
        ParameterKind::StreamIn => Role::Input,
        ParameterKind::StreamOut { .. } => Role::Output,
        ParameterKind::Gather(n) => Role::Gather(n),
        ParameterKind::Scatter(n) => Role::Scatter(n),
        ParameterKind::Reduce => Role::Reduce,
        ParameterKind::Vout => Role::Vout,
    };
    ParameterMetadata {
        name: p.name.clone(),
        role,
        type_name: p.type_name.clone(),
        scalar: p.scalar,
        bytes: bytes(module, p).or_else(|| {
            let layout = p.layout.as_ref()?;
            Some(module.layouts.size(layout).0)
        }),
        dtype: match (&p.layout, &p.kind) {
            (None, ParameterKind::Value) if p.ty.is_vector() && p.scalar.is_none() => {
                Some(Dtype::builtin(p.ty.to_string()))
            }
            (Some(Layout::Scalar(_)), _) | (None, _) => None,
            // A vector by another name.
            (Some(Layout::Vector(vector)), ParameterKind::Pointer(1))
                if vector.to_string() != p.type_name =>
            {
                Some(Dtype::builtin(vector.to_string()))
            }
            (Some(layout), ParameterKind::Value) => Some(Dtype::of(&module.layouts, layout)),
            _ => None,
        },
        constant: p.constant,
        dimensions: p.dimensions.clone(),
        extents: p.extents.clone(),
        numbers: numbers(module, p).unwrap_or_default(),
        indices: match p.indices.iter().all(Vec::is_empty) {
            true => Vec::new(),
            false => p.indices.clone(),
        },
    }
}

/// The numbers of a struct; none if one of its fields is something else.
fn numbers(module: &Module, p: &Parameter) -> Option<Vec<(usize, Scalar)>> {
    if let Some(structure) = p.structure {
        let parts = parts(&module.structs, Element::Struct(structure));
        let number = |part: &StructPart| Some((part.offset as usize, part.ty.base.scalar()?));
        return parts.iter().map(number).collect();
    }
    let layout = p.layout.as_ref()?;
    if matches!(p.kind, ParameterKind::Pointer(n) if n > 1)
        || !matches!(layout, Layout::Record(_) | Layout::Array(..))
    {
        return None;
    }
    let mut found = Vec::new();
    Dtype::of(&module.layouts, layout).numbers(0, &mut found)?;
    Some(found)
}

/// Size of a value or element in host memory.
fn bytes(module: &Module, p: &Parameter) -> Option<usize> {
    if let Some(structure) = p.structure {
        let (size, _) = layout(&module.structs, Element::Struct(structure));
        return usize::try_from(size).ok();
    }
    match p.kind {
        ParameterKind::Pointer(n) if n > 1 => Some(8),
        ParameterKind::Value | ParameterKind::Pointer(_) => {
            p.scalar.map(Scalar::size).or_else(|| {
                let size = p.ty.size();
                (p.scalar.is_none() && p.ty.is_vector()).then_some(size)
            })
        }
        _ => Some(p.ty.size()),
    }
}

/// Describes the arguments of device kernels whose layout is known.
fn describe(module: &Module, device: &mut [DeviceKernel]) {
    let kernels = module.kernels.iter();
    let kernels: HashMap<&str, &Kernel> = kernels.map(|k| (k.name.as_str(), k)).collect();
    for function in device {
        // `_occa_NAME_0` is part of kernel NAME.
        let part = function.name.strip_prefix("_occa_");
        let part = part.and_then(|rest| rest.rsplit_once('_'));
        let part = part.filter(|(_, number)| number.bytes().all(|b| b.is_ascii_digit()));
        let names = [Some(function.name.as_str()), part.map(|(name, _)| name)];
        let own: Vec<&Kernel> = names
            .into_iter()
            .filter_map(|name| kernels.get(name?).copied())
            .collect();
        for kernel in own {
            for argument in &mut function.arguments {
                let parameter = kernel.parameters.iter().find(|p| p.name == argument.name);
                match parameter.and_then(|p| p.layout.as_ref()) {
                    None | Some(Layout::Scalar(_)) => {}
                    Some(layout) => argument.dtype = Dtype::of(&module.layouts, layout),
                }
            }
        }
    }
}
