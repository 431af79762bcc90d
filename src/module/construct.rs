use super::{
    Atomic, Beside, Collective, CollectiveFunction, Dimensions, LoopId, PointerId, Type,
    VectorType, WholeIndex,
};
use super::{MatrixAccess, MatrixLayout};
use crate::expr::Scalar;
use crate::source::Span;

/// A piece of text that some backend spells differently.
#[derive(Clone, Debug)]
pub struct Construct {
    /// The text in question.
    pub span: Span,
    /// What it is.
    pub kind: ConstructKind,
}

/// What the items of a group wait for at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BarrierScope {
    /// All items of the group.
    Group,
    /// The items of one warp.
    Warp,
}

/// How the indices of an access are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IndexStyle {
    /// `a[float2(x, y)]`, `a[i]`: one bracket; the first component is the fastest.
    Vector,
    /// `a[y][x]`: a bracket a dimension, slowest first.
    Brackets,
}

/// An access to a gather or scatter array of a Brook+ kernel.
#[derive(Clone, Debug)]
pub struct IndexedAccess {
    /// The array's name.
    pub array: String,
    /// Where the indices are written, in source order.
    pub indices: Vec<Span>,
    /// Type of each index.
    pub types: Vec<Type>,
    /// How they are written.
    pub style: IndexStyle,
    /// Element type.
    pub element: Type,
    /// It is a struct: index into the structs of the module.
    pub structure: Option<usize>,
    /// Its fastest index is the place along the row, plus a constant.
    pub beside: Option<Beside>,
    /// Its indices as integers, fastest first, where they are computed as floating-point numbers; none where nobody knows.
    pub whole: Vec<WholeIndex>,
}

/// How long a variable lives that every item has its own value of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lifetime {
    /// As long as the group: `@exclusive`.
    Group,
    /// As long as the item's iteration of that loop: it is declared in the loop's body, and read behind a barrier.
    Iteration(LoopId),
    /// The same, but in each phase of the loop it is written before it is read.
    Phase(LoopId),
    /// As its declaration says: nobody names it behind a barrier of the loop around it.
    Block,
}

/// A variable that every item of a group has its own value of.
#[derive(Clone, Debug)]
pub struct ItemVariable {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// What of its declarator stands before it: `*`.
    pub stars: Span,
    /// Number of `*` before the name.
    pub pointers: usize,
    /// The size of each dimension, as written, of an array.
    pub sizes: Vec<Span>,
    /// The initialiser.
    pub value: Option<Span>,
    /// Its address escapes, so the values of one item stand together.
    pub by_item: bool,
    /// It is a pointer, or an array of some.
    pub pointer: Option<PointerId>,
}

/// What says a type once more: text, words of the source, and text again.
pub type TypeAgain = (&'static str, Span, String);

/// A name of a declaration of pointers.
#[derive(Clone, Debug)]
pub struct DeclaredPointer {
    /// Where its declarator begins: `*p`.
    pub at: u32,
    /// The comma between it and the name before it; empty for the first.
    pub comma: Span,
    /// Which pointer it is; `None` for what is none.
    pub pointer: Option<PointerId>,
}

/// A variable that the items of a group share.
#[derive(Clone, Debug)]
pub struct SharedVariable {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub name_span: Span,
    /// What of its declarator stands before it: `*`.
    pub stars: Span,
    /// The size of each dimension, as written and as a number; what only a compiler of C++ can
    /// compute, such as the value of a `constexpr` function, is no number.
    pub sizes: Vec<(Span, Option<u64>)>,
    /// How it lies in memory, if it is a matrix.
    pub layout: MatrixLayout,
    /// Number of `*` before the name.
    pub pointers: usize,
    /// Number of subscripts that lead to an element: those of its type count, too.
    pub rank: usize,
    /// It is used by more than its elements.
    pub whole: bool,
    /// A row that a constant names may be left at its end.
    pub leaves_rows: bool,
    /// Its type is defined where it is declared, and cannot be named elsewhere.
    pub defines_type: bool,
}

/// What an implicit conversion of Brook+ turns into what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// The type the expression has.
    pub from: Type,
    /// The type that is wanted.
    pub to: Type,
}

/// An output argument of a Brook+ call that is a part of a vector.
#[derive(Clone, Debug)]
pub struct Temporary {
    /// Which argument.
    pub argument: usize,
    /// The vector.
    pub base: Span,
    /// The components.
    pub components: String,
    /// Their type.
    pub ty: Type,
}

/// A constant that has a place in memory besides its name.
#[derive(Clone, Debug)]
pub struct PlacedConstant {
    /// The name of the place.
    pub place: String,
    /// Its type.
    pub scalar: Scalar,
    /// Its value.
    pub value: i64,
}

/// An operand of what is computed modulo 2^32.
#[derive(Clone, Copy, Debug)]
pub struct WrappedOperand {
    /// Where it is.
    pub span: Span,
    /// It is computed modulo 2^32, too.
    pub part: bool,
    /// It has no sign already.
    pub unsigned: bool,
    /// A cast in front is one of all of it.
    pub closed: bool,
    /// It stands in brackets.
    pub brackets: bool,
}

/// An expression with the type that it has where it stands.
#[derive(Clone, Copy, Debug)]
pub struct TypedOperand {
    /// Where it is.
    pub span: Span,
    /// The type.
    pub ty: Type,
}

/// The kinds of construct.
#[derive(Clone, Debug)]
pub enum ConstructKind {
    /// An attribute whose meaning is recorded elsewhere: removed.
    Attribute,
    /// OKL: C++ that C has nothing like; what it is called.
    NoC(&'static str),
    /// OKL: something is thrown or caught.
    Exception,
    /// OKL: C++ that C writes otherwise: as that text.
    InC(String),
    /// OKL: a number that is no integer, with which a loop's variable is compared: the next integer `up` or down does.
    RealBound {
        /// Above the number.
        up: bool,
    },
    /// OKL: a function that shares its name with another.
    Overload,
    /// OKL: where an expression begins that C has to convert to that type.
    ConvertedInC(&'static str),
    /// OKL: the address of group memory in a list of initialisers.
    SharedAddress,
    /// OKL: a number that an address is computed from and that may be a truth value.
    TruthIndex,
    /// OKL: a condition of what items run, from which items come to one place by several ways.
    SeveralWays {
        /// It is the value of a `switch`.
        cases: bool,
    },
    /// OKL: what names memory that a reference is bound to: its address, in C.
    Address,
    /// OKL: a value of that type that a reference is bound to: the address of a copy, in C.
    Temporary(String),
    /// OKL: a component of a vector, or `&` of one, where C wants its address.
    ComponentAddress {
        /// The vector, or a pointer to it.
        base: Span,
        /// It is a pointer.
        arrow: bool,
        /// The vector's type.
        vector: VectorType,
        /// Which component.
        index: usize,
        /// The pointer that comes out.
        pointer: PointerId,
    },
    /// OKL: what surrounds an argument whose type C++ converts when it chooses among overloads, in
    /// targets that have none to choose: a cast to this type with an opening parenthesis, or, without
    /// a type, the closing one.
    Converted(Option<Scalar>),
    /// OKL: where an operand of a quotient of three integers begins (`true`) or ends.
    Quotient(bool),
    /// OKL: `std::` before one of the standard library's functions of numbers, which devices have under
    /// their plain names.
    Std,
    /// OKL: declarations of constants to be inserted at the (empty) span.
    Constant(String),
    /// OKL: a part of a constant's initialiser, as a number, for targets that fill their memory for
    /// constants before anything runs.
    Number(String),
    /// OKL: `(struct P)` before a list in braces, and the name that C++ has there.
    LiteralType(String),
    /// OKL: a list in braces that names what it initialises: its values in order, `None` for what is
    /// left out.
    Ordered(Vec<Option<Span>>),
    /// OKL: the type's words of a kernel parameter, in targets that do not take that type.
    ParameterType(&'static str),
    /// OKL: a declaration of integer constants at file scope, or around nests.
    Constants {
        /// Their names and values; empty where only a compiler knows those.
        values: Vec<(String, i64)>,
        /// Those whose address is taken.
        placed: Vec<PlacedConstant>,
    },
    /// OKL: what lists in braces get besides where vectors want a value for each component, in braces of its own.
    InLists(String),
    /// OKL: a null pointer that a function is given, which may be written for several kinds of memory.
    NullPointer {
        /// The function's name.
        function: String,
        /// The parameter's type.
        ty: String,
    },
    /// OKL: the type's words of integer constants at file scope that only a compiler computes.
    EnumeratorsBegin,
    /// OKL: before the name of a constant at file scope that is a pointer, or an array of such: where that lies itself.
    ConstantPointer,
    /// OKL: the name of a vector type, or of the function that makes one.
    VectorName {
        /// The type.
        ty: VectorType,
        /// It is `make_…`.
        makes: bool,
    },
    /// OKL: an attributed loop; for a `@tile` the loop over tiles.
    Loop(LoopId),
    /// OKL: `@barrier` inside an attributed nest. Between outer nests it is only removed.
    Barrier {
        /// What waits.
        scope: BarrierScope,
        /// The statement stands inside the body of an inner loop.
        inside: Option<LoopId>,
    },
    /// OKL: a call of a function that each backend spells in its own way.
    Intrinsic {
        /// Its name.
        name: String,
        /// Its arguments, and whether each is a pointer.
        arguments: Vec<(Span, bool)>,
    },
    /// OKL: a call of a function of a whole group.
    Collective(Collective),
    /// OKL: an empty place in the declaration of a structure that is aligned to so many bytes, as atomics on all of it
    /// need.
    Aligned(usize),
    /// OKL: an atomic access, without its attribute and semicolon.
    Atomic(Atomic),
    /// OKL: `@atomic { … }` with several statements that are no single access: the block.
    Critical {
        /// Its attribute.
        attribute: Span,
    },
    /// OKL: `m(i, j)` on a variable with `@dim`.
    Dim {
        /// The variable.
        base: Span,
        /// Its indices.
        indices: Vec<Span>,
        /// Its dimensions.
        dimensions: Dimensions,
    },
    /// OKL: declaration of `@shared` memory, attribute included.
    Shared {
        /// The attribute; empty when the type carries it.
        attribute: Span,
        /// The type's words.
        words: Span,
        /// What is declared.
        variables: Vec<SharedVariable>,
        /// Bytes of one element, if they are known.
        element: Option<u64>,
        /// Its type is declared within the kernel.
        of_kernel: bool,
        /// What that is where the nest declares it, ahead of which its name means nothing: words, and sizes behind a name.
        ahead: Option<(String, String)>,
        /// The nest's root loop.
        nest: LoopId,
    },
    /// OKL: the name of such an array where all its subscripts follow.
    SharedElement {
        /// The place of the declaration among the constructs, and of the variable there.
        variable: (usize, usize),
        /// The subscripts, with their brackets.
        brackets: Vec<Span>,
    },
    /// OKL: an access to a matrix among them, or the assignment to one.
    MatrixAccess(MatrixAccess),
    /// OKL: a declaration of variables that every item has its own value of: `@exclusive` ones, or
    /// locals of an inner loop whose items wait for each other in its body.
    ItemVariables {
        /// What is declared.
        variables: Vec<ItemVariable>,
        /// The type's words.
        words: Span,
        /// The nest's root loop.
        nest: LoopId,
        /// How long they live.
        lifetime: Lifetime,
    },
    /// OKL: a use of such a variable; the span is the name, `end` is behind the last bracket of a
    /// full subscript.
    ItemVariableUse {
        /// Where an item index goes.
        end: u32,
        /// The values of one item stand together.
        by_item: bool,
        /// The nest's root loop.
        nest: LoopId,
        /// How long it lives.
        lifetime: Lifetime,
    },
    /// OKL: a statement outside of all inner loops that uses an `@exclusive` variable: every item
    /// runs it.
    EachItem {
        /// The nest's root loop.
        nest: LoopId,
    },
    /// OKL: a statement outside of all inner loops that writes memory that others see: it happens once
    /// for a group.
    GroupStatement {
        /// The nest's root loop.
        nest: LoopId,
    },
    /// OKL: a statement that changes memory, between attributed loops: one of the items that come by runs it.
    OnceStatement {
        /// The attributed loop in whose body it stands.
        within: LoopId,
    },
    /// OKL: a declaration outside of all inner loops whose value changes memory that others see: it is
    /// computed once for a group.
    GroupDeclaration {
        /// The nest's root loop.
        nest: LoopId,
        /// The type's words.
        words: Span,
        /// The type of the variable.
        scalar: Scalar,
        /// Its name.
        name: String,
        /// Its value.
        value: Span,
    },
    /// OKL: `continue` in the body of an inner loop in which items wait for each other.
    Continue {
        /// That loop.
        ends: LoopId,
        /// They do behind it.
        early: bool,
    },
    /// OKL: `return` in a nest, where it ends an iteration of that loop.
    Return {
        /// The innermost attributed loop around it.
        ends: LoopId,
        /// No ordinary loop stands between the two.
        direct: bool,
    },
    /// OKL: `@restrict`; the span is the attribute, the keyword goes to `at`.
    Restrict {
        /// After the `*` it belongs to.
        at: u32,
    },
    /// OKL: an access that reads memory; index into the module's accesses.
    Read(usize),
    /// OKL: the type of a pointer.
    Pointer {
        /// Before the first word of the type.
        at: u32,
        /// Which one.
        pointer: PointerId,
    },
    /// OKL: a declaration with pointers among its names. The word for where memory lies belongs to the type,
    /// which all names share: those that differ in it are declared apart.
    Pointers {
        /// Before the first word of the type.
        at: u32,
        /// The names, in order.
        names: Vec<DeclaredPointer>,
        /// What says the type once more; `None` where no second declaration can stand.
        again: Option<TypeAgain>,
        /// How long item variables live that are declared so.
        lifetime: Lifetime,
    },

    /// Brook+: a vector type's name, or `uchar` and its like.
    TypeName(Type),
    /// Brook+: a kernel parameter in a definition; index into the kernel's parameters.
    Parameter {
        /// Which kernel.
        kernel: usize,
        /// Which parameter.
        parameter: usize,
    },
    /// Brook+: an output, reduction or `out` parameter used by name.
    OutputName,
    /// Brook+: `float4(a, b, c, d)`.
    Constructor {
        /// What is made.
        ty: Type,
        /// The function's name.
        name: Span,
        /// The components.
        arguments: Vec<Span>,
    },
    /// Brook+: a swizzle of more than one component, or a repeated one, as a value.
    Swizzle {
        /// The vector.
        base: Span,
        /// `xy`, `wzyx`, …
        components: String,
    },
    /// Brook+: assignment to a swizzle of more than one component, or to a swizzle's component.
    SwizzleAssignment {
        /// The vector.
        base: Span,
        /// The components.
        components: String,
        /// The operator without `=`; empty for plain assignment.
        operator: &'static str,
        /// The value.
        value: Span,
        /// Type of both sides.
        ty: Type,
        /// The type in which the operator works.
        operand: Type,
    },
    /// Brook+: a compound assignment whose operator works in another type than the target's.
    Compound {
        /// The operator without `=`.
        operator: &'static str,
        /// The target.
        left: Span,
        /// Its type.
        ty: Type,
        /// The value.
        value: Span,
        /// The type in which the operator works.
        operand: Type,
    },
    /// Brook+: `v++` and its like on vectors.
    Update {
        /// The vector.
        base: Span,
        /// The components, if it is a swizzle.
        components: String,
        /// `+` or `-`.
        operator: &'static str,
        /// Type of what changes.
        ty: Type,
        /// The value is that of before.
        after: bool,
        /// Somebody asks for the value.
        used: bool,
    },
    /// Brook+: the condition of `?:`, of floating point.
    FloatCondition,
    /// Brook+: the condition of a statement, a vector: whether any component is not zero.
    AnyCondition(Type),
    /// Brook+: `?:` with a vector as condition: component by component.
    Select {
        /// The condition.
        condition: Span,
        /// Its type.
        picks: Type,
        /// What the components that are not zero pick.
        yes: Span,
        /// What the others do.
        no: Span,
        /// Type of both, and of the result; as many components as the condition.
        ty: Type,
    },
    /// BrookGPU: `push(o);`: index into the kernel's parameters.
    Push {
        /// Which kernel.
        kernel: usize,
        /// Which parameter.
        parameter: usize,
    },
    /// Brook+: what all targets spell in another way: a number, a component by its colour.
    Written(String),
    /// Brook+: a statement that holds calls with temporary variables for their outputs.
    Temporaries {
        /// It is a declaration, which cannot be put into a block.
        declares: bool,
    },
    /// Brook+: the words of a struct's name; index into the structs of the module.
    StructName(usize),
    /// Brook+: an index of an array that C knows, of floating point. One bracket rounds, several truncate.
    FloatIndex {
        /// It is the only one.
        only: bool,
    },
    /// Brook+: the declaration of an array that the items of a group share.
    SharedArray,
    /// Brook+: `instanceInGroup()`.
    InstanceInGroup,
    /// Brook+: a call of a function of the whole group, and its arguments.
    GroupFunction {
        /// Which function.
        function: CollectiveFunction,
        /// The value, and the place of an item.
        arguments: Vec<Span>,
    },
    /// Brook+: `syncGroup()`.
    SyncGroup,
    /// Brook+: a gather.
    Gather(IndexedAccess),
    /// Brook+: a statement that assigns to an element of a scatter array.
    Scatter {
        /// Which element.
        access: IndexedAccess,
        /// The operator without `=`.
        operator: &'static str,
        /// The value.
        value: Span,
        /// The fields and the component of the element that are written, as in `.place.x`; empty for the
        /// whole element.
        path: String,
        /// More than one component is written.
        components: String,
        /// Type of both sides, if they are numbers.
        ty: Option<Type>,
        /// The type in which the operator works, if that is another one.
        operand: Option<Type>,
    },
    /// Brook+: an operator that needs a function, because its meaning is not every target's.
    Operator {
        /// `/`, `%`, `<<`, `<`, …
        operator: &'static str,
        /// Left operand.
        left: Span,
        /// Right operand.
        right: Span,
        /// Type of the operands, and of the result.
        operand: Type,
        /// It also assigns to the left operand.
        assigns: bool,
    },
    /// Brook+: nothing any more; it goes with a construct around it.
    Dropped,
    /// Brook+: a sum of a product of floating point that rounds once, where [`Options::contract`](crate::Options) asks for it.
    Contracted {
        /// What is multiplied.
        factors: [TypedOperand; 2],
        /// What is added.
        addend: TypedOperand,
        /// The product is subtracted, or what is added is.
        negated: [bool; 2],
        /// Type of the sum.
        ty: Type,
        /// It is assigned to what is added.
        assigns: bool,
    },
    /// Brook+: a comparison or a logical operator of scalars that is used as a number of that type.
    Truth {
        /// The type.
        ty: Type,
        /// A cast in front is one of all of it.
        closed: bool,
    },
    /// Brook+: a sum, a difference, a product or a negative of integers that may leave the range of `int`, or of a
    /// smaller type.
    Wrapping {
        /// The type of the result.
        ty: Type,
        /// One or two operands.
        operands: Vec<WrappedOperand>,
        /// It may leave the range of `int`.
        unsigned: bool,
        /// A cast in front is one of all of it.
        closed: bool,
        /// It is an operand of another one.
        part: bool,
        /// It is a negative, whatever its operator, or a compiler may make one of it.
        negative: bool,
    },
    /// Brook+: a cast.
    Cast {
        /// What is cast.
        value: Span,
        /// From and to.
        conversion: Conversion,
    },
    /// Brook+: `indexof(s)`; the name of an input stream, whose element is at a place of its own.
    IndexOf(Option<String>),
    /// Brook+: `instance()`.
    Instance,
    /// Brook+: a call of one of the language's functions.
    Builtin {
        /// Its name.
        name: String,
        /// Where the name stands.
        name_span: Span,
        /// Types of the arguments.
        types: Vec<Type>,
    },
    /// Brook+: a call of a sub-kernel: where its name and its arguments stand.
    SubKernelCall {
        /// Which kernel.
        kernel: usize,
        /// Where the name stands.
        name: Span,
        /// The arguments.
        arguments: Vec<Span>,
        /// Arguments that are outputs but have no address of their own.
        temporaries: Vec<Temporary>,
    },
    /// Brook+: a variable's name, where it is declared or used. Targets reserve some that the language
    /// does not.
    Name,
}
