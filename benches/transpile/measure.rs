//! One source for one backend: times in turn with the parser's, and what is allocated.

use super::allocations::{Cost, cost_of};
use super::report::Row;
use super::statistics::Median;
use brook::backend::Backend;
use brook::source::MemoryLoader;
use brook::{Dialect, normalize};
use brook::{Options, Source, Translation};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A source, and what it is called in the table.
pub struct Text {
    pub name: &'static str,
    pub source: Source,
    /// Without our syntax, which costs the parser many times more than the rest.
    plain: String,
}

impl Text {
    pub fn okl(name: &'static str, text: String) -> Self {
        Self::new(name, "bench.okl", text)
    }

    pub fn brook(name: &'static str, text: String) -> Self {
        Self::new(name, "bench.br", text)
    }

    fn new(name: &'static str, file: &str, text: String) -> Self {
        let normal = normalize(&text, Dialect::of_path(file)).0;
        Self {
            name,
            plain: brook::stages::parser_input(&normal, &[]),
            source: Source::new(file, text),
        }
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.source.text).expect("made of strings")
    }
}

/// Fewest and most rounds, whatever time there is.
const ROUNDS: (usize, usize) = (15, 2001);

/// Parse and translation in turn, A B A B …, as long as there is time; then one translation counted.
pub fn row(text: &Text, backend: &str, options: &Options, budget: Duration) -> Row {
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_cpp::LANGUAGE.into();
    parser.set_language(&language).expect("the C++ grammar");
    let target = Backend::built_in(backend).expect("a built-in backend");
    let loader = MemoryLoader::new();
    let translate = || -> Translation {
        let result = brook::transpile(&text.source, &target, options, &loader);
        result.unwrap_or_else(|report| panic!("{report}"))
    };
    let mut parse = || drop(black_box(parser.parse(&text.plain, None)));
    // Templates are read, caches and pages warm.
    parse();
    drop(translate());
    let (mut parses, mut translations, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let begin = Instant::now();
    while parses.len() < ROUNDS.0 || (begin.elapsed() < budget && parses.len() < ROUNDS.1) {
        let a = seconds(&mut parse);
        let b = seconds(|| drop(black_box(translate())));
        parses.push(a);
        translations.push(b);
        ratios.push(b / a);
    }
    let (translation, cost): (Translation, Cost) = cost_of(translate);
    drop(translation);
    Row {
        source: text.name,
        lines: text.text().lines().count(),
        bytes: text.text().len(),
        tokens: brook::lex::lex(text.text()).len(),
        backend: backend.to_string(),
        parse: Median::of(&parses),
        translation: Median::of(&translations),
        ratio: Median::of(&ratios),
        rounds: ratios.len(),
        cost,
    }
}

fn seconds(mut run: impl FnMut()) -> f64 {
    let start = Instant::now();
    run();
    start.elapsed().as_secs_f64()
}
