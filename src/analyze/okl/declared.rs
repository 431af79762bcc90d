//! Which names a program declares, and as what, found in one pass over the tree.

use crate::analyze::Context;
use crate::diagnostics::codes;
use crate::module::{Declared, Declares};
use crate::syntax::{Field, Kind, NodeId, Tree, attributes_of};

/// What every name begins with that the translator makes up, some of them around or within the program's own text.
const OWN: &str = "brook_";

/// All names that the program declares. Those that nobody can have are errors.
pub(super) fn declared(context: &mut Context<'_>) -> Declared {
    let tree = context.tree;
    let mut out = Declared::default();
    let mut taken = Vec::new();
    let Some(root) = tree.root() else { return out };
    let is_kernel = |node: NodeId| {
        let all = attributes_of(tree, node, context.text);
        all.iter().any(|a| a.name == "kernel")
    };
    for node in tree.descendants(root) {
        let is_name = matches!(
            tree.kind(node),
            Kind::Identifier | Kind::FieldIdentifier | Kind::TypeIdentifier | Kind::PrimitiveType
        );
        if is_name && let Some(what) = declares(tree, node, &is_kernel) {
            let name = tree.text(node, context.text);
            // Fields are looked for in their structure only, and nothing on the device calls a kernel.
            let looked_up = tree.kind(node) != Kind::FieldIdentifier && !what.kernel;
            let code = match name {
                "this" | "nullptr" => Some(&codes::VALUES_NAME),
                _ if looked_up && name.starts_with(OWN) => Some(&codes::TRANSLATORS_NAME),
                _ => None,
            };
            if let Some(code) = code
                && out.get(name).is_none()
            {
                taken.push((code, tree.span(node), name));
            }
            out.add(name, what);
        }
        // A constructor's declaration has no type.
        let is_operator = match tree.kind(node) {
            Kind::OperatorName => true,
            Kind::FunctionDeclarator => tree.parent(node).is_some_and(|d| {
                declares_functions(tree.kind(d)) && tree.child(d, Field::Type).is_none()
            }),
            _ => false,
        };
        if is_operator {
            out.add_operator();
        }
    }
    let types = tree
        .descendants(root)
        .filter(|&n| tree.kind(n) == Kind::TypeIdentifier)
        .map(|n| (tree.span(n).start, tree.text(n, context.text)));
    out.add_types(types);
    for (code, span, name) in taken {
        context.error(code, span, &[&name]);
    }
    out
}

fn declares_functions(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::FunctionDefinition | Kind::Declaration | Kind::FieldDeclaration
    )
}

/// What the name at a node declares, if it does not merely use it.
fn declares(tree: &Tree, node: NodeId, is_kernel: &dyn Fn(NodeId) -> bool) -> Option<Declares> {
    let ty = Declares {
        ty: true,
        ..Declares::default()
    };
    let parent = tree.parent(node)?;
    if tree.field(node) == Field::Name {
        return match tree.kind(parent) {
            Kind::Enumerator => Some(of_scope(tree, parent, false)),
            Kind::AliasDeclaration => Some(ty),
            Kind::StructSpecifier
            | Kind::ClassSpecifier
            | Kind::UnionSpecifier
            | Kind::EnumSpecifier => tree.child(parent, Field::Body).map(|_| ty),
            _ => None,
        };
    }
    // Up through `*`, `&`, `[]` and parentheses to the declaration.
    let (mut at, mut parent) = (node, parent);
    // What binds most tightly: `*f()` is a function, `(*f)()` a pointer.
    let mut is_function = None;
    loop {
        let kind = tree.kind(parent);
        let unnamed = matches!(
            kind,
            Kind::ReferenceDeclarator
                | Kind::ParenthesizedDeclarator
                | Kind::AttributedDeclarator
                | Kind::StructuredBinding
        );
        if tree.field(at) != Field::Declarator && !unnamed {
            return None;
        }
        match kind {
            Kind::FunctionDeclarator => {
                is_function.get_or_insert(true);
            }
            Kind::PointerDeclarator | Kind::ReferenceDeclarator | Kind::ArrayDeclarator => {
                is_function.get_or_insert(false);
            }
            Kind::ParenthesizedDeclarator
            | Kind::AttributedDeclarator
            | Kind::StructuredBinding
            | Kind::InitDeclarator => {}
            Kind::TypeDefinition => return Some(ty),
            _ => break,
        }
        (at, parent) = (parent, tree.parent(parent)?);
    }
    let is_function = is_function == Some(true);
    let what = of_scope(tree, parent, is_function);
    let kernel = what.function && is_kernel(parent);
    Some(Declares {
        kernel,
        function: what.function && !kernel,
        ..what
    })
}

/// What a declaration of a variable or function is where it stands.
fn of_scope(tree: &Tree, declaration: NodeId, function: bool) -> Declares {
    let global = is_at_file_scope(tree, declaration);
    Declares {
        ty: false,
        global: global && !function,
        local: !global,
        function: global && function,
        kernel: false,
    }
}

/// Whether a declaration stands outside of functions and types.
fn is_at_file_scope(tree: &Tree, declaration: NodeId) -> bool {
    if tree.kind(declaration) == Kind::ParameterDeclaration {
        return false;
    }
    let mut at = tree.parent(declaration);
    while let Some(node) = at {
        match tree.kind(node) {
            Kind::CompoundStatement
            | Kind::FunctionDefinition
            | Kind::FieldDeclarationList
            | Kind::ParameterList
            | Kind::LambdaExpression => return false,
            _ => at = tree.parent(node),
        }
    }
    true
}
