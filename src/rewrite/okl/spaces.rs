//! Address spaces of pointers, for targets that have them.
//!
//! What a pointer points to follows from where its values come from. Parameters of functions get it
//! from the calls; a function that is called with different kinds of memory is written once for each.

use super::Pass;
use crate::backend::AddressSpaces;
use crate::diagnostics::codes;
use crate::module::{
    ConstructKind, DeclaredPointer, Function, Lifetime, Module, Origin, PointerCall, PointerId,
    Space, TypeAgain,
};
use crate::source::{Overlap, Span};
use foldhash::{HashMap, HashMapExt, HashSet};
use std::collections::BTreeSet;

/// The spaces of a function's pointer parameters in one of its forms.
type Form = Vec<Space>;

/// Chains of calls and assignments longer than this are given up.
const LONGEST_CHAIN: usize = 64;

type Everywhere = HashMap<PointerId, BTreeSet<Space>>;

/// What fields are given may depend on forms, and forms on fields: rounds until nothing changes.
const MOST_ROUNDS: usize = 8;

/// The forms in which functions are needed, and the one that is being written.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    forms: HashMap<String, Vec<Form>>,
    /// Spaces of parameters in all forms together: what counts where a field keeps the value.
    everywhere: Everywhere,
    /// Functions by their first construct.
    starts: HashMap<usize, usize>,
    /// Spaces of the parameters of the function that is being written.
    here: HashMap<PointerId, Space>,
    /// Pointers already reported.
    reported: HashSet<PointerId>,
}

impl Spaces {
    pub(super) fn new(module: &Module) -> Self {
        let mut spaces = Self::default();
        for _ in 0..MOST_ROUNDS {
            spaces.forms = forms(module, &spaces.everywhere);
            let mut everywhere = Everywhere::new();
            for function in &module.functions {
                for form in spaces.forms.get(&function.name).into_iter().flatten() {
                    for (id, space) in parameters(function, form) {
                        everywhere.entry(id).or_default().insert(space);
                    }
                }
            }
            if everywhere == spaces.everywhere {
                break;
            }
            spaces.everywhere = everywhere;
        }
        for (index, function) in module.functions.iter().enumerate() {
            if function.constructs.0 < function.constructs.1 {
                spaces.starts.insert(function.constructs.0, index);
            }
        }
        spaces.forms.values_mut().for_each(|forms| forms.sort());
        spaces
    }
}

/// The forms in which functions are called, from the kernels on.
fn forms(module: &Module, everywhere: &Everywhere) -> HashMap<String, Vec<Form>> {
    let mut all: HashMap<String, Vec<Form>> = HashMap::new();
    let work: Vec<Caller> = vec![(None, HashMap::new())];
    let called: HashSet<&str> = module.calls.iter().map(|c| c.function.as_str()).collect();
    reach(module, everywhere, &mut all, work);
    // What no kernel reaches is compiled all the same: given global memory, unless its callers are known. Those that
    // nothing calls come first.
    for alone in [true, false] {
        for (index, function) in module.functions.iter().enumerate() {
            let name = function.name.as_str();
            if called.contains(name) == alone || all.contains_key(name) {
                continue;
            }
            let form = vec![Space::Global; function.pointers.len()];
            let known = parameters(function, &form);
            all.insert(name.to_string(), vec![form]);
            reach(module, everywhere, &mut all, vec![(Some(index), known)]);
        }
    }
    all
}

/// A function, and the spaces of its parameters; `None` for all kernels.
type Caller = (Option<usize>, HashMap<PointerId, Space>);

/// Adds the forms in which functions are called by these.
fn reach(
    module: &Module,
    everywhere: &Everywhere,
    all: &mut HashMap<String, Vec<Form>>,
    mut work: Vec<Caller>,
) {
    // Every form is visited once, and there are finitely many.
    while let Some((caller, known)) = work.pop() {
        let resolver = Resolver {
            module,
            known: &known,
            everywhere,
        };
        for call in module.calls.iter().filter(|c| c.caller == caller) {
            let Some(form) = resolver.form_of_call(call, 0) else {
                continue;
            };
            let forms = all.entry(call.function.clone()).or_default();
            if forms.contains(&form) {
                continue;
            }
            forms.push(form.clone());
            for (index, f) in module.functions.iter().enumerate() {
                if f.name == call.function {
                    work.push((Some(index), parameters(f, &form)));
                }
            }
        }
    }
}

fn parameters(function: &Function, form: &Form) -> HashMap<PointerId, Space> {
    let ids = function.pointers.iter().map(|(_, id)| *id);
    ids.zip(form.iter().copied()).collect()
}

/// Finds where pointers may point.
struct Resolver<'m> {
    module: &'m Module,
    /// Parameters in the form at hand.
    known: &'m HashMap<PointerId, Space>,
    everywhere: &'m Everywhere,
}

impl Resolver<'_> {
    /// The spaces that a call gives to each pointer parameter; `None` if it is no function of the
    /// program. What is unknown is global.
    fn form_of_call(&self, call: &PointerCall, depth: usize) -> Option<Form> {
        let mut functions = self.module.functions.iter();
        let function = functions.find(|f| f.name == call.function)?;
        let space = |position: &usize| {
            let given = call.arguments.iter().find(|(p, _)| p == position);
            let mut all = BTreeSet::new();
            for origin in given.map_or(&[][..], |(_, origins)| origins) {
                self.resolve(*origin, depth, &mut all);
            }
            all.into_iter().next().unwrap_or(Space::Global)
        };
        Some(function.pointers.iter().map(|(p, _)| space(p)).collect())
    }

    fn resolve(&self, origin: Origin, depth: usize, all: &mut BTreeSet<Space>) {
        if depth > LONGEST_CHAIN {
            return;
        }
        match origin {
            Origin::Space(space) => {
                all.insert(space);
            }
            Origin::Pointer(id) => {
                if let Some(space) = self.known.get(&id) {
                    all.insert(*space);
                    return;
                }
                if let Some(spaces) = self.everywhere.get(&id) {
                    all.extend(spaces);
                }
                let origins = self.module.pointers.get(id.index()).map(|p| &p.origins);
                for origin in origins.into_iter().flatten() {
                    if *origin != Origin::Pointer(id) {
                        self.resolve(*origin, depth + 1, all);
                    }
                }
            }
            Origin::Result(call) => {
                let Some(call) = self.module.calls.get(call) else {
                    return;
                };
                let functions = self.module.functions.iter();
                for function in functions.filter(|f| f.name == call.function) {
                    let Some(result) = function.result else {
                        continue;
                    };
                    let form = self.form_of_call(call, depth + 1);
                    let inside = parameters(function, &form.unwrap_or_default());
                    let within = Resolver {
                        known: &inside,
                        ..*self
                    };
                    within.resolve(Origin::Pointer(result), depth + 1, all);
                }
            }
        }
    }
}

impl<'a> Pass<'a> {
    /// Writes the space of a pointer before its type.
    pub(super) fn pointer(&mut self, at: u32, id: PointerId) {
        if let Some(space) = self.space_of(id) {
            // Ahead of the keyword that a structure's name may get.
            self.edits.insert_before(at, format!("{space} "));
        }
    }

    /// Writes the spaces of a declaration's pointers, and declares apart those that differ.
    pub(super) fn pointers(
        &mut self,
        span: Span,
        at: u32,
        names: &[DeclaredPointer],
        again: Option<&TypeAgain>,
        lifetime: Lifetime,
    ) -> Result<(), Overlap> {
        let none = self.backend.lowering.address_spaces == AddressSpaces::None;
        // What is carried over a barrier is declared elsewhere.
        let elsewhere = match lifetime {
            Lifetime::Iteration(leaf) | Lifetime::Phase(leaf) => {
                self.schedule.barriers.is_split(leaf)
            }
            Lifetime::Group | Lifetime::Block => false,
        };
        if none || elsewhere {
            return Ok(());
        }
        let spaces = names
            .iter()
            .map(|n| n.pointer.and_then(|id| self.space_of(id)));
        let spaces: Vec<Option<String>> = spaces.collect();
        let ty = match again {
            Some((before, words, behind)) => {
                let words = self.edits.copy(*words, self.text)?;
                Some(format!("{before}{words}{behind}"))
            }
            None => None,
        };
        let first = spaces.first().cloned().flatten();
        if let Some(space) = &first {
            self.edits.insert_before(at, format!("{space} "));
        }
        let mut last = first;
        for (name, space) in names.iter().zip(spaces).skip(1) {
            if space == last {
                continue;
            }
            let Some(ty) = &ty else {
                let what = "a declaration of names that point to different memory";
                let backend = self.backend.name.clone();
                self.error(&codes::NO_C_FORM, span, &[&what, &backend]);
                return Ok(());
            };
            let word = space.as_ref().map_or(String::new(), |s| format!("{s} "));
            self.edits.replace(name.comma, ";");
            self.edits.insert_before(name.at, format!("{word}{ty} "));
            last = space;
        }
        Ok(())
    }

    /// The word that the type of a pointer begins with, if there is one.
    pub(super) fn space_of(&mut self, id: PointerId) -> Option<String> {
        if self.backend.lowering.address_spaces == AddressSpaces::None {
            return None;
        }
        let mut all = self.spaces_of(Origin::Pointer(id)).into_iter();
        let (first, second) = (all.next(), all.next());
        if second.is_some() && self.spaces.reported.insert(id) {
            let span = self.module.pointers.get(id.index()).map(|p| p.span);
            let name = self.backend.name.clone();
            self.error(&codes::POINTER_SPACES, span.unwrap_or_default(), &[&name]);
        }
        let spelling = &self.backend.spelling;
        match first {
            Some(Space::Global) => Some(spelling.global.clone()),
            Some(Space::Shared) => Some(spelling.shared.clone()),
            Some(Space::Constant) => Some(spelling.constant.clone()),
            Some(Space::Private) | None if spelling.private_pointer.is_empty() => None,
            Some(Space::Private) | None => Some(spelling.private_pointer.clone()),
        }
    }

    fn spaces_of(&self, origin: Origin) -> BTreeSet<Space> {
        let resolver = Resolver {
            module: self.module,
            known: &self.spaces.here,
            everywhere: &self.spaces.everywhere,
        };
        let mut spaces = BTreeSet::new();
        resolver.resolve(origin, 0, &mut spaces);
        spaces
    }

    /// The target's word for where memory lies.
    pub(super) fn space_keyword(&self, origin: Origin) -> &str {
        let spelling = &self.backend.spelling;
        match self.spaces_of(origin).into_iter().next() {
            Some(Space::Global) => &spelling.global,
            Some(Space::Shared) => &spelling.shared,
            Some(Space::Constant) => &spelling.constant,
            Some(Space::Private) | None => &spelling.private_pointer,
        }
    }

    /// Whether a function is written more than once, for several kinds of memory.
    pub(super) fn has_forms(&self, function: &str) -> bool {
        let forms = self.spaces.forms.get(function);
        !self.backend.spelling.global.is_empty() && forms.is_some_and(|f| f.len() > 1)
    }

    /// The function whose constructs begin at `index`, if it is needed in more forms than one.
    pub(super) fn forms_at(&self, index: usize) -> Option<(&'a Function, Vec<Form>)> {
        let function = self.spaces.starts.get(&index)?;
        let function = self.module.functions.get(*function)?;
        let forms = match self.spaces.forms.get(&function.name) {
            Some(forms) => forms.clone(),
            // Nothing calls it: what it is given lies in global memory.
            None => vec![vec![Space::Global; function.pointers.len()]],
        };
        Some((function, forms))
    }

    /// Writes a function once in each form.
    pub(super) fn forms(&mut self, function: &Function, forms: &[Form]) -> Result<(), Overlap> {
        let (from, to) = function.constructs;
        let mut copies = Vec::new();
        for form in forms.iter().skip(1) {
            let edits = std::mem::take(&mut self.edits);
            self.file_wide(function, from)?;
            self.form(function, form, (from, to), true)?;
            let copy = self.edits.take_moved(function.span, self.text)?;
            self.edits = edits;
            copies.push(copy);
        }
        let several = forms.len() > 1;
        if let Some(first) = forms.first() {
            self.form(function, first, (from, to), several)?;
        }
        for copy in copies {
            self.edits.append(function.span.end, "\n\n");
            self.edits.append_moved(function.span.end, &copy);
        }
        Ok(())
    }

    /// What is found in a function before its own constructs: directives, attributes of extensions, and
    /// what is said of the whole file.
    fn file_wide(&mut self, function: &Function, from: usize) -> Result<(), Overlap> {
        crate::rewrite::directives::rewrite(
            self.module,
            self.schedule,
            self.backend,
            &mut self.edits,
        );
        self.extensions(|span| function.span.contains(span));
        let module = self.module;
        let before = module.constructs.get(..from).unwrap_or_default();
        for construct in before {
            // Errors are reported once.
            let error = matches!(
                construct.kind,
                ConstructKind::NoC(_) | ConstructKind::Exception
            );
            if function.span.contains(construct.span) && !error {
                self.construct(construct)?;
            }
        }
        Ok(())
    }

    fn form(
        &mut self,
        function: &Function,
        form: &Form,
        (from, to): (usize, usize),
        several: bool,
    ) -> Result<(), Overlap> {
        self.spaces.here = parameters(function, form);
        let module = self.module;
        for construct in module.constructs.get(from..to).unwrap_or_default() {
            self.construct(construct)?;
        }
        if several {
            let marker = Span::at(function.marker);
            let overloadable = self.backend.spelling.overloadable.clone();
            self.edits
                .insert_before(marker.start, format!("{overloadable} "));
        }
        self.spaces.here.clear();
        Ok(())
    }
}
