use foldhash::HashMap;

/// What a program declares under a name. Several may hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Declares {
    /// A type.
    pub ty: bool,
    /// A variable or enumerator outside of functions and types.
    pub global: bool,
    /// A variable, parameter, field, enumerator or method inside.
    pub local: bool,
    /// A function that can be called.
    pub function: bool,
    /// A kernel, which nothing on the device calls.
    pub kernel: bool,
}

impl Declares {
    /// Whether what a name means in device code is the target's business.
    pub fn leaves_device_code(self) -> bool {
        !(self.ty || self.global || self.local || self.function)
    }
}

/// The names that a program declares.
#[derive(Clone, Debug, Default)]
pub struct Declared {
    names: HashMap<Box<str>, Declares>,
    /// Where such a name stands for a type that the program does not declare, ascending.
    foreign: Vec<u32>,
    operators: bool,
}

impl Declared {
    /// What it declares under this name; `None` if nothing.
    pub fn get(&self, name: &str) -> Option<Declares> {
        self.names.get(name).copied()
    }

    /// Notes another declaration.
    pub fn add(&mut self, name: &str, what: Declares) {
        let known = match self.names.get_mut(name) {
            Some(known) => known,
            None => self.names.entry(name.into()).or_default(),
        };
        known.ty |= what.ty;
        known.global |= what.global;
        known.local |= what.local;
        known.function |= what.function;
        known.kernel |= what.kernel;
    }

    /// Whether it declares operators or constructors.
    pub fn has_operators(&self) -> bool {
        self.operators
    }

    /// Notes an operator or a constructor.
    pub fn add_operator(&mut self) {
        self.operators = true;
    }

    /// Notes where names stand for types, in ascending order.
    pub fn add_types<'t>(&mut self, places: impl Iterator<Item = (u32, &'t str)>) {
        let names = &self.names;
        let foreign = |name: &str| names.get(name).is_some_and(|what| !what.ty);
        self.foreign
            .extend(places.filter(|(_, name)| foreign(name)).map(|(at, _)| at));
    }

    /// Whether a declared name stands at `offset` for a type of the target's own.
    pub fn is_foreign_type(&self, offset: u32) -> bool {
        self.foreign.binary_search(&offset).is_ok()
    }

    /// All of them, in no order.
    pub fn all(&self) -> impl Iterator<Item = (&str, Declares)> {
        self.names.iter().map(|(name, what)| (&**name, *what))
    }
}
