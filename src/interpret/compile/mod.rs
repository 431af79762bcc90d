//! From bodies to instructions.
//!
//! - `layout.rs`: which variables live in registers, and where the others are.
//! - `statements.rs`, `distributed.rs`: control flow; loops whose iterations are groups or items.
//! - `expressions.rs`, `operators.rs`, `places.rs`: values and memory.
//! - `values.rs`: functions that end without one, and calls that need none.
//!
//! A kernel is compiled twice or more: what the first time finds, that is which variables may be read before they are
//! written and which constants there are, changes where things lie the next time.

mod copies;
mod distributed;
mod expressions;
mod layout;
mod operators;
mod places;
mod statements;
mod values;

use super::code::{Address, Code, Function, GlobalObject, LocalObject, Operation, Owner, Register};
use super::memory::MOST_LOCALS;
use crate::body::{Body, BodyId, ExpressionId, Program, Root, Type, TypeKind, VariableId};
use crate::source::Span;
use layout::Home;
use std::collections::{HashMap, HashSet};
use values::may_end_without_value;

/// What the interpreter does not know how to run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NotModelled {
    /// Where.
    pub(crate) span: Span,
    /// What it is called.
    pub(crate) what: String,
}

pub(super) type Result<T> = std::result::Result<T, NotModelled>;

/// What a body is among those that are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Body(u32),
    Initial,
}

/// What one compilation leaves to the next.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Learnt {
    /// Variables that may be read before they are written.
    tracked: HashSet<(Key, u32)>,
    /// The kernel's constants.
    constants: Vec<u64>,
}

/// Compiles a kernel and all that it calls.
///
/// # Errors
/// What is not modelled, in source order of functions as they are called.
pub(super) fn compile(program: &Program, kernel: BodyId) -> Result<Code> {
    let mut learnt = Learnt::default();
    loop {
        let (code, next) = Unit::new(program, &learnt).compile(kernel)?;
        if next == learnt {
            return Ok(code);
        }
        learnt = next;
    }
}

/// What is being compiled.
struct Unit<'p> {
    program: &'p Program,
    known: &'p Learnt,
    learnt: Learnt,
    code: Code,
    constants: HashMap<u64, u32>,
    functions: HashMap<Key, usize>,
    /// Functions that are called and not compiled yet.
    waiting: Vec<Key>,
    /// Objects of the file's variables.
    globals: Vec<u32>,
    /// The smallest number that a pointer was converted to point to.
    granule: u64,
}

impl<'p> Unit<'p> {
    fn new(program: &'p Program, known: &'p Learnt) -> Self {
        Self {
            program,
            known,
            learnt: known.clone(),
            code: Code::default(),
            constants: HashMap::new(),
            functions: HashMap::new(),
            waiting: Vec::new(),
            globals: Vec::new(),
            granule: 8,
        }
    }

    fn compile(mut self, kernel: BodyId) -> Result<(Code, Learnt)> {
        for variable in &self.program.globals {
            let object = self.object(&variable.name, variable.ty, Owner::Constant);
            self.globals.push(object);
        }
        self.code.initial = self.function(Key::Initial);
        self.code.kernel = self.function(Key::Body(kernel.0));
        self.code.elements = self.program.bodies[kernel.0 as usize].elements;
        while let Some(key) = self.waiting.pop() {
            let is_kernel = key == Key::Body(kernel.0);
            let body = match key {
                Key::Body(index) => &self.program.bodies[index as usize],
                Key::Initial => &self.program.initial,
            };
            if let Some((span, what)) = body.opaque() {
                let what = what.to_string();
                return Err(NotModelled { span, what });
            }
            let at = self.functions[&key];
            Builder::new(&mut self, body, key, is_kernel)?.build(at)?;
        }
        let granule = self.granule;
        for object in &mut self.code.objects {
            object.granule = object.granule.min(granule);
        }
        for parameter in &mut self.code.parameters {
            if let super::code::Parameter::Pointer(_, _, smallest) = parameter {
                *smallest = (*smallest).min(granule);
            }
        }
        Ok((self.code, self.learnt))
    }

    /// The number of a function, which is compiled if it has none yet.
    fn function(&mut self, key: Key) -> usize {
        if let Some(&at) = self.functions.get(&key) {
            return at;
        }
        let at = self.code.functions.len();
        self.code.functions.push(Function::default());
        self.functions.insert(key, at);
        self.waiting.push(key);
        at
    }

    fn object(&mut self, name: &str, ty: Type, owner: Owner) -> u32 {
        self.code.objects.push(GlobalObject {
            name: name.to_string(),
            owner,
            size: self.program.types.size(ty),
            element: self.element_size(ty),
            granule: self.granule_of(ty),
        });
        self.code.objects.len() as u32 - 1
    }

    /// Bytes of what a type has several of: an array's innermost elements, or of all of it.
    fn element_size(&self, ty: Type) -> u64 {
        match self.program.types.kind(ty) {
            TypeKind::Array(of, _) => self.element_size(of),
            _ => self.program.types.size(ty).max(1),
        }
    }

    /// Bytes of the smallest number in a type.
    fn granule_of(&self, ty: Type) -> u64 {
        let types = &self.program.types;
        match types.kind(ty) {
            TypeKind::Void => 1,
            TypeKind::Scalar(scalar) => scalar.size() as u64,
            TypeKind::Vector(vector) => vector.scalar.size() as u64,
            TypeKind::Pointer(_) => 8,
            TypeKind::Array(of, _) => self.granule_of(of),
            TypeKind::Record(id) => {
                let fields = types.record(id).fields.iter();
                fields.map(|f| self.granule_of(f.ty)).min().unwrap_or(1)
            }
        }
    }

    fn constant(&mut self, value: u64) -> u32 {
        let constants = &mut self.code.constants;
        *self.constants.entry(value).or_insert_with(|| {
            constants.push(value);
            constants.len() as u32 - 1
        })
    }
}

/// Who runs what is being compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Level {
    /// The host's part of a kernel.
    Host,
    /// A group, for all of its items.
    Group,
    /// An item.
    Item,
    /// Whoever calls the function.
    Function,
}

/// Where `break`, `continue` and `return` lead; jumps that wait for an address.
enum Context {
    Loop {
        breaks: Vec<usize>,
        continues: Vec<usize>,
    },
    Switch {
        breaks: Vec<usize>,
    },
    /// An iteration that is a group or an item: both end it.
    Distributed {
        ends: Vec<usize>,
    },
}

/// Compiles one body.
struct Builder<'a, 'p> {
    unit: &'a mut Unit<'p>,
    program: &'p Program,
    body: &'p Body,
    key: Key,
    is_kernel: bool,
    homes: Vec<Home>,
    /// Whether somebody takes the address of each variable.
    addressed: Vec<bool>,
    /// Variables that have been written on every way to here.
    written: Vec<bool>,
    /// The first register that nobody uses.
    next: u32,
    /// How many were in use at most.
    most: u32,
    objects: Vec<LocalObject>,
    bytes: u64,
    level: Level,
    contexts: Vec<Context>,
    /// Registers of the kernel with constants, and with addresses of objects.
    constants: HashMap<u64, Register>,
    addresses: HashMap<u32, Register>,
    /// Registers of the kernel: which group, which item, how many of them.
    frame: layout::KernelFrame,
    /// What is compiled stands beside loops over groups or items, in one: registers that say which of their iterations
    /// this is.
    alike: Vec<Register>,
    /// Where a result that is a record goes.
    result: Option<Register>,
    /// Calls whose values nobody uses.
    unused: HashSet<ExpressionId>,
    /// Barriers to which a condition lets some items only.
    apart: HashSet<Span>,
}

impl Builder<'_, '_> {
    fn emit(&mut self, operation: Operation, span: Span) {
        if !self.alike.is_empty() {
            let here = self.here();
            match self.unit.code.alike.last_mut() {
                Some((_, end)) if *end == here => *end += 1,
                _ => self.unit.code.alike.push((here, here + 1)),
            }
        }
        self.unit.code.operations.push(operation);
        self.unit.code.spans.push(span);
    }

    /// Where the next instruction will be.
    fn here(&self) -> Address {
        self.unit.code.operations.len() as Address
    }

    /// Emits a jump whose target is not known yet.
    fn jump(&mut self, operation: Operation, span: Span) -> usize {
        self.emit(operation, span);
        self.unit.code.operations.len() - 1
    }

    /// Lets a jump lead to here.
    fn land(&mut self, jump: usize) {
        let here = self.here();
        self.aim(jump, here);
    }

    fn land_all(&mut self, jumps: Vec<usize>) {
        jumps.into_iter().for_each(|j| self.land(j));
    }

    fn aim(&mut self, jump: usize, target: Address) {
        match &mut self.unit.code.operations[jump] {
            Operation::Jump(to)
            | Operation::JumpIf(_, to)
            | Operation::JumpUnless(_, to)
            | Operation::JumpUnlessLess(_, _, to) => *to = target,
            _ => {}
        }
    }

    /// Registers side by side, until [`Self::next`] is set back.
    fn temporary(&mut self, count: u32, span: Span) -> Result<Register> {
        let first = self.next;
        self.next += count;
        self.most = self.most.max(self.next);
        match self.next < u32::from(Register::MAX) {
            true => Ok(first as Register),
            false => Err(not_modelled(span, "a function of so many variables")),
        }
    }

    /// An object of the frame.
    fn local_object(&mut self, name: &str, ty: Type, span: Span) -> Result<u16> {
        let (size, element) = (self.program.types.size(ty), self.unit.element_size(ty));
        let offset = self.bytes.next_multiple_of(8);
        self.bytes = offset.saturating_add(size);
        self.objects.push(LocalObject {
            offset,
            size,
            element,
            name: name.to_string(),
        });
        match self.objects.len() <= MOST_LOCALS / 2 && self.bytes < 1 << 32 {
            true => Ok(self.objects.len() as u16 - 1),
            false => Err(not_modelled(span, "a function of so many variables")),
        }
    }

    fn kind(&self, ty: Type) -> TypeKind {
        self.program.types.kind(ty)
    }

    /// How many registers a value takes. A record is the address of one.
    fn width(&self, ty: Type) -> u32 {
        match self.kind(ty) {
            TypeKind::Void => 0,
            TypeKind::Vector(vector) => u32::from(vector.width),
            _ => 1,
        }
    }

    /// The register of a constant.
    fn constant(&mut self, value: u64, want: Option<Register>, span: Span) -> Result<Register> {
        if self.is_kernel && want.is_none() {
            if let Some(&register) = self.constants.get(&value) {
                return Ok(register);
            }
            let learnt = &mut self.unit.learnt.constants;
            if learnt.len() < 64 && !learnt.contains(&value) {
                learnt.push(value);
            }
        }
        let to = match want {
            Some(to) => to,
            None => self.temporary(1, span)?,
        };
        let constant = self.unit.constant(value);
        self.emit(Operation::Constant(to, constant), span);
        Ok(to)
    }

    /// The name of a variable for findings.
    fn variable_number(&mut self, name: &str) -> u32 {
        let names = &mut self.unit.code.variables;
        let at = names.iter().position(|n| n == name);
        at.unwrap_or_else(|| {
            names.push(name.to_string());
            names.len() - 1
        }) as u32
    }

    /// Calls `visit` with all variables that a value depends on.
    fn for_each_variable(&self, id: ExpressionId, visit: &mut dyn FnMut(VariableId)) {
        self.body.each_value(id, &mut |value| {
            let place = self.body.place_of(value).map(|p| self.body.place(p).root);
            if let Some(Root::Variable(variable)) = place {
                visit(variable);
            }
        });
    }
}

pub(super) fn not_modelled(span: Span, what: &str) -> NotModelled {
    NotModelled {
        span,
        what: what.to_string(),
    }
}
