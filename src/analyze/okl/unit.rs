use super::collectives::{self, Calls};
use super::constants::Constants;
use super::expressions::HostFacts;
use super::fields::Fields;
use super::file_scope::declarations;
use super::initialisers::FieldType;
use super::passes;
use super::phases::{Local, Waits};
use super::references::{self, References};
use super::several_types::SeveralTypes;
use super::stand_ins::with_stand_ins;
use super::symbols::{Definition, Elements, Scopes, Symbol, TypeFacts};
use super::types::type_word;
use super::{
    addressed, atomic, c_calls, c_lists, cpp_to_c, declared, designators, intrinsics, malformed,
    names, sites, truths, undeclared,
};
use crate::analyze::lower::{Facts, lower};
use crate::analyze::{Context, Until};
use crate::body::Program;
use crate::diagnostics::{Sink, codes};
use crate::expr::{self, Expr, Scalar, Value};
use crate::grammar::Dialect;
use crate::module::{
    Access, Construct, ConstructKind, Declared, Dimensions, Function, Kernel, Layout, Layouts,
    Loop, LoopId, LoopKind, Module, Pointer, PointerCall, PointerId, Table,
};
use crate::options::Options;
use crate::preprocess::{Preprocessed, directives};
use crate::sema::{DefinitionId, Sema, TypeKind};
use crate::source::Span;
use crate::stage::{Stage, Watch, within};
use crate::syntax::{Grammar, NodeId, parse_as};
use foldhash::{HashMap, HashSet};
use std::cell::OnceCell;

/// A constant of a nest that is made of more names than this, with those of what it is made of, is a variable.
const MOST_NAMES: usize = 200;

/// What the file scope knows, and what the analysis has found so far.
#[derive(Default)]
pub(super) struct Unit {
    /// Attributed typedefs by name.
    pub(super) types: HashMap<String, TypeFacts>,
    /// What types of each open scope hide, innermost last.
    pub(super) hidden: Vec<Vec<(String, TypeFacts)>>,
    /// Fields with `@dim`.
    pub(super) fields: Fields<Dimensions>,
    /// Constants whose value is known.
    pub(super) values: Constants,
    /// Integer constants that are no `int`, and what they are as literals: where constants become enumerators, these would
    /// be `int`.
    pub(super) literals: HashMap<DefinitionId, String>,
    pub(super) scopes: Scopes,
    /// What functions change; read when an atomic asks for it.
    pub(super) bodies: OnceCell<atomic::Bodies>,
    pub(super) pointers: Vec<Pointer>,
    /// Fields that are pointers, and how many `*` and dimensions they have.
    pub(super) pointer_fields: Fields<(PointerId, usize)>,
    /// The fields of structures, by the name of the type.
    pub(super) record_fields: HashMap<String, Vec<FieldType>>,
    /// Typedefs of pointers.
    pub(super) typedef_pointers: Vec<PointerId>,
    pub(super) calls: Vec<PointerCall>,
    pub(super) accesses: Vec<Access>,
    /// Records that need a larger alignment, and the atomics that they need it for.
    pub(super) raised: Vec<(usize, Span)>,
    pub(super) loops: Vec<Loop>,
    pub(super) constructs: Vec<Construct>,
    pub(super) kernels: Vec<Kernel>,
    /// Names of constants that nests of the kernel declare anew.
    pub(super) scoped: HashSet<String>,
    /// How structs and enumerations lie in memory.
    pub(super) layouts: Layouts,
    /// The names of these layouts.
    pub(super) layout_names: HashMap<String, Layout>,
    /// The layouts of records and enumerations.
    pub(super) layouts_of: HashMap<DefinitionId, Layout>,
    /// Types of which another one has the name elsewhere in the program.
    pub(super) several: SeveralTypes,
    /// What the host's part of kernels works with.
    pub(super) host: HostFacts,
    pub(super) functions: Vec<Function>,
    /// Loops without others inside, with their bodies.
    pub(super) innermost: Vec<(LoopId, NodeId)>,
    /// Classes by name, where initialisers name their fields.
    pub(super) classes: Option<designators::Classes>,
    pub(super) references: References,
    /// Calls of functions that each backend spells in its own way, by node.
    pub(super) intrinsics: HashMap<usize, intrinsics::Call>,
    /// Calls of functions of a whole group.
    pub(super) collectives: Calls,
    /// Inner loops in whose bodies items wait for each other, and what these bodies declare.
    pub(super) waits: Vec<Waits>,
    pub(super) locals: Vec<Local>,
    /// All names that the program declares.
    pub(super) declared: Declared,
    /// Parts of indices that may be truth values, by node.
    pub(super) truths: HashSet<usize>,
    pub(super) constants: Vec<Span>,
    /// Those of them whose addresses other constants hold.
    pub(super) addressed: Vec<Span>,
    /// Names behind `&`, if somebody has asked.
    pub(super) pointed: Option<HashSet<String>>,
    /// Constants that are declared with `extern`.
    pub(super) external: HashSet<String>,
    /// Integer constants that have a place besides.
    pub(super) placed: HashSet<String>,
    /// Constants that hold extents of `@dim`, and their declarations.
    pub(super) kept_extents: Vec<(String, String)>,
    /// Extents that accesses read, and where.
    pub(super) used_extents: Vec<(String, Span)>,
    /// What is declared there, the vendor's compiler may see otherwise or not at all.
    pub(super) uncertain: Vec<Span>,
}

impl Unit {
    pub(super) fn is_uncertain(&self, span: Span) -> bool {
        self.uncertain.iter().any(|u| u.contains(span))
    }

    /// Whether a loop is an inner one, or stands in one.
    pub(super) fn is_in_inner(&self, loop_: Option<LoopId>) -> bool {
        let parent = |id: &LoopId| self.loops[id.index()].parent;
        let mut chain = std::iter::successors(loop_, parent);
        chain.any(|id| self.loops[id.index()].kind == LoopKind::Inner)
    }

    pub(super) fn push(&mut self, span: Span, what: ConstructKind) {
        self.constructs.push(Construct { span, kind: what });
    }

    /// The dimensions of a variable that has `@dim`.
    pub(super) fn dimensions_of(&self, name: &str) -> Option<&Dimensions> {
        self.scopes.get(name)?.dimensions.as_ref()
    }

    /// Whether a name means something that a nest declares, where the analysis is.
    fn is_scoped(&self, name: &str) -> bool {
        self.scoped.contains(name) && self.scopes.get(name).is_some_and(|s| !s.constant)
    }

    /// The value of the constant that a name means where the analysis is.
    pub(super) fn value(&self, name: &str) -> Option<&Value> {
        self.values.get(name).filter(|_| !self.is_scoped(name))
    }

    /// The file's array of constants that a name means where the analysis is.
    pub(super) fn table(&self, name: &str) -> Option<&Table> {
        let hidden = self.values.hides(name) || self.is_scoped(name);
        let mut tables = self.host.arrays.iter();
        tables.find(|t| t.name == name && !hidden)
    }

    /// The expression with known constants in place of their names.
    pub(super) fn resolve(&self, e: &Expr) -> Expr {
        match e {
            Expr::Name(name) => match self.scopes.get(name) {
                Some(Symbol {
                    definition: Some(definition),
                    ..
                }) => definition.value(),
                // Whatever hides a constant is no constant.
                Some(symbol) if !symbol.constant => e.clone(),
                _ => self
                    .values
                    .get(name)
                    .map_or_else(|| e.clone(), |v| Expr::Literal(*v)),
            },
            e => e.map_parts(&mut |part| self.resolve(part)),
        }
    }

    /// The scalar that a declaration begins with; values of enumerations are some, too.
    pub(super) fn scalar_of(&self, sema: &Sema<'_>, declaration: NodeId) -> Option<Scalar> {
        match sema.kind(sema.described(declaration)) {
            TypeKind::Scalar(scalar) => Some(scalar),
            TypeKind::Enumeration(id) => self.types.get(sema.name(id))?.scalar,
            _ => None,
        }
    }

    /// The scalar that a type's words name, through typedefs, and how many `*` those add.
    pub(super) fn named_type(&self, words: &str) -> (Option<Scalar>, usize) {
        let plain = words
            .split_ascii_whitespace()
            .filter(|w| !matches!(*w, "const" | "constexpr" | "static"));
        if let Some(scalar) = Scalar::from_words(plain) {
            return (Some(scalar), 0);
        }
        // `Pointer<double>` is what the template says, as far as that does not depend on the type.
        let name = type_word(words.split('<').next().unwrap_or(words));
        if let Some(meaning) = self.several.meaning(name) {
            return (meaning.scalar, 0);
        }
        self.types
            .get(name)
            .map_or((None, 0), |facts| (facts.scalar, facts.pointers))
    }

    /// The integer that the text at `span` is, if it is a constant.
    pub(super) fn constant(&self, text: &str) -> Option<i64> {
        let parsed = expr::parse(text).ok()?;
        expr::evaluate(&self.resolve(&parsed), &|_| None)
            .ok()?
            .as_i64()
    }

    /// The words of a pointer type that stand for a typedef's name, so that each variable of the type
    /// may point to memory of its own kind. A declaration of several names has to keep the typedef.
    pub(super) fn expanded(&self, words: &str, only: bool) -> Option<String> {
        let facts = self.types.get(type_word(words)).filter(|_| only)?;
        let text = facts.expanded.as_ref()?;
        let constant = words.split_ascii_whitespace().any(|w| w == "const");
        let constant = if constant { "const " } else { "" };
        Some(format!("{text}{constant}").trim_end().to_string())
    }

    /// Whether a type's words name an array.
    pub(super) fn is_array(&self, words: &str) -> bool {
        let facts = self.types.get(type_word(words));
        facts.is_some_and(|f| f.array && f.pointers == 0)
    }

    /// What a type is made of that is an array of numbers: a parameter of it is a pointer.
    pub(super) fn elements(&self, words: &str) -> Option<&Elements> {
        self.types.get(type_word(words))?.elements.as_ref()
    }

    /// What a constant local is, if it is made of nothing that changes within a nest: constants,
    /// variables of attributed loops, and what belongs to the host.
    pub(super) fn definition(&self, value: &str, scalar: Scalar) -> Option<Definition> {
        let parsed = expr::parse(value).ok()?;
        let mut plain = true;
        parsed.for_each_name(&mut |name| {
            let named = self.scopes.get(name);
            let defined = named.is_some_and(|s| s.definition.is_some());
            plain &= !defined && self.values.get(name).is_none();
        });
        let resolved = match plain {
            true => parsed,
            false => self.resolve(&parsed),
        };
        // Who asks for it has it written out: constants made of constants double.
        let mut names = 0;
        resolved.for_each_name(&mut |_| names += 1);
        if names > MOST_NAMES {
            return None;
        }
        let fixed = |e: &Expr| {
            let mut fixed = true;
            e.for_each_name(&mut |name| {
                let base = name.split('.').next().unwrap_or(name);
                let symbol = self.scopes.get(base);
                fixed &= symbol.is_some_and(|s| s.host || s.loop_variable.is_some());
            });
            fixed
        };
        // What is in the way may cancel out.
        let known = fixed(&resolved) || fixed(&expr::simplify(&resolved));
        known.then_some(Definition { resolved, scalar })
    }
}

/// Reports what of a text cannot be parsed.
pub(crate) fn syntax_errors(read: &Preprocessed, sink: &mut Sink) {
    let text = &read.text;
    let directives = &read.kept_directives;
    let texts = (&**text, &*with_stand_ins(text, directives));
    parse_as(
        texts,
        Grammar::Cpp,
        directives,
        None,
        &read.provenance,
        sink,
    );
}

/// Turns a preprocessed OKL source into a [`Module`]; violations go to the sink. Of the options count extensions, which add
/// attributes, the table of functions that backends spell in their own way, and whether names may be declared later.
pub(in crate::analyze) fn analyze(
    read: Preprocessed,
    options: &Options,
    (sink, watch): (&mut Sink, Watch<'_>),
    until: Until,
) -> (Module, Program) {
    let (extensions, table) = (options.extensions.as_slice(), &options.intrinsics);
    let Preprocessed {
        text,
        provenance,
        kept_directives,
        kept_includes,
        conditionals,
        macros,
        ..
    } = read;
    let tree = within(watch, Stage::Parse, Stage::Analyze, || {
        parse_as(
            (&text, &with_stand_ins(&text, &kept_directives)),
            Grammar::Cpp,
            &kept_directives,
            None,
            &provenance,
            sink,
        )
    });
    let uncertain: Vec<Span> = conditionals.iter().map(|c| c.span).collect();
    let sema = Sema::new(&tree, &text, uncertain.clone());
    let mut unit = Unit {
        uncertain,
        ..Unit::default()
    };
    let mut context = Context {
        tree: &tree,
        text: &text,
        sema: &sema,
        provenance: &provenance,
        extensions,
        contract: false,
        sink,
    };
    let declared = declared::declared(&mut context);
    let includes = kept_includes.iter().map(|d| d.span.of(&text));
    let readable = !context.sink.has_errors();
    let unclear = readable && !options.undeclared_later && {
        let uncertain = &unit.uncertain;
        let names = undeclared::Known {
            declared: &declared,
            table,
            macros: &macros,
        };
        undeclared::undeclared(&mut context, &names, uncertain, includes)
    };

    let sites = sites::sites(&context, extensions);
    if let Some(root) = tree.root() {
        names::vector_types(&context, &mut unit);
        c_lists::lists(&context, &mut unit);
        cpp_to_c::cpp_to_c(&context, &mut unit);
        c_calls::c_calls(&context, &mut unit, &declared);
        collectives::collectives(&context, &mut unit, &declared);
        intrinsics::intrinsics(&mut context, &mut unit, &declared, table);
        references::references(&context, &mut unit);
        unit.several = SeveralTypes::new(&context);
        unit.truths = truths::truths(&context);
        unit.declared = declared;
        unit.enter();
        declarations(&mut context, &mut unit, root);
        unit.leave();
        atomic::settle(&mut context, &mut unit);
        unit.drop_unused_extents();
        unit.settle_typedefs();
        unit.addressed = addressed::addressed(&context, &unit);
    }
    if readable && !unclear {
        malformed::malformed(&mut context, &unit.uncertain);
    }
    let misspelled =
        sink.has(&codes::UNKNOWN_ATTRIBUTE_NEAR) || sink.has(&codes::UNKNOWN_ATTRIBUTE);
    if unclear || misspelled {
        // Whatever else was found may follow from that, but for attributes.
        sink.retain(|d| undeclared::is_independent(d.code));
    }
    for (cause, consequence) in [
        (&codes::MEMORY_PLACE, &codes::HOST_VARIABLE_WRITTEN),
        (&codes::OUTER_IN_INNER, &codes::INNER_WITHOUT_OUTER),
    ] {
        if sink.has(cause) {
            sink.retain(|d| !std::ptr::eq(d.code, consequence));
        }
    }
    let mut program = Program::default();
    if until == Until::Bodies && !sink.has_errors() {
        let facts = Facts {
            loops: &unit.loops,
            constructs: &unit.constructs,
            intrinsics: table,
            uncertain: &unit.uncertain,
            no_auto_barriers: options.no_auto_barriers,
            tells_copies: true,
        };
        program = lower(&tree, &text, &sema, &facts);
    }
    if until == Until::Schedules && !sink.has_errors() {
        passes::settle(&mut unit, (&tree, &text, &sema), table, &kept_directives);
    }
    let module = Module {
        dialect: Dialect::Okl,
        kernels: unit.kernels,
        functions: unit.functions,
        loops: unit.loops,
        constructs: unit.constructs,
        pointers: unit.pointers,
        calls: unit.calls,
        accesses: unit.accesses,
        constants: unit.constants,
        addressed: unit.addressed,
        layouts: unit.layouts,
        structs: Vec::new(),
        host_functions: unit.host.functions,
        tables: unit.host.tables,
        sites,
        instances: Vec::new(),
        templates: Vec::new(),
        declared: unit.declared,
        directives: directives(kept_directives, kept_includes),
        host: None,
        text,
        provenance,
    };
    (module, program)
}
