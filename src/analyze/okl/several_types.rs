//! Names that mean several types in a program, such as a typedef in one kernel and another one in the next. What is known of
//! types is kept by name; of these names `sema` says what they mean where something stands.

use super::symbols::TypeFacts;
use super::types::type_word;
use super::unit::Unit;
use crate::analyze::Context;
use crate::expr::Scalar;
use crate::module::Layout;
use crate::sema::{DefinitionId, TypeKind};
use crate::source::Span;
use crate::syntax::{Field, NodeId, type_words};
use foldhash::{HashMap, HashMapExt, HashSet};

/// What is known of them.
#[derive(Default)]
pub(super) struct SeveralTypes {
    names: HashSet<String>,
    /// What they mean in what is being read; nothing where nobody has said where that stands.
    here: Option<HashMap<String, Meaning>>,
}

/// What a name means somewhere.
#[derive(Clone, Default)]
pub(super) struct Meaning {
    pub(super) scalar: Option<Scalar>,
    pub(super) layout: Option<Layout>,
}

impl SeveralTypes {
    pub(super) fn new(context: &Context<'_>) -> Self {
        let names = context.sema.names_of_several_types();
        Self {
            names: names.into_iter().map(str::to_string).collect(),
            here: None,
        }
    }

    /// Whether a name means several types.
    fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// What a name of several types means in what is being read; nothing is known of one that is no part of the tree.
    pub(super) fn meaning(&self, name: &str) -> Option<Meaning> {
        let here = self.here.as_ref()?;
        self.has(name)
            .then(|| here.get(name).cloned().unwrap_or_default())
    }
}

/// Types by name as they were before a kernel's own.
#[derive(Default)]
pub(super) struct Outer {
    types: HashMap<String, TypeFacts>,
    layouts: HashMap<String, Layout>,
    fields: HashMap<String, Vec<super::initialisers::FieldType>>,
}

impl Unit {
    /// Learns what names mean at a span. Gives what was known before, which is to be put back.
    pub(super) fn look(
        &mut self,
        context: &Context<'_>,
        span: Span,
    ) -> Option<HashMap<String, Meaning>> {
        if self.several.names.is_empty() {
            return None;
        }
        let tree = context.tree;
        let mut here = HashMap::new();
        for node in tree.within(span) {
            let name = tree.text(node, context.text);
            if self.several.has(name)
                && let Some(id) = context.sema.definition(node)
                && context.sema.defined(id).is_type()
            {
                here.insert(name.to_string(), self.meaning_of(context, id));
            }
        }
        self.several.here.replace(here)
    }

    /// Puts back what [`Unit::look`] has given.
    pub(super) fn look_back(&mut self, around: Option<HashMap<String, Meaning>>) {
        self.several.here = around;
    }

    /// The layout of the type that a declaration begins with.
    pub(super) fn layout_at(
        &mut self,
        context: &Context<'_>,
        declaration: NodeId,
    ) -> Option<Layout> {
        let around = self.look(context, context.tree.span(declaration));
        let layout = self.layout_of(&type_words(context.tree, declaration, context.text));
        self.look_back(around);
        layout
    }

    /// The layout of a record or enumeration; by its name where that is the only one.
    pub(super) fn layout_defined(
        &self,
        definition: Option<DefinitionId>,
        name: &str,
    ) -> Option<Layout> {
        let known = definition.and_then(|d| self.layouts_of.get(&d));
        let by_name = || {
            self.layout_names
                .get(name)
                .filter(|_| !self.several.has(name))
        };
        known.or_else(by_name).cloned()
    }

    fn meaning_of(&self, context: &Context<'_>, id: DefinitionId) -> Meaning {
        let ty = context.sema.defined(id).ty;
        let layout = |layout| Meaning {
            scalar: None,
            layout,
        };
        match context.sema.kind(ty) {
            TypeKind::Scalar(scalar) => Meaning {
                scalar: Some(scalar),
                layout: Some(Layout::Scalar(scalar)),
            },
            TypeKind::Record(id) => layout(self.layouts_of.get(&id).cloned()),
            TypeKind::Enumeration(id) => {
                let known = self.layouts_of.get(&id).cloned();
                let scalar = known.as_ref().and_then(|l| self.layouts.locate(l, ""));
                Meaning {
                    scalar: scalar.map(|(_, scalar)| scalar),
                    layout: known,
                }
            }
            TypeKind::Vector(vector) => layout(Some(Layout::Vector(vector))),
            TypeKind::Pointer(_) => layout(Some(Layout::Pointer)),
            _ => Meaning::default(),
        }
    }

    /// What is known of the type that a declaration begins with, by its words.
    pub(super) fn facts_of(
        &self,
        context: &Context<'_>,
        declaration: NodeId,
        words: &str,
    ) -> Option<&TypeFacts> {
        let name = type_word(words);
        let facts = self.types.get(name)?;
        let named = context.tree.child(declaration, Field::Type);
        let meant = named.and_then(|n| context.sema.definition(n));
        let another = self.several.has(name) && meant != facts.definition;
        (!another).then_some(facts)
    }

    /// Begins a scope.
    pub(super) fn enter(&mut self) {
        self.scopes.enter();
        self.hidden.push(Vec::new());
    }

    /// Ends it: its types hide none any more.
    pub(super) fn leave(&mut self) {
        self.scopes.leave();
        let hidden = self.hidden.pop().unwrap_or_default();
        // The first of them was there before the scope.
        self.types.extend(hidden.into_iter().rev());
    }

    /// Notes what the name of a type gives to variables.
    pub(super) fn name_type(&mut self, name: &str, facts: TypeFacts) {
        let before = self.types.insert(name.to_string(), facts);
        if let (Some(before), Some(scope)) = (before, self.hidden.last_mut()) {
            scope.push((name.to_string(), before));
        }
    }

    /// Before a kernel's own types.
    pub(super) fn outer_types(&self) -> Outer {
        // Only one that has such names can change what another one's mean.
        match self.several.names.is_empty() {
            true => Outer::default(),
            false => Outer {
                types: self.types.clone(),
                layouts: self.layout_names.clone(),
                fields: self.record_fields.clone(),
            },
        }
    }

    /// Behind a kernel: its own types hide none any more.
    pub(super) fn restore_types(&mut self, outer: Outer) {
        self.types.extend(outer.types);
        self.layout_names.extend(outer.layouts);
        self.record_fields.extend(outer.fields);
    }
}
