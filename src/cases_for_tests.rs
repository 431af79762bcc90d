//! The programs of `tests/cases`, for tests of what is made of them.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use crate::body::Program;
use crate::module::Module;
use crate::source::FileLoader;
use crate::{Checking, Define, Options, Source, backend::Backend};

/// A case that is translated.
pub(crate) struct Case {
    /// Its file, without folder and ending.
    pub(crate) name: String,
    pub(crate) module: Module,
    pub(crate) program: Program,
}

/// All OKL of the cases that is translated without options of its own but definitions.
pub(crate) fn okl() -> Vec<Case> {
    cases("okl", "okl", |told| {
        let defines = told.get("defines").and_then(|d| d.as_table());
        let defines = defines.into_iter().flatten().map(|(name, value)| Define {
            name: name.clone(),
            value: value.as_str().unwrap_or_default().to_string(),
        });
        Options {
            defines: defines.collect(),
            templates_later: true,
            ..Options::default()
        }
    })
}

/// All Brook+ of the cases, with the checking that it asks for.
pub(crate) fn brook() -> Vec<Case> {
    cases("brook", "br", |told| {
        let flags = told.get("checking").and_then(toml::Value::as_str);
        let is = |flag: char| flags.is_some_and(|flags| flags.contains(flag));
        Options {
            checking: Checking {
                relaxed: is('a') || is('g'),
                brookgpu: is('g'),
                ..Checking::default()
            },
            ..Options::default()
        }
    })
}

/// The cases of a folder whose names end like that; their options are made of what stands beside them.
fn cases(folder: &str, ending: &str, options: impl Fn(&toml::Table) -> Options) -> Vec<Case> {
    let backend = Backend::built_in("openmp").unwrap();
    let files = std::fs::read_dir(format!("tests/cases/{folder}")).unwrap();
    let mut files: Vec<_> = files.map(|e| e.unwrap().path()).collect();
    files.retain(|path| path.extension().is_some_and(|e| e == ending));
    files.sort();
    let made = files.into_iter().filter_map(|path| {
        let text = std::fs::read_to_string(&path).unwrap();
        let source = Source::new(path.to_str().unwrap(), text);
        let told = std::fs::read_to_string(path.with_extension("toml")).unwrap_or_default();
        let options = options(&toml::from_str(&told).unwrap());
        let made = crate::transpile::bodies(&source, &backend, &options, &FileLoader);
        let (module, program, _) = made.ok()?;
        let name = path.file_stem().unwrap().to_str().unwrap().to_string();
        Some(Case {
            name,
            module,
            program,
        })
    });
    made.collect()
}
