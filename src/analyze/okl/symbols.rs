use crate::expr::{Expr, Scalar, constant, simplify};
use crate::module::{Dimensions, LoopId, Origin, PointerId};
use crate::sema::DefinitionId;
use foldhash::HashMap;

/// What a name means where it is used.
#[derive(Clone, Debug, Default)]
pub(super) struct Symbol {
    /// `@dim`
    pub(super) dimensions: Option<Dimensions>,
    /// Every item has its own value: index into the walk's list of such variables.
    pub(super) item_variable: Option<usize>,
    /// `@shared`
    pub(super) shared: bool,
    /// An array of several dimensions that the group shares: its declaration among the constructs, and its place there.
    pub(super) shared_at: Option<(usize, usize)>,
    /// What a pointer or an array stands for as a value; `None` for everything else.
    pub(super) pointer: Option<Origin>,
    /// It is a reference.
    pub(super) refers: Option<Refers>,
    /// Number of dimensions of an array.
    pub(super) rank: usize,
    /// A constant at file scope.
    pub(super) constant: bool,
    /// What a constant of a nest is, in terms of what the whole nest knows.
    pub(super) definition: Option<Definition>,
    /// The loop whose variable it is.
    pub(super) loop_variable: Option<LoopId>,
    /// A variable or value parameter of the host's part of a kernel.
    pub(super) host: bool,
}

/// What a constant of a nest is. It is simplified where it is asked for, which most are never.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    /// In terms of what the whole nest knows.
    pub(super) resolved: Expr,
    /// The constant's type.
    pub(super) scalar: Scalar,
}

impl Definition {
    pub(super) fn value(&self) -> Expr {
        let value = simplify(&self.resolved);
        match constant(&value) {
            Some(_) => simplify(&Expr::Cast(self.scalar, Box::new(value))),
            None => value,
        }
    }
}

/// What a reference is where there are none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refers {
    /// A pointer, whose value comes from there.
    Pointer(Origin),
    /// The pointer that an array is.
    Array,
}

/// What an attributed typedef gives to the variables of its type.
#[derive(Clone, Debug, Default)]
pub(super) struct TypeFacts {
    /// What declares it.
    pub(super) definition: Option<DefinitionId>,
    pub(super) dimensions: Option<Dimensions>,
    pub(super) shared: bool,
    pub(super) exclusive: bool,
    /// The scalar it names, behind its pointers.
    pub(super) scalar: Option<Scalar>,
    /// Number of `*`.
    pub(super) pointers: usize,
    /// What variables of the type point to, if it is a pointer.
    pub(super) pointer: Option<PointerId>,
    /// The type it stands for, if that is a pointer to scalars or vectors.
    pub(super) expanded: Option<String>,
    /// What it is made of, if it is an array of scalars or vectors.
    pub(super) elements: Option<Elements>,
    /// It is an array.
    pub(super) array: bool,
    /// The number of its dimensions.
    pub(super) extents: usize,
    /// Values of it cannot be declared first and assigned later: a reference, an array, a constant, or a structure
    /// with a field that is one of the first or the last.
    pub(super) unassignable: bool,
    /// It is a class with functions of its own.
    pub(super) methods: bool,
}

/// An array, as a declaration writes it without a typedef.
#[derive(Clone, Debug)]
pub(super) struct Elements {
    pub(super) constant: bool,
    /// The type of the elements, without `const`.
    pub(super) words: String,
    pub(super) sizes: String,
}

/// Names by scope, innermost last.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// All declarations of a name that are visible, innermost last, with the depth of their scope.
    names: HashMap<String, Vec<(usize, Symbol)>>,
    /// Names declared in each open scope.
    open: Vec<Vec<String>>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.open.push(Vec::new());
    }

    pub(super) fn leave(&mut self) {
        for name in self.open.pop().unwrap_or_default() {
            if let Some(stack) = self.names.get_mut(&name) {
                stack.pop();
            }
        }
    }

    pub(super) fn declare(&mut self, name: &str, symbol: Symbol) {
        // A name that never meant anything special needs no entry, unless it hides one that does.
        let plain = symbol.dimensions.is_none()
            && symbol.item_variable.is_none()
            && !symbol.shared
            && symbol.pointer.is_none()
            && symbol.refers.is_none()
            && !symbol.constant
            && symbol.definition.is_none()
            && symbol.loop_variable.is_none()
            && !symbol.host;
        let known = self.names.get(name).is_some_and(|s| !s.is_empty());
        if plain && !known {
            return;
        }
        let depth = self.open.len();
        self.names
            .entry(name.to_string())
            .or_default()
            .push((depth, symbol));
        if let Some(scope) = self.open.last_mut() {
            scope.push(name.to_string());
        }
    }

    /// Makes the latest declaration of a name one of an item variable.
    pub(super) fn mark(&mut self, name: &str, item_variable: usize) {
        let depth = self.open.len();
        let stack = self.names.entry(name.to_string()).or_default();
        match stack.last_mut() {
            Some((declared, symbol)) if *declared == depth => {
                symbol.item_variable = Some(item_variable);
            }
            _ => {
                let symbol = Symbol {
                    item_variable: Some(item_variable),
                    ..Symbol::default()
                };
                stack.push((depth, symbol));
                if let Some(scope) = self.open.last_mut() {
                    scope.push(name.to_string());
                }
            }
        }
    }

    pub(super) fn get_mut(&mut self, name: &str) -> Option<&mut Symbol> {
        let (_, symbol) = self.names.get_mut(name)?.last_mut()?;
        Some(symbol)
    }

    pub(super) fn get(&self, name: &str) -> Option<&Symbol> {
        self.names.get(name)?.last().map(|(_, symbol)| symbol)
    }
}
