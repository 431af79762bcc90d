/// A function of the language.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) arguments: usize,
    /// The result is one component.
    pub(super) scalar_result: bool,
    /// Integers are allowed too.
    pub(super) integers: bool,
    /// It looks at whole vectors.
    pub(super) whole: bool,
}

include!(concat!(env!("OUT_DIR"), "/functions.rs"));

pub(super) fn find(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|f| f.name == name)
}
