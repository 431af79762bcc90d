use crate::module::{Base, Checking, Type};

/// A function of the language.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    arguments: usize,
    /// The result is one component.
    component: bool,
    bases: Bases,
    widths: Widths,
    only: Only,
}

/// Who has a function.
#[derive(Debug)]
enum Only {
    Everywhere,
    /// The BrookGPU dialect.
    BrookGpu,
}

/// Types of components.
#[derive(Debug)]
enum Bases {
    Float,
    Signed,
    Number,
}

/// Numbers of components.
#[derive(Debug)]
enum Widths {
    Any,
    Vector,
    Three,
}

include!(concat!(env!("OUT_DIR"), "/functions.rs"));

/// Names of those that a dialect has.
pub(super) fn names(checking: &Checking) -> impl Iterator<Item = &'static str> {
    let all = FUNCTIONS.iter().map(|f| f.name);
    all.filter(move |name| find(name, checking).is_some())
}

impl Function {
    /// Whether integers have to be converted for it.
    pub(super) fn is_for_floats(&self) -> bool {
        matches!(self.bases, Bases::Float)
    }

    /// The type of a call with arguments of these types; `None` if there is no such function.
    pub(super) fn result(&self, types: &[Type]) -> Option<Type> {
        let first = *types.first()?;
        let bases = match self.bases {
            Bases::Float => matches!(first.base, Base::Float | Base::Double),
            Bases::Signed => matches!(
                first.base,
                Base::Char | Base::Short | Base::Int | Base::Float | Base::Double
            ),
            Bases::Number => !matches!(first.base, Base::Void | Base::Bool),
        };
        let widths = match self.widths {
            Widths::Any => true,
            Widths::Vector => first.is_vector(),
            Widths::Three => first.width == 3,
        };
        let fits = types.len() == self.arguments && types.iter().all(|t| *t == first);
        let result = match self.component {
            true => Type::scalar(first.base),
            false => first,
        };
        (fits && bases && widths).then_some(result)
    }
}

/// The function of that name.
pub(super) fn find(name: &str, checking: &Checking) -> Option<&'static Function> {
    let known = |f: &&Function| match f.only {
        Only::Everywhere => true,
        Only::BrookGpu => checking.brookgpu,
    };
    FUNCTIONS.iter().filter(known).find(|f| f.name == name)
}
