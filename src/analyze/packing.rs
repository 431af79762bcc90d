//! How closely the fields of a structure lie: `alignas`, GNU's attributes, `#pragma pack`.

use crate::expr;
use crate::lex::lex;
use crate::source::Span;
use crate::syntax::{Field, Kind, NodeId, Tree, is_record};

/// What is said of a structure as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packing {
    /// Its fields are aligned to no more bytes than that.
    most: u64,
    /// It is aligned to that many bytes itself.
    least: u64,
}

impl Packing {
    /// The alignment of a field of some type.
    pub(super) fn field(self, align: u64) -> u64 {
        align.min(self.most)
    }

    /// The alignment of the structure, from that of its fields.
    pub(super) fn whole(self, align: u64) -> u64 {
        align.max(self.least)
    }
}

/// How the fields of a structure lie; `None` where that is not known, or something else adds to its layout: a base
/// class, virtual functions, alignment of single fields.
pub(super) fn packing(tree: &Tree, text: &str, record: NodeId) -> Option<Packing> {
    let mut out = Packing {
        most: pragma(text, tree.span(record))?,
        least: 1,
    };
    for part in tree.children(record) {
        match tree.kind(part) {
            Kind::BaseClause | Kind::AttributeDeclaration => return None,
            Kind::AlignAs => out.least = out.least.max(number(tree, text, part)?),
            Kind::VendorAttributes => vendor(tree, text, part, &mut out)?,
            _ => {}
        }
    }
    let body = tree.child(record, Field::Body)?;
    let odd = |member| is_aligned(tree, member) || has_unnamed_words(tree, text, member);
    match tree.children(body).any(odd) {
        true => None,
        false => Some(out),
    }
}

/// The number that attributes give in brackets.
fn number(tree: &Tree, text: &str, node: NodeId) -> Option<u64> {
    let mut parts = tree.children(node);
    let (only, None) = (parts.next()?, parts.next()) else {
        return None;
    };
    let value = expr::constant(&expr::parse(tree.text(only, text)).ok()?)?;
    u64::try_from(value).ok().filter(|n| n.is_power_of_two())
}

/// `__attribute__((packed, aligned(8)))`
fn vendor(tree: &Tree, text: &str, node: NodeId, out: &mut Packing) -> Option<()> {
    for attribute in tree.children(tree.child_of_kind(node, Kind::ArgumentList)?) {
        let (name, list) = match tree.kind(attribute) {
            Kind::CallExpression => (
                tree.child(attribute, Field::Function)?,
                tree.child(attribute, Field::Arguments),
            ),
            _ => (attribute, None),
        };
        match (tree.text(name, text), list) {
            ("packed" | "__packed__", None) => out.most = 1,
            ("aligned" | "__aligned__", Some(list)) => {
                out.least = out.least.max(number(tree, text, list)?);
            }
            _ => return None,
        }
    }
    Some(())
}

/// Whether a member has an alignment of its own.
fn is_aligned(tree: &Tree, member: NodeId) -> bool {
    let mut left: Vec<NodeId> = vec![member];
    while let Some(node) = left.pop() {
        match tree.kind(node) {
            Kind::AlignAs | Kind::VendorAttributes => return true,
            // What is said there is said of those, and what functions do is of no interest.
            kind if is_record(kind) => {}
            Kind::CompoundStatement | Kind::TemplateDeclaration => {}
            _ => left.extend(tree.children(node)),
        }
    }
    false
}

/// Whether among the words before a member's name some have no node, which is so of `virtual` alone.
fn has_unnamed_words(tree: &Tree, text: &str, member: NodeId) -> bool {
    let declares = matches!(
        tree.kind(member),
        Kind::FieldDeclaration | Kind::FunctionDefinition | Kind::Declaration
    );
    let mut at = tree.span(member).start;
    let mut named = false;
    declares
        && tree
            .children(member)
            .take_while(|&part| {
                let more = !named;
                named |= tree.field(part) == Field::Declarator;
                more
            })
            .any(|part| {
                let Span { start, end } = tree.span(part);
                let gap = Span::new(at.min(start), start);
                at = end;
                !lex(gap.of(text)).is_empty()
            })
}

/// What `#pragma pack` says where a structure is defined: no tree has such lines.
fn pragma(text: &str, record: Span) -> Option<u64> {
    const ANY: u64 = 1 << 31;
    let mut states = Vec::new();
    let mut now = ANY;
    for (at, _) in text.match_indices('#') {
        let mut continued = false;
        let line = text.get(at..).and_then(|rest| {
            rest.split(|c| {
                let ends = c == '\n' && !continued;
                continued = c == '\\';
                ends
            })
            .next()
        });
        let line = line.unwrap_or("");
        let words = lex(line);
        let words: Vec<&str> = words.iter().map(|t| t.text(line)).collect();
        let ["#", "pragma", "pack", "(", arguments @ .., ")"] = words.as_slice() else {
            continue;
        };
        if at >= record.end as usize {
            break;
        }
        if at >= record.start as usize {
            return None;
        }
        match arguments {
            [] => now = ANY,
            ["push"] => states.push(now),
            ["push", ",", n] => {
                states.push(now);
                now = n.parse().ok()?;
            }
            ["pop"] => now = states.pop().unwrap_or(ANY),
            [n] => now = n.parse().ok()?,
            _ => return None,
        }
    }
    Some(now)
}
