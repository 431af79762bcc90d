use super::brook;
use super::library::Library;
use crate::backend::{Backend, Model, Vectors, spaced};
use crate::expr::Scalar;
use crate::module::{Module, Type, VectorType};
use crate::rewrite::{Rewritten, Use, spell, wide_name};
use crate::schedule::Schedule;
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
    kernels: Vec<LaunchedKernel>,
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
    brook: Vec<brook::Kernel>,
    /// Loops stay loops.
    loops: bool,
    /// The compiler is one of a processor's, with its builtin functions.
    library_builtins: bool,
    /// Negatives of integers of 16 bits are hidden from the compiler.
    opaque_small_integers: bool,
    /// Sums that are rounded down convert faster than conversions.
    rounded_sums: bool,
    /// Before every function that runs on the device.
    function: String,
    /// What holds several elements that are read or written at once.
    wide: Vec<Wide>,
    /// Structs of a Brook+ program that are used.
    structs: Vec<brook::Struct>,
    #[serde(flatten)]
    words: Words,
}

/// A function that is launched.
#[derive(Serialize)]
struct LaunchedKernel {
    name: String,
    /// What its head says of its groups' size; empty if that is no constant.
    bounds: String,
    /// The bytes of each variable that it has in group memory, as C++ computes them; functions of the group may need more.
    group_memory: Vec<String>,
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

/// Several numbers, aligned as a whole.
#[derive(Serialize)]
struct Wide {
    name: String,
    base: &'static str,
    count: usize,
    bytes: usize,
    /// What they are read and written as.
    raw: String,
}

impl Wide {
    fn new(scalar: Scalar, count: usize, backend: &Backend) -> Self {
        let bytes = scalar.size() * count;
        Self {
            name: wide_name(scalar, count),
            base: scalar.c_name(),
            count,
            bytes,
            raw: backend.spelling.word(bytes).to_string(),
        }
    }
}

#[derive(Serialize)]
struct Swizzle {
    name: String,
    components: Vec<String>,
}

/// How the target's source says what the functions that map kernels over streams are made of.
#[derive(Serialize)]
struct Words {
    /// `unsigned long long`
    ulong: &'static str,
    /// The function that multiplies and adds at once.
    fused: &'static str,
    /// The type of a place.
    place: &'static str,
    /// What makes one of four numbers.
    place_of: String,
    /// Before a variable that is passed as an output.
    reference: &'static str,
    /// The numbers of the group along each axis, and of the item in it along the first.
    group: String,
    group_y: String,
    group_z: String,
    item: String,
    /// Before a variable that a group shares.
    shared: String,
    /// Before what pointers to device memory point to.
    global: String,
    /// The same word without a blank behind it.
    device_memory: String,
    /// Before what pointers to an item's own memory point to.
    private_memory: String,
    /// Behind `static inline` of functions that there are several of under one name.
    overloaded: &'static str,
    /// What makes a vector `T`.
    vector_of: String,
    /// All items of the group wait.
    barrier: String,
    /// What functions whose items may wait are given besides.
    waiting_argument: String,
}

/// What a rewritten text relies on, by kind, in the order that preludes have it in.
#[derive(Default)]
struct Used<'r> {
    words: BTreeMap<String, bool>,
    library: Vec<&'static str>,
    vectors: Vec<Type>,
    okl_vectors: Vec<VectorType>,
    swizzles: Vec<&'r str>,
    assigned: Vec<&'r str>,
    wide: Vec<Wide>,
    structs: Vec<usize>,
}

impl<'r> Used<'r> {
    fn of(rewritten: &'r Rewritten, backend: &Backend) -> Self {
        let mut this = Self::default();
        for used in &rewritten.uses {
            match used {
                Use::Vector(ty) => this.vectors.push(*ty),
                Use::OklVector(ty) => this.okl_vectors.push(*ty),
                Use::Swizzle(components) => this.swizzles.push(components),
                Use::Assignment(components) => this.assigned.push(components),
                Use::Wide(scalar, count) => this.wide.push(Wide::new(*scalar, *count, backend)),
                Use::Struct(index) => this.structs.push(*index),
                Use::Library(name) => this.library.push(name),
                _ => this.words.extend(used.key().map(|word| (word, true))),
            }
        }
        // What a swizzle makes of a vector is a vector of the same base.
        let bases = this.vectors.clone();
        for components in this.swizzles.iter().chain(&this.assigned) {
            let width = components.len() as u8;
            this.vectors
                .extend(bases.iter().map(|v| Type::vector(v.base, width)));
        }
        this.vectors.sort();
        this.vectors.dedup();
        this.okl_vectors.sort_by_key(ToString::to_string);
        this.wide
            .sort_by(|a, b| (a.base, a.count).cmp(&(b.base, b.count)));
        this
    }
}

impl DeviceContext {
    pub(super) fn new(
        module: &Module,
        schedule: &Schedule<'_>,
        backend: &Backend,
        rewritten: &Rewritten,
    ) -> Self {
        let source = module
            .provenance
            .files
            .get(FileId::MAIN)
            .map_or("", |f| f.name.as_str());
        let swizzle = |name: &str| Swizzle {
            name: name.to_string(),
            components: name.chars().map(String::from).collect(),
        };
        let used = Used::of(rewritten, backend);
        let cpp = backend.is_cpp();
        Self {
            version: env!("CARGO_PKG_VERSION"),
            source: super::printable(source.rsplit('/').next().unwrap_or(source)),
            uses: used.words,
            library: Library::new(used.library.into_iter(), backend),
            kernels: kernels(rewritten),
            vectors: { used.vectors.iter() }
                .map(|v| Vector {
                    name: v.to_string(),
                    base: spell(Type::scalar(v.base), cpp),
                    width: v.width,
                })
                .collect(),
            okl_vectors: { used.okl_vectors.iter() }
                .map(|v| okl_vector(*v, backend, rewritten))
                .collect(),
            native_operators: backend.lowering.vector_operators,
            swizzles: used.swizzles.into_iter().map(swizzle).collect(),
            assigned: used.assigned.into_iter().map(swizzle).collect(),
            brook: module
                .kernels
                .iter()
                .zip(&schedule.maps)
                .zip(&schedule.resident)
                .filter_map(|((k, own), r)| brook::kernel(module, schedule, (k, own, *r), backend))
                .collect(),
            loops: backend.model == Model::Loops,
            library_builtins: backend.library.headers,
            opaque_small_integers: backend.lowering.opaque_small_integers,
            rounded_sums: backend.lowering.rounded_sums,
            function: backend.spelling.function.clone(),
            wide: used.wide,
            structs: brook::structs(module, backend, used.structs.into_iter()),
            words: words(backend),
        }
    }
}

fn kernels(rewritten: &Rewritten) -> Vec<LaunchedKernel> {
    let framed = rewritten.device_kernels.iter().zip(&rewritten.frames);
    framed
        .map(|(kernel, frame)| LaunchedKernel {
            name: kernel.name.clone(),
            bounds: frame.bounds.clone(),
            group_memory: frame.group_memory.clone(),
        })
        .collect()
}

fn words(backend: &Backend) -> Words {
    let spelling = &backend.spelling;
    let axis = |list: &[String], axis: usize| list.get(axis).cloned().unwrap_or_default();
    let cpp = backend.is_cpp();
    let pick = |c, cpp_text| if cpp { cpp_text } else { c };
    Words {
        ulong: pick("ulong", "unsigned long long"),
        fused: pick("fma", "fmaf"),
        place: pick("int4", "brook_position"),
        place_of: match cpp {
            true => "brook_position".to_string(),
            false => spelling.vector_of("int4"),
        },
        reference: pick("&", ""),
        group: axis(&spelling.group, 0),
        group_y: axis(&spelling.group, 1),
        group_z: axis(&spelling.group, 2),
        item: axis(&spelling.item, 0),
        shared: spelling.shared.clone(),
        global: spaced(&spelling.global),
        device_memory: spelling.global.clone(),
        private_memory: spaced(&spelling.private_pointer),
        overloaded: match spelling.overloadable.as_str() {
            "" => "__attribute__((unused))",
            _ => "__attribute__((overloadable, unused))",
        },
        vector_of: spelling.vector_of("T"),
        barrier: spelling.barrier.clone(),
        waiting_argument: spelling.waiting_argument(),
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
        makes: rewritten.uses.contains(&Use::OklMake(v)),
    }
}
