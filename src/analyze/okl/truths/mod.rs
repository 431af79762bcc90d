//! Truth values that become places in memory: `int s = x > 0; … table[s]`.
//!
//! GCC 12 to 14 take the number that a comparison becomes for the comparison where it is what an address depends on
//! (the offset of a gather is stripped of conversions, factors and what a loop does not change): lanes then read at
//! -1, or at 4294967295, instead of at 1. It makes comparisons of conditional constants, too (`if (x > 0) s = 1;`).
//! Where loops stay loops, such numbers are passed through a function that the compiler cannot see through.
//!
//! - `mod.rs`: which names may hold a truth value: the smallest set that all definitions agree with.
//! - `definitions.rs`: what gives a name its value, and whether that depends on a condition.
//! - `values.rs`: which expressions may be one.
//! - `places.rs`: which parts of indices are to be passed through the function.

mod definitions;
mod places;
mod values;

use crate::analyze::Context;
use crate::sema::Sema;
use crate::syntax::{Kind, NodeId, Tree, attributes_of, declarators, function_name, parameters};
use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

/// A name in a function; a function's result is a name in no function.
type Key<'t> = (Option<NodeId>, &'t str);

/// What gives a name its value.
#[derive(Clone, Copy)]
enum Source<'t> {
    Value(NodeId),
    Name(Key<'t>),
}

#[derive(Clone, Copy)]
struct Definition<'t> {
    target: Key<'t>,
    /// The function it stands in.
    function: Option<NodeId>,
    source: Source<'t>,
}

struct Parameter<'t> {
    name: &'t str,
    /// What the function assigns to it is the caller's.
    shared: bool,
}

struct Truths<'t> {
    tree: &'t Tree,
    text: &'t str,
    sema: &'t Sema<'t>,
    /// All functions of a name, with their parameters.
    functions: HashMap<&'t str, Vec<(NodeId, Vec<Parameter<'t>>)>>,
    kernels: HashSet<NodeId>,
    /// Names that each item may have a value of its own of.
    varying: HashSet<Key<'t>>,
    /// Names of arrays and pointers.
    arrays: HashSet<Key<'t>>,
    definitions: Vec<Definition<'t>>,
    /// The variables that the headers of loops declare.
    counters: HashMap<NodeId, Vec<&'t str>>,
    /// Loops that end by their data, as far as asked.
    irregular: HashMap<NodeId, bool>,
    /// What a function's names are given, and what it returns, where that may depend on a condition.
    choices: Vec<Choice<'t>>,
    /// Parameters of lambdas, by the lambdas' names.
    lambdas: HashMap<Key<'t>, Vec<&'t str>>,
    /// Names that may hold what was read from memory, or the place of an item: nothing that the compiler could know.
    unsteady: HashSet<Key<'t>>,
    /// Names that may hold a truth value.
    known: HashSet<Key<'t>>,
}

/// A value that a name is given.
#[derive(Clone, Copy)]
struct Choice<'t> {
    target: Key<'t>,
    function: NodeId,
    value: NodeId,
    /// The assignment; one of several values of a function depends on a condition in any case.
    assignment: Option<NodeId>,
}

/// The definitions that read a name, as lists in one vector: most names have few.
#[derive(Default)]
struct Readers<'t> {
    last: HashMap<Key<'t>, usize>,
    /// A definition, and the entry before it.
    entries: Vec<(usize, Option<usize>)>,
}

impl<'t> Readers<'t> {
    fn add(&mut self, key: Key<'t>, definition: usize) {
        let before = self.last.insert(key, self.entries.len());
        self.entries.push((definition, before));
    }

    fn of(&self, key: &Key<'t>) -> impl Iterator<Item = usize> {
        let first = self.last.get(key).and_then(|at| self.entries.get(*at));
        let next = |entry: &&(usize, Option<usize>)| entry.1.and_then(|at| self.entries.get(at));
        std::iter::successors(first, next).map(|entry| entry.0)
    }
}

/// The parts of indices that may be truth values, by node.
pub(super) fn truths(context: &Context<'_>) -> HashSet<usize> {
    let mut this = Truths {
        tree: context.tree,
        text: context.text,
        sema: context.sema,
        functions: HashMap::new(),
        kernels: HashSet::new(),
        varying: HashSet::new(),
        arrays: HashSet::new(),
        definitions: Vec::new(),
        counters: HashMap::new(),
        irregular: HashMap::new(),
        choices: Vec::new(),
        lambdas: HashMap::new(),
        unsteady: HashSet::new(),
        known: HashSet::new(),
    };
    this.read();
    let definitions = std::mem::take(&mut this.definitions);
    let readers = this.readers(&definitions);
    this.settle_unsteady(&definitions, &readers);
    this.choose();
    this.settle(&definitions, &readers);
    this.places()
}

impl<'t> Truths<'t> {
    /// Finds functions, then what gives names their values.
    fn read(&mut self) {
        let Some(root) = self.tree.root() else { return };
        let (tree, text) = (self.tree, self.text);
        let mut bodies = Vec::new();
        for node in tree.descendants(root) {
            if tree.kind(node) == Kind::FunctionDefinition {
                self.function(node);
                bodies.push(node);
            }
        }
        for function in bodies {
            let name = function_name(tree, function, text).map_or("", |n| n.0);
            self.function_body(function, name);
        }
    }

    fn function(&mut self, node: NodeId) {
        let (tree, text) = (self.tree, self.text);
        let mut attributed = vec![node];
        attributed.extend(tree.parent(node));
        let is_kernel = attributed.iter().any(|&n| {
            attributes_of(tree, n, text)
                .iter()
                .any(|a| a.name == "kernel")
        });
        if is_kernel {
            self.kernels.insert(node);
        }
        let mut list = Vec::new();
        for parameter in parameters(tree, node).map_or(Vec::new(), |p| p.0) {
            for declared in declarators(tree, parameter, text) {
                list.push(Parameter {
                    name: declared.name_span.of(text),
                    shared: declared.reference || declared.pointers > 0,
                });
            }
        }
        if let Some((name, _)) = function_name(tree, node, text) {
            self.functions.entry(name).or_default().push((node, list));
        }
    }

    /// Which definitions read which names.
    fn readers(&self, definitions: &[Definition<'t>]) -> Readers<'t> {
        let mut readers = Readers::default();
        for (index, definition) in definitions.iter().enumerate() {
            match definition.source {
                Source::Name(key) => readers.add(key, index),
                Source::Value(value) => {
                    for key in self.mentioned(value, definition.function) {
                        readers.add(key, index);
                    }
                }
            }
        }
        readers
    }

    /// Adds names to the unsteady ones until no definition asks for another.
    fn settle_unsteady(&mut self, definitions: &[Definition<'t>], readers: &Readers<'t>) {
        let mut waiting: Vec<usize> = (0..definitions.len()).rev().collect();
        for key in &self.unsteady {
            waiting.extend(readers.of(key));
        }
        while let Some(index) = waiting.pop() {
            let Some(definition) = definitions.get(index) else {
                continue;
            };
            if self.unsteady.contains(&definition.target) {
                continue;
            }
            let is_steady = match definition.source {
                Source::Name(key) => !self.unsteady.contains(&key),
                Source::Value(value) => self.is_steady(value, definition.function),
            };
            if !is_steady {
                self.unsteady.insert(definition.target);
                waiting.extend(readers.of(&definition.target));
            }
        }
    }

    /// Adds the names that are given steady values under conditions.
    fn choose(&mut self) {
        for choice in std::mem::take(&mut self.choices) {
            if self.known.contains(&choice.target)
                || !self.is_steady(choice.value, Some(choice.function))
            {
                continue;
            }
            let conditional = choice
                .assignment
                .is_none_or(|node| self.is_conditional(node, choice.target.1, choice.function));
            if conditional {
                self.known.insert(choice.target);
            }
        }
    }

    /// Adds names until no definition asks for another.
    fn settle(&mut self, definitions: &[Definition<'t>], readers: &Readers<'t>) {
        let mut waiting: Vec<usize> = (0..definitions.len()).rev().collect();
        for key in &self.known {
            waiting.extend(readers.of(key));
        }
        while let Some(index) = waiting.pop() {
            let Some(definition) = definitions.get(index) else {
                continue;
            };
            if self.known.contains(&definition.target) {
                continue;
            }
            let is_truth = match definition.source {
                Source::Name(key) => self.known.contains(&key),
                Source::Value(value) => self.is_truth(value, definition.function),
            };
            if is_truth {
                self.known.insert(definition.target);
                waiting.extend(readers.of(&definition.target));
            }
        }
    }

    /// The names that an expression reads, and the functions it calls.
    fn mentioned(&self, value: NodeId, function: Option<NodeId>) -> impl Iterator<Item = Key<'t>> {
        let (tree, text) = (self.tree, self.text);
        let names = tree.descendants(value);
        let names = names.filter(|&n| tree.kind(n) == Kind::Identifier);
        names.flat_map(move |n| {
            let name = tree.text(n, text);
            [(function, name), (None, name)]
        })
    }
}
