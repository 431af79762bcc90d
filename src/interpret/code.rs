use crate::expr::Scalar;
use crate::module::{BarrierScope, CollectiveFunction};
use crate::source::Span;

/// A register of the frame that runs.
///
/// Integers are in it extended to 64 bits as their type says, `float` as its bits, pointers as `memory.rs` makes them.
pub(super) type Register = u16;

/// Where in [`Code::operations`].
pub(super) type Address = u32;

/// How many bytes are moved between memory and a register, and how they are extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    I8,
    U8,
    I16,
    U16,
    I32,
    /// `float`, too.
    U32,
    /// All that fills a register.
    Whole,
}

impl Width {
    /// That of a scalar.
    pub(super) const fn of(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Bool | Scalar::UChar => Self::U8,
            Scalar::Char => Self::I8,
            Scalar::Short => Self::I16,
            Scalar::UShort => Self::U16,
            Scalar::Int => Self::I32,
            Scalar::UInt | Scalar::Float => Self::U32,
            Scalar::Long | Scalar::ULong | Scalar::Double => Self::Whole,
        }
    }

    /// In bytes.
    #[inline(always)]
    pub(super) const fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 => 4,
            Self::Whole => 8,
        }
    }
}

/// Which memory an access is to, from a pointer on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// The pointer.
    pub(super) pointer: Register,
    /// Bytes from there.
    pub(super) offset: u16,
    /// Bytes of each number.
    pub(super) width: Width,
    /// Whether it is an atomic access.
    pub(super) atomic: bool,
}

/// An instruction. The first register is where its result goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operation {
    /// [`Code::constants`].
    Constant(Register, u32),
    Move(Register, Register),
    /// So many registers.
    MoveMany(Register, Register, u16),

    AddI32(Register, Register, Register),
    AddU32(Register, Register, Register),
    AddI64(Register, Register, Register),
    AddU64(Register, Register, Register),
    AddF32(Register, Register, Register),
    AddF64(Register, Register, Register),
    SubtractI32(Register, Register, Register),
    SubtractU32(Register, Register, Register),
    SubtractI64(Register, Register, Register),
    SubtractU64(Register, Register, Register),
    SubtractF32(Register, Register, Register),
    SubtractF64(Register, Register, Register),
    MultiplyI32(Register, Register, Register),
    MultiplyU32(Register, Register, Register),
    MultiplyI64(Register, Register, Register),
    MultiplyU64(Register, Register, Register),
    MultiplyF32(Register, Register, Register),
    MultiplyF64(Register, Register, Register),
    DivideI32(Register, Register, Register),
    DivideI64(Register, Register, Register),
    /// Of registers that hold no sign: 32 bits, too.
    DivideU64(Register, Register, Register),
    DivideF32(Register, Register, Register),
    DivideF64(Register, Register, Register),
    RemainderI32(Register, Register, Register),
    RemainderI64(Register, Register, Register),
    RemainderU64(Register, Register, Register),
    And(Register, Register, Register),
    Or(Register, Register, Register),
    Xor(Register, Register, Register),
    ShiftLeftI32(Register, Register, Register),
    ShiftLeftU32(Register, Register, Register),
    ShiftLeft64(Register, Register, Register),
    /// Of `int`s.
    ShiftRightI32(Register, Register, Register),
    ShiftRightU32(Register, Register, Register),
    ShiftRightI64(Register, Register, Register),
    ShiftRightU64(Register, Register, Register),
    Equal(Register, Register, Register),
    NotEqual(Register, Register, Register),
    /// Of all integers but `unsigned long`, whose order is that of their registers.
    Less(Register, Register, Register),
    LessEqual(Register, Register, Register),
    LessU64(Register, Register, Register),
    LessEqualU64(Register, Register, Register),
    EqualF32(Register, Register, Register),
    NotEqualF32(Register, Register, Register),
    LessF32(Register, Register, Register),
    LessEqualF32(Register, Register, Register),
    EqualF64(Register, Register, Register),
    NotEqualF64(Register, Register, Register),
    LessF64(Register, Register, Register),
    LessEqualF64(Register, Register, Register),
    NegateI32(Register, Register),
    NegateU32(Register, Register),
    NegateI64(Register, Register),
    NegateU64(Register, Register),
    NegateF32(Register, Register),
    NegateF64(Register, Register),
    /// Of all bits of the register.
    Complement(Register, Register),
    ComplementU32(Register, Register),
    Not(Register, Register),
    /// From one type to another.
    Convert(Register, Register, Scalar, Scalar),
    /// The same where nothing is out of range: the nearest number, and 0 for what is none.
    Saturate(Register, Register, Scalar, Scalar),
    /// The low bits, extended again.
    Wrap(Register, Register, Width),
    I64ToF32(Register, Register),
    I64ToF64(Register, Register),
    F32ToF64(Register, Register),
    F64ToF32(Register, Register),
    Min(Register, Register, Register, Scalar),
    Max(Register, Register, Register, Scalar),
    /// Of an integer.
    Abs(Register, Register, Scalar),
    /// How many bits are set, of an integer without a sign.
    Ones(Register, Register),
    /// How many of so many bits are zero before the first one that is set, likewise.
    LeadingZeros(Register, Register, u8),
    /// An index, in an array of so many elements: the nearest one that it has.
    Clamp(Register, Register, Register),
    /// Whether an array of so many elements has that index.
    Inside(Register, Register, Register),
    /// A function of real numbers, by number; its arguments lie side by side. Whether it is `float`'s.
    Real(Register, Register, u16, bool),

    /// Of an object that all see.
    Address(Register, u32),
    /// Of an object of the running function's frame.
    LocalAddress(Register, u16),
    /// A pointer, so many bytes further.
    Further(Register, Register, u32),
    /// A pointer, so many elements of that many bytes further.
    Element(Register, Register, Register, u32),
    /// An element of an array of known extent: [`Code::subscripts`].
    Subscript(Register, Register, Register, u16),
    /// How many elements of that many bytes lie between two pointers.
    Difference(Register, Register, Register, u32),
    Load(Register, Cell),
    /// Several numbers side by side.
    LoadMany(Register, Cell, u8),
    Store(Register, Cell),
    StoreMany(Register, Cell, u8),
    /// The element of that number; the pointer, the number.
    LoadElement(Register, Register, Register, Width),
    StoreElement(Register, Register, Register, Width),
    /// So many bytes to the first pointer from the second.
    Copy(Register, Register, u32, bool),
    /// So many bytes.
    Zero(Register, u32),
    /// So many bytes of what the first pointer leads to are on their way from the second.
    Copying(Register, Register, u8),
    /// The item's copies since the last time are a set.
    CopiesClosed,
    /// The item waits for its sets of copies but the last so many.
    CopiesAwaited(Register),
    /// An object of the frame begins, with nothing in it.
    Forget(u16),

    Jump(Address),
    JumpIf(Register, Address),
    JumpUnless(Register, Address),
    /// Unless the first is less, as in [`Self::Less`].
    JumpUnlessLess(Register, Register, Address),
    /// Of [`Code::functions`], arguments side by side. The result goes to the first register.
    Call(Register, Register, u16),
    /// So many registers.
    Return(Register, u8),
    /// A function comes to its end without a value.
    NoValue,
    /// A call has come back of a function that may do so; its name is one of [`Code::variables`]. Whether the value is used.
    CalledValue(u32, bool),

    /// A variable has a value if that register is not 0: [`Code::variables`].
    CheckWritten(Register, u32),
    /// An item writes what is the group's.
    WritesGroup(u32),
    Barrier(BarrierScope, Implied),
    /// What was done before is seen by all that comes behind.
    Phase,
    /// [`Code::collectives`]; arguments side by side.
    Collective(Register, Register, u16),
    /// All items of the group have these registers as the group has them now.
    ShareRegisters(Register, u16),
    /// An object of the frame, likewise.
    ShareObject(u16),
    /// An iteration is past the end of a loop: nobody waits for it.
    Absent,
    /// An iteration has ended early, which begins at an address and ends here: it comes to the barriers in it all the same,
    /// but for those of which [`Implied::Apart`] says otherwise.
    Left(Address),
    /// Runs the groups or items of [`Code::nests`].
    Spawn(u16),
    /// Of a host's part, a group or an item.
    End,
}

/// Who asks for a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Implied {
    /// The program: all have to come.
    No,
    /// The program, where a condition parts items: also who has ended the iteration, elsewhere than there.
    Apart,
    /// The end of a loop: who has none is no obstacle.
    Yes,
}

/// An array's subscripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Subscript {
    /// Bytes of an element, and how many there are, of each dimension; the slowest one first.
    pub(super) dimensions: Vec<(u64, u64)>,
    /// The element behind the last one has an address, too.
    pub(super) past: bool,
    /// Of the array.
    pub(super) name: String,
}

impl Subscript {
    /// How far the element is from the array's beginning, if each dimension has such an index.
    #[inline(always)]
    pub(super) fn bytes(&self, indices: &[u64]) -> Option<u64> {
        let (last, outer) = self.dimensions.split_last()?;
        let (&index, before) = indices.split_last()?;
        let mut bytes = 0;
        // Two iterators side by side take several times as long, and this is what most accesses begin with.
        let mut at = 0;
        while let (Some(&(size, extent)), Some(&index)) = (outer.get(at), before.get(at)) {
            if index >= extent {
                return None;
            }
            bytes += index * size;
            at += 1;
        }
        (index < last.1 + u64::from(self.past)).then(|| bytes + index * last.0)
    }
}

/// A function of the whole group, or warp.
#[derive(Clone, Copy, Debug)]
pub(super) struct Collective {
    pub(super) function: CollectiveFunction,
    /// Of its value.
    pub(super) scalar: Scalar,
    /// How many arguments it has.
    pub(super) arguments: u16,
}

/// Loops whose iterations run at the same time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nest {
    /// Where an iteration of it begins.
    pub(super) entry: Address,
    /// Three registers with numbers of iterations.
    pub(super) extents: Register,
    /// Three registers that say which iteration it is.
    pub(super) coordinates: Register,
}

/// An object of a frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LocalObject {
    /// Bytes from the beginning of the frame's memory.
    pub(super) offset: u64,
    /// In bytes.
    pub(super) size: u64,
    /// Bytes of what it has several of.
    pub(super) element: u64,
    pub(super) name: String,
}

/// A compiled function, or a kernel.
#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub(super) entry: Address,
    /// How many it has; arguments are the first ones.
    pub(super) registers: u32,
    /// How many registers its arguments take.
    pub(super) arguments: u16,
    pub(super) objects: Vec<LocalObject>,
    /// Of all objects.
    pub(super) bytes: u64,
}

/// Whose an object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A group's, for as long as it runs, that items read and write.
    Shared,
    /// A group's that items only read.
    Group,
    /// The host's part of a kernel has it; items only read it.
    Host,
    /// The file's.
    Constant,
}

/// An object that all see.
#[derive(Clone, Debug)]
pub(super) struct GlobalObject {
    pub(super) name: String,
    pub(super) owner: Owner,
    /// In bytes.
    pub(super) size: u64,
    /// Bytes of what it has several of.
    pub(super) element: u64,
    /// Bytes of the smallest number in it.
    pub(super) granule: u64,
}

/// What a kernel takes for a parameter.
#[derive(Clone, Debug)]
pub(super) enum Parameter {
    /// Numbers side by side, in registers from that one on.
    Numbers(Register, Scalar, u8),
    /// The bytes of a record; its address goes to the register.
    Bytes(Register, u64),
    /// A pointer, and the bytes of what it points to and of the smallest number there.
    Pointer(Register, u64, u64),
}

/// A compiled kernel, with all that it calls.
#[derive(Debug, Default)]
pub(super) struct Code {
    pub(super) operations: Vec<Operation>,
    /// Where each one is written.
    pub(super) spans: Vec<Span>,
    pub(super) constants: Vec<u64>,
    pub(super) subscripts: Vec<Subscript>,
    pub(super) collectives: Vec<Collective>,
    pub(super) nests: Vec<Nest>,
    pub(super) functions: Vec<Function>,
    pub(super) objects: Vec<GlobalObject>,
    /// Names of variables that findings are about.
    pub(super) variables: Vec<String>,
    /// The kernel, among functions.
    pub(super) kernel: usize,
    /// Its groups are elements of streams.
    pub(super) elements: bool,
    /// What gives variables of the file their values, among functions.
    pub(super) initial: usize,
    pub(super) parameters: Vec<Parameter>,
    /// Instructions that items which differ in inner loops only run alike.
    pub(super) alike: Vec<(Address, Address)>,
    /// The kernel's first registers are an item's own for as long as its group runs.
    pub(super) exclusive_registers: u16,
    /// Of the kernel's frame, likewise.
    pub(super) exclusive_bytes: u64,
}
