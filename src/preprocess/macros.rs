use super::pieces::Piece;
use crate::source::{Location, Place};
use foldhash::HashMap;
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;

/// A macro.
#[derive(Debug)]
pub(super) struct Macro {
    /// Each expansion has it, too.
    pub name: Arc<str>,
    pub meaning: Meaning,
    /// Where its name stands in its `#define`; `None` for what is built in.
    pub defined: Option<Place>,
    /// Its `#define` for another compiler, and when it came; `None` for what none should see.
    pub definition: Option<(u32, Box<str>)>,
    /// It is being rescanned: its name does not expand now.
    pub active: Cell<bool>,
}

/// What a macro stands for.
#[derive(Debug)]
pub(super) enum Meaning {
    Object(Body),
    Function(Parameters, Body),
    BuiltIn(BuiltIn),
    /// Not the same in all groups of a conditional that the vendor's compiler decides; where that
    /// begins.
    Split(Location),
}

/// The parameters of a function-like macro.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Parameters {
    /// `__VA_ARGS__` for `...`.
    pub names: Vec<Box<str>>,
    /// The last one takes all that is left.
    pub variadic: bool,
}

/// What a macro is replaced by.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub items: Vec<Item>,
}

/// A step of the replacement.
#[derive(Clone, Copy, Debug)]
pub(super) enum Item {
    Piece(Piece),
    /// The argument of that number; the piece is the parameter's name.
    Parameter(usize, Piece),
    /// `#` and a parameter; the piece is the `#`.
    Stringize(usize, Piece),
    /// `##`
    Paste(Piece),
    /// `__VA_OPT__(…)`: that many items follow that are its content.
    Optional {
        items: usize,
        stringize: bool,
        piece: Piece,
    },
}

impl Item {
    pub fn piece(&self) -> &Piece {
        match self {
            Self::Piece(piece)
            | Self::Parameter(_, piece)
            | Self::Stringize(_, piece)
            | Self::Paste(piece)
            | Self::Optional { piece, .. } => piece,
        }
    }
}

/// Macros and operators that no `#define` made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BuiltIn {
    File,
    Line,
    Counter,
    IncludeLevel,
    Date,
    Time,
    /// `_Pragma`
    Pragma,
    /// `__has_include`
    HasInclude,
    /// `__has_include_next`
    HasIncludeNext,
}

impl BuiltIn {
    const ALL: [(&str, Self); 9] = [
        ("__FILE__", Self::File),
        ("__LINE__", Self::Line),
        ("__COUNTER__", Self::Counter),
        ("__INCLUDE_LEVEL__", Self::IncludeLevel),
        ("__DATE__", Self::Date),
        ("__TIME__", Self::Time),
        ("_Pragma", Self::Pragma),
        ("__has_include", Self::HasInclude),
        ("__has_include_next", Self::HasIncludeNext),
    ];
}

/// All macros by name.
#[derive(Clone, Debug)]
pub(super) struct Macros {
    table: HashMap<Arc<str>, Rc<Macro>>,
    /// For each first byte the lengths of names that were ever defined, as a set of bits; bit 0 is
    /// set where names of attributes begin. Most identifiers are told apart from macros by this
    /// alone.
    lengths: Box<[u64; 256]>,
}

impl Macros {
    pub fn new() -> Self {
        let mut this = Self {
            table: HashMap::default(),
            lengths: Box::new([0; 256]),
        };
        for first in [b'o', b'b'] {
            this.lengths[usize::from(first)] |= 1;
        }
        for (name, built_in) in BuiltIn::ALL {
            this.insert(Macro {
                name: name.into(),
                meaning: Meaning::BuiltIn(built_in),
                defined: None,
                definition: None,
                active: Cell::new(false),
            });
        }
        this
    }

    /// Whether a name may be a macro or an attribute; almost always right where it says no.
    pub fn may_hold(&self, name: &[u8]) -> bool {
        let first = name.first().map_or(0, |b| usize::from(*b));
        self.lengths[first] & (1 << name.len().min(63) | 1) != 0
    }

    pub fn get(&self, name: &str) -> Option<&Rc<Macro>> {
        if self.may_hold(name.as_bytes()) {
            self.table.get(name)
        } else {
            None
        }
    }

    /// Names of macros that a program or its user has defined, sorted.
    pub fn names(&self) -> Vec<Arc<str>> {
        let all = self.table.values();
        let own = all.filter(|m| m.defined.is_some() && !m.name.starts_with("__"));
        let mut names: Vec<Arc<str>> = own.map(|m| m.name.clone()).collect();
        names.sort_unstable();
        names
    }

    pub fn insert(&mut self, new: Macro) {
        let first = new.name.as_bytes().first().map_or(0, |b| usize::from(*b));
        self.lengths[first] |= 1 << new.name.len().min(63);
        self.table.insert(new.name.clone(), Rc::new(new));
    }

    pub fn remove(&mut self, name: &str) {
        self.table.remove(name);
    }

    /// The lines that define the user's macros, in the order in which those were defined.
    pub fn definitions(&self) -> Vec<Box<str>> {
        let all = self.table.values().filter_map(|m| m.definition.as_ref());
        let mut all: Vec<&(u32, Box<str>)> = all.collect();
        all.sort_by_key(|(order, _)| *order);
        all.into_iter().map(|(_, line)| line.clone()).collect()
    }

    /// All of them, in no order.
    pub fn all(&self) -> impl Iterator<Item = &Rc<Macro>> {
        self.table.values()
    }
}
