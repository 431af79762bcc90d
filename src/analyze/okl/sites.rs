//! Where attributes of extensions stand.

use crate::analyze::Context;
use crate::extension::Extension;
use crate::grammar::Target;
use crate::module::Site;
use crate::syntax::{Kind, NodeId, Tree, attribute, attributes_of, declarators, decorated};
use std::sync::Arc;

/// Every use of an extension's attribute, in the order of the text.
pub(super) fn sites(context: &Context<'_>, extensions: &[Arc<dyn Extension>]) -> Vec<Site> {
    let tree = context.tree;
    let mut sites = Vec::new();
    let Some(root) = tree.root().filter(|_| !extensions.is_empty()) else {
        return sites;
    };
    for node in tree.descendants(root) {
        let Some(parent) = tree.parent(node) else {
            continue;
        };
        if tree.kind(node) != Kind::AttributeDeclaration {
            continue;
        }
        let Some(this) = attribute(tree, node, context.text) else {
            continue;
        };
        let owner = extensions
            .iter()
            .position(|e| e.attributes().iter().any(|row| row.name == this.name));
        if let Some(extension) = owner
            && let Some((node, target)) = decorated_node(tree, parent, context.text)
        {
            let all = attributes_of(tree, parent, context.text);
            sites.push(Site {
                extension,
                name: this.name.clone(),
                arguments: this.split().into_iter().map(str::to_string).collect(),
                attribute: this.span,
                target,
                node: tree.span(node),
                beside: all.iter().map(|a| a.name.clone()).collect(),
            });
        }
    }
    sites
}

/// The node that an attribute on `parent` decorates, and what it is.
fn decorated_node(tree: &Tree, parent: NodeId, text: &str) -> Option<(NodeId, Target)> {
    let mut node = decorated(tree, parent);
    loop {
        let target = match tree.kind(node) {
            Kind::ForStatement => Target::Loop,
            Kind::ParameterDeclaration => Target::Parameter,
            Kind::FieldDeclaration => Target::Field,
            Kind::TypeDefinition => Target::Type,
            Kind::FunctionDefinition => Target::Function,
            Kind::Declaration => match declarators(tree, node, text).iter().any(|d| d.function) {
                true => Target::Function,
                false => Target::Variable,
            },
            // Behind a declarator: the declaration around it is meant.
            Kind::AttributedDeclarator
            | Kind::InitDeclarator
            | Kind::PointerDeclarator
            | Kind::ReferenceDeclarator
            | Kind::ArrayDeclarator
            | Kind::ParenthesizedDeclarator
            | Kind::FunctionDeclarator => {
                node = tree.parent(node)?;
                continue;
            }
            _ => Target::Statement,
        };
        return Some((node, target));
    }
}
