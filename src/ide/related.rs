//! Declarations that have one name among them: who changes one has to change all. And uses of names of which only a
//! compiler of C++ could tell whose they are.

use super::names::{Declared, Reading};
use crate::sema::{DefinitionId, DefinitionKind, Type, TypeKind};
use crate::syntax::{Field, Kind, NodeId};
use std::collections::{HashMap, HashSet};

/// Scopes around a name that are looked at, and types within types.
const DEEPEST: usize = 10_000;

/// Where declarations of one name may be of one thing.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Room {
    /// A block, a class, or the whole file.
    Node(NodeId),
    /// A namespace, wherever it is opened; `None` for those without a name.
    Namespace(Option<DefinitionId>),
}

impl Room {
    fn is_a_block(self, reading: &Reading<'_>) -> bool {
        matches!(self, Self::Node(n) if reading.tree.kind(n) == Kind::CompoundStatement)
    }

    fn is_a_class(self, reading: &Reading<'_>) -> bool {
        matches!(self, Self::Node(n) if reading.tree.kind(n) == Kind::FieldDeclarationList)
    }
}

fn link(all: &mut [Declared], a: DefinitionId, b: DefinitionId) {
    for (from, to) in [(a, b), (b, a)] {
        if let Some(one) = all.get_mut(from.index()) {
            one.again.push(to.index());
        }
    }
}

/// Leads from each declaration to the others of its name: `nodes` are where they are declared.
pub(super) fn connect(reading: &Reading<'_>, nodes: &[Option<NodeId>], all: &mut [Declared]) {
    let sema = reading.sema;
    for id in sema.definitions() {
        if sema.defined(id).kind == DefinitionKind::Record {
            members(reading, id, all);
        }
        // Each knows the overloads before it.
        let mut before = sema.overload_before(id);
        for _ in 0..DEEPEST {
            let Some(other) = before else { break };
            link(all, id, other);
            before = sema.overload_before(other);
        }
    }
    redeclared(reading, nodes, all);
}

/// A constructor is called as its class is, and what overrides a function as that function.
fn members(reading: &Reading<'_>, record: DefinitionId, all: &mut [Declared]) {
    let sema = reading.sema;
    let mut functions: HashMap<&str, DefinitionId> = HashMap::new();
    for member in sema.members(record) {
        if sema.defined(member).kind != DefinitionKind::Function {
            continue;
        }
        let name = sema.name(member);
        if name == sema.name(record) {
            link(all, record, member);
        }
        if let Some(other) = functions.insert(name, member) {
            link(all, other, member);
        }
    }
}

/// `extern int n; int n;`, and functions that a block declares once more.
fn redeclared(reading: &Reading<'_>, nodes: &[Option<NodeId>], all: &mut [Declared]) {
    let sema = reading.sema;
    let mut known: HashMap<(Room, DefinitionKind, &str), DefinitionId> = HashMap::new();
    let mut outside: HashMap<(DefinitionKind, &str), Vec<DefinitionId>> = HashMap::new();
    let mut inside = Vec::new();
    for id in sema.definitions() {
        let Some(node) = nodes.get(id.index()).copied().flatten() else {
            continue;
        };
        let (kind, name) = (sema.defined(id).kind, sema.name(id));
        let again = matches!(
            kind,
            DefinitionKind::Variable | DefinitionKind::Typedef | DefinitionKind::Function
        );
        if !again || reading.tree.kind(reading.declaration(node)) == Kind::ParameterDeclaration {
            continue;
        }
        let Some(room) = room(reading, node) else {
            continue;
        };
        if kind != DefinitionKind::Function
            && let Some(before) = known.insert((room, kind, name), id)
        {
            link(all, before, id);
        }
        match room.is_a_block(reading) {
            true if kind == DefinitionKind::Function || is_extern(reading, node) => {
                inside.push(id);
            }
            false if !room.is_a_class(reading) => outside.entry((kind, name)).or_default().push(id),
            _ => {}
        }
    }
    for id in inside {
        let key = (sema.defined(id).kind, sema.name(id));
        for &other in outside.get(&key).into_iter().flatten() {
            link(all, id, other);
        }
    }
}

fn is_extern(reading: &Reading<'_>, name: NodeId) -> bool {
    let (tree, text) = (reading.tree, reading.text);
    let mut words = tree.specifiers(reading.declaration(name));
    words.any(|n| tree.kind(n) == Kind::StorageClass && tree.text(n, text) == "extern")
}

/// What a name is declared in.
fn room(reading: &Reading<'_>, name: NodeId) -> Option<Room> {
    let tree = reading.tree;
    let declared = tree.parent(reading.declaration(name))?;
    let mut around = std::iter::successors(Some(declared), |n| tree.parent(*n)).take(DEEPEST);
    around.find_map(|node| match tree.kind(node) {
        Kind::NamespaceDefinition => {
            let name = tree.child(node, Field::Name);
            // Of `a::b`, the last word.
            let word = name.and_then(|n| tree.descendants(n).last());
            Some(Room::Namespace(word.and_then(|w| reading.sema.meaning(w))))
        }
        Kind::CompoundStatement
        | Kind::ForStatement
        | Kind::ForRangeLoop
        | Kind::IfStatement
        | Kind::WhileStatement
        | Kind::SwitchStatement
        | Kind::FieldDeclarationList
        | Kind::TranslationUnit => Some(Room::Node(node)),
        _ => None,
    })
}

/// Uses that cannot be told from the text alone.
pub(super) struct Doubts<'a> {
    /// Functions of that name are in several namespaces.
    several: HashSet<&'a str>,
}

impl<'a> Doubts<'a> {
    pub(super) fn new(reading: &Reading<'a>, nodes: &[Option<NodeId>]) -> Self {
        let sema = reading.sema;
        let mut rooms: HashMap<&str, Room> = HashMap::new();
        let mut several = HashSet::new();
        for id in sema.definitions() {
            let node = nodes.get(id.index()).copied().flatten();
            if sema.defined(id).kind != DefinitionKind::Function {
                continue;
            }
            let Some(room) = node.and_then(|n| room(reading, n)) else {
                continue;
            };
            if room.is_a_block(reading) || room.is_a_class(reading) {
                continue;
            }
            let name = sema.name(id);
            if *rooms.entry(name).or_insert(room) != room {
                several.insert(name);
            }
        }
        Self { several }
    }

    /// Whether a name may mean something else than what is seen where it stands.
    pub(super) fn about(&self, reading: &Reading<'_>, name: NodeId, id: DefinitionId) -> bool {
        let tree = reading.tree;
        if reading.sema.defined(id).kind != DefinitionKind::Function {
            return false;
        }
        let mut around = std::iter::successors(tree.parent(name), |n| tree.parent(*n));
        // A friend is no member, but a function of the namespace around the class.
        let friend = around
            .by_ref()
            .take(4)
            .any(|n| tree.kind(n) == Kind::FriendDeclaration);
        friend || self.depends_on_arguments(reading, name)
    }

    /// A function that is called by its name alone is looked for where its arguments' types are declared, too.
    fn depends_on_arguments(&self, reading: &Reading<'_>, name: NodeId) -> bool {
        let (tree, sema) = (reading.tree, reading.sema);
        if !self.several.contains(tree.text(name, reading.text)) {
            return false;
        }
        let call = tree.parent(name).filter(|&c| {
            tree.kind(c) == Kind::CallExpression && tree.field(name) == Field::Function
        });
        let Some(list) = call.and_then(|c| tree.child(c, Field::Arguments)) else {
            return false;
        };
        let mut given = tree.children(list);
        given.any(|a| may_be_declared(reading, sema.type_of(a)))
    }
}

/// Whether a type has to do with one that a program declares.
fn may_be_declared(reading: &Reading<'_>, mut ty: Type) -> bool {
    for _ in 0..DEEPEST {
        ty = match reading.sema.kind(ty) {
            TypeKind::Pointer(of) | TypeKind::Reference(of) | TypeKind::Array(of) => of,
            TypeKind::Void | TypeKind::Scalar(_) | TypeKind::Vector(_) => return false,
            _ => return true,
        };
    }
    true
}
