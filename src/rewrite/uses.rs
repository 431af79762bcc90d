//! What a rewritten text relies on, so that preludes have it.

use crate::expr::Scalar;
use crate::module::{CollectiveKind, Type, VectorType};

/// Something that the prelude has to have.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Use {
    /// A part of the prelude.
    Part(Part),
    /// A function of Brook+, by its name.
    Function(String),
    /// An operator of Brook+ that is a function: `div`, `lt`, …
    Operator(&'static str),
    /// A function that changes memory at once: `add`, `rsub`, `exchange`, `add_after`, …
    Atomic(String),
    /// A function of the group.
    Group(GroupFunction),
    /// The components of a vector of Brook+ that are read: `zyx`.
    Swizzle(String),
    /// The components of a vector of Brook+ that are assigned to.
    Assignment(String),
    /// A vector type of Brook+.
    Vector(Type),
    /// A vector type of OKL.
    OklVector(VectorType),
    /// The function that makes a vector of OKL.
    OklMake(VectorType),
    /// Several numbers that are read or written at once, and how many.
    Wide(Scalar, usize),
    /// A struct of a Brook+ program, by its number in the module.
    Struct(usize),
    /// A function that backends spell in their own way.
    Intrinsic(String),
    /// A name of the C library.
    Library(&'static str),
}

macro_rules! parts {
    ($($(#[$doc:meta])* $name:ident = $key:literal,)*) => {
        /// Parts of preludes.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Part {
            $($(#[$doc])* $name,)*
        }

        impl Part {
            /// As templates ask for it.
            pub const fn key(self) -> &'static str {
                match self {
                    $(Self::$name => $key,)*
                }
            }
        }
    };
}

parts! {
    /// All that Brook+ programs need.
    Brook = "brook",
    /// Brook+ kernels whose items form groups.
    Groups = "groups",
    /// Brook+ kernels whose groups go through several rows.
    Rows = "rows",
    /// Gathers that need no clamps.
    InBounds = "in_bounds",
    /// The place of an element in a stream of another shape.
    IndexofInput = "indexof_input",
    /// Conditional vectors of Brook+.
    Select = "select",
    /// Conversions to types that cannot hold all values.
    Convert = "convert",
    /// Elements of fixed point.
    Fixed = "fixed",
    /// Values that are hidden from the compiler.
    Opaque = "opaque",
    /// Addresses that are hidden from the compiler.
    Renewed = "renewed",
    /// Truth values that are hidden from the compiler.
    Truths = "truths",
    /// Addresses of group memory among constants.
    SharedAddress = "shared_address",
    /// Rows of arrays that are left for others.
    Flat = "flat",
    /// Arrays over the items of a group.
    Exclusive = "exclusive",
    /// Items that are fibers.
    Fibers = "fibers",
    /// Bodies that are split at barriers.
    Phases = "phases",
    /// Ends of conditions around inner loops.
    ClosedConditions = "closed_conditions",
    /// Conditions with several ways.
    SeveralWays = "several_ways",
    /// Items as lanes of a vector.
    Lanes = "lanes",
    /// Writes past the caches.
    Streams = "streams",
    /// Lanes that leave loops at different times.
    MaskedLoops = "masked_loops",
    /// Vector types of OKL.
    Vectors = "vectors",
    /// Functions that make vectors of OKL.
    OklMakes = "okl_makes",
    /// Values whose address is taken.
    Temporaries = "temporaries",
    /// Accesses that are indivisible.
    Atomics = "atomics",
    /// Such of whole structures and vectors.
    AtomicObjects = "atomic_objects",
    /// Critical sections.
    AtomicLock = "atomic_lock",
    /// Functions of the group.
    Collectives = "collectives",
    /// Such among fibers.
    FiberCollectives = "fiber_collectives",
    /// Tiles of matrices that a warp has together.
    Fragments = "fragments",
    /// Numbers of 16 bits.
    Half = "half",
    /// Functions that compilers have for whole vectors.
    VectorFunctions = "vector_functions",
    /// The prelude's absolute value.
    BrookAbs = "brook_abs",
    /// The prelude's conversion to `double`.
    BrookDouble = "brook_double",
}

impl Part {
    /// A backend without it cannot have what asks for it. The others are there in languages that have them by themselves.
    pub const fn is_required(self) -> bool {
        !matches!(
            self,
            Self::Vectors | Self::OklMakes | Self::Phases | Self::Temporaries
        )
    }
}

/// Kinds of functions of the group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum GroupFunction {
    Reduce,
    Scan,
    Vote,
    Broadcast,
    Shuffle,
}

impl GroupFunction {
    /// As templates ask for it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Reduce => "group_reduce",
            Self::Scan => "group_scan",
            Self::Vote => "group_vote",
            Self::Broadcast => "group_broadcast",
            Self::Shuffle => "group_shuffle",
        }
    }
}

impl From<CollectiveKind> for GroupFunction {
    fn from(kind: CollectiveKind) -> Self {
        match kind {
            CollectiveKind::Reduce => Self::Reduce,
            CollectiveKind::ScanInclusive | CollectiveKind::ScanExclusive => Self::Scan,
            CollectiveKind::All | CollectiveKind::Any => Self::Vote,
            CollectiveKind::Broadcast => Self::Broadcast,
            CollectiveKind::Shuffle(_) => Self::Shuffle,
        }
    }
}

impl From<Part> for Use {
    fn from(part: Part) -> Self {
        Self::Part(part)
    }
}

impl Use {
    /// As templates ask for it: `uses.atomics`, `uses["operator:lt"]`. What has data of its own is no such word.
    pub fn key(&self) -> Option<String> {
        Some(match self {
            Self::Part(part) => part.key().to_string(),
            Self::Function(name) => format!("fn_{name}"),
            Self::Operator(name) => format!("operator:{name}"),
            Self::Atomic(name) => format!("atomic_{name}"),
            Self::Group(function) => function.key().to_string(),
            _ => return None,
        })
    }
}
