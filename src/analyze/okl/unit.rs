use super::classes::prototype;
use super::collectives::{self, Calls};
use super::constants::Constants;
use super::expressions::{self, HostFacts};
use super::initialisers::FieldType;
use super::references::{self, References};
use super::symbols::{Definition, Scopes, Symbol, TypeFacts};
use super::types::{alias, is_record, namespace_alias, record, type_word, typedef};
use super::{
    c_calls, c_forms, declared, designators, fold, intrinsics, kernel, names, records, sites, walk,
};
use crate::analyze::Context;
use crate::diagnostics::{Diagnostic, Sink, codes};
use crate::expr::{self, Expr, Scalar};
use crate::extension::Extension;
use crate::intrinsics::Intrinsics;
use crate::module::{
    Construct, Declared, Dimensions, Function, Kernel, Layout, Layouts, Loop, Module, Origin,
    Pointer, PointerCall, PointerId, Space, VectorType, What,
};
use crate::normalize::Dialect;
use crate::normalize::attributes::Target;
use crate::preprocess::{Preprocessed, directives};
use crate::source::Span;
use crate::stage::{Stage, Watch, within};
use crate::syntax::{
    AttributeUse, Declarator, Field, Grammar, Kind, NodeId, attributes_of, declarators,
    function_name, parse, type_words,
};
use std::collections::HashMap;
use std::sync::Arc;

/// What the file scope knows, and what the analysis has found so far.
#[derive(Default)]
pub(super) struct Unit {
    /// Attributed typedefs by name.
    pub(super) types: HashMap<String, TypeFacts>,
    /// Fields with `@dim`, by name.
    pub(super) fields: HashMap<String, Dimensions>,
    /// Fields that are vectors, by name.
    pub(super) vector_fields: HashMap<String, VectorType>,
    /// Constants whose value is known.
    pub(super) values: Constants,
    pub(super) scopes: Scopes,
    pub(super) pointers: Vec<Pointer>,
    /// Fields that are pointers, by name, and how many `*` and dimensions they have.
    pub(super) pointer_fields: HashMap<String, (PointerId, usize)>,
    /// The fields of structures, by the name of the type.
    pub(super) record_fields: HashMap<String, Vec<FieldType>>,
    /// Typedefs of pointers.
    pub(super) typedef_pointers: Vec<PointerId>,
    pub(super) calls: Vec<PointerCall>,
    pub(super) loops: Vec<Loop>,
    pub(super) constructs: Vec<Construct>,
    pub(super) kernels: Vec<Kernel>,
    /// How structs and enumerations lie in memory.
    pub(super) layouts: Layouts,
    /// The names of these layouts.
    pub(super) layout_names: HashMap<String, Layout>,
    /// What the host's part of kernels works with.
    pub(super) host: HostFacts,
    pub(super) functions: Vec<Function>,
    /// Classes by name, where initialisers name their fields.
    pub(super) classes: Option<designators::Classes>,
    pub(super) references: References,
    /// Calls of functions that each backend spells in its own way, by node.
    pub(super) intrinsics: HashMap<usize, intrinsics::Call>,
    /// Calls of functions of a whole group.
    pub(super) collectives: Calls,
    /// All names that the program declares.
    pub(super) declared: Declared,
    constants: Vec<Span>,
    /// Constants that hold extents of `@dim`, and their declarations.
    pub(super) kept_extents: Vec<(String, String)>,
    /// Extents that accesses read, and where.
    pub(super) used_extents: Vec<(String, Span)>,
    /// What is declared there, the vendor's compiler may see otherwise or not at all.
    uncertain: Vec<Span>,
}

impl Unit {
    pub(super) fn is_uncertain(&self, span: Span) -> bool {
        self.uncertain.iter().any(|u| u.contains(span))
    }

    pub(super) fn push(&mut self, span: Span, what: What) {
        self.constructs.push(Construct { span, what });
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

    /// The scalar that a type's words name, through typedefs, and how many `*` those add.
    pub(super) fn named_type(&self, words: &str) -> (Option<Scalar>, usize) {
        let plain = words
            .split_ascii_whitespace()
            .filter(|w| !matches!(*w, "const" | "constexpr" | "static"));
        if let Some(scalar) = Scalar::from_words(plain) {
            return (Some(scalar), 0);
        }
        // `Pointer<double>` is what the template says, as far as that does not depend on the type.
        let name = words.split('<').next().unwrap_or(words);
        self.types
            .get(type_word(name))
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

/// Turns a preprocessed OKL source into a [`Module`]; violations go to the sink. `extensions` add
/// attributes, the table says which functions backends spell in their own way.
pub fn analyze(
    read: Preprocessed,
    extensions: &[Arc<dyn Extension>],
    table: &Intrinsics,
    sink: &mut Sink,
    watch: Watch<'_>,
) -> Module {
    let Preprocessed {
        text,
        provenance,
        kept_directives,
        kept_includes,
        conditionals,
        ..
    } = read;
    let tree = within(watch, Stage::Parse, Stage::Analyze, || {
        parse(
            &text,
            Grammar::Cpp,
            &kept_directives,
            None,
            &provenance,
            sink,
        )
    });
    let mut unit = Unit {
        uncertain: conditionals.iter().map(|c| c.span).collect(),
        ..Unit::default()
    };
    let mut context = Context {
        tree: &tree,
        text: &text,
        provenance: &provenance,
        extensions,
        sink,
    };
    let declared = declared::declared(&context);
    let sites = sites::sites(&context, extensions);
    if let Some(root) = tree.root() {
        names::vector_types(&context, &mut unit);
        c_forms::c_forms(&context, &mut unit);
        c_calls::c_calls(&context, &mut unit, &declared);
        collectives::collectives(&context, &mut unit, &declared);
        intrinsics::intrinsics(&mut context, &mut unit, &declared, table);
        references::references(&context, &mut unit);
        unit.declared = declared;
        unit.scopes.enter();
        declarations(&mut context, &mut unit, root);
        unit.scopes.leave();
        unit.drop_unused_extents();
        unit.settle_typedefs();
        if unit.kernels.is_empty() && !context.sink.has_errors() {
            context
                .sink
                .push(Diagnostic::new(&codes::NO_KERNEL, None, &[]));
        }
    }
    Module {
        dialect: Dialect::Okl,
        kernels: unit.kernels,
        functions: unit.functions,
        loops: unit.loops,
        constructs: unit.constructs,
        pointers: unit.pointers,
        calls: unit.calls,
        constants: unit.constants,
        layouts: unit.layouts,
        structs: Vec::new(),
        host_functions: unit.host.functions,
        tables: unit.host.tables,
        sites,
        instances: Vec::new(),
        declared: unit.declared,
        directives: directives(kept_directives, kept_includes),
        host: None,
        text,
        provenance,
    }
}

/// Everything at file or namespace scope.
fn declarations(context: &mut Context<'_>, unit: &mut Unit, parent: NodeId) {
    let tree = context.tree;
    for node in tree.children(parent) {
        match tree.kind(node) {
            Kind::FunctionDefinition => function(context, unit, node, None),
            Kind::TemplateDeclaration => template(context, unit, node),
            Kind::Declaration => declaration(context, unit, node),
            Kind::TypeDefinition => typedef(context, unit, node),
            Kind::AliasDeclaration => alias(context, unit, node),
            Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier => {
                record(context, unit, node);
            }
            Kind::NamespaceDefinition | Kind::LinkageSpecification => {
                let name = tree.child(node, Field::Name);
                if let Some(name) = name {
                    unit.values.enter(tree.text(name, context.text));
                }
                if let Some(body) = tree.child(node, Field::Body) {
                    if tree.kind(body) == Kind::FunctionDefinition {
                        function(context, unit, body, None);
                    } else {
                        declarations(context, unit, body);
                    }
                }
                if name.is_some() {
                    unit.values.leave();
                }
            }
            Kind::NamespaceAlias => namespace_alias(context, unit, node),
            Kind::EnumSpecifier => {
                records::enumeration(context, unit, node);
            }
            Kind::AttributedStatement => misplaced(context, unit, node),
            _ => {}
        }
    }
}

/// An attributed statement where no statement can be, such as a loop outside of any function.
fn misplaced(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    for attribute in attributes_of(context.tree, node, context.text) {
        if context.check_attribute(&attribute, Target::Loop) {
            context.error(&codes::LOOP_OUTSIDE_KERNEL, attribute.span, &[]);
        }
        unit.push(attribute.span, What::Attribute);
    }
}

pub(super) fn template(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    for child in tree.children(node) {
        match tree.kind(child) {
            Kind::FunctionDefinition => function(context, unit, child, Some(node)),
            Kind::StructSpecifier | Kind::ClassSpecifier => record(context, unit, child),
            Kind::TemplateDeclaration => template(context, unit, child),
            Kind::AliasDeclaration => alias(context, unit, child),
            Kind::Declaration | Kind::FieldDeclaration => {
                prototype(context, unit, child, tree.span(node));
            }
            _ => {}
        }
    }
}

pub(super) fn function(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    template: Option<NodeId>,
) {
    let tree = context.tree;
    let attributes = attributes_of(tree, node, context.text);
    let mut is_kernel = false;
    for attribute in &attributes {
        unit.push(attribute.span, What::Attribute);
        if context.check_attribute(attribute, Target::Function) {
            is_kernel |= attribute.name == "kernel";
        }
    }
    // Operators and members that are defined apart have no plain name; they run on the device, too.
    let here = Span::at(tree.span(node).start);
    let (name, name_span) = function_name(tree, node, context.text).unwrap_or(("", here));
    if is_kernel {
        if template.is_some() {
            context.error(&codes::TEMPLATED_KERNEL, name_span, &[&name]);
            return;
        }
        kernel::kernel(context, unit, node, name);
        return;
    }
    let first = tree
        .children(node)
        .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
    if template.is_none() {
        let known = unit.host.nodes.entry(name.to_string());
        known.or_default().push(node);
    }
    let function = Function {
        name: name.to_string(),
        marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
        span: template.map_or(tree.span(node), |t| tree.span(t)),
        pointers: Vec::new(),
        result: None,
        constructs: (0, 0),
    };
    walk::function(context, unit, node, function);
}

/// A variable or a prototype at file scope.
fn declaration(context: &mut Context<'_>, unit: &mut Unit, node: NodeId) {
    let tree = context.tree;
    let text = context.text;
    let attributes = attributes_of(tree, node, text);
    let names = declarators(tree, node, text);
    let is_function = names.iter().any(|d| d.function);
    if is_function && attributes.iter().any(|a| a.name == "kernel") {
        // A prototype says nothing that the definition does not.
        unit.push(tree.span(node), What::Attribute);
        return;
    }
    let target = if is_function {
        Target::Function
    } else {
        Target::Variable
    };
    let behind = names.iter().flat_map(|name| &name.attributes);
    for attribute in attributes.iter().chain(behind) {
        unit.push(attribute.span, What::Attribute);
        if context.check_attribute(attribute, target)
            && matches!(attribute.name.as_str(), "shared" | "exclusive")
        {
            context.error(&codes::MEMORY_PLACE, attribute.span, &[&attribute.name]);
        }
    }
    if is_function {
        let first = tree
            .children(node)
            .find(|&c| tree.kind(c) != Kind::AttributeDeclaration);
        let function = Function {
            name: names.first().map_or(String::new(), |d| d.name.clone()),
            marker: first.map_or(tree.span(node).start, |f| tree.span(f).start),
            span: tree.span(node),
            pointers: Vec::new(),
            result: None,
            constructs: (0, 0),
        };
        walk::function(context, unit, node, function);
        return;
    }
    if let Some(specifier) = tree.children(node).find(|&c| is_record(tree.kind(c))) {
        record(context, unit, specifier);
    }
    records::specifier(context, unit, node);
    let words = &*type_words(tree, node, text);
    let qualifiers: Vec<&str> = words.split_ascii_whitespace().collect();
    let constant = qualifiers
        .iter()
        .any(|w| matches!(*w, "const" | "constexpr"));
    let (scalar, _) = unit.named_type(words);
    for name in &names {
        let plain = name.pointers == 0 && name.sizes.is_empty();
        if constant
            && plain
            && let Some(value) = name.value
            && let Some(scalar) = scalar
        {
            let cast = expr::parse_statement(tree.text(value, text), &|_| None)
                .ok()
                .map(|e| Expr::Cast(scalar, Box::new(unit.resolve(&e))));
            let element = |name: &str| expressions::element(&unit.host.arrays, name);
            let value = cast.and_then(|e| expr::evaluate(&e, &element).ok());
            if let Some(value) = value
                && !unit.is_uncertain(name.span)
            {
                unit.values.insert(name.name.clone(), value);
            }
        }
        if constant
            && name.pointers == 0
            && !name.sizes.is_empty()
            && let (Some(value), Some(scalar)) = (name.value, scalar)
        {
            let size = |s: &Option<NodeId>| s.map(|s| tree.text(s, text));
            let sizes: Vec<Option<&str>> = name.sizes.iter().map(size).collect();
            let value = tree.text(value, text);
            let table = expressions::table(unit, &name.name, scalar, &sizes, value);
            unit.host.arrays.extend(table);
        }
        let array = !name.sizes.is_empty();
        let symbol = Symbol {
            constant,
            rank: name.sizes.len(),
            pointer: (array && constant).then_some(Origin::Space(Space::Constant)),
            ..Symbol::default()
        };
        unit.scopes.declare(&name.name, symbol);
    }
    let integer = scalar.is_some_and(|s| !s.is_float());
    let arrays = names.iter().any(|d| !d.sizes.is_empty() || d.pointers > 0);
    let values: Option<Vec<(String, i64)>> = names
        .iter()
        .map(|n| Some((n.name.clone(), unit.values.get(&n.name)?.as_i64()?)))
        .collect();
    if constant
        && integer
        && !arrays
        && let Some(values) = values
    {
        unit.push(tree.span(node), What::Constants(values));
    }
    // A member of a class that is defined apart has no name of its own, and no place of its own.
    let apart = names.iter().any(|d| d.span.of(text).contains("::"));
    if constant && (!integer || arrays) && !apart && !qualifiers.contains(&"extern") {
        unit.constants.push(tree.span(node));
        for value in names.iter().filter_map(|name| name.value) {
            fold::initializer(context, unit, value);
        }
    }
    for value in names.iter().filter_map(|name| name.value) {
        designators::lists(context, unit, value);
    }
}

/// Records where the target's keyword for `@restrict` goes.
pub(super) fn restrict(
    context: &mut Context<'_>,
    unit: &mut Unit,
    attribute: &AttributeUse,
    declaration: Span,
    name: &Declarator,
) {
    let level = attribute.arguments.trim().parse::<usize>().ok();
    let from = attribute
        .span
        .end
        .max(declaration.start)
        .min(name.name_span.start);
    let between = Span::new(from, name.name_span.start).of(context.text);
    let mut stars = between.match_indices('*').map(|(i, _)| from + i as u32 + 1);
    let at = match level {
        Some(level) if level > 0 => stars.nth(level - 1),
        _ => stars.next_back(),
    };
    if at.is_none() {
        let (scalar, pointers) = unit.named_type(between.trim());
        if scalar.is_some() && pointers == 0 && name.sizes.is_empty() {
            context.error(&codes::RESTRICT_POINTER, attribute.span, &[]);
        }
        if !name.sizes.is_empty() {
            // `T a[]` has no place for the keyword; the promise is lost, nothing else.
            unit.push(attribute.span, What::Attribute);
            return;
        }
    }
    unit.push(
        attribute.span,
        What::Restrict {
            at: at.unwrap_or(name.name_span.start),
        },
    );
}
