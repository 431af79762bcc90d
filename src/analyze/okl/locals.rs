//! Types and constants that a kernel declares around its nests: every device kernel has them, too.

use super::types;
use super::unit::Unit;
use super::{expressions, pointed, records};
use crate::analyze::Context;
use crate::expr::{self, Expr, Value, evaluate};
use crate::lex::{TokenKind, lex, mentions};
use crate::module::Local;
use crate::syntax::{Field, Kind, NodeId, declarators, is_name, specifiers};

/// Learns what the host's part of a kernel declares besides variables. `own` are the names of all
/// parameters and variables of the kernel.
pub(super) fn locals(
    context: &mut Context<'_>,
    unit: &mut Unit,
    body: NodeId,
    own: &mut Vec<String>,
) -> Vec<Local> {
    let mut found = Vec::new();
    block(context, unit, body, own, &mut found);
    uses(context, body, &mut found);
    found
}

/// Notes where the names of such declarations are used.
fn uses(context: &Context<'_>, body: NodeId, locals: &mut [Local]) {
    let (tree, text, sema) = (context.tree, context.text, context.sema);
    if locals.is_empty() {
        return;
    }
    for node in tree.descendants(body) {
        let span = tree.span(node);
        match tree.kind(node) {
            // Their arguments are no part of the tree.
            Kind::AttributeDeclaration => {
                let words = span.of(text);
                for local in locals.iter_mut() {
                    let names: Vec<&str> = local.names.iter().map(String::as_str).collect();
                    let inside = lex(words).iter().any(|t| {
                        t.kind == TokenKind::String
                            && mentions(t.text(words).trim_matches('"'), &names)
                    });
                    if inside {
                        local.uses.push(span.start);
                    }
                }
            }
            kind if is_name(kind) || kind == Kind::PrimitiveType => {
                let own = sema.definition(node).map(|id| sema.name_span(id));
                for local in locals.iter_mut().filter(|l| !l.span.contains(span)) {
                    let used = match own {
                        Some(own) => local.span.contains(own),
                        None => local.names.iter().any(|n| n == tree.text(node, text)),
                    };
                    if used {
                        local.uses.push(span.start);
                    }
                }
            }
            _ => {}
        }
    }
}

fn block(
    context: &mut Context<'_>,
    unit: &mut Unit,
    parent: NodeId,
    own: &mut Vec<String>,
    found: &mut Vec<Local>,
) {
    let tree = context.tree;
    let scope = tree.span(parent);
    for node in tree.children(parent) {
        let mut names: Vec<String> = Vec::new();
        let mut name = |node: Option<NodeId>| {
            names.extend(node.map(|n| tree.text(n, context.text).to_string()));
        };
        match tree.kind(node) {
            Kind::AttributedStatement | Kind::LambdaExpression => continue,
            Kind::TypeDefinition => {
                types::typedef(context, unit, node);
                let declared = declarators(tree, node, context.text);
                names.extend(declared.into_iter().map(|d| d.name.to_string()));
            }
            Kind::AliasDeclaration => {
                types::alias(context, unit, node);
                name(tree.child(node, Field::Name));
            }
            Kind::NamespaceAlias => {
                types::namespace_alias(context, unit, node);
                name(tree.children(node).next());
            }
            Kind::EnumSpecifier => {
                name(tree.child(node, Field::Name));
                for enumerator in tree.child(node, Field::Body).into_iter() {
                    for part in tree.children(enumerator) {
                        name(tree.child(part, Field::Name));
                    }
                }
                records::enumeration(context, unit, node);
            }
            Kind::StructSpecifier | Kind::ClassSpecifier | Kind::UnionSpecifier => {
                name(tree.child(node, Field::Name));
                types::record(context, unit, node);
            }
            Kind::StaticAssert | Kind::UsingDeclaration => {}
            Kind::Declaration => {
                let Some(constants) = constants(context, unit, node, own) else {
                    continue;
                };
                // A table's name stays: it must not mean the file's table.
                let is_value = |name: &String| unit.values.get(name).is_some();
                own.retain(|name| !(constants.contains(name) && is_value(name)));
                names = constants;
            }
            _ => {
                block(context, unit, node, own, found);
                continue;
            }
        }
        found.push(Local {
            span: tree.span(node),
            scope,
            names,
            uses: Vec::new(),
        });
    }
}

/// The names of a declaration of nothing but integer constants, tables of constants, or of any with
/// `constexpr`.
fn constants(
    context: &mut Context<'_>,
    unit: &mut Unit,
    node: NodeId,
    own: &[String],
) -> Option<Vec<String>> {
    let (tree, text) = (context.tree, context.text);
    let said = specifiers(tree, node, text);
    let scalar = unit.scalar_of(context.sema, node)?;
    if !said.constant {
        return None;
    }
    let mut values = Vec::new();
    let mut tables = Vec::new();
    for declared in declarators(tree, node, text) {
        let name = declared.name;
        let unique = own.iter().filter(|n| **n == name).count() == 1;
        if !unique || declared.pointers > 0 || declared.reference {
            return None;
        }
        if !declared.sizes.is_empty() {
            let size = |s: &Option<NodeId>| s.map(|s| tree.text(s, text));
            let sizes: Vec<Option<&str>> = declared.sizes.iter().map(size).collect();
            let value = declared.value?;
            let names_own = tree.descendants(value).any(|n| {
                tree.kind(n) == Kind::Identifier && own.iter().any(|o| o == tree.text(n, text))
            });
            if names_own {
                return None;
            }
            expressions::table(unit, name, scalar, &sizes, (tree, text, value))?;
            tables.push(name);
            continue;
        }
        if !said.constexpr && scalar.is_float() {
            return None;
        }
        let value = expr::parse(tree.text(declared.value?, text).trim_matches(['{', '}'])).ok()?;
        let mut mine = false;
        // Whatever the kernel declares itself is not the file's constant of that name.
        value.for_each_name(&mut |used| {
            let known = values.iter().any(|(n, _): &(String, Value)| n == used);
            mine |= !known && own.iter().any(|n| n == used);
        });
        if mine {
            return None;
        }
        let cast = Expr::Cast(scalar, Box::new(unit.resolve(&value)));
        let value = evaluate(&cast, &|_| None).ok()?;
        unit.values.insert(name.to_string(), value);
        values.push((name.to_string(), value));
    }
    let names = values.iter().map(|(name, _)| name.clone());
    let names = names
        .chain(tables.iter().map(ToString::to_string))
        .collect();
    if !scalar.is_float() && tables.is_empty() {
        let integers: Option<Vec<(String, i64)>> = values
            .into_iter()
            .map(|(name, value)| Some((name, value.as_i64()?)))
            .collect();
        pointed::constants(context, unit, node, scalar, integers?);
    }
    Some(names)
}
