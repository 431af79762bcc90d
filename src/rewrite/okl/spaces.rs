//! Address spaces of pointers, for targets that have them.
//!
//! What a pointer points to follows from where its values come from. Parameters of functions get it
//! from the calls; a function that is called with different kinds of memory is written once for each.

use super::Pass;
use crate::backend::AddressSpaces;
use crate::diagnostics::codes;
use crate::module::{Function, Module, Origin, PointerId, Space, What};
use crate::source::{Overlap, Span};
use std::collections::{BTreeSet, HashMap, HashSet};

/// The spaces of a function's pointer parameters in one of its forms.
type Form = Vec<Space>;

/// Chains of calls and assignments longer than this are given up.
const LONGEST_CHAIN: usize = 64;

/// The forms in which functions are needed, and the one that is being written.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    forms: HashMap<String, Vec<Form>>,
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
        let mut work: Vec<(Option<usize>, HashMap<PointerId, Space>)> =
            vec![(None, HashMap::new())];
        // Every form is visited once, and there are finitely many.
        while let Some((caller, known)) = work.pop() {
            for call in module.calls.iter().filter(|c| c.caller == caller) {
                let Some(form) = form_of_call(module, call.function.as_str(), |position| {
                    let given = call.arguments.iter().find(|(p, _)| *p == position);
                    given.map(|(_, origins)| resolve_all(module, origins, &known, 0))
                }) else {
                    continue;
                };
                let forms = spaces.forms.entry(call.function.clone()).or_default();
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
        for (index, function) in module.functions.iter().enumerate() {
            if function.constructs.0 < function.constructs.1 {
                spaces.starts.insert(function.constructs.0, index);
            }
        }
        spaces.forms.values_mut().for_each(|forms| forms.sort());
        spaces
    }
}

/// The spaces that a call gives to each pointer parameter; `None` if it is no function of the
/// program. What is unknown is global.
fn form_of_call(
    module: &Module,
    function: &str,
    given: impl Fn(usize) -> Option<BTreeSet<Space>>,
) -> Option<Form> {
    let function = module.functions.iter().find(|f| f.name == function)?;
    let space = |position: &usize| {
        let spaces = given(*position).unwrap_or_default();
        spaces.into_iter().next().unwrap_or(Space::Global)
    };
    Some(function.pointers.iter().map(|(p, _)| space(p)).collect())
}

fn parameters(function: &Function, form: &Form) -> HashMap<PointerId, Space> {
    let ids = function.pointers.iter().map(|(_, id)| *id);
    ids.zip(form.iter().copied()).collect()
}

fn resolve_all(
    module: &Module,
    origins: &[Origin],
    known: &HashMap<PointerId, Space>,
    depth: usize,
) -> BTreeSet<Space> {
    let mut all = BTreeSet::new();
    for origin in origins {
        resolve(module, *origin, known, depth, &mut all);
    }
    all
}

fn resolve(
    module: &Module,
    origin: Origin,
    known: &HashMap<PointerId, Space>,
    depth: usize,
    all: &mut BTreeSet<Space>,
) {
    if depth > LONGEST_CHAIN {
        return;
    }
    match origin {
        Origin::Space(space) => {
            all.insert(space);
        }
        Origin::Pointer(id) => match known.get(&id) {
            Some(space) => {
                all.insert(*space);
            }
            None => {
                let origins = module.pointers.get(id.index()).map(|p| &p.origins);
                for origin in origins.into_iter().flatten() {
                    if *origin != Origin::Pointer(id) {
                        resolve(module, *origin, known, depth + 1, all);
                    }
                }
            }
        },
        Origin::Result(call) => {
            let Some(call) = module.calls.get(call) else {
                return;
            };
            let functions = module.functions.iter().filter(|f| f.name == call.function);
            for function in functions {
                let Some(result) = function.result else {
                    continue;
                };
                let form = form_of_call(module, &call.function, |position| {
                    let given = call.arguments.iter().find(|(p, _)| *p == position);
                    given.map(|(_, origins)| resolve_all(module, origins, known, depth + 1))
                });
                let inside = parameters(function, &form.unwrap_or_default());
                resolve(module, Origin::Pointer(result), &inside, depth + 1, all);
            }
        }
    }
}

impl<'a> Pass<'a> {
    /// Writes the space of a pointer before its type.
    pub(super) fn pointer(&mut self, at: u32, id: PointerId) {
        if self.backend.lowering.address_spaces == AddressSpaces::None {
            return;
        }
        let mut spaces = BTreeSet::new();
        resolve(
            self.module,
            Origin::Pointer(id),
            &self.spaces.here,
            0,
            &mut spaces,
        );
        let mut all = spaces.into_iter();
        let (first, second) = (all.next(), all.next());
        if second.is_some() && self.spaces.reported.insert(id) {
            let span = self.module.pointers.get(id.index()).map(|p| p.span);
            let name = self.backend.name.clone();
            self.error(&codes::POINTER_SPACES, span.unwrap_or_default(), &[&name]);
        }
        let spelling = &self.backend.spelling;
        let space = match first {
            Some(Space::Global) => &spelling.global,
            Some(Space::Shared) => &spelling.shared,
            Some(Space::Constant) => &spelling.constant,
            Some(Space::Private) | None => return,
        };
        // Ahead of the keyword that a structure's name may get.
        let space = format!("{space} ");
        self.edits.insert_before(at, space);
    }

    /// The target's word for where memory lies.
    pub(super) fn space_keyword(&self, origin: Origin) -> &str {
        let mut spaces = BTreeSet::new();
        resolve(self.module, origin, &self.spaces.here, 0, &mut spaces);
        let spelling = &self.backend.spelling;
        match spaces.into_iter().next() {
            Some(Space::Global) => &spelling.global,
            Some(Space::Shared) => &spelling.shared,
            Some(Space::Constant) => &spelling.constant,
            Some(Space::Private) | None => "",
        }
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
        let mut copies = String::new();
        for form in forms.iter().skip(1) {
            let edits = std::mem::take(&mut self.edits);
            self.file_wide(function, from)?;
            self.form(function, form, (from, to), true)?;
            let text = self.edits.take(function.span, self.text)?;
            self.edits = edits;
            copies.push_str("\n\n");
            copies.push_str(&text);
        }
        let several = forms.len() > 1;
        if let Some(first) = forms.first() {
            self.form(function, first, (from, to), several)?;
        }
        self.edits.append(function.span.end, copies);
        Ok(())
    }

    /// What is found in a function before its own constructs: directives, attributes of extensions, and
    /// what is said of the whole file.
    fn file_wide(&mut self, function: &Function, from: usize) -> Result<(), Overlap> {
        crate::rewrite::directives::rewrite(self.module, self.backend, &mut self.edits);
        self.extensions(|span| function.span.contains(span));
        let module = self.module;
        let before = module.constructs.get(..from).unwrap_or_default();
        for construct in before {
            // Errors are reported once.
            let error = matches!(construct.what, What::NoC(_));
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
