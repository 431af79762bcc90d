//! Random expressions, of which it is known what they are made of, read as programs of both languages: the grammar must
//! see the same operators with the same operands.

use super::{brook, okl};
use crate::diagnostics::Sink;
use crate::lex::Lexed;
use crate::source::Provenance;
use crate::syntax::{Field, Grammar, Kind, Tree, parse_as};
use std::collections::BTreeSet;

/// What surrounds an expression of both languages.
const PLACES: [(&str, &str); 12] = [
    ("o[", "] = 1;"),
    ("o[i] = ", ";"),
    ("o[i] += 2 * (", ");"),
    ("int v = ", ";"),
    ("if (", ") o[i] = 1;"),
    ("if (i) o[i] = 1; else o[i] = ", ";"),
    ("while (", ") break;"),
    ("switch (", ") { case 1: o[i] = 1; }"),
    ("o[i] = f(", ");"),
    ("o[i] = f(i, ", ", i);"),
    ("o[i] = i ? ", " : 2;"),
    ("o[i] = sizeof(i) + (", ");"),
];

/// Of OKL alone.
const CPP_PLACES: [(&str, &str); 6] = [
    ("const int v(", "), w = 3;"),
    ("int v[2] = {", ", 1};"),
    ("for (int k = 0; ", "; ++k) break;"),
    ("for (int k = ", "; k < 3; ++k) o[k] = 1;"),
    ("auto g = [&](int x) { return ", "; };"),
    ("{ ; } (void) (", ");"),
];

const ATOMS: [&str; 14] = [
    "a", "b", "true", "i", "p.x", "t[i]", "3", "f(a)", "(a)", "(b)", "(c)", "(p.x)", "((a))",
    "(t[b])",
];
const CPP_ATOMS: [&str; 3] = ["N::m", "(N::m)", "(::N::m)"];

const CASTS: [&str; 6] = ["-", "!", "~", "+", "(int)", "(unsigned)"];
const BROOK_CASTS: [&str; 7] = ["-", "!", "~", "+", "(int)", "(uint)", "(float4)"];

/// What differs between the languages.
#[derive(Clone, Copy, PartialEq)]
enum Language {
    Okl,
    Brook,
}

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

fn piece(random: &mut Random, depth: usize, language: Language) -> Piece {
    if depth == 0 || random.below(5) == 0 {
        let own = language == Language::Okl && random.below(4) == 0;
        let atoms = if own {
            CPP_ATOMS.as_slice()
        } else {
            ATOMS.as_slice()
        };
        let text = atoms[random.below(atoms.len())].to_string();
        return Piece {
            text,
            binds: 20,
            operators: BTreeSet::new(),
        };
    }
    match random.below(9) {
        0 => {
            let of = piece(random, depth - 1, language);
            let of = if of.binds < 11 || random.below(3) == 0 {
                of.within("(", ")", 20)
            } else {
                of
            };
            let operators = match language {
                Language::Okl => CASTS.as_slice(),
                Language::Brook => BROOK_CASTS.as_slice(),
            };
            let operator = operators[random.below(operators.len())];
            // `- -a` and `+ +a` are not `--a` and `++a`.
            let of = if of.text.starts_with(['-', '+']) {
                of.within(" ", "", 11)
            } else {
                of
            };
            of.within(operator, "", 11)
        }
        1 => piece(random, depth - 1, language).within("f(", ")", 20),
        2 => piece(random, depth - 1, language).within("t[", "]", 20),
        3 => piece(random, depth - 1, language).within("(", ")", 20),
        _ => {
            let (operator, binds) = BINARY[random.below(BINARY.len())];
            let (left, right) = (
                piece(random, depth - 1, language),
                piece(random, depth - 1, language),
            );
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

/// How many calls the grammar sees there.
fn calls(tree: &Tree, from: usize, to: usize) -> usize {
    let root = tree.root().expect("a tree");
    let within = tree
        .descendants(root)
        .filter(|&n| tree.span(n).start as usize >= from && tree.span(n).end as usize <= to);
    // `(uint)(c)` is another call to the grammar, which the analysis knows.
    let calls = within.filter(|&n| {
        let function = tree.child(n, Field::Function);
        tree.kind(n) == Kind::CallExpression
            && function.is_some_and(|f| tree.kind(f) == Kind::Identifier)
    });
    calls.count()
}

/// A program around a statement: what is before the statement, and behind it.
fn program(language: Language) -> (&'static str, &'static str) {
    match language {
        Language::Okl => (
            "namespace N { const int m = 3; }\nstruct P { int x; };\n\
             typedef const float *hexes [[okl_dim(\"(2, 2)\")]];\n\
             void k(int a, int b, int c, P p, int *t, int *o) {\n  int i = 2; ",
            "\n}\n",
        ),
        Language::Brook => (
            "kernel void k(int a, int b, int c, P p, int t[], out int o[]) {\n  int i = 2; ",
            "\n}\n",
        ),
    }
}

fn read(language: Language, text: &str, sink: &mut Sink) -> Tree {
    let provenance = Provenance::default();
    match language {
        Language::Okl => {
            let read = okl::stand_ins::with_stand_ins(text, &[]);
            parse_as((text, &read), Grammar::Cpp, &[], None, &provenance, sink)
        }
        Language::Brook => {
            // The grammar does not see what only Brook+ says of parameters.
            let plain = text
                .replace("kernel", "      ")
                .replace("out int", "    int");
            let lexed = Lexed::new(&plain);
            let read = brook::stand_ins::with_stand_ins(&lexed, false);
            parse_as((&plain, &read), Grammar::C, &[], None, &provenance, sink)
        }
    }
}

fn try_expressions(language: Language) {
    let rounds = std::env::var("BROOK_ROUNDS").ok();
    let rounds: u64 = rounds.and_then(|r| r.parse().ok()).unwrap_or(4000);
    let mut wrong = Vec::new();
    for seed in 0..rounds {
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let depth = 1 + random.below(4);
        let expression = piece(&mut random, depth, language);
        let own = language == Language::Okl && random.below(3) == 0;
        let places = if own {
            CPP_PLACES.as_slice()
        } else {
            PLACES.as_slice()
        };
        let (before, behind) = places[random.below(places.len())];
        let (first, last) = program(language);
        let head = format!("{first}{before}");
        let text = format!("{head}{}{behind}{last}", expression.text);
        let mut sink = Sink::default();
        let tree = read(language, &text, &mut sink);
        let from = head.len();
        let found = seen(&tree, from, from + expression.text.len());
        let calls = calls(&tree, from, from + expression.text.len());
        if sink.has_errors()
            || found != expression.operators
            || calls != expression.text.matches("f(").count()
        {
            wrong.push(format!("{before}{}{behind}", expression.text));
        }
    }
    let count = wrong.len();
    wrong.sort_by_key(String::len);
    wrong.truncate(60);
    assert!(wrong.is_empty(), "{count} of {rounds}: {wrong:#?}");
}

#[test]
fn random_expressions_of_okl_are_read_as_they_are() {
    try_expressions(Language::Okl);
}

#[test]
fn random_expressions_of_brook_are_read_as_they_are() {
    try_expressions(Language::Brook);
}
