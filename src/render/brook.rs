use super::fold::Fold;
use crate::backend::{AddressSpaces, Backend};
use crate::module::{
    self, Base, Element, KernelForm, LaunchVariable, Module, Parameter, ParameterKind, Type,
};
use crate::rewrite::{
    GROUP, Memory, group_bounds, joined, memory_of_group, offset, pointer, reads_apart, spell,
    stored_type,
};
use crate::schedule::{MapSchedule, Schedule, WIDE, is_streamed, made, plain_size};
use serde::Serialize;

/// A Brook+ kernel that the host can call, as templates see it.
#[derive(Serialize)]
pub(super) struct Kernel {
    name: String,
    /// What stands before the names of its launched functions.
    words: String,
    /// The same of a reduction's functions along single rows, and across short ones, if those differ.
    row_words: Option<String>,
    across_words: Option<String>,
    /// Items of a group.
    items: u32,
    reduce: bool,
    /// It has variable outputs.
    vout: bool,
    /// It is written for groups.
    groups: bool,
    /// Items of a group wait for each other.
    waits: bool,
    /// The declaration of the memory of functions of the group.
    memory: Option<String>,
    /// What they share.
    shared: Vec<Shared>,
    /// The operator of a reduction, empty if it is no single one.
    operator: &'static str,
    /// What stands before, between and behind two values that it combines.
    join: [String; 3],
    /// Its identity.
    identity: String,
    /// The element type of a reduction.
    element: String,
    /// What its items combine; nothing where it is no reduction.
    #[serde(skip_serializing_if = "Shared::is_none")]
    lane_values: Shared,
    /// The pointer to how many elements are pushed.
    pushed: String,
    /// The partial results of a reduction, and nothing elsewhere.
    #[serde(skip_serializing_if = "Scratch::is_none")]
    partials: Scratch,
    /// How a reduction folds elements; nothing elsewhere.
    #[serde(skip_serializing_if = "Fold::is_none")]
    fold: Fold,
    /// It reads none of them: another kernel makes each from elements of several streams.
    made: bool,
    /// Elements that an item of a GPU takes where streams lie side by side.
    width: usize,
    /// Rows that an item goes through where rows have groups of their own; 0 if they have none.
    rows: usize,
    /// Among the streams that are read, and among those that are written, are some that are read or
    /// written that many elements at once.
    loads_wide: bool,
    stores_wide: bool,
    /// Iterations over elements may be vector lanes.
    vectorizes: bool,
    /// The kernel asks for the place of its element.
    placed: bool,
    /// Elements may take very different times.
    uneven: bool,
    /// With so many elements it leaves other threads alone; 0 where nobody knows.
    few: u64,
    /// Elements that run its masked loop together; 0 where each runs its own.
    masked_lanes: usize,
    /// Its function is told whether anything it gathers may be outside.
    told: bool,
    /// What is launched where item i has element i of every stream, on a GPU.
    versions: Vec<Version>,
    /// It reads from computed places and has little else to do.
    gathers: bool,
    /// Arrays that it reads beside its place, while rows are cut into where that is inside and the ends.
    row_gathers: Vec<RowGather>,
    /// Those are inside, as floating-point numbers, up to this place along a row; 0 where they are integers.
    exact: i64,
    /// Elements of a cache line, where lines of streams are written past the caches; else 0.
    line: usize,
    /// Bytes that an element has in those streams.
    line_bytes: usize,
    /// The elements that a reduction folds may be such lanes.
    lanes: bool,
    parameters: Vec<BrookParameter>,
}

// Contexts are made anew of every kernel of every output, so that what most kernels have no use for is left out.
#[derive(Default, Serialize)]
struct Shared {
    name: String,
    /// `type name[count]`
    array: String,
    /// The declaration where it is memory of the group.
    declared: String,
}

impl Shared {
    fn is_none(&self) -> bool {
        self.name.is_empty()
    }

    fn new(name: &str, ty: &str, count: u64, backend: &Backend) -> Self {
        let array = format!("{ty} {name}[{count}]");
        Self {
            name: name.to_string(),
            declared: backend.spelling.group_memory(name, &array),
            array,
        }
    }
}

/// A launched function where item i has element i of every stream.
#[derive(Serialize)]
struct Version {
    name: &'static str,
    /// What the kernel's function is told.
    told: &'static str,
    /// What is said of it.
    note: &'static str,
}

/// An array that is read at an element's place along the row, or its negative, plus what is the same along it.
#[derive(Serialize)]
struct RowGather {
    name: String,
    /// It is the negative.
    back: bool,
    /// The least and the largest of what is added.
    least: String,
    most: String,
}

#[derive(Default, Serialize)]
struct Scratch {
    pointer: String,
    load: [String; 2],
    /// Writes `brook_value`.
    store: String,
}

impl Scratch {
    fn is_none(&self) -> bool {
        self.pointer.is_empty()
    }
}

#[derive(Serialize)]
pub(super) struct BrookParameter {
    pub(super) name: String,
    /// `value`, `input`, `output`, `gather`, `scatter`, `reduce`, `vout`.
    pub(super) role: &'static str,
    /// The parameter of the launched function, with its shape.
    pub(super) declared: String,
    /// The type of an element.
    #[serde(rename = "type")]
    pub(super) ty: String,
    /// What stands before and behind the index of an element that is read.
    pub(super) load: [String; 2],
    /// The statement that writes an output's or a reduction's element; empty where nothing is written.
    store: String,
    /// The same where item i has element i.
    store_linear: String,
    /// The bytes of an element of a stream that is only written; else 0.
    streamed: usize,
    /// Bytes that are read or written at once by an item of a GPU; 0 if that cannot be.
    pub(super) wide: usize,
    /// What they are read and written as.
    raw: String,
    /// What the kernel gets of a value.
    pub(super) value: String,
    /// The field of an element that kernels know, where elements are arrays.
    pub(super) member: &'static str,
    /// The kernel asks for the place of an input's element.
    indexed: bool,
    /// The kernel may leave an output as it was.
    reads: bool,
    /// These reads are kept apart from others.
    apart: bool,
}

/// A struct of a Brook+ program.
#[derive(Serialize)]
pub(super) struct Struct {
    name: String,
    /// It is no struct, but of this type in kernels.
    value: Option<String>,
    /// Declarations of its fields.
    fields: Vec<String>,
    /// Bytes of an element of a stream.
    size: u64,
    /// All numbers in it.
    parts: Vec<Part>,
}

#[derive(Serialize)]
struct Part {
    path: String,
    #[serde(rename = "type")]
    ty: String,
    offset: u64,
    /// Of a component of fixed point, 0 of others.
    bits: usize,
}

/// The structs with those numbers, and those that they consist of.
pub(super) fn structs(
    module: &Module,
    backend: &Backend,
    used: impl Iterator<Item = usize>,
) -> Vec<Struct> {
    let cpp = backend.is_cpp();
    let safe = |name: &str| backend.safe_name(name).into_owned();
    // Fields may have names that the target reserves.
    let all: Vec<module::Struct> = module
        .structs
        .iter()
        .map(|s| module::Struct {
            name: safe(&s.name),
            tag: None,
            alias: None,
            fixed: s.fixed,
            fields: s
                .fields
                .iter()
                .map(|f| module::StructField {
                    name: safe(&f.name),
                    ..f.clone()
                })
                .collect(),
        })
        .collect();
    let mut used: Vec<usize> = used.collect();
    used.sort_unstable();
    let field = |f: &module::StructField| {
        let ty = match f.ty {
            Element::Number(ty) => spell(ty, cpp),
            Element::Fixed(fixed) => spell(fixed.number(), cpp),
            Element::Struct(index) => all.get(index).map_or(String::new(), |s| s.name.clone()),
        };
        let sizes: String = f.sizes.iter().map(|n| format!("[{n}]")).collect();
        format!("{ty} {}{sizes};", f.name)
    };
    used.iter()
        .filter_map(|&index| Some((index, all.get(index)?)))
        .map(|(index, s)| Struct {
            name: s.name.clone(),
            value: s.fixed.map(|fixed| spell(fixed.number(), cpp)),
            fields: s.fields.iter().map(field).collect(),
            size: module::layout(&all, Element::Struct(index)).0,
            parts: module::parts(&all, Element::Struct(index))
                .into_iter()
                .map(|part| Part {
                    path: part.path,
                    ty: spell(part.ty, cpp),
                    offset: part.offset,
                    bits: match part.fixed {
                        true => 8 * part.ty.size(),
                        false => 0,
                    },
                })
                .collect(),
        })
        .collect()
}

/// Of a kernel that runs as its schedule says; `None` for what only other kernels call.
pub(super) fn kernel(
    module: &Module,
    schedule: &Schedule<'_>,
    (kernel, own, resident): (&module::Kernel, &MapSchedule, Option<u32>),
    backend: &Backend,
) -> Option<Kernel> {
    let (reduce, operator) = match kernel.form {
        KernelForm::Map { .. } | KernelForm::Vout => (false, ""),
        KernelForm::Reduce { operator } => (true, operator.unwrap_or("")),
        _ => return None,
    };
    let target = kernel
        .parameters
        .iter()
        .find(|p| p.kind == ParameterKind::Reduce);
    let (element, structure) =
        target.map_or((Type::scalar(Base::Int), None), |p| (p.ty, p.structure));
    let cpp = backend.is_cpp();
    let neutral = match operator {
        "*" => "1",
        "&" => "~0",
        _ => "0",
    };
    let (spelled, base) = (spell(element, cpp), spell(Type::scalar(element.base), cpp));
    let named = stored_type(module, backend, element, structure);
    let items = kernel.group_size().unwrap_or(GROUP as u32);
    let partials = LaunchVariable::Partials.name();
    let partials = reduce.then(|| Memory::new(module, backend, partials, element, structure));
    let width = own.width;
    let parameters: Vec<BrookParameter> = kernel
        .parameters
        .iter()
        .map(|p| parameter(module, kernel, p, backend, width))
        .collect();
    let wide =
        |test: &dyn Fn(&BrookParameter) -> bool| parameters.iter().any(|p| p.wide > 0 && test(p));
    Some(Kernel {
        width,
        rows: own.rows,
        loads_wide: wide(&|p| p.role == "input" || p.reads),
        stores_wide: wide(&|p| p.role == "output"),
        vectorizes: own.vectorizes,
        placed: own.placed,
        uneven: own.uneven,
        few: own.few,
        gathers: own.one_by_one,
        masked_lanes: match own.masked {
            true => schedule.lanes().width,
            false => 0,
        },
        row_gathers: match own.cut {
            true => row_gathers(kernel, backend),
            false => Vec::new(),
        },
        told: own.told,
        versions: versions(own),
        exact: match kernel.gather_offsets.float {
            true => crate::passes::EXACT,
            false => 0,
        },
        line_bytes: parameters.iter().map(|p| p.streamed).sum(),
        line: own.line,
        lanes: own.folds_lanes && !element.is_vector() && structure.is_none(),
        name: kernel.name.clone(),
        row_words: { own.row_groups }
            .map(|(rows, _)| words(backend, items, resident.or(Some(rows)))),
        across_words: { own.row_groups }
            .map(|(_, across)| words(backend, items, resident.or(Some(across)))),
        words: words(backend, items, resident),
        items,
        reduce,
        vout: matches!(kernel.form, KernelForm::Vout),
        groups: kernel.group_size().is_some(),
        waits: kernel.waits,
        memory: memory_of_group(kernel, backend),
        shared: kernel
            .shared
            .iter()
            .map(|s| {
                Shared::new(
                    &backend.safe_name(&s.name),
                    &spell(s.ty, cpp),
                    s.count,
                    backend,
                )
            })
            .collect(),
        operator,
        join: joined(operator, element, backend),
        identity: match (element.is_vector(), cpp) {
            (false, _) => format!("({spelled}){neutral}"),
            (true, true) => format!("{spelled}(({base}){neutral})"),
            (true, false) => {
                let vector = backend.spelling.vector_of(&spelled);
                format!("{vector}(({base}){neutral})")
            }
        },
        lane_values: match reduce {
            true => Shared::new("brook_lane_values", &named, items.into(), backend),
            false => Shared::default(),
        },
        element: named,
        pushed: match backend.lowering.address_spaces {
            AddressSpaces::None => "unsigned long long *".to_string(),
            AddressSpaces::Inferred => format!("{} ulong *", backend.spelling.global),
        },
        partials: partials.map_or_else(Scratch::default, |partials| Scratch {
            pointer: pointer(backend, element, structure, false),
            store: partials.store("brook_index", "brook_value"),
            load: partials.load,
        }),
        made: made(module, kernel).is_some(),
        fold: match reduce {
            true => Fold::new(module, kernel, &parameters, backend, width),
            false => Fold::default(),
        },
        parameters,
    })
}

fn versions(schedule: &MapSchedule) -> Vec<Version> {
    let mut all = vec![Version {
        name: "linear",
        told: if schedule.told { ", false" } else { "" },
        note: "",
    }];
    if schedule.in_bounds {
        all.push(Version {
            name: "in_bounds",
            told: ", true",
            note: "The same where all that is gathered is known to be there.",
        });
    }
    all
}

fn row_gathers(kernel: &module::Kernel, backend: &Backend) -> Vec<RowGather> {
    let one = |gather: &module::GatherOffset| RowGather {
        name: backend.safe_name(&gather.array).into_owned(),
        back: gather.back,
        least: offset(kernel, backend, gather.term, gather.least),
        most: offset(kernel, backend, gather.term, gather.most),
    };
    kernel.gather_offsets.arrays.iter().map(one).collect()
}

/// What stands before the name of a launched function, of which so many groups run side by side.
fn words(backend: &Backend, items: u32, groups: Option<u32>) -> String {
    let spelling = &backend.spelling;
    let pattern = match groups {
        Some(groups) => {
            let groups = groups.to_string();
            spelling.resident_bounds.replace("{groups}", &groups)
        }
        None => spelling.bounds.clone(),
    };
    let bounds = group_bounds(&pattern, items);
    let signature = spelling.signature.replace("{bounds}", &bounds);
    let words = signature.split("{name}").next().unwrap_or_default();
    words.trim().to_string()
}

fn parameter(
    module: &Module,
    kernel: &module::Kernel,
    p: &Parameter,
    backend: &Backend,
    width: usize,
) -> BrookParameter {
    let apart = reads_apart(kernel, p, backend);
    let (role, constant) = match p.kind {
        ParameterKind::StreamIn => ("input", true),
        ParameterKind::StreamOut { .. } => ("output", false),
        ParameterKind::Gather(_) => ("gather", true),
        ParameterKind::Scatter(_) => ("scatter", false),
        ParameterKind::Reduce => ("reduce", false),
        ParameterKind::Vout => ("vout", false),
        _ => ("value", true),
    };
    let name = backend.safe_name(&p.name).into_owned();
    let ty = stored_type(module, backend, p.ty, p.structure);
    let mut memory = Memory::new(module, backend, &name, p.ty, p.structure);
    if apart {
        memory = memory.kept_apart(p.structure);
    }
    let value = match role {
        "reduce" => "brook_value".to_string(),
        _ => format!("brook_{name}_value"),
    };
    let (store, store_linear) = match role {
        "input" | "value" | "gather" => Default::default(),
        _ => {
            let place = match role {
                "reduce" => format!("brook_unravel(brook_index, brook_{name}_shape)"),
                _ => "brook_here".to_string(),
            };
            let index = format!("brook_output(brook_index, {place}, brook_{name}_shape)");
            let linear = memory.store("brook_index", &value);
            (memory.store(&index, &value), linear)
        }
    };
    let declared = match role {
        "value" if p.structure.is_none() => format!("const {ty} {name}"),
        "vout" => format!("{}{name}", pointer(backend, p.ty, p.structure, false)),
        // Structs come in memory of the host's layout.
        "value" => format!("{}{name}", pointer(backend, p.ty, p.structure, true)),
        _ => {
            let pointer = pointer(backend, p.ty, p.structure, constant);
            // What is read is no memory that is written: the runtime sees to that.
            let restrict = match constant {
                true => format!("{} ", backend.spelling.restrict),
                false => String::new(),
            };
            format!("{pointer}{restrict}{name}, const brook_shape brook_{name}_shape")
        }
    };
    let wide = match (role, plain_size(p)) {
        ("input" | "output", Some(size)) if width > 1 && size * width <= WIDE => size * width,
        _ => 0,
    };
    BrookParameter {
        role,
        declared,
        ty,
        store,
        store_linear,
        streamed: plain_size(p).filter(|_| is_streamed(p)).unwrap_or(0),
        wide,
        raw: backend.spelling.word(wide).to_string(),
        value: match p.structure {
            Some(_) => memory.load("0"),
            None => name.clone(),
        },
        load: memory.load,
        member: if p.element_sizes.is_empty() {
            ""
        } else {
            ".all"
        },
        indexed: p.indexed,
        reads: p.kind == ParameterKind::StreamOut { reads: true },
        apart,
        name,
    }
}
