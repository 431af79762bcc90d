#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::body::Program;
use crate::module::Module;
use crate::preprocess::Define;
use crate::source::FileLoader;
use crate::{Options, Source, backend::Backend};
use std::path::PathBuf;

/// All OKL of the cases that is translated without options of its own.
fn cases() -> Vec<(String, Module, Program)> {
    let backend = Backend::built_in("openmp").unwrap();
    let files = std::fs::read_dir("tests/cases/okl").unwrap();
    let mut files: Vec<PathBuf> = files.map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == "okl"));
    files.sort();
    let made = files.into_iter().filter_map(|path| {
        let source = Source::new(
            path.to_str().unwrap(),
            std::fs::read_to_string(&path).unwrap(),
        );
        let described = std::fs::read_to_string(path.with_extension("toml")).unwrap_or_default();
        let described: toml::Table = toml::from_str(&described).unwrap();
        let defines = described.get("defines").and_then(|d| d.as_table());
        let defines = defines.into_iter().flatten().map(|(name, value)| Define {
            name: name.clone(),
            value: value.as_str().unwrap_or_default().to_string(),
        });
        let options = Options {
            defines: defines.collect(),
            templates_later: true,
            ..Options::default()
        };
        let made = crate::transpile::bodies(&source, &backend, &options, &FileLoader);
        let (module, program, _) = made.ok()?;
        Some((source.name, module, program))
    });
    made.collect()
}

#[test]
fn bodies_keep_what_their_types_promise() {
    let (mut whole, mut all) = (0, 0);
    for (name, module, program) in cases() {
        if let Err(broken) = program.verify() {
            panic!("{name}: {broken:?}: {}", broken.span.of(&module.text));
        }
        all += program.bodies.len();
        whole += program
            .bodies
            .iter()
            .filter(|b| b.opaque().is_none())
            .count();
    }
    // What is modelled only grows.
    assert!(
        all > 900 && whole * 100 >= all * 89,
        "{whole} of {all} bodies"
    );
}
