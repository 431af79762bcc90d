//! The modules of `expressions`, `relaxed` and `vectors` for compilers whose programs nothing runs here: what is
//! translated without an error is what they accept.

use crate::properties::expressions::Expressions;
use crate::properties::random::Random;
use crate::properties::vectors::Vectors;
use brook::backend::Backend;
use brook::source::FileLoader;
use brook::{Options, Source};
use std::sync::Arc;

/// A module of random kernels.
#[derive(Clone)]
pub struct Module {
    pub name: String,
    source: Arc<Source>,
    options: Arc<Options>,
}

/// Some modules; `BROOK_SEED` and `BROOK_ROUNDS` draw others, and more.
pub fn modules() -> Vec<Module> {
    let number = |name: &str, usual| {
        let value = std::env::var(name).ok();
        value.and_then(|v| v.parse().ok()).unwrap_or(usual)
    };
    let first: u64 = number("BROOK_SEED", 1);
    let mut all = Vec::new();
    for seed in first..first + number("BROOK_ROUNDS", 3) {
        let random = || Random::new(seed);
        let mut add = |kind: &str, source: Source, options: Options| {
            all.push(Module {
                name: format!("random::{kind}::{seed}"),
                source: Arc::new(source),
                options: Arc::new(options),
            });
        };
        let vectors = Vectors::random(&mut random(), 8).source();
        add(
            "vectors",
            Source::new("vectors.okl", vectors),
            Options::default(),
        );
        for (kind, relaxed) in [("expressions", false), ("relaxed", true)] {
            let expressions = Expressions::random(&mut random(), 8, relaxed);
            let options = Options {
                checking: expressions.checking(),
                ..Options::default()
            };
            let source = Source::new("expressions.br", expressions.source());
            add(kind, source, options);
        }
    }
    all
}

impl Module {
    /// The text for a backend's compiler.
    pub fn translated(&self, backend: &str) -> Result<String, String> {
        let backend = Backend::built_in(backend).map_err(|e| e.to_string())?;
        let translation = brook::transpile(&self.source, &backend, &self.options, &FileLoader);
        let translation = translation.map_err(|report| report.to_string())?;
        Ok(translation.device)
    }

    /// What a compiler said, with the source.
    pub fn refused(&self, error: impl std::fmt::Display) -> String {
        let source = String::from_utf8_lossy(&self.source.text);
        format!("{error}\n{source}")
    }
}
