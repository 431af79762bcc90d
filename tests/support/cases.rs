//! Which examples and cases there are, and what is said about them.

use super::values::Value;
use brook::Define;
use brook::intrinsics::Intrinsics;
use brook::runtime::Math;
use brook::{Options, Source};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The repository; `BROOK_TEST_ROOT` says where, if the tests were built on another machine.
pub fn root() -> &'static Path {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| {
        let elsewhere = std::env::var_os("BROOK_TEST_ROOT");
        elsewhere.map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from)
    })
}

/// A source under `examples/` or `tests/cases/`.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file's stem.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Relative to the repository, as generated text names it.
    pub relative: String,
}

impl Case {
    /// The same path with another ending instead of `.okl` or `.br`.
    pub fn sibling(&self, ending: &str) -> PathBuf {
        self.path.with_file_name(format!("{}.{ending}", self.name))
    }

    /// The source, named by its relative path so that generated text is the same everywhere.
    pub fn source(&self) -> Source {
        Source::new(&self.relative, std::fs::read(&self.path).unwrap())
    }

    /// What `NAME.toml` says; nothing if there is none.
    pub fn about(&self) -> Result<About, String> {
        let path = self.sibling("toml");
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(_) if self.path.extension().is_some_and(|e| e == "br") => String::new(),
            Err(error) => return Err(format!("{}: {error}", path.display())),
        };
        let mut about: About =
            toml::from_str(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let folder = self.path.parent().unwrap();
        for directory in &mut about.include_directories {
            *directory = folder.join(&directory).display().to_string();
        }
        Ok(about)
    }

    /// Whether a backend is expected to reject the case.
    pub fn rejected_by(&self, backend: &str) -> bool {
        self.about()
            .is_ok_and(|about| about.rejection(backend).is_some())
    }
}

/// All sources with this ending in some folders of the repository, by name.
fn sources(folders: &[&str], ending: &str) -> Vec<Case> {
    let mut cases = Vec::new();
    for folder in folders {
        for entry in std::fs::read_dir(root().join(folder))
            .into_iter()
            .flatten()
            .flatten()
        {
            let path = entry.path();
            if path.extension().is_none_or(|e| e != ending) {
                continue;
            }
            let name = path.file_stem().unwrap().to_str().unwrap().to_string();
            let relative = format!("{folder}/{name}.{ending}");
            cases.push(Case {
                name,
                path,
                relative,
            });
        }
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    cases
}

/// `.okl` sources to be run.
pub fn okl() -> Vec<Case> {
    sources(
        &["examples/okl", "examples/solvers", "tests/cases/okl"],
        "okl",
    )
}

/// `.br` programs to be run.
pub fn brook() -> Vec<Case> {
    sources(
        &[
            "examples/brook",
            "examples/programs",
            "examples/tutorials",
            "tests/cases/brook",
        ],
        "br",
    )
}

/// All of them.
pub fn all() -> Vec<Case> {
    let mut all = okl();
    all.extend(brook());
    all
}

/// Those that a backend can express.
pub fn accepted_by(backend: &str) -> Vec<Case> {
    let mut all = all();
    all.retain(|case| !case.rejected_by(backend));
    all
}

/// One case in `step` of those, beginning with number `first`, where another test compiles nearly the same text of all.
/// All by [`super::every_case`].
pub fn one_in(step: usize, first: usize, cases: Vec<Case>) -> Vec<Case> {
    if super::every_case() {
        return cases;
    }
    cases.into_iter().skip(first).step_by(step).collect()
}

/// The examples alone: what people read.
pub fn examples() -> Vec<Case> {
    let mut all = sources(&["examples/okl"], "okl");
    all.extend(sources(&["examples/brook"], "br"));
    all
}

/// `NAME.toml` beside an OKL source.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct About {
    /// Macros.
    pub defines: BTreeMap<String, String>,
    /// `default`, `strict` or `fast`.
    math: Option<String>,
    /// The largest difference, absolute up to a magnitude of one, relative above; zero: same bits.
    pub tolerance: f64,
    /// The same of what is interpreted, where every product is rounded.
    pub interpreted_tolerance: Option<f64>,
    /// Where includes are looked for, relative to the case's folder.
    pub include_directories: Vec<String>,
    /// Kernels wanted of templates. Launches are tried with those that are built for them, too: with `deduced` by the
    /// types of their arguments.
    pub instantiate: Vec<String>,
    /// A table of functions that backends spell in their own way.
    pub intrinsics: String,
    /// Flags of Brook+'s checker: `a`, `c`.
    pub checking: String,
    /// Backends that cannot express the case: the code of the error that says so.
    pub rejected: BTreeMap<String, String>,
    /// What compilers say for targets that cannot do it.
    pub lacking: Vec<String>,
    /// What `brook sanitize` finds in it: a part of the message.
    pub finding: Option<String>,
    /// What is run.
    pub launch: Vec<Launch>,
}

/// One launch of a kernel.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Launch {
    /// The kernel.
    pub kernel: String,
    /// Its arguments, in order.
    pub args: Vec<toml::Table>,
    /// A template, or a part of it such as `f<4>`, that the arguments' types make the kernel of.
    #[serde(default)]
    pub deduced: Option<String>,
    /// Arguments of that template by name.
    #[serde(default)]
    pub with: BTreeMap<String, String>,
}

impl Launch {
    /// The arguments' values, the same at every call.
    pub fn arguments(&self) -> Result<Vec<Value>, String> {
        let values = self.args.iter().enumerate();
        values
            .map(|(index, table)| Value::parse(table, index as u64 + 1))
            .collect()
    }
}

impl About {
    /// The error that a backend is expected to have: its own, or the one that all four of old have.
    pub fn rejection(&self, backend: &str) -> Option<&String> {
        let of = |name: &str| self.rejected.get(name);
        let first = of("cuda").filter(|code| {
            let others = ["hip", "opencl", "openmp"];
            others.iter().all(|name| of(name) == Some(*code))
        });
        // Metal's source is written as C is.
        let in_c = of("opencl").filter(|_| backend == "metal");
        of(backend).or(first).or(in_c)
    }

    /// Whether a compiler's error says what its device has not got.
    pub fn is_lacking(&self, error: &str) -> bool {
        self.lacking.iter().any(|said| error.contains(said))
    }

    /// The arithmetic contract.
    pub fn math(&self) -> Result<Math, String> {
        match self.math.as_deref() {
            None | Some("default") => Ok(Math::Default),
            Some("strict") => Ok(Math::Strict),
            Some("fast") => Ok(Math::Fast),
            Some(other) => Err(format!(
                "math = \"{other}\" is none of default, strict, fast"
            )),
        }
    }

    fn intrinsics(&self) -> Intrinsics {
        let mut table = Intrinsics::default();
        table.add(&self.intrinsics).unwrap();
        table
    }

    /// What the transpiler is told.
    pub fn options(&self) -> Options {
        let define = |(name, value): (&String, &String)| Define {
            name: name.clone(),
            value: value.clone(),
        };
        Options {
            defines: self.defines.iter().map(define).collect(),
            include_directories: self.include_directories.clone(),
            instantiate: self.instantiate.clone(),
            intrinsics: self.intrinsics(),
            checking: brook::Checking::from_flags(&self.checking),
            ..Options::default()
        }
    }
}
