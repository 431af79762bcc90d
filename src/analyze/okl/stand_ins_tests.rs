//! Random expressions, of which it is known what they are made of, read as a program's: the grammar must see the same
//! operators with the same operands.

use super::stand_ins::with_stand_ins;
use crate::diagnostics::Sink;
use crate::source::Provenance;
use crate::syntax::{Grammar, Kind, Tree, parse_as};
use std::collections::BTreeSet;

/// What surrounds an expression.
const PLACES: [(&str, &str); 18] = [
    ("o[", "] = 1;"),
    ("o[i] = ", ";"),
    ("o[i] += 2 * (", ");"),
    ("int v = ", ";"),
    ("const int v(", "), w = 3;"),
    ("int v[2] = {", ", 1};"),
    ("if (", ") o[i] = 1;"),
    ("if (i) o[i] = 1; else o[i] = ", ";"),
    ("while (", ") break;"),
    ("for (int k = 0; ", "; ++k) break;"),
    ("for (int k = ", "; k < 3; ++k) o[k] = 1;"),
    ("switch (", ") { case 1: o[i] = 1; }"),
    ("o[i] = f(", ");"),
    ("o[i] = f(i, ", ", i);"),
    ("o[i] = i ? ", " : 2;"),
    ("auto g = [&](int x) { return ", "; };"),
    ("o[i] = sizeof(i) + (", ");"),
    ("{ ; } (void) (", ");"),
];

const BINARY: [(&str, u8); 18] = [
    ("*", 10),
    ("/", 10),
    ("%", 10),
    ("+", 9),
    ("-", 9),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("<=", 7),
    (">=", 7),
    ("==", 6),
    ("!=", 6),
    ("&", 5),
    ("^", 4),
    ("|", 3),
    ("&&", 2),
    ("||", 1),
];

struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n as u64) as usize
    }
}

/// A text, how tightly it binds, and where its operators' operands begin and end.
struct Piece {
    text: String,
    binds: u8,
    operators: BTreeSet<(usize, usize)>,
}

impl Piece {
    fn within(self, before: &str, behind: &str, binds: u8) -> Self {
        let by = before.len();
        Self {
            text: format!("{before}{}{behind}", self.text),
            binds,
            operators: self
                .operators
                .iter()
                .map(|(a, b)| (a + by, b + by))
                .collect(),
        }
    }
}

fn piece(random: &mut Random, depth: usize) -> Piece {
    let atoms = [
        "a", "b", "c", "i", "N::m", "p.x", "t[i]", "3", "f(a)", "(a)", "(b)", "(N::m)", "(c)",
        "(p.x)", "((a))", "(t[b])",
    ];
    if depth == 0 || random.below(5) == 0 {
        let text = atoms[random.below(atoms.len())].to_string();
        return Piece {
            text,
            binds: 20,
            operators: BTreeSet::new(),
        };
    }
    match random.below(9) {
        0 => {
            let of = piece(random, depth - 1);
            let of = if of.binds < 11 || random.below(3) == 0 {
                of.within("(", ")", 20)
            } else {
                of
            };
            let operator = ["-", "!", "~", "+", "(int)", "(unsigned)"][random.below(6)];
            // `- -a` and `+ +a` are not `--a` and `++a`.
            let of = if of.text.starts_with(['-', '+']) {
                of.within(" ", "", 11)
            } else {
                of
            };
            of.within(operator, "", 11)
        }
        1 => piece(random, depth - 1).within("f(", ")", 20),
        2 => piece(random, depth - 1).within("t[", "]", 20),
        3 => piece(random, depth - 1).within("(", ")", 20),
        _ => {
            let (operator, binds) = BINARY[random.below(BINARY.len())];
            let (left, right) = (piece(random, depth - 1), piece(random, depth - 1));
            let bracket = |p: Piece, wanted: bool| if wanted { p.within("(", ")", 20) } else { p };
            let (more, too) = (random.below(3) == 0, random.below(3) == 0);
            let left_needs = left.binds < binds || more;
            let right_needs = right.binds <= binds || too;
            let (left, right) = (bracket(left, left_needs), bracket(right, right_needs));
            let blank = [" ", "", "  "][random.below(3)];
            // `a - -b`, `a & &b`, `a / *b`, `a >> > b` need something between.
            let blank = if right.text.starts_with(['-', '+', '&', ' ']) || operator.len() > 1 {
                " "
            } else {
                blank
            };
            let before = format!("{}{blank}{operator}{blank}", left.text);
            let by = before.len();
            let mut operators = left.operators;
            operators.extend(right.operators.iter().map(|(a, b)| (a + by, b + by)));
            let text = format!("{before}{}", right.text);
            operators.insert((0, text.len()));
            Piece {
                text,
                binds,
                operators,
            }
        }
    }
}

/// Where the grammar sees operators with two operands, from there to there.
fn seen(tree: &Tree, from: usize, to: usize) -> BTreeSet<(usize, usize)> {
    let root = tree.root().expect("a tree");
    let binary = tree
        .descendants(root)
        .filter(|&n| tree.kind(n) == Kind::BinaryExpression);
    binary
        .map(|n| (tree.span(n).start as usize, tree.span(n).end as usize))
        .filter(|(a, b)| *a >= from && *b <= to)
        .map(|(a, b)| (a - from, b - from))
        .collect()
}

#[test]
fn random_expressions_are_read_as_they_are() {
    let rounds: u64 = std::env::var("BROOK_ROUNDS")
        .ok()
        .and_then(|r| r.parse().ok())
        .unwrap_or(4000);
    let mut wrong = Vec::new();
    for seed in 0..rounds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let depth = 1 + random.below(4);
        let expression = piece(&mut random, depth);
        let (before, behind) = PLACES[random.below(PLACES.len())];
        let head = format!(
            "namespace N {{ const int m = 3; }}\nstruct P {{ int x; }};\nvoid k(int a, int b, int c, P p, int *t, int *o) {{\n  int i = 2; {before}"
        );
        let text = format!("{head}{}{behind}\n}}\n", expression.text);
        let provenance = Provenance::default();
        let mut sink = Sink::default();
        let tree = parse_as(
            (&text, &with_stand_ins(&text, &[])),
            Grammar::Cpp,
            &[],
            None,
            &provenance,
            &mut sink,
        );
        let from = head.len();
        let found = seen(&tree, from, from + expression.text.len());
        if sink.has_errors() || found != expression.operators {
            wrong.push(format!("{before}{}{behind}", expression.text));
        }
    }
    let count = wrong.len();
    wrong.sort_by_key(String::len);
    wrong.truncate(60);
    assert!(wrong.is_empty(), "{count} of {rounds}: {wrong:#?}");
}
