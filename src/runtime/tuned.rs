//! What tuning found out, kept in files that builds look into.
//!
//! A folder has a file for each source, named after it: `matmul.okl.toml`. It holds what was chosen for each kernel, on each
//! device, with each shape of arguments that it was tuned with.

use super::{BuildOptions, Device, Error, Result};
use crate::options::Choices;
use crate::preprocess::Define;
use crate::source_text::Source;
use crate::transpile::transpile;
use brook_driver::{DeviceKind, Math};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The environment variable that names the folder, for builds whose options name none.
pub const TUNED: &str = "BROOK_TUNED";

/// What that says.
pub fn tuned_folder() -> Option<PathBuf> {
    let named = std::env::var_os(TUNED).filter(|v| !v.is_empty());
    named.map(PathBuf::from)
}

/// What a build can be told that leaves a kernel's meaning as it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// Macros, for which the source has values of its own (`#ifndef`).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub macros: BTreeMap<String, String>,
    /// What [`Choices::NAMES`] lists.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub choices: BTreeMap<String, u8>,
    /// `default`, `strict` or `fast`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub math: Option<String>,
    /// For the device's compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
}

impl Settings {
    /// What the device's compiler is told besides the source: the same text and the same of this are the same program.
    pub fn for_compiler(&self) -> String {
        let math = self.math.as_deref().filter(|m| *m != "default");
        format!("{} {:?}", math.unwrap_or_default(), self.flags)
    }

    /// Adds them to options for a kernel. What the options say already stays.
    ///
    /// # Errors
    /// A choice or a kind of arithmetic that there is not.
    pub fn apply(&self, mut options: BuildOptions, kernel: &str) -> Result<BuildOptions> {
        for (name, value) in &self.macros {
            let defines = &mut options.translate.defines;
            if !defines.iter().any(|d| d.word() == name) {
                defines.push(Define {
                    name: name.clone(),
                    value: value.clone(),
                });
            }
        }
        if !self.choices.is_empty() {
            let mut choices = Choices::default();
            for (name, value) in &self.choices {
                let set = choices.set(name, &value.to_string());
                set.map_err(Error::argument)?;
            }
            // What is there was asked for, be it for all kernels.
            let choices = options.translate.choices_of(kernel).or(choices);
            options = options.choose(kernel, choices);
        }
        if let Some(math) = &self.math {
            let math = math.parse().map_err(|e: String| Error::argument(e))?;
            if options.compile.math == Math::Default {
                options = options.math(math);
            }
        }
        for flag in &self.flags {
            if !options.compile.flags.contains(flag) {
                options = options.flag(flag);
            }
        }
        Ok(options)
    }
}

/// What was found for one kernel, on one device, with one shape of its arguments.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedKernel {
    /// The kernel, by the name it is launched by.
    pub kernel: String,
    /// The backend.
    pub backend: String,
    /// The device's own name.
    pub device: String,
    /// The values and sizes it was tuned with: `n=4096 a=4096x4096`.
    pub shape: String,
    /// Seconds that a launch takes.
    pub seconds: f64,
    /// Seconds that it takes with the source as it is.
    pub seconds_before: f64,
    /// What was best; nothing if that was the source as it is.
    pub settings: Settings,
}

impl TunedKernel {
    /// Whether two are about the same.
    fn is_about(&self, other: &Self) -> bool {
        (&self.kernel, &self.backend, &self.device, &self.shape)
            == (&other.kernel, &other.backend, &other.device, &other.shape)
    }

    /// Whether it was tuned with these values and sizes, among others.
    fn has_shape(&self, wanted: &str) -> bool {
        let mut parts = wanted.split_ascii_whitespace();
        parts.all(|part| self.shape.split_ascii_whitespace().any(|own| own == part))
    }
}

/// The file of a source.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedFile {
    /// What was found, in the order of finding.
    #[serde(default, rename = "tuned")]
    pub kernels: Vec<TunedKernel>,
}

impl TunedFile {
    /// Where the file of a source lies in a folder.
    pub fn path(folder: &Path, source: &str) -> PathBuf {
        let name = Path::new(source).file_name();
        let name = name.map_or_else(|| source.into(), |n| n.to_string_lossy());
        folder.join(format!("{name}.toml"))
    }

    /// What the folder has for a source: nothing if there is no file.
    ///
    /// # Errors
    /// There is one that cannot be read.
    pub fn read(folder: &Path, source: &str) -> Result<Self> {
        let path = Self::path(folder, source);
        let fail = |what: String| Error::argument(format!("{}: {what}", path.display()));
        match fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text).map_err(|e| fail(e.to_string())),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::default()),
            Err(error) => Err(fail(error.to_string())),
        }
    }

    /// Adds what was found, in the place of what was found about the same before.
    pub fn remember(&mut self, found: TunedKernel) {
        self.kernels.retain(|k| !k.is_about(&found));
        self.kernels.push(found);
    }

    /// Writes the file of a source, and the folder if there is none: whoever reads at the same time finds the old one or the new one.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, folder: &Path, source: &str) -> Result<()> {
        let path = Self::path(folder, source);
        let fail = |what: String| Error::argument(format!("{}: {what}", path.display()));
        let text = toml::to_string(self).map_err(|e| fail(e.to_string()))?;
        let head = "# What `brook tune` found; builds use it where BROOK_TUNED, or an option, names this folder.\n\n";
        fs::create_dir_all(folder).map_err(|e| fail(e.to_string()))?;
        let fresh = path.with_extension(format!("toml.{}", std::process::id()));
        let written = fs::write(&fresh, format!("{head}{text}"));
        let written = written.and_then(|()| fs::rename(&fresh, &path));
        written.map_err(|e| {
            // Nothing is left to do about what is left of it.
            let _ = fs::remove_file(&fresh);
            fail(e.to_string())
        })
    }

    /// What is to be used on a device: for each kernel what was found with that shape, or the latest where none is named.
    fn on<'f>(&'f self, device: &'f Device, shape: Option<&'f str>) -> Vec<&'f TunedKernel> {
        let suits = |k: &&TunedKernel| {
            k.backend == device.backend().name
                && k.device == device.info().name
                && shape.is_none_or(|s| k.has_shape(s))
        };
        let mut found: BTreeMap<&str, &TunedKernel> = BTreeMap::new();
        for kernel in self.kernels.iter().filter(suits) {
            found.insert(&kernel.kernel, kernel);
        }
        found.into_values().collect()
    }
}

/// Where to look for what was tuned.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    pub(super) folder: Option<PathBuf>,
    pub(super) shape: Option<String>,
    /// It has been looked for, and what is left out, in words.
    settled: bool,
    pub(super) warning: Option<String>,
}

/// Processors that run items of a GPU make vectors of neighbouring items, which several elements an item keep them from: maps of
/// streams took two to seven times as long with them, on Intel's OpenCL and on PoCL.
const ON_PROCESSORS: Choices = Choices {
    elements: Some(1),
    coarsen: None,
    groups: None,
};

/// The options as they are for a source on a device: with what was tuned, and with what suits devices of its kind. `None` if that is
/// what is there.
pub(super) fn settled(
    options: &BuildOptions,
    source: &Source,
    device: &Device,
) -> Result<Option<BuildOptions>> {
    if options.tuned.settled {
        return Ok(None);
    }
    let folder = options.tuned.folder.clone().or_else(tuned_folder);
    // The GPUs that tests emulate are processors, too, and are to do what GPUs do.
    let processor = device.info().kind == DeviceKind::Cpu
        && device.backend().name == "opencl"
        && !options.translate.no_widen;
    if folder.is_none() && !processor {
        return Ok(None);
    }
    let mut options = options.clone();
    options.tuned.settled = true;
    if let Some(folder) = folder {
        options = with_tuned(options, &folder, source, device)?;
    }
    if processor {
        // Whoever has chosen has done it behind this.
        let all = ("*".to_string(), ON_PROCESSORS);
        options.translate.choices.insert(0, all);
    }
    Ok(Some(options))
}

/// The options with what a folder has for a source and a device.
fn with_tuned(
    mut options: BuildOptions,
    folder: &Path,
    source: &Source,
    device: &Device,
) -> Result<BuildOptions> {
    let file = TunedFile::read(folder, &source.name)?;
    let shape = options.tuned.shape.clone();
    let kernels = file.on(device, shape.as_deref());
    let mut left = Vec::new();
    let mut shared = agreed(&kernels, &mut left);
    if shared.math.is_some() || !shared.flags.is_empty() {
        // These change what kernels compute that nobody has tuned.
        let translated = transpile(
            source,
            device.backend(),
            &options.translation(),
            &options.files,
        )?;
        let tuned = |name: &String| kernels.iter().any(|k| k.kernel == *name);
        let mut all = translated.metadata.kernels.iter().map(|k| &k.name);
        if !all.all(tuned) {
            left.extend(shared.math.take().map(|_| "math".to_string()));
            left.extend(shared.flags.drain(..).take(1).map(|_| "flags".to_string()));
        }
    }
    options = shared.apply(options, "")?;
    for kernel in kernels {
        let own = Settings {
            choices: kernel.settings.choices.clone(),
            ..Settings::default()
        };
        options = own.apply(options, &kernel.kernel)?;
    }
    let warning = left.iter().map(|name| {
        let path = TunedFile::path(folder, &source.name);
        format!(
            "warning: {}: '{name}' is the whole program's, and not all of its kernels were tuned to one value: it is left as it is\n",
            path.display()
        )
    });
    let warning: String = warning.collect();
    options.tuned.warning = Some(warning).filter(|w| !w.is_empty());
    Ok(options)
}

/// What concerns the program as a whole, where all kernels that were tuned have the same: for one that is best as it is, any other
/// value may be wrong.
fn agreed(kernels: &[&TunedKernel], left: &mut Vec<String>) -> Settings {
    let mut all = Settings::default();
    let Some((first, others)) = kernels.split_first() else {
        return all;
    };
    let first = &first.settings;
    let names = kernels.iter().flat_map(|k| k.settings.macros.keys());
    for name in names {
        let value = first.macros.get(name);
        let same = others.iter().all(|k| k.settings.macros.get(name) == value);
        match value.filter(|_| same) {
            Some(value) => {
                all.macros.insert(name.clone(), value.clone());
            }
            None if !left.contains(name) => left.push(name.clone()),
            None => {}
        }
    }
    match others.iter().all(|k| k.settings.math == first.math) {
        true => all.math.clone_from(&first.math),
        false => left.push("math".to_string()),
    }
    match others.iter().all(|k| k.settings.flags == first.flags) {
        true => all.flags.clone_from(&first.flags),
        false => left.push("flags".to_string()),
    }
    all
}

#[cfg(test)]
#[path = "tuned_tests.rs"]
mod tests;
