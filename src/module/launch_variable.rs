//! What kernels of Brook+ are told besides their arguments: names of their own in the host's part and in launched functions.

macro_rules! variables {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $ty:literal;)*) => {
        /// A name that the runtime gives a value, for launches of Brook+ kernels.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum LaunchVariable {
            $($(#[$doc])* $variant,)*
        }

        impl LaunchVariable {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// As generated text and metadata spell it.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Its type in metadata; of a buffer, its elements'.
            pub const fn dtype(self) -> &'static str {
                match self {
                    $(Self::$variant => $ty,)*
                }
            }
        }
    };
}

variables! {
    /// Elements of the execution domain.
    Count = "brook_count", "unsigned long";
    /// The domain.
    Domain = "brook_domain", "brook_range";
    /// Of a map: 1 if item i has element i of every stream, else 0.
    Linear = "brook_linear", "int";
    /// Of a map: rows that have groups of their own; 0 for none.
    Rows = "brook_rows", "unsigned int";
    /// Of a map: layers of such rows.
    Layers = "brook_layers", "unsigned int";
    /// Of a map that has a kernel for that: 1 if all that it gathers is known to be there, else 0.
    InBounds = "brook_in_bounds", "int";
    /// Of a reduction: parts that each output's elements are cut into. Of variable outputs: ranges of the domain.
    Parts = "brook_parts", "unsigned long";
    /// Of a reduction in any order: parts that share a row of a tile.
    Split = "brook_split", "unsigned int";
    /// Of a reduction in any order: items that share a part.
    Lanes = "brook_lanes", "unsigned int";
    /// Of a reduction in any order: items that share an output when parts' results are folded.
    LastLanes = "brook_last_lanes", "unsigned int";
    /// Of a reduction in any order: how items read.
    Mode = "brook_mode", "unsigned int";
    /// Of a reduction: where the elements of one output lie.
    Tile = "brook_tile", "brook_shape";
    /// Of a reduction: memory for parts' results.
    Partials = "brook_partials", "void";
    /// Of variable outputs: 1 where what is pushed is only counted, 0 where it is written.
    Counts = "brook_counts", "int";
    /// Of variable outputs: how many elements each range pushes into each output.
    Pushed = "brook_pushed", "unsigned long";
}

impl LaunchVariable {
    /// It is memory.
    pub const fn is_buffer(self) -> bool {
        matches!(self, Self::Partials | Self::Pushed)
    }

    /// The variable of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|v| v.name() == name)
    }
}
