//! Arguments and habits that subcommands share.

use super::Failure;
use super::choices::choice;
use super::configuration::Configuration;
use super::words;
use brook::Define;
use brook::backend::Backend;
use brook::diagnostics::did_you_mean;
use brook::metadata::KernelMetadata;
#[cfg(feature = "runtime")]
use brook::runtime::{self, BuildOptions, Math};
use brook::{Checking, Options};
use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::path::PathBuf;
#[cfg(feature = "runtime")]
use std::process::Command;

/// The kernel of a file that somebody names, or the only one.
pub(crate) fn kernel(
    file: &str,
    mut kernels: Vec<KernelMetadata>,
    name: Option<&str>,
) -> Result<KernelMetadata, Failure> {
    let found = match name {
        Some(name) => kernels.iter().position(|k| k.name == name),
        None => (kernels.len() == 1).then_some(0),
    };
    if let Some(found) = found {
        return Ok(kernels.swap_remove(found));
    }
    let names: Vec<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
    let all = names.join(", ");
    let meant = did_you_mean(name.unwrap_or_default(), names);
    Err(Failure::Usage(match name {
        Some(name) => format!("'{file}' has no kernel '{name}'{meant}; it has: {all}"),
        None => format!("which kernel? give --kernel; '{file}' has: {all}"),
    }))
}

/// Which of the languages with streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Language {
    /// AMD's Brook+.
    Brook,
    /// Stanford's BrookGPU.
    Brookgpu,
}

/// What `streamScatterOp` does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ScatterOrder {
    /// `array[index[i]] = op(s[i], array[index[i]])`
    Documented,
    /// `s[i] = op(array[index[i]], s[i])`
    Runtime,
}

/// What the preprocessor is told.
#[derive(Args, Clone, Default)]
pub(crate) struct Preprocess {
    /// Define a macro: NAME, NAME=VALUE or 'NAME(A,B)=VALUE'
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    defines: Vec<String>,
    /// Search DIR for included files
    #[arg(short = 'I', value_name = "DIR")]
    include_directories: Vec<String>,
    /// Put the text of FILE before the source
    #[arg(long = "include", value_name = "FILE")]
    includes: Vec<String>,
    /// Make a kernel of a template: 'f<float, 4>' (repeatable); it is launched by that name
    #[arg(long, value_name = "KERNEL")]
    instantiate: Vec<String>,
    /// Read functions that each backend spells in its own way from a table in TOML (repeatable)
    #[arg(long, value_name = "FILE")]
    intrinsics: Vec<PathBuf>,
    /// Brook+: relaxed type checking, which converts operands instead of refusing them
    #[arg(short = 'a', long)]
    relaxed: bool,
    /// Brook+: the language's dialect; brookgpu is Stanford's, which is more lenient than relaxed checking
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Language>,
    /// BrookGPU: what streamScatterOp does: what its documentation says, or what its runtime did, which writes the
    /// first stream
    #[arg(long, value_name = "ORDER")]
    scatter_order: Option<ScatterOrder>,
    /// Brook+: no constant arrays; those with sizes are streams like any other
    #[arg(short = 'c', long)]
    no_constant_arrays: bool,
    /// Brook+: which warnings relaxed checking shows
    #[arg(short = 'w', long, value_name = "LEVEL", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..=3))]
    warning_level: u8,
    /// Brook+: take the warnings of relaxed checking for errors
    #[arg(short = 'x', long)]
    warnings_as_errors: bool,
    /// Leave out the barriers between @inner loops that the language implies
    #[arg(long)]
    no_auto_barriers: bool,
    /// GPUs: one iteration, or element, an item, even where several could be read and written at once, or read the same; processors: no loop that several items run together
    #[arg(long)]
    no_widen: bool,
    /// How items of a GPU share out work, where that is not left to the translator: elements=N (taken at once), coarsen=N (iterations of
    /// an outer loop) or groups=N (that registers are to suffice for); of all kernels, or KERNEL:elements=N (repeatable)
    #[arg(long = "choose", value_name = "[KERNEL:]NAME=N")]
    pub(super) choices: Vec<String>,
    /// Brook+: sums of a product in one expression as one operation that rounds once, for compilers that are told to contract none: what runs by default
    #[arg(long)]
    contract: bool,
}

/// What somebody who is not at the command line adds to what it says: nothing that names a file.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Additions {
    defines: Vec<String>,
    instantiate: Vec<String>,
    choices: Vec<String>,
    relaxed: bool,
    brookgpu: bool,
    no_auto_barriers: bool,
    no_widen: bool,
    contract: bool,
}

impl Additions {
    /// How many there are.
    pub(crate) fn words(&self) -> usize {
        self.defines.len() + self.instantiate.len() + self.choices.len()
    }
}

impl Preprocess {
    pub(crate) fn is_brookgpu(&self) -> bool {
        self.dialect == Some(Language::Brookgpu)
    }

    /// This, and more.
    pub(crate) fn with(&self, more: &Additions) -> Self {
        let mut all = self.clone();
        all.defines.extend_from_slice(&more.defines);
        all.instantiate.extend_from_slice(&more.instantiate);
        all.choices.extend_from_slice(&more.choices);
        all.relaxed |= more.relaxed;
        all.no_auto_barriers |= more.no_auto_barriers;
        all.no_widen |= more.no_widen;
        all.contract |= more.contract;
        if more.brookgpu {
            all.dialect = Some(Language::Brookgpu);
        }
        all
    }

    pub(crate) fn options(&self) -> Result<Options, Failure> {
        let mut options = Options {
            include_directories: self.include_directories.clone(),
            forced_includes: self.includes.clone(),
            no_auto_barriers: self.no_auto_barriers,
            no_widen: self.no_widen,
            contract: self.contract,
            buffer_offsets: false,
            instantiate: self.instantiate.clone(),
            scatter_order_runtime: self.scatter_order == Some(ScatterOrder::Runtime),
            checking: Checking {
                relaxed: self.relaxed || self.is_brookgpu(),
                brookgpu: self.is_brookgpu(),
                fused: false,
                no_constant_arrays: self.no_constant_arrays,
                warning_level: self.warning_level,
                warnings_as_errors: self.warnings_as_errors,
            },
            ..Options::default()
        };
        for text in &self.choices {
            let (kernel, choices) = choice(text).map_err(Failure::Usage)?;
            options.choices.push((kernel, choices));
        }
        for path in &self.intrinsics {
            let name = path.display();
            let table = brook::source::read_text(path)
                .map_err(|e| Failure::Usage(format!("cannot read '{name}': {e}")))?;
            let added = options.intrinsics.add(&table);
            added.map_err(|e| Failure::Usage(format!("{name}: {e}")))?;
        }
        for text in &self.defines {
            let define =
                Define::parse(text).map_err(|e| Failure::Usage(format!("-D '{text}': {e}")))?;
            options.defines.push(define);
        }
        Ok(options)
    }

    /// The same for one source, with what its project says of it.
    pub(crate) fn options_for(&self, source: &str) -> Result<Options, Failure> {
        let mut options = self.options()?;
        if let Some(project) = Configuration::of(source)? {
            project.add_to(source, &mut options);
        }
        Ok(options)
    }

    /// The files that are named here and read before any source.
    pub(crate) fn tables(&self) -> &[PathBuf] {
        &self.intrinsics
    }

    /// What is read besides these sources and what they include: tables, and what projects say of them.
    pub(crate) fn read_besides<'a>(
        &'a self,
        sources: impl IntoIterator<Item = &'a str>,
    ) -> impl Iterator<Item = PathBuf> {
        let said = sources.into_iter().filter_map(Configuration::file);
        self.intrinsics.iter().cloned().chain(said)
    }
}

/// What the preprocessor is told, for the C and C++ compilers of a program's host half.
#[cfg(feature = "runtime")]
pub(crate) fn flags(options: &Options) -> Vec<String> {
    let defines = options.defines.iter();
    let mut flags: Vec<String> = defines
        .map(|d| format!("-D{}={}", d.name, d.value))
        .collect();
    flags.extend(options.include_directories.iter().map(|d| format!("-I{d}")));
    for file in &options.forced_includes {
        flags.extend(["-include".to_string(), file.clone()]);
    }
    flags
}

/// What the device's compiler is told.
#[cfg(feature = "runtime")]
#[derive(Args, Clone, Default)]
pub(crate) struct Compile {
    /// Hand FLAG to the device's compiler (repeatable)
    #[arg(
        long = "compiler-flag",
        value_name = "FLAG",
        allow_hyphen_values = true
    )]
    pub(crate) flags: Vec<String>,
    /// Language standard, in the words of the device's compiler: c++20, CL2.0
    #[arg(long = "std", value_name = "STD")]
    pub(crate) standard: Option<String>,
}

#[cfg(feature = "runtime")]
impl Compile {
    /// How to build with this, and with that arithmetic.
    pub(crate) fn build_options(&self, options: Options, math: Arithmetic) -> BuildOptions {
        let build = BuildOptions::new().translate(options).math(math.into());
        let build = self.flags.iter().fold(build, BuildOptions::flag);
        match &self.standard {
            Some(standard) => build.standard(standard),
            None => build,
        }
    }
}

/// A device that somebody names is one of a kind that there is.
#[cfg(feature = "runtime")]
pub(crate) fn check_device_name(name: &str) -> Result<(), Failure> {
    runtime::check_device_name(name)
        .map_err(|e| Failure::Usage(format!("{e}; 'brook devices' lists them")))
}

/// This program once more, in a process of its own.
#[cfg(feature = "runtime")]
pub(crate) fn this_command() -> Result<Command, Failure> {
    let program = std::env::current_exe().map_err(|e| cannot_start(&e))?;
    Ok(Command::new(program))
}

#[cfg(feature = "runtime")]
pub(crate) fn cannot_start(error: &std::io::Error) -> Failure {
    Failure::System(format!("cannot start this program again: {error}"))
}

/// The arithmetic contract of generated code.
#[cfg(feature = "runtime")]
#[derive(Clone, Copy, Default, ValueEnum)]
pub(crate) enum Arithmetic {
    /// Sums contracted as each compiler does it; of Brook+, where a product stands in one.
    #[default]
    Default,
    /// The same bits everywhere for + - * / and sqrt.
    Strict,
    /// As fast as each compiler can.
    Fast,
}

#[cfg(feature = "runtime")]
impl From<Arithmetic> for Math {
    fn from(arithmetic: Arithmetic) -> Self {
        match arithmetic {
            Arithmetic::Default => Self::Default,
            Arithmetic::Strict => Self::Strict,
            Arithmetic::Fast => Self::Fast,
        }
    }
}

/// Which backend.
#[derive(Args, Clone)]
pub(crate) struct Target {
    /// Target: cuda, hip, metal, opencl, openmp or sycl (dpcpp)
    #[arg(long, short, value_name = "NAME", value_parser = words::backends(), hide_possible_values = true)]
    backend: Option<String>,
    /// Read the backend from a folder with a backend.toml and templates
    #[arg(long, value_name = "DIR")]
    backend_dir: Option<PathBuf>,
}

impl Target {
    /// The folder that the backend is read from.
    pub(crate) fn folder(&self) -> Option<&PathBuf> {
        self.backend_dir.as_ref()
    }

    /// The backend asked for; `default` where none was.
    pub(crate) fn backend(&self, default: Option<&str>) -> Result<Backend, Failure> {
        let found = match (&self.backend_dir, self.backend.as_deref().or(default)) {
            (Some(directory), _) => Backend::from_directory(directory),
            (None, Some(name)) => Backend::built_in(name),
            (None, None) => {
                let names = Backend::names().join(", ");
                let message = format!("which backend? give --backend, one of {names}");
                return Err(Failure::Usage(message));
            }
        };
        let backend = found.map_err(|e| Failure::Usage(e.to_string()))?;
        match &self.backend {
            Some(name) if self.backend_dir.is_some() && *name != backend.name => {
                let message = format!(
                    "--backend {name}, but the folder holds backend '{}'",
                    backend.name
                );
                Err(Failure::Usage(message))
            }
            _ => Ok(backend),
        }
    }
}
