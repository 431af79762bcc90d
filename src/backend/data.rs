use serde::Deserialize;
use std::collections::BTreeMap;

/// A `backend.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Data {
    /// Its name on the command line.
    pub(super) name: String,
    /// Other names of it there.
    #[serde(default)]
    pub(super) aliases: Vec<String>,
    /// The language of the generated source.
    pub(super) language: Language,
    /// How groups and items run.
    pub(super) model: Model,
    /// File extension of the generated source, without a dot.
    pub(super) extension: String,
    /// Which of the named lowerings it wants.
    #[serde(default)]
    pub(super) lowering: Lowering,
    /// How it spells things.
    #[serde(default)]
    pub(super) spelling: Spelling,
    /// Names that the target's language keeps for itself, and C does not: Brook+ programs may use them.
    #[serde(default)]
    pub(super) reserved: Vec<String>,
    /// Names of its own that OKL programs may declare.
    #[serde(default)]
    pub(super) names: Names,
    /// What it knows of the C library.
    #[serde(default)]
    pub(super) library: Library,
    /// Macros that only the target's compiler can say are defined, and as what; `*` at the end stands for any ending.
    #[serde(default)]
    pub(super) vendor_macros: Vec<String>,
    /// Macros that are defined while its source is preprocessed.
    #[serde(default)]
    pub(super) defines: BTreeMap<String, String>,
}

/// The language of the generated source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub enum Language {
    /// C++17 or later.
    #[serde(rename = "c++")]
    Cpp,
    /// OpenCL C 1.2.
    #[serde(rename = "opencl-c")]
    OpenClC,
    /// Metal's, version 3: C++14 whose pointers carry address spaces. It is written as C is.
    #[serde(rename = "metal")]
    Metal,
}

/// Names of the target that OKL programs may declare for themselves: renamed in the output.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Names {
    /// Keywords, macros and types: wherever they are declared.
    pub reserved: Vec<String>,
    /// Types that a declaration within a function may hide, and one at file scope may not.
    pub types: Vec<String>,
    /// Functions: they stand in the way of what is declared at file scope.
    pub functions: Vec<String>,
    /// Functions can be overloaded, so that only variables and kernels are in the way of one.
    pub overloads: bool,
    /// Types and functions of programs that the target does not have: an error where one is used.
    pub missing: Vec<String>,
}

/// What the target knows of the names in `grammar/library.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Library {
    /// A C library is there: its headers are included.
    pub headers: bool,
    /// Headers that every prelude includes.
    pub included: Vec<String>,
    /// The condition under which there are no headers, where that depends on the compiler.
    pub without_headers: String,
    /// Names that need nothing.
    pub known: Vec<String>,
    /// Functions that some compilers have for whole vectors, too, if the prelude declares them so.
    pub vectors: Vec<String>,
    /// Values and types that are spelled in another way than in the table.
    pub spelled: BTreeMap<String, String>,
}

/// How groups and items run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Every item is a thread of a device; loops become indices.
    Simt,
    /// Loops stay loops; groups are shared out among threads of the host.
    Loops,
}

/// Choices among the lowerings that `src/rewrite` implements.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lowering {
    /// Where declarations of group memory go.
    pub shared: Shared,
    /// Whether pointers carry address spaces.
    pub address_spaces: AddressSpaces,
    /// Bytes of group memory that declarations may have; what is more is reserved by the launch. 0 is
    /// no limit.
    pub static_shared: u64,
    /// Most groups along x, y and z in one launch; more are launched in slices. Empty: no limit.
    pub most_groups: Vec<u64>,
    /// A condition around inner loops that ends with one of them has to say so if there are others: some
    /// implementations run items past its end otherwise. The prelude says how.
    pub closed_conditions: bool,
    /// A compiler of this language believes that all items of a group come to where something leads that is the same for
    /// them, whatever else leads there: conditions with several ways say otherwise. The prelude says how.
    pub several_ways: bool,
    /// Headers whose content the target's compiler knows without them, and which it may not find.
    pub known_headers: Vec<String>,
    /// How atomics are written.
    pub atomics: Atomics,
    /// How critical sections are written.
    pub critical: Critical,
    /// Whose vector types OKL's are.
    pub vectors: Vectors,
    /// Functions of numbers take arguments of one type only, floating-point ones none that are integers.
    pub exact_calls: bool,
    /// The compiler fails at addresses of group memory among the constants that an array or structure is
    /// initialised with: a function hides them.
    pub hidden_addresses: bool,
    /// Numbers that may be truth values are hidden from the compiler before they become indices.
    pub opaque_truths: bool,
    /// Brook+, where sums of a product are written as `fma`: the compiler takes the negative of one for another one, of which 0
    /// has the other sign, so that negatives are hidden from it: the prelude's `brook_minus`.
    pub opaque_negatives: bool,
    /// The target's own vector types have arithmetic operators.
    pub vector_operators: bool,
    /// The compiler is told that signed integers wrap ([`CompileOptions::wrapping`](brook_driver::CompileOptions)).
    pub signed_wrap: bool,
    /// Loops over items that only write arrays write them past the caches where they are larger: the prelude has `brook_stream` and
    /// its relatives for it.
    pub streams: bool,
    /// A compiler of this language makes one read of two from different arrays, and takes that for a read of memory
    /// which never changes: the prelude's `brook_opaque` hides from it where values come from.
    pub joins_reads: bool,
    /// The compiler takes the negative of an integer of 16 bits for one of 32, of which -32768 has another, and leaves sums
    /// of 8 bits without their sign: the prelude's `brook_shortened` hides from it that the integer is a small one.
    pub opaque_small_integers: bool,
    /// Conversions of floating-point numbers to integers are slower than sums, and `__fadd_rd` is a sum that is rounded down: indices of
    /// Brook+ that are known to be inside are converted by one.
    pub rounded_sums: bool,
    /// The compiler gets quotients of three integers by constants wrong where not all of them are used: the prelude's
    /// `brook_opaque` hides from it what one operand is.
    pub opaque_quotients: bool,
    /// Most bytes that an atomic can change; 0 is no limit.
    pub most_atomic: usize,
    /// Most parameters that a kernel can have; 0 is no limit.
    pub most_parameters: usize,
    /// Kernels are given buffers, not addresses: `Options::buffer_offsets` means something.
    pub buffers: bool,
    /// Vectors are classes: lists in braces need a value for each component, in braces of its own.
    pub whole_lists: bool,
    /// The prelude has types for several numbers that are read or written at once.
    pub wide: bool,
    /// Constants of the file are given numbers, not what computes them: nothing runs before a kernel. Targets with a word for
    /// constants are given them anyway.
    pub computed_constants: bool,
    /// Structures that only a typedef names cannot be parameters of kernels: they get a tag.
    pub tags: bool,
}

/// Whose vector types OKL's are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Vectors {
    /// The target's own: it lays them out as OpenCL does.
    #[default]
    Native,
    /// The target's own where they are laid out as OpenCL's; the prelude's, under names of their own,
    /// for three components and for four of 64 bits.
    Mixed,
    /// The prelude's, all of them.
    Prelude,
}

/// Where declarations of group memory go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shared {
    /// They stay where they are.
    #[default]
    Inline,
    /// To the beginning of the kernel.
    Hoist,
}

/// Whether pointers carry address spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AddressSpaces {
    /// A pointer is a pointer.
    #[default]
    None,
    /// Inferred from where pointers come from.
    Inferred,
}

/// How atomics are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Atomics {
    /// Calls of `brook_atomic_…` functions that the prelude defines.
    #[default]
    Functions,
    /// OpenMP's pragma before the statement.
    Pragma,
}

/// How critical sections are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Critical {
    /// There are none.
    #[default]
    None,
    /// OpenMP's pragma before the block.
    Pragma,
    /// A loop around the block that waits for a lock in global memory, `brook_atomic_lock` of the
    /// prelude: for targets whose items make progress independently of each other.
    Lock,
}

impl Spelling {
    /// The declaration of a variable in group memory.
    pub fn group_memory(&self, name: &str, declaration: &str) -> String {
        match self.shared_macro.as_str() {
            "" => format!("{} {declaration};", self.shared),
            wrapper => format!("{wrapper}({name}, {declaration});"),
        }
    }

    /// The type of so many bytes, up to 16, that are read and written at once.
    pub fn word(&self, bytes: usize) -> &str {
        match bytes {
            16 => &self.word16,
            8 => &self.word8,
            4 => "unsigned int",
            _ => "unsigned short",
        }
    }
}

/// How a backend spells things; `{…}` are filled in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Spelling {
    /// A kernel's head: `{bounds}`, `{name}`, `{parameters}`.
    pub signature: String,
    /// Where the group's size is a constant: `{threads}`, `{x}`, `{y}`, `{z}`.
    pub bounds: String,
    /// The same where groups have at most so many items (`@max_inner_dims`): `{threads}`. Empty if the target has no such words.
    pub most_bounds: String,
    /// The same where at least `{groups}` groups are to run side by side, and no more: compilers take it as how many
    /// registers an item may have. Empty if the target has no such words.
    pub resident_bounds: String,
    /// Behind the bounds where a nest says how many items run together (`@simd_length`): `{length}`. Empty if the target cannot
    /// be told.
    pub simd_length: String,
    /// Before a function that runs on the device.
    pub function: String,
    /// Before a function that there is more than one of, for different kinds of memory.
    pub overloadable: String,
    /// Before a file-scope constant.
    pub constant: String,
    /// The same of one whose address other constants hold, where that is another word.
    pub addressed_constant: String,
    /// Before an array in group memory.
    pub shared: String,
    /// A macro that declares group memory, `MACRO(name, declaration);`, in place of a word before the declaration.
    pub shared_macro: String,
    /// A type of 16 bytes that are read and written at once, whatever lies in them.
    pub word16: String,
    /// The same of 8 bytes.
    pub word8: String,
    /// Declares the group memory that a launch reserves, as the bytes `brook_shared`.
    pub dynamic_shared: String,
    /// The address of a copy of `{value}`, which lasts as long as the expression does: `{type}`. For languages of C.
    pub temporary: String,
    /// `{value}` of the type `{type}` as a number of its `{size}` bytes. For languages of C.
    pub to_bits: String,
    /// A number of `{size}` bytes, `{value}`, as a value of the type `{type}`.
    pub from_bits: String,
    /// Before the type of a pointer to memory of an item's own; empty where that is what a pointer points to.
    pub private_pointer: String,
    /// Before the type of a pointer to global memory.
    pub global: String,
    /// A parameter of a kernel that is a pointer: `{declaration}`, and `{index}`, which counts from 0. Empty: the
    /// declaration.
    pub pointer_parameter: String,
    /// The same of any other parameter: its `{declaration}`, in which `value_name` stands for the name, and `{index}`. The
    /// kernel begins with a variable of that name and value then.
    pub value_parameter: String,
    /// The name of a parameter that a variable of `{name}` is made of.
    pub value_name: String,
    /// What kernels have behind their own parameters.
    pub further_parameters: String,
    /// What kernels that call functions of the group have behind these.
    pub collective_parameters: String,
    /// What stands between the brackets of a kernel's head: `{parameters}` are all of the above. Empty: these.
    pub all_parameters: String,
    /// A parameter of Brook+ functions whose items may wait; kernels know what it is under the same name.
    pub waiting_parameter: String,
    /// What makes a vector of components that stand in round brackets: `{type}`. For languages of C.
    pub vector: String,
    /// After the `*` of a pointer that aliases no other.
    pub restrict: String,
    /// Group number along x, y, z.
    pub group: [String; 3],
    /// Item number along x, y, z.
    pub item: [String; 3],
    /// All items of the group wait, global memory included.
    pub barrier: String,
    /// The items of a warp wait; empty if the target cannot.
    pub warp_barrier: String,
    /// The type of whether an item takes part in the phases of a body that is split, if it is not `bool`.
    pub phase_condition: String,
    /// A call of a function of the group by all its items: `{operation}` is what it does, `{x}`, `{y}`, `{z}`
    /// are the group's extents where they are constants and 0 where not, as is `{items}`, their number, `{mine}` says whether the item's
    /// `{value}` takes part, `{again}` whether there are other calls, or the same one again.
    pub collective: String,
    /// A declaration at the beginning of a kernel with such calls: `{count}` is the most values that are
    /// kept at once.
    pub collective_memory: String,
    /// A parameter of functions that are given what this declares, under the same name.
    pub collective_parameter: String,
    /// Before the outermost outer loop of a loop backend: `{collapse}`, `{schedule}`, `{streams}` and `{few}`, which leaves threads alone for a
    /// little work, are its clauses or empty.
    pub parallel: String,
    /// Begins a group of fibers of a loop backend, one an item: `{x}`, `{y}`, `{z}` are their numbers.
    /// What closes it is `});`.
    pub fibers: String,
    /// Before an innermost inner loop of a loop backend whose iterations may run as vector lanes.
    pub vectorize: String,
    /// Before a loop over the lanes of a masked loop, which items leave at different times; what is added up by `|` is
    /// `brook_any`. Empty if there are no such lanes.
    pub masked_loop: String,
    /// The pragma that asks for a loop to be unrolled; empty if there is none that can be relied on.
    pub unroll: String,
    /// The same with a number of copies: `{count}`.
    pub unroll_count: String,
    /// The pragma that asks for a loop to be left as it is.
    pub nounroll: String,
}
