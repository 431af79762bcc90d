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
use brook::source::Span;
use brook::{Define, Options};
use glob::{MatchOptions, Pattern};
use serde::Deserialize;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;

/// The file's name.
pub(crate) const NAME: &str = "brook.toml";

/// What is said for all files or, with a pattern, for some.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Said {
    /// The files, as paths from the folder on: `*` is within a folder, `**` any number of folders.
    pattern: Option<Spanned<String>>,
    /// Macros: NAME, NAME=VALUE, NAME(A)=VALUE.
    defines: Vec<Spanned<String>>,
    /// Folders to search for included files.
    include: Vec<String>,
    /// Files whose text comes before the source.
    before: Vec<String>,
    /// Brook+: relaxed type checking.
    relaxed: Option<bool>,
    /// Brook+: `brook` or `brookgpu`.
    dialect: Option<Spanned<String>>,
    /// What is said for some of them.
    files: Vec<Said>,
}

/// What is wrong with such a file, and where, if it is at one place.
#[derive(Debug)]
struct Mistake {
    what: String,
    at: Option<Range<usize>>,
}

impl Mistake {
    fn at(value: &Spanned<String>, what: String) -> Self {
        let at = Some(value.span());
        Self { what, at }
    }
}

impl From<&str> for Mistake {
    fn from(what: &str) -> Self {
        let what = what.to_string();
        Self { what, at: None }
    }
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
        Self::parse(&text, folder(file)).map_err(|mistake| wrong(mistake.what))
    }

    /// The place in the text of such a file of what is wrong with it.
    pub(crate) fn mistake(file: &Path, text: &str) -> Option<Span> {
        let mistake = Self::parse(text, folder(file)).err()?;
        mistake.at.map(Span::from)
    }

    /// Where it defines, for a source, the macro of that name.
    pub(crate) fn defines(&self, source: &str, name: &str) -> Option<Span> {
        let defines = self.of_source(source).flat_map(|said| &said.defines);
        let found = defines
            .filter(|text| Define::parse(text.get_ref()).is_ok_and(|define| define.word() == name));
        found.last().map(|text| text.span().into())
    }

    fn parse(text: &str, folder: PathBuf) -> Result<Self, Mistake> {
        let mut all: Said = toml::from_str(text).map_err(|e| Mistake {
            what: e.to_string().trim_end().to_string(),
            at: e.span(),
        })?;
        if let Some(pattern) = &all.pattern {
            let what = "pattern: it belongs to [[files]]".to_string();
            return Err(Mistake::at(pattern, what));
        }
        let some = std::mem::take(&mut all.files).into_iter().map(|said| {
            let text = said.pattern.as_ref();
            let text = text.ok_or("files: which ones? pattern says it")?;
            let name = text.get_ref();
            let wrong = |what: String| Mistake::at(text, what);
            let pattern =
                Pattern::new(name).map_err(|e| wrong(format!("pattern '{name}': {e}")))?;
            match said.files.is_empty() {
                true => Ok((pattern, said)),
                false => Err(wrong(format!(
                    "files '{name}': there are no files within files"
                ))),
            }
        });
        let some = some.collect::<Result<Vec<_>, Mistake>>()?;
        let this = Self { folder, all, some };
        for said in std::iter::once(&this.all).chain(this.some.iter().map(|(_, said)| said)) {
            for define in &said.defines {
                let text = define.get_ref();
                Define::parse(text)
                    .map_err(|e| Mistake::at(define, format!("defines: '{text}': {e}")))?;
            }
            if let Some(dialect) = &said.dialect
                && !["brook", "brookgpu"].contains(&dialect.get_ref().as_str())
            {
                let name = dialect.get_ref();
                let what = format!("dialect '{name}': it is brook or brookgpu");
                return Err(Mistake::at(dialect, what));
            }
        }
        Ok(this)
    }

    /// What is said for a source, the most special last.
    fn of_source(&self, source: &str) -> impl Iterator<Item = &Said> {
        let path = std::path::absolute(source).unwrap_or_else(|_| source.into());
        let exact = MatchOptions {
            require_literal_separator: true,
            ..MatchOptions::default()
        };
        let some = self.some.iter().filter(move |(pattern, _)| {
            let inside = path.strip_prefix(&self.folder).unwrap_or(&path);
            pattern.matches_path_with(inside, exact)
        });
        std::iter::once(&self.all).chain(some.map(|(_, said)| said))
    }

    /// Adds what is said for a source to what the command line says, which comes first.
    pub(crate) fn add_to(&self, source: &str, options: &mut Options) {
        let mut defines: Vec<Define> = Vec::new();
        let mut before = Vec::new();
        for said in self.of_source(source) {
            for text in &said.defines {
                let Ok(define) = Define::parse(text.get_ref()) else {
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
                options.checking.brookgpu = dialect.get_ref() == "brookgpu";
                options.checking.relaxed |= options.checking.brookgpu;
            }
        }
        options.defines.splice(0..0, defines);
        options.forced_includes.splice(0..0, before);
    }
}

/// Where paths of such a file begin.
fn folder(file: &Path) -> PathBuf {
    file.parent().unwrap_or(Path::new("")).to_path_buf()
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
        let wrong = |text: &str| Configuration::parse(text, "/p".into()).unwrap_err().what;
        assert!(wrong("define = [\"A\"]").contains("define"));
        assert!(wrong("defines = [\"1A\"]").contains("1A"));
        assert!(wrong("dialect = \"brok\"").contains("brok"));
        assert!(wrong("[[files]]\ndefines = []").contains("pattern"));
        assert!(wrong("[[files]]\npattern = \"[\"").contains("pattern '['"));
        assert!(wrong("[[files]]\npattern = \"a\"\nrelaxd = true").contains("relaxd"));
    }

    #[test]
    fn places_are_known() {
        let text =
            "defines = [\"A=1\", \"F(x)=x\"]\n[[files]]\npattern = \"b/*\"\ndefines = [\"A=2\"]\n";
        let read = Configuration::parse(text, "/p".into()).unwrap();
        let of = |source: &str, name: &str| read.defines(source, name).map(|s| s.of(text));
        assert_eq!(of("/p/a.okl", "A"), Some("\"A=1\""));
        assert_eq!(of("/p/b/a.okl", "A"), Some("\"A=2\""));
        assert_eq!(of("/p/b/a.okl", "F"), Some("\"F(x)=x\""));
        assert_eq!(of("/p/b/a.okl", "G"), None);
        let wrong = |text| {
            Configuration::mistake(Path::new("/p/brook.toml"), text)
                .unwrap()
                .of(text)
        };
        assert_eq!(wrong("relaxed = true\ndefine = [\"A\"]\n"), "define");
        assert_eq!(wrong("\n[[files]]\npattern = \"[\"\n"), "\"[\"");
        assert_eq!(wrong("\ndefines = [\"A\", \"1\"]\n"), "\"1\"");
    }
}
