//! C++ that C writes in another way, or cannot write: for targets whose language is C.

use super::c_declarations::{Overloads, is_always_the_same, is_static_local};
use super::c_edits::{self, named_cast};
use super::c_tags::Tags;
use super::c_values;
use super::references::has_form;
use super::unit::Unit;
use crate::analyze::Context;
use crate::module::ConstructKind;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, function_name};
use foldhash::HashSet;

/// Records every piece of C++ that is no C, in one pass over the tree.
pub(super) fn cpp_to_c(context: &Context<'_>, unit: &mut Unit) {
    let tree = context.tree;
    let Some(root) = tree.root() else { return };
    let tags = Tags::new(context, root);
    let templates = templates(tree, root, context.text);
    let overloads = Overloads::new(context);
    // Within something impossible nothing else is reported.
    let mut skip = 0;
    let mut guarded = 0;
    for node in tree.descendants(root) {
        // Exceptions no GPU has, wherever they stand; one message for all of a block.
        let throws = matches!(tree.kind(node), Kind::ThrowStatement | Kind::TryStatement);
        if throws && node.index() >= guarded {
            guarded = tree.descendants(node).last().map_or(0, |n| n.index() + 1);
            unit.push(head(context, tree.span(node)), ConstructKind::Exception);
        }
        if node.index() < skip {
            continue;
        }
        let comparison = tree.kind(node) == Kind::TemplateFunction
            && tree
                .child(node, Field::Name)
                .is_some_and(|n| !templates.contains(tree.text(n, context.text)));
        if let Some(what) = impossible(context, node).filter(|_| !comparison) {
            skip = tree.descendants(node).last().map_or(0, |n| n.index() + 1);
            let span = head(context, tree.span(node));
            unit.push(span, ConstructKind::NoC(what));
            continue;
        }
        if tree.kind(node) == Kind::StorageClass && tree.text(node, context.text) == "register" {
            // It never means anything, and C++17 has it no more.
            unit.push(tree.span(node), ConstructKind::Attribute);
            continue;
        }
        if matches!(
            tree.kind(node),
            Kind::FunctionDefinition | Kind::Declaration
        ) {
            match overloads.has(context, node) {
                Some(true) => unit.push(Span::at(tree.span(node).start), ConstructKind::Overload),
                Some(false) => {
                    let what = "an overload that C cannot tell from another";
                    unit.push(head(context, tree.span(node)), ConstructKind::NoC(what));
                }
                None => {}
            }
        }
        if let Some(span) = plain_function(tree, node, context.text) {
            unit.push(span, ConstructKind::Std);
            continue;
        }
        for (span, text) in c_edits::possible(context, node, &tags) {
            unit.push(span, ConstructKind::InC(text));
        }
    }
}

/// `std::` before a function of numbers.
fn plain_function(tree: &Tree, node: NodeId, text: &str) -> Option<Span> {
    const FUNCTIONS: [&str; 43] = [
        "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil",
        "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "floor", "fma",
        "fmax", "fmin", "fmod", "hypot", "isfinite", "isinf", "isnan", "log", "log10", "log1p",
        "log2", "max", "min", "pow", "printf", "round", "sin", "sinh", "sqrt", "tan", "tanh",
        "trunc",
    ];
    if tree.kind(node) != Kind::QualifiedIdentifier {
        return None;
    }
    let name = tree.text(node, text).strip_prefix("std::")?;
    let start = tree.span(node).start;
    FUNCTIONS
        .contains(&name)
        .then(|| Span::new(start, start + 5))
}

/// Names of the program's own templates: `a < b && c > (d)` looks like a call of one.
fn templates<'t>(tree: &Tree, root: NodeId, text: &'t str) -> HashSet<&'t str> {
    let all = tree
        .descendants(root)
        .filter(|&n| tree.kind(n) == Kind::TemplateDeclaration);
    let functions = all.filter_map(|t| tree.child_of_kind(t, Kind::FunctionDefinition));
    functions
        .filter_map(|f| function_name(tree, f, text).map(|(name, _)| name))
        .collect()
}

/// The first line of a construct: enough to point at.
fn head(context: &Context<'_>, span: Span) -> Span {
    let text = span.of(context.text);
    let end = text.find(['\n', '{']).unwrap_or(text.len());
    let end = text.get(..end).map_or(end, |t| t.trim_end().len());
    Span::new(span.start, span.start + end.max(1) as u32)
}

/// What the construct is called, if C has nothing like it.
fn impossible(context: &Context<'_>, node: NodeId) -> Option<&'static str> {
    let (tree, text) = (context.tree, context.text);
    let has = |kind: Kind| tree.children(node).any(|c| tree.kind(c) == kind);
    let words = || tree.text(node, text);
    Some(match tree.kind(node) {
        Kind::TemplateDeclaration | Kind::TemplateType => "a template",
        Kind::TemplateFunction if named_cast(tree, node, text).is_none() => "a template",
        Kind::InitDeclarator if c_values::constructs(context, node) => "a constructor",
        Kind::ClassSpecifier => "a class",
        Kind::NamespaceDefinition | Kind::NamespaceAlias => "a namespace",
        Kind::LinkageSpecification => "a linkage specification",
        Kind::UsingDeclaration => "a using declaration",
        Kind::LambdaExpression => "a lambda",
        // `float (&row)[3] = m[i];`, which is read as an assignment to an element of what is called.
        Kind::CallExpression
            if tree
                .child(node, Field::Function)
                .is_some_and(|f| matches!(tree.kind(f), Kind::PrimitiveType | Kind::SizedType))
                && tree
                    .parent(node)
                    .is_some_and(|p| tree.kind(p) == Kind::SubscriptExpression)
                && words().contains('&') =>
        {
            "a reference to an array without const"
        }
        Kind::ReferenceDeclarator if !has_form(tree, node, text) => "a reference",
        Kind::ForRangeLoop => "a loop over a range",
        Kind::StructuredBinding => "a structured binding",
        Kind::NewExpression | Kind::DeleteExpression => "dynamic memory",
        Kind::Decltype => "decltype",
        Kind::UserLiteral => "a literal of the user's own",
        Kind::RawStringLiteral => "a raw string",
        Kind::OperatorName | Kind::OperatorCast => "an operator of the user's own",
        Kind::InitStatement => "a declaration in a condition",
        Kind::Declaration
            if tree
                .parent(node)
                .is_some_and(|p| tree.kind(p) == Kind::ConditionClause) =>
        {
            "a declaration in a condition"
        }
        Kind::StorageClass
            if is_static_local(context, node)
                && (!is_always_the_same(context, node)
                    || tree
                        .parent(node)
                        .is_none_or(|d| context.sema.address_may_leave(d))) =>
        {
            "a variable that outlives its function"
        }
        // What these give is a place in C++, and a value in C.
        Kind::AssignmentExpression | Kind::UpdateExpression if is_place(tree, node) => {
            "a place that an expression computes"
        }
        Kind::AlignAs => "alignas",
        Kind::BaseClause => "a base class",
        Kind::AccessSpecifier => "an access specifier",
        Kind::EnumSpecifier
            if words()
                .trim_start_matches("enum")
                .trim_start()
                .starts_with("class ")
                || tree.child(node, Field::Base).is_some() =>
        {
            "an enumeration with a scope or type of its own"
        }
        Kind::FieldDeclarationList if has(Kind::FunctionDefinition) || has(Kind::Declaration) => {
            "a member function"
        }
        // OpenCL's C has taken them out.
        Kind::BitField => "a bit field",
        Kind::FieldDeclaration if tree.child(node, Field::DefaultValue).is_some() => {
            "a field with a value"
        }
        Kind::ParameterDeclaration if tree.child(node, Field::DefaultValue).is_some() => {
            "a default argument"
        }
        Kind::PlaceholderType => {
            let declaration = tree
                .parent(node)
                .is_some_and(|p| tree.kind(p) == Kind::Declaration);
            match declaration && words() == "auto" {
                true => return None,
                false => "auto without an initialiser",
            }
        }
        Kind::QualifiedIdentifier
            if !words().starts_with("std::") || words().matches("::").count() > 1 =>
        {
            "a qualified name"
        }
        _ => return None,
    })
}

/// Whether what is changed is a conditional, or itself changed or computed before.
fn is_place(tree: &Tree, node: NodeId) -> bool {
    let changed = tree
        .child(node, Field::Left)
        .or_else(|| tree.child(node, Field::Argument));
    let changed = changed.map(|n| tree.kind(tree.unparenthesized(n)));
    matches!(
        changed,
        Some(
            Kind::ConditionalExpression
                | Kind::AssignmentExpression
                | Kind::UpdateExpression
                | Kind::CommaExpression
        )
    )
}
