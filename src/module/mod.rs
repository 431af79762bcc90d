//! The facts about a program: what the analysis found, and all that later stages need to know.
//!
//! Nothing here makes the facts or uses them. Positions are [`Span`]s of [`Module::text`], the
//! normalised and preprocessed source.
//!
//! - [`Module`], [`Kernel`], [`Parameter`], [`Function`] (`mod.rs`, `kernel.rs`): what there is.
//! - [`Loop`], [`Nest`], [`Header`] (`loops.rs`): the attributed loops of OKL.
//! - [`MaskedLoopPlan`] (`masked_loops.rs`): loops that items leave at different times, and can run together.
//! - [`Elementwise`] (`elementwise.rs`): nests whose items have elements of their own.
//! - [`Transformations`] (`transformations.rs`): how nests may run otherwise than the program says it.
//! - [`Construct`], [`ConstructKind`] (`construct.rs`): every piece of text that some backend spells
//!   differently, innermost first, so that a rewrite of the outer piece can carry the inner ones.
//! - [`Atomic`] (`atomic.rs`): what an indivisible access does.
//! - [`Collective`] (`collective.rs`): calls of functions of a whole group.
//! - [`Statement`], [`Launch`] (`launch.rs`): the host's part of a kernel, as data.
//! - [`LaunchVariable`] (`launch_variable.rs`): what kernels of Brook+ are told besides their arguments.
//! - [`Record`], [`Layout`] (`record.rs`): how structs lie in memory.
//! - [`Struct`], [`Element`] (`structs.rs`): structs of Brook+ kernels, and how they lie in streams.
//! - [`Fixed`] (`fixed.rs`): BrookGPU's numbers of fixed point.
//! - [`MatrixAccess`] (`matrix.rs`): elements of matrices that a group shares, which may lie the other way.
//! - [`Index`] (`footprint.rs`): which rows of arrays a kernel's gathers read.
//! - [`Beside`] (`gather_offsets.rs`): gathers that read beside a kernel's place.
//! - [`WholeIndex`] (`whole_index.rs`): gathers whose floating-point indices are integers.
//! - [`Site`] (`site.rs`): a use of an attribute that an extension adds.
//! - [`Pointer`], [`Space`] (`pointers.rs`): what pointers point to.
//! - [`Access`] (`access.rs`): what happens with memory that they lead to.
//! - [`KernelTemplate`] (`template.rs`): kernels that are templates.
//! - [`Type`] (`types.rs`): the types of Brook+ kernels.
//! - [`Work`] (`work.rs`): how much a piece of code does.
//! - [`Checking`] (`checking.rs`): how strictly Brook+ kernels are checked.
//! - [`Declared`] (`names.rs`): the names that a program declares.
//! - [`VectorType`] (`vectors.rs`): the vector types of OKL.

mod access;
mod atomic;
mod checking;
mod collective;
mod construct;
mod elementwise;
mod fixed;
mod footprint;
mod gather_offsets;
mod kernel;
mod launch;
mod launch_variable;
mod loops;
mod masked_loops;
mod matrix;
mod names;
mod pointers;
mod record;
mod site;
mod structs;
mod template;
mod transformations;
mod types;
mod vectors;
mod whole_index;
mod work;

pub use access::{Access, AccessKind, Origins};
pub use atomic::{
    Atomic, AtomicComponent, AtomicObject, AtomicOperation, AtomicOperator, AtomicResult,
    AtomicShape,
};
pub use checking::Checking;
pub(crate) use checking::FUSED;
pub use collective::{Collective, CollectiveFunction, CollectiveKind, CollectiveOperator, Shuffle};
pub use construct::{
    BarrierScope, Construct, ConstructKind, Conversion, DeclaredPointer, IndexStyle, IndexedAccess,
    ItemVariable, Lifetime, PlacedConstant, SharedVariable, Temporary, TypeAgain, TypedOperand,
    WrappedOperand,
};
pub use elementwise::{Asked, ElementAccess, ElementUse, Elementwise, IndexDeclaration, Repeat};
pub use fixed::Fixed;
pub use footprint::{Binary, Index, MOST_FLOATING, Unary, whole_numbers};
pub use gather_offsets::{Beside, GatherOffset, GatherOffsets, Term};
pub use kernel::{
    Capture, Dimensions, Function, Kernel, KernelForm, Local, Parameter, ParameterKind, SharedArray,
};
pub(crate) use launch::offset_name;
pub use launch::{Case, HostFunction, Launch, Statement, Table, place, place_of};
pub use launch_variable::LaunchVariable;
pub use loops::{Comparison, Header, Loop, LoopId, LoopKind, Nest, Tile};
pub use masked_loops::{
    BY_ITEM, LaneVariable, Masked, MaskedLoopCall, MaskedLoopItems, MaskedLoopPlan, MaskedLoopStage,
};
pub use matrix::{MatrixAccess, MatrixLayout};
pub use names::{Declared, Declares};
pub use pointers::{Origin, Pointer, PointerCall, PointerId, Space};
pub use record::{Enumeration, Layout, Layouts, Record, RecordField};
pub use site::Site;
pub use structs::{Element, Struct, StructField, StructPart, layout, parts};
pub use template::{
    KernelTemplate, Tells, TemplateInstance, TemplateParameter, TemplatedParameter,
};
pub(crate) use template::{in_place, replaced};
pub use transformations::{
    Accumulated, Coarsened, Held, LoopsInside, Respelled, Split, Transformations,
};
pub use types::{Base, Type};
pub use vectors::VectorType;
pub use whole_index::{CountedLoop, Iterations, LoopBody, WholeIndex, WholePart};
pub(crate) use work::MOST_OPERATIONS;
pub use work::Work;

use crate::grammar::Dialect;
use crate::source::{FileId, Files, Location, Place, Provenance, Span};

/// A program, understood.
#[derive(Debug)]
pub struct Module {
    /// The language it is written in.
    pub dialect: Dialect,
    /// The text that every span refers to.
    pub text: String,
    /// Where that text came from.
    pub provenance: Provenance,
    /// The kernels in source order.
    pub kernels: Vec<Kernel>,
    /// Functions that kernels may call, in source order.
    pub functions: Vec<Function>,
    /// Attributed loops of all kernels; [`LoopId`] indexes them.
    pub loops: Vec<Loop>,
    /// What backends spell differently, in post-order: inner constructs before outer ones.
    pub constructs: Vec<Construct>,
    /// Pointers; [`PointerId`] indexes them.
    pub pointers: Vec<Pointer>,
    /// Calls of the program's own functions.
    pub calls: Vec<PointerCall>,
    /// OKL: accesses to memory that pointers lead to.
    pub accesses: Vec<Access>,
    /// File-scope constants that GPU backends keep in constant memory: the span of the declaration.
    pub constants: Vec<Span>,
    /// Those of them whose addresses other constants hold.
    pub addressed: Vec<Span>,
    /// Structs, unions and enumerations of an OKL program.
    pub layouts: Layouts,
    /// Structs that Brook+ kernels use, those inside others first.
    pub structs: Vec<Struct>,
    /// Functions that the host's part of kernels calls.
    pub host_functions: Vec<HostFunction>,
    /// Arrays of constants that the host's part of kernels reads.
    pub tables: Vec<Table>,
    /// Uses of the attributes of extensions, in the order of the text.
    pub sites: Vec<Site>,
    /// Kernels that came from templates: the name here, and the one that the user gave them.
    pub instances: Vec<(String, String)>,
    /// Kernels that are templates.
    pub templates: Vec<KernelTemplate>,
    /// The names that an OKL program declares.
    pub declared: Declared,
    /// Lines that are for the vendor's compiler, in order.
    pub directives: Vec<Directive>,
    /// The half of a Brook+ program that runs on the host.
    pub host: Option<HostProgram>,
}

impl Module {
    /// What the user calls a kernel: an instance of a template as it was asked for.
    pub fn asked_name<'m>(&'m self, kernel: &'m str) -> &'m str {
        let found = self.instances.iter().find(|(name, _)| name == kernel);
        found.map_or(kernel, |(_, given)| given)
    }

    /// The outermost loop around a loop.
    pub fn root_of(&self, id: LoopId) -> LoopId {
        self.and_around(id).last().unwrap_or(id)
    }

    /// A loop and those around it, outwards.
    pub fn and_around(&self, id: LoopId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(Some(id), |id| self.loop_(*id).parent)
    }

    /// The second half of a tile, or the loop itself.
    pub fn last_part<'l>(&'l self, first: &'l Loop) -> &'l Loop {
        let second = first.second_half();
        second.map_or(first, |id| self.loop_(id))
    }

    /// Whether a loop is one over items, or there is one in it.
    pub fn contains_inner(&self, id: LoopId) -> bool {
        let this = self.loop_(id);
        this.kind == LoopKind::Inner || this.children.iter().any(|c| self.contains_inner(*c))
    }

    /// The nest that begins with a loop.
    pub fn nest_of_root(&self, root: LoopId) -> Option<&Nest> {
        self.nests().find(|n| n.root == root)
    }

    /// The nests of all kernels of OKL.
    pub fn nests(&self) -> impl Iterator<Item = &Nest> {
        let nests = self.kernels.iter().filter_map(|k| match &k.form {
            KernelForm::Okl { nests } => Some(nests),
            _ => None,
        });
        nests.flatten()
    }

    /// The loop of that number.
    pub fn loop_(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }
}

/// A directive that stays in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Directive {
    /// Its line, without the newline.
    pub span: Span,
    /// What has to be defined while the compiler obeys it: lines `#define …`.
    pub definitions: Vec<Box<str>>,
}

/// The host half of a Brook+ program: its own text, because host code is left as it is written
/// while kernels see their macros expanded.
#[derive(Debug)]
pub struct HostProgram {
    /// Normalised, but not preprocessed; with the Brook+ files in place that it includes.
    pub text: String,
    /// Where the parts of `text` come from, in order.
    pub origins: Vec<HostOrigin>,
    /// Kernels to be replaced by callable objects, prototypes among them.
    pub kernels: Vec<HostKernel>,
    /// Stream declarations.
    pub streams: Vec<HostStream>,
    /// It defines `main`.
    pub has_main: bool,
    /// How its kernels are checked, here and when they are translated again.
    pub checking: Checking,
    /// The word `iter` before declarations.
    pub iterators: Vec<Span>,
}

/// A kernel, or a prototype of one, in a host program's text.
#[derive(Clone, Debug)]
pub struct HostKernel {
    /// Its name.
    pub name: String,
    /// All of it.
    pub span: Span,
    /// It is no prototype.
    pub defined: bool,
    /// No other file of the program knows it: it is static, or defined in an included file.
    pub internal: bool,
    /// Only kernels can call it.
    pub helper: bool,
}

impl HostProgram {
    /// A place of the text in the normalised text of the file it comes from.
    pub fn place(&self, offset: u32) -> Place {
        let behind = self.origins.partition_point(|o| o.start <= offset);
        let origin = behind.checked_sub(1).and_then(|i| self.origins.get(i));
        origin.map_or(
            Place {
                file: FileId::MAIN,
                offset,
            },
            |o| Place {
                file: o.file,
                offset: offset - o.start + o.offset,
            },
        )
    }

    /// A piece of the text, of which nothing was normalised, as the user wrote it.
    pub fn written(&self, files: &Files, piece: Span) -> Location {
        let at = files.as_written(self.place(piece.start));
        Location {
            file: at.file,
            span: Span::new(at.offset, at.offset + piece.len()),
        }
    }
}

/// A part of a host program's text that stands in one file.
#[derive(Clone, Copy, Debug)]
pub struct HostOrigin {
    /// Where it begins in the program's text.
    pub start: u32,
    /// The file.
    pub file: FileId,
    /// Where it begins in the file's normalised text.
    pub offset: u32,
    /// How long it is.
    pub length: u32,
}

/// A stream that host code declares.
#[derive(Debug)]
pub struct HostStream {
    /// The type's words, or the comma before streams that others of that type stand before: replaced by the
    /// stream class.
    pub type_span: Span,
    /// It is a comma.
    pub follows: bool,
    /// The comma before what else is declared with that type.
    pub rest: Option<Span>,
    /// It is a parameter of a function (BrookGPU).
    pub parameter: bool,
    /// It points to streams (BrookGPU).
    pub pointer: bool,
    /// The element type.
    pub element: String,
    /// Name, attribute and extents of each stream of this declaration.
    pub declarators: Vec<HostDeclarator>,
}

/// One name of a host stream declaration.
#[derive(Debug)]
pub struct HostDeclarator {
    /// The stream's name.
    pub name: String,
    /// The attribute that holds the extents.
    pub attribute: Span,
    /// Extents as C expressions, slowest first; empty in a parameter.
    pub extents: Vec<String>,
    /// The sizes of elements that are arrays, brackets included.
    pub element_sizes: Option<Span>,
    /// The values of an iterator, `= iter(low, high)`: all of it, and the brackets.
    pub values: Option<(Span, Span)>,
}
