//! Backends as data: how a target spells things, and which of the named lowerings it wants.
//!
//! A backend is a folder with a `backend.toml` and a folder of templates. The built-in ones are
//! compiled in; [`Backend::from_directory`] reads one from disk, which is all that
//! `--backend-dir` does.

mod data;
mod fill;
mod inherit;
mod parameters;
mod templates;

pub use data::{
    AddressSpaces, Atomics, Critical, Language, Library, Lowering, Model, Names, Shared, Spelling,
    Vectors,
};

pub(crate) use fill::fill;
pub use parameters::{LaunchParameter, spaced};

use crate::diagnostics::did_you_mean;
use crate::digest::Digest;
use data::Data;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;
use std::{fmt, io};

/// A backend that is compiled in.
struct BuiltIn {
    name: &'static str,
    aliases: &'static [&'static str],
    /// What `backend.toml` says, as JSON.
    data: &'static str,
    /// Of that, and of the templates.
    digest: u64,
}

mod embedded {
    use super::BuiltIn;

    include!(concat!(env!("OUT_DIR"), "/backends.rs"));
}

/// A target language and the runtime it belongs to.
#[derive(Clone, Debug)]
pub struct Backend {
    /// Its name on the command line.
    pub name: String,
    /// Other names of it there.
    pub aliases: Vec<String>,
    /// The language of the generated source.
    pub language: Language,
    /// The execution model.
    pub model: Model,
    /// File extension of the generated source, without a dot.
    pub extension: String,
    /// Which named lowerings it wants.
    pub lowering: Lowering,
    /// How it spells things.
    pub spelling: Spelling,
    /// Names that the target's language keeps for itself, and C does not.
    pub reserved: Vec<String>,
    /// Names of its own that OKL programs may declare.
    pub names: Names,
    /// What it knows of the C library.
    pub library: Library,
    /// Macros that only the target's compiler can say are defined, and as what; `*` at the end stands
    /// for any ending.
    pub vendor_macros: Vec<String>,
    /// Macros that are defined while its source is preprocessed.
    pub defines: BTreeMap<String, String>,
    /// Templates by name: `prelude.tera`, `launcher.tera`, and those of `common/`.
    pub templates: Vec<Template>,
    /// Changes with every byte of the backend's data: part of the kernel cache's key.
    pub digest: u64,
    /// It is none of the built-in ones.
    pub from_directory: bool,
}

/// A template's name and text.
pub type Template = (Cow<'static, str>, Cow<'static, str>);

/// A backend that cannot be used.
#[derive(Debug)]
pub enum BackendError {
    /// There is none of that name; the others' names.
    Unknown(String, Vec<&'static str>),
    /// Its folder cannot be read.
    Unreadable(String, io::Error),
    /// Its `backend.toml` does not say what it must.
    Invalid(String, String),
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name, known) => {
                write!(
                    f,
                    "unknown backend '{name}'{}; there are {}",
                    did_you_mean(name, known.iter().copied()),
                    known.join(", ")
                )
            }
            Self::Unreadable(path, error) => write!(f, "cannot read '{path}': {error}"),
            Self::Invalid(path, error) => write!(f, "{path}: {}", error.trim_end()),
        }
    }
}

impl std::error::Error for BackendError {}

impl Backend {
    /// Names of the built-in backends.
    pub fn names() -> Vec<&'static str> {
        embedded::BUILT_IN.iter().map(|b| b.name).collect()
    }

    /// A built-in backend.
    pub fn built_in(name: &str) -> Result<Self, BackendError> {
        let is_called = |b: &&BuiltIn| b.name == name || b.aliases.contains(&name);
        let Some(built_in) = embedded::BUILT_IN.iter().find(is_called) else {
            return Err(BackendError::Unknown(name.to_string(), Self::names()));
        };
        let name = built_in.name;
        let own = embedded::TEMPLATES.iter().filter_map(|(path, text)| {
            let (folder, file) = path.split_once('/')?;
            (folder == name).then_some((Cow::Borrowed(file), Cow::Borrowed(*text)))
        });
        let data = serde_json::from_str(built_in.data).map_err(|e| {
            BackendError::Invalid(format!("templates/{name}/backend.toml"), e.to_string())
        })?;
        Ok(Self::assemble(data, with_common(own), built_in.digest))
    }

    /// The backend in a folder of the user's: `backend.toml`, and `*.tera` beside it.
    pub fn from_directory(directory: &Path) -> Result<Self, BackendError> {
        let unreadable = |path: &Path| {
            let path = path.display().to_string();
            move |error| BackendError::Unreadable(path, error)
        };
        let file = directory.join("backend.toml");
        let text = crate::source::read_text(&file).map_err(unreadable(&file))?;
        let mut own = Vec::new();
        for entry in std::fs::read_dir(directory).map_err(unreadable(directory))? {
            let path = entry.map_err(unreadable(directory))?.path();
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("");
            if name.ends_with(".tera") {
                let text = crate::source::read_text(&path).map_err(unreadable(&path))?;
                own.push((Cow::Owned(name.to_string()), Cow::Owned(text)));
            }
        }
        own.sort();
        let invalid = |error: String| BackendError::Invalid(file.display().to_string(), error);
        let own_data = text
            .parse()
            .map_err(|e: toml::de::Error| invalid(e.to_string()))?;
        let whole = inherit::inherited(own_data, &|name| {
            let (_, text) = embedded::TABLES.iter().find(|(known, _)| *known == name)?;
            Some(text.parse().map_err(|e: toml::de::Error| e.to_string()))
        });
        let data = whole.map_err(invalid)?.try_into();
        let data = data.map_err(|e: toml::de::Error| invalid(e.to_string()))?;
        let templates = with_common(own.into_iter());
        templates::check(&templates).map_err(invalid)?;
        let mut digest = Digest::default();
        digest.add(text.as_bytes());
        for (name, text) in &templates {
            digest.add(name.as_bytes());
            digest.add(text.as_bytes());
        }
        Ok(Self {
            from_directory: true,
            ..Self::assemble(data, templates, digest.short())
        })
    }

    fn assemble(data: Data, templates: Vec<Template>, digest: u64) -> Self {
        Self {
            name: data.name,
            aliases: data.aliases,
            language: data.language,
            model: data.model,
            extension: data.extension,
            lowering: data.lowering,
            spelling: data.spelling,
            reserved: data.reserved,
            names: data.names,
            library: data.library,
            vendor_macros: data.vendor_macros,
            defines: data.defines,
            templates,
            digest,
            from_directory: false,
        }
    }

    /// A Brook+ name as it can stand in the generated source, whose own names begin with `brook_`.
    pub fn safe_name<'n>(&self, name: &'n str) -> Cow<'n, str> {
        match name.starts_with("brook_") || self.reserved.iter().any(|r| r == name) {
            true => Cow::Owned(format!("brook_name_{name}")),
            false => Cow::Borrowed(name),
        }
    }

    /// Whether the generated source is C++ rather than C.
    pub fn is_cpp(&self) -> bool {
        self.language == Language::Cpp
    }
}

/// A backend's own templates, and those of `templates/common`.
fn with_common(own: impl Iterator<Item = Template>) -> Vec<Template> {
    let common = embedded::TEMPLATES
        .iter()
        .filter(|(path, _)| path.starts_with("common/"))
        .map(|(path, text)| (Cow::Borrowed(*path), Cow::Borrowed(*text)));
    own.chain(common).collect()
}
