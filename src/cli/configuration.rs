//! `brook.toml` in a project's root: what its sources are translated with, so that the command and editors need not be told.
//!
//! ```toml
//! defines = ["dfloat=float"]        # as -D takes them
//! include = ["include"]             # as -I; beside this file
//!
//! [[files]]                         # for some of them besides, in order
//! pattern = "okl/hex/**"
//! defines = ["p_Nq=8"]
//! ```

use super::Failure;
use brook::{Define, Options};
use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The file's name.
pub(crate) const NAME: &str = "brook.toml";

/// What is said for all files or, with a pattern, for some.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Said {
    /// The files, as paths from the folder on: `*` is within a folder, `**` any number of folders.
    pattern: Option<String>,
    /// Macros: NAME, NAME=VALUE, NAME(A)=VALUE.
    defines: Vec<String>,
    /// Folders to search for included files.
    include: Vec<String>,
    /// Files whose text comes before the source.
    before: Vec<String>,
    /// Brook+: relaxed type checking.
    relaxed: Option<bool>,
    /// Brook+: `brook` or `brookgpu`.
    dialect: Option<String>,
    /// What is said for some of them.
    files: Vec<Said>,
}

/// What a project says.
#[derive(Clone, Debug)]
pub(crate) struct Configuration {
    /// Where it is; other paths begin there.
    folder: PathBuf,
    all: Said,
    some: Vec<(Pattern, Said)>,
}

impl Configuration {
    /// What is said for a source: by the `brook.toml` in its folder, or the next one above that has one.
    ///
    /// # Errors
    /// It cannot be read.
    pub(crate) fn of(source: &str) -> Result<Option<Self>, Failure> {
        match Self::file(source) {
            Some(file) => Self::read(&file).map(Some),
            None => Ok(None),
        }
    }

    /// The file that says it.
    pub(crate) fn file(source: &str) -> Option<PathBuf> {
        let path = match source {
            "-" => std::env::current_dir().ok()?.join(source),
            path => std::path::absolute(path).ok()?,
        };
        let folders = path.ancestors().skip(1);
        folders.map(|f| f.join(NAME)).find(|f| f.is_file())
    }

    fn read(file: &Path) -> Result<Self, Failure> {
        let wrong = |what: String| Failure::Usage(format!("{}: {what}", file.display()));
        let text = brook::source::read_text(file).map_err(|e| wrong(e.to_string()))?;
        let folder = file.parent().unwrap_or(Path::new("")).to_path_buf();
        Self::parse(&text, folder).map_err(wrong)
    }

    fn parse(text: &str, folder: PathBuf) -> Result<Self, String> {
        let mut all: Said =
            toml::from_str(text).map_err(|e| e.to_string().trim_end().to_string())?;
        if all.pattern.is_some() {
            return Err("pattern: it belongs to [[files]]".to_string());
        }
        let some = std::mem::take(&mut all.files).into_iter().map(|said| {
            let text = said.pattern.as_deref();
            let text = text.ok_or("files: which ones? pattern says it")?;
            let pattern = Pattern::new(text).map_err(|e| format!("pattern '{text}': {e}"))?;
            match said.files.is_empty() {
                true => Ok((pattern, said)),
                false => Err(format!("files '{text}': there are no files within files")),
            }
        });
        let some = some.collect::<Result<Vec<_>, String>>()?;
        let this = Self { folder, all, some };
        for said in std::iter::once(&this.all).chain(this.some.iter().map(|(_, said)| said)) {
            for define in &said.defines {
                Define::parse(define).map_err(|e| format!("defines: '{define}': {e}"))?;
            }
            if let Some(dialect) = said.dialect.as_deref()
                && !["brook", "brookgpu"].contains(&dialect)
            {
                return Err(format!("dialect '{dialect}': it is brook or brookgpu"));
            }
        }
        Ok(this)
    }

    /// Adds what is said for a source to what the command line says, which comes first.
    pub(crate) fn add_to(&self, source: &str, options: &mut Options) {
        let path = std::path::absolute(source).unwrap_or_else(|_| source.into());
        let path = path.strip_prefix(&self.folder).unwrap_or(&path);
        let exact = MatchOptions {
            require_literal_separator: true,
            ..MatchOptions::default()
        };
        let some = self.some.iter();
        let some = some.filter(|(pattern, _)| pattern.matches_path_with(path, exact));
        let mut defines: Vec<Define> = Vec::new();
        let mut before = Vec::new();
        for said in std::iter::once(&self.all).chain(some.map(|(_, said)| said)) {
            for text in &said.defines {
                let Ok(define) = Define::parse(text) else {
                    continue;
                };
                // What is said of fewer files counts, and what the command line says, more.
                defines.retain(|d| d.name != define.name);
                if !options.defines.iter().any(|d| d.name == define.name) {
                    defines.push(define);
                }
            }
            let inside = |path: &String| self.folder.join(path).to_string_lossy().into_owned();
            let folders = said.include.iter().map(inside);
            options.include_directories.extend(folders);
            before.extend(said.before.iter().map(inside));
            if let Some(relaxed) = said.relaxed {
                options.checking.relaxed |= relaxed;
            }
            if let Some(dialect) = &said.dialect {
                options.checking.brookgpu = dialect == "brookgpu";
                options.checking.relaxed |= options.checking.brookgpu;
            }
        }
        options.defines.splice(0..0, defines);
        options.forced_includes.splice(0..0, before);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn what_is_said_of_fewer_files_counts_more() {
        let text = "defines = [\"A=1\", \"B=1\", \"C=1\"]\ninclude = [\"include\"]\n\
            [[files]]\npattern = \"okl/hex/**\"\ndefines = [\"B=2\", \"F(x)=x\"]\n\
            [[files]]\npattern = \"*.br\"\nrelaxed = true\n";
        let read = Configuration::parse(text, "/p".into()).unwrap();
        let of = |source: &str| {
            let mut options = Options::default();
            options.defines.push(Define::parse("C=3").unwrap());
            read.add_to(source, &mut options);
            let defines = options
                .defines
                .iter()
                .map(|d| format!("{}={}", d.name, d.value));
            let defines = defines.collect::<Vec<_>>().join(" ");
            (
                defines,
                options.include_directories,
                options.checking.relaxed,
            )
        };
        let include = vec!["/p/include".to_string()];
        let hex = of("/p/okl/hex/deep/a.okl");
        assert_eq!(
            hex,
            ("A=1 B=2 F(x)=x C=3".to_string(), include.clone(), false)
        );
        assert_eq!(of("/p/okl/a.okl").0, "A=1 B=1 C=3");
        assert_eq!(of("/p/a.br"), ("A=1 B=1 C=3".to_string(), include, true));
        assert!(!of("/p/x/a.br").2);
    }

    #[test]
    fn mistakes_are_said() {
        let wrong = |text: &str| Configuration::parse(text, "/p".into()).unwrap_err();
        assert!(wrong("define = [\"A\"]").contains("define"));
        assert!(wrong("defines = [\"1A\"]").contains("1A"));
        assert!(wrong("dialect = \"brok\"").contains("brok"));
        assert!(wrong("[[files]]\ndefines = []").contains("pattern"));
        assert!(wrong("[[files]]\npattern = \"[\"").contains("pattern '['"));
        assert!(wrong("[[files]]\npattern = \"a\"\nrelaxd = true").contains("relaxd"));
    }
}
