use super::{
    Base, CountedLoop, GatherOffsets, Index, Layout, MaskedLoopPlan, Nest, PointerId, Statement,
    Type, Work,
};
use crate::expr::{Expr, Scalar};
use crate::source::Span;

/// A kernel: a function the host launches.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Its name in the source.
    pub name: String,
    /// The whole function, its attributes included.
    pub span: Span,
    /// From the return type to the closing bracket of the parameters.
    pub head: Span,
    /// The function's body, braces included.
    pub body: Span,
    /// OKL: types and constants that the body declares around its outer loops.
    pub locals: Vec<Local>,
    /// Brook+: the kernels that it calls, by number, as often as it calls them.
    pub calls: Vec<usize>,
    /// Brook+: how often it reads arrays.
    pub gathers: usize,
    /// Brook+: which of these read at the place along the row, plus a constant.
    pub gather_offsets: GatherOffsets,
    /// Brook+: loops whose iterations indices of gathers are made of.
    pub counted_loops: Vec<CountedLoop>,
    /// Brook+: it asks for the place of its element.
    pub placed: bool,
    /// Brook+: it calls functions that compilers may have for whole vectors, with other results than for single numbers.
    pub vector_functions: bool,
    /// Its parameters in order.
    pub parameters: Vec<Parameter>,
    /// What it returns: `void`, but for sub-kernels of Brook+.
    pub result: Type,
    /// Brook+: it returns a struct: index into the structs of the module.
    pub result_struct: Option<usize>,
    /// Brook+: the arrays that the items of a group share.
    pub shared: Vec<SharedArray>,
    /// Brook+: items of a group wait for each other.
    pub waits: bool,
    /// Brook+: it calls functions of the whole group.
    pub collectives: bool,
    /// Brook+: its masked loop, which items leave at different times.
    pub masked_loop: Option<MaskedLoopPlan>,
    /// What kind of kernel, with what only that kind has.
    pub form: KernelForm,
    /// Brook+: what its body does, without the kernels that it calls.
    pub work: Work,
    /// What the host does: control flow around launches.
    pub host: Vec<Statement>,
}

impl Kernel {
    /// Items in a group of a Brook+ kernel that runs in groups.
    pub fn group_size(&self) -> Option<u32> {
        match self.form {
            KernelForm::Map { group_size } => group_size,
            _ => None,
        }
    }
}

/// An array that the items of a group of a Brook+ kernel share.
#[derive(Clone, Debug)]
pub struct SharedArray {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub ty: Type,
    /// How many there are.
    pub count: u64,
}

/// A declaration around the nests of a kernel that is no variable of the host.
#[derive(Clone, Debug)]
pub struct Local {
    /// The declaration.
    pub span: Span,
    /// The block it stands in.
    pub scope: Span,
    /// The names it declares; none for what is no use by name.
    pub names: Vec<String>,
    /// Where these are used, in attributes, too, in order.
    pub uses: Vec<u32>,
}

/// The kinds of kernel.
#[derive(Clone, Debug)]
pub enum KernelForm {
    /// An OKL kernel: its outermost `@outer` loops, each a device kernel of its own.
    Okl {
        /// In source order.
        nests: Vec<Nest>,
    },
    /// A Brook+ kernel, mapped over its outputs.
    Map {
        /// Items in a group where `Attribute[GroupSize(n)]` says so.
        group_size: Option<u32>,
    },
    /// A Brook+ kernel with a reduction variable.
    Reduce {
        /// The operator, when the variable changes only through one `OP=`; the source's spelling of
        /// the operator without `=`.
        operator: Option<&'static str>,
    },
    /// A BrookGPU kernel with variable outputs, which run on its inputs' elements in ranges.
    Vout,
    /// A Brook+ kernel that only other kernels call.
    SubKernel,
}

/// A parameter of a kernel.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The whole parameter, attributes included.
    pub span: Span,
    /// Where its name stands.
    pub name_span: Span,
    /// What it is.
    pub kind: ParameterKind,
    /// The type's words as written, without qualifiers: `float`, `unsigned int`, `struct Ray`.
    pub type_name: String,
    /// The scalar that the type is, if it is one.
    pub scalar: Option<Scalar>,
    /// The type that a Brook+ parameter has inside the kernel.
    pub ty: Type,
    /// Declared `const`.
    pub constant: bool,
    /// OKL: it promises that nothing else leads to what it points to; `None` where that is not known.
    pub restrict: Option<bool>,
    /// OKL: the target's own words for that.
    pub restrict_words: Vec<Span>,
    /// OKL: the `const` of the pointer itself, not of what it points to.
    pub own_const: Option<Span>,
    /// OKL: what it is, or points to, may be changed by others at any time; also where that is not known.
    pub volatile: bool,
    /// OKL: the pointer that it is.
    pub pointer: Option<PointerId>,
    /// OKL: how the value, or what the pointer points to, lies in memory, if that is known.
    pub layout: Option<Layout>,
    /// OKL: the extents that `@dim` says, slowest first, by the names of values and as numbers; none where they are anything else.
    pub dimensions: Vec<Expr>,
    /// Brook+: the sizes of an array that has them, slowest first.
    pub extents: Vec<u64>,
    /// Brook+: the type is a struct, or elements are arrays: index into the structs of the module.
    pub structure: Option<usize>,
    /// Brook+: the kernel asks for the index of the element of this input stream.
    pub indexed: bool,
    /// Brook+: what each index of its gathers may be, axis by axis, fastest first; none where that may be anything.
    pub indices: Vec<Vec<Index>>,
    /// Brook+: elements are arrays, which are the only field of that struct; the sizes.
    pub element_sizes: Vec<u64>,
}

/// What a parameter is to its kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterKind {
    /// A value.
    Value,
    /// OKL: a pointer to device memory, with that many `*`.
    Pointer(usize),
    /// Brook+: the current element of an input stream.
    StreamIn,
    /// Brook+: the current element of an output stream. `reads` says that the element's previous
    /// value may be needed.
    StreamOut {
        /// Whether the kernel may leave the element as it was, or reads it.
        reads: bool,
    },
    /// Brook+: a stream or array read at any index, with that many dimensions.
    Gather(usize),
    /// Brook+: a stream written at any index, with that many dimensions.
    Scatter(usize),
    /// Brook+: the reduction variable.
    Reduce,
    /// BrookGPU: a variable output, of which the kernel pushes any number of elements.
    Vout,
    /// Brook+: an output of a sub-kernel that is no stream.
    Out,
}

/// A function that is not a kernel.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Where a marker such as `__device__` goes: before the first word of its type.
    pub marker: u32,
    /// The whole function.
    pub span: Span,
    /// Other files do not see it: it is `static`.
    pub internal: bool,
    /// Its parameters that are pointers, with their positions.
    pub pointers: Vec<(usize, PointerId)>,
    /// Its result, if that is a pointer.
    pub result: Option<PointerId>,
    /// Its constructs: first, and one behind the last.
    pub constructs: (usize, usize),
    /// Its masked loop, which items leave at different times.
    pub masked_loop: Option<MaskedLoopPlan>,
}

/// `@dim` and `@dimOrder` of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dimensions {
    /// The extents as written, in the order of the indices.
    pub extents: Vec<String>,
    /// For each place in memory, fastest first, which index it is.
    pub order: Vec<usize>,
}

/// A host variable that a device kernel receives as an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Capture {
    /// Its name.
    pub name: String,
    /// Its type.
    pub scalar: Scalar,
}

impl Default for Parameter {
    fn default() -> Self {
        Self {
            name: String::new(),
            span: Span::default(),
            name_span: Span::default(),
            kind: ParameterKind::Value,
            type_name: String::new(),
            scalar: None,
            ty: Type::scalar(Base::Int),
            constant: false,
            restrict: Some(false),
            restrict_words: Vec::new(),
            own_const: None,
            volatile: false,
            pointer: None,
            layout: None,
            dimensions: Vec::new(),
            extents: Vec::new(),
            structure: None,
            indexed: false,
            indices: Vec::new(),
            element_sizes: Vec::new(),
        }
    }
}
