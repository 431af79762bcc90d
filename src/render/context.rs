use super::library::Library;
use crate::backend::{AddressSpaces, Backend, Model, Vectors};
use crate::module::{Kernel, KernelForm, Module, Parameter, ParameterKind, Type, VectorType};
use crate::rewrite::{Rewritten, spell};
use crate::source::FileId;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a prelude or epilogue sees.
#[derive(Serialize)]
pub(super) struct DeviceContext {
    version: &'static str,
    /// Name of the source, without its folder.
    pub(super) source: String,
    /// What the text relies on; a template asks `uses.atomics`.
    uses: BTreeMap<String, bool>,
    /// What the text uses of the C library, as far as the target has to be told.
    library: Library,
    /// The functions that are launched.
    kernels: Vec<String>,
    /// Vector types that are used.
    vectors: Vec<Vector>,
    /// Vector types of OKL that are used and that the prelude defines.
    okl_vectors: Vec<OklVector>,
    /// Those that the prelude does not define have operators of their own.
    native_operators: bool,
    /// Swizzles that are read: each letter.
    swizzles: Vec<Swizzle>,
    /// Swizzles that are assigned to.
    assigned: Vec<Swizzle>,
    /// Brook+ kernels that the host can call.
    brook: Vec<BrookKernel>,
    /// Loops stay loops.
    loops: bool,
    /// Before every function that runs on the device.
    function: String,
}

/// A vector type of a Brook+ program.
#[derive(Serialize)]
struct Vector {
    name: String,
    base: String,
    width: u8,
}

/// A vector type of an OKL program.
#[derive(Serialize)]
struct OklVector {
    /// As the program spells it.
    name: String,
    /// As the target's source spells it.
    spelled: String,
    base: String,
    width: u8,
    /// Bytes of a value, and its alignment.
    size: usize,
    /// The prelude defines it; otherwise the target does.
    own: bool,
    /// The function that makes one is used.
    makes: bool,
}

#[derive(Serialize)]
struct Swizzle {
    name: String,
    components: Vec<String>,
}

#[derive(Serialize)]
struct BrookKernel {
    name: String,
    reduce: bool,
    /// The operator of a reduction, empty if it is no single one.
    operator: &'static str,
    /// Its identity.
    identity: &'static str,
    /// The element type of a reduction.
    element: String,
    element_width: u8,
    /// Element type behind the pointer.
    element_base: String,
    parameters: Vec<BrookParameter>,
}

#[derive(Serialize)]
struct BrookParameter {
    name: String,
    /// `value`, `input`, `output`, `gather`, `scatter`, `reduce`.
    role: &'static str,
    #[serde(rename = "type")]
    ty: String,
    width: u8,
    /// The pointer to device memory, `*` included.
    pointer: String,
    /// The kernel may leave an output as it was.
    reads: bool,
}

impl DeviceContext {
    pub(super) fn new(module: &Module, backend: &Backend, rewritten: &Rewritten) -> Self {
        let source = module
            .provenance
            .files
            .get(FileId::MAIN)
            .map_or("", |f| f.name.as_str());
        let with = |prefix: &'static str| {
            rewritten
                .uses
                .iter()
                .filter_map(move |u| u.strip_prefix(prefix))
        };
        let swizzle = |name: &str| Swizzle {
            name: name.to_string(),
            components: name.chars().map(String::from).collect(),
        };
        let mut vectors: Vec<Type> = with("vector:").filter_map(Type::from_words).collect();
        // What a swizzle makes of a vector is a vector of the same base.
        let widths = with("swizzle:")
            .chain(with("assign:"))
            .map(|s| s.len() as u8);
        let bases: Vec<Type> = vectors.clone();
        for width in widths {
            vectors.extend(bases.iter().map(|v| Type::vector(v.base, width)));
        }
        vectors.sort();
        vectors.dedup();
        let cpp = backend.is_cpp();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            source: source.rsplit('/').next().unwrap_or(source).to_string(),
            uses: rewritten.uses.iter().map(|u| (u.clone(), true)).collect(),
            library: Library::new(with("library:"), backend),
            kernels: rewritten
                .device_kernels
                .iter()
                .map(|k| k.name.clone())
                .collect(),
            vectors: vectors
                .iter()
                .map(|v| Vector {
                    name: v.to_string(),
                    base: spell(Type::scalar(v.base), cpp),
                    width: v.width,
                })
                .collect(),
            okl_vectors: with("okl_vector:")
                .filter_map(VectorType::from_name)
                .map(|v| okl_vector(v, backend, rewritten))
                .collect(),
            native_operators: backend.lowering.vector_operators,
            swizzles: with("swizzle:").map(swizzle).collect(),
            assigned: with("assign:").map(swizzle).collect(),
            brook: module
                .kernels
                .iter()
                .filter_map(|k| kernel(k, backend))
                .collect(),
            loops: backend.model == Model::Loops,
            function: backend.spelling.function.clone(),
        }
    }
}

fn okl_vector(v: VectorType, backend: &Backend, rewritten: &Rewritten) -> OklVector {
    let (own, prefix) = match backend.lowering.vectors {
        Vectors::Native => (false, ""),
        Vectors::Mixed if v.width == 3 || v.size() > 16 => (true, "brook_"),
        Vectors::Mixed => (false, ""),
        Vectors::Prelude => (true, ""),
    };
    OklVector {
        name: v.to_string(),
        spelled: format!("{prefix}{v}"),
        base: v.scalar.c_name().to_string(),
        width: v.width,
        size: v.size(),
        own,
        makes: rewritten.uses.contains(&format!("okl_make:{v}")),
    }
}

fn kernel(kernel: &Kernel, backend: &Backend) -> Option<BrookKernel> {
    let (reduce, operator) = match kernel.form {
        KernelForm::Map { .. } => (false, ""),
        KernelForm::Reduce { operator } => (true, operator.unwrap_or("")),
        _ => return None,
    };
    let target = kernel
        .parameters
        .iter()
        .find(|p| p.kind == ParameterKind::Reduce);
    let element = target.map_or(Type::scalar(crate::module::Base::Int), |p| p.ty);
    let cpp = backend.is_cpp();
    Some(BrookKernel {
        name: kernel.name.clone(),
        reduce,
        operator,
        identity: match operator {
            "*" => "1",
            "&" => "~0",
            _ => "0",
        },
        element: spell(element, cpp),
        element_width: element.width,
        element_base: spell(Type::scalar(element.base), cpp),
        parameters: kernel
            .parameters
            .iter()
            .map(|p| parameter(p, backend))
            .collect(),
    })
}

fn parameter(p: &Parameter, backend: &Backend) -> BrookParameter {
    let (role, constant) = match p.kind {
        ParameterKind::StreamIn => ("input", true),
        ParameterKind::StreamOut { .. } => ("output", false),
        ParameterKind::Gather(_) => ("gather", true),
        ParameterKind::Scatter(_) => ("scatter", false),
        ParameterKind::Reduce => ("reduce", false),
        _ => ("value", true),
    };
    let cpp = backend.is_cpp();
    let space = match backend.lowering.address_spaces {
        AddressSpaces::None => String::new(),
        AddressSpaces::Inferred => format!("{} ", backend.spelling.global),
    };
    // OpenCL's vectors of three take the room of four: streams of them are addressed by component.
    let pointee = match (cpp, p.ty.width) {
        (false, 3) => spell(Type::scalar(p.ty.base), false),
        (cpp, _) => spell(p.ty, cpp),
    };
    let constant = if constant { "const " } else { "" };
    BrookParameter {
        name: backend.safe_name(&p.name).into_owned(),
        role,
        ty: spell(p.ty, cpp),
        width: p.ty.width,
        pointer: format!("{space}{constant}{pointee} *"),
        reads: p.kind == ParameterKind::StreamOut { reads: true },
    }
}
