//! Programs of several files: what `brook build` and `brook run` have in common.

use super::Failure;
use super::choices::Kernels;
use super::common::{self, Compile, Preprocess};
use super::files::write_files;
use super::reader::Reader;
use super::terminal::{self, MessageFormat};
use super::timings::{Timings, Wanted};
use brook::Dialect;
use brook::backend::Backend;
use brook::diagnostics::Report;
use brook::runtime::{self, HostBuild, HostUnit, ProgramOptions};
use brook::source::Loader;
use brook::stage::Stage;
use brook::{Options, Source, Translation};
use clap::Args;
use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

/// The files of a program and how they are translated.
#[derive(Args, Clone)]
pub(crate) struct Project {
    /// The program: .br files; C and C++ files, object files and libraries
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    pub(crate) preprocess: Preprocess,
    #[command(flatten)]
    pub(crate) compile: Compile,
    /// Functions of .br files are C's to the linker
    #[arg(short = 'e', long)]
    c_functions: bool,
    /// Link with library NAME
    #[arg(short = 'l', value_name = "NAME")]
    libraries: Vec<String>,
    /// Search DIR for libraries
    #[arg(short = 'L', value_name = "DIR")]
    library_directories: Vec<String>,
    #[command(flatten)]
    pub(crate) timings: Wanted,
}

/// The translations of a program's `.br` files.
pub(crate) struct Translated {
    /// By stem.
    units: Vec<(String, Translation)>,
    preprocessor: Vec<String>,
    linker: Vec<String>,
}

impl Project {
    /// Translates the `.br` files; whether other files see their kernels, and whether lines are those of a whole
    /// path. Warnings and errors are printed.
    pub(crate) fn translate(
        &self,
        exported_kernels: bool,
        whole_paths: bool,
        timings: &Timings,
        reader: &Reader,
    ) -> Result<Translated, Failure> {
        timings.enter("read");
        let besides = self.preprocess.read_besides([self.configured()]);
        { besides }.for_each(|path| reader.note(&path));
        let mut sources: Vec<Source> = Vec::new();
        for file in &self.files {
            if Dialect::of_path(file) != Dialect::Brook {
                if HostUnit::file(Path::new(file)).is_some() {
                    reader.note(file.as_ref());
                    continue;
                }
                let message = format!(
                    "'{file}' is no Brook+ program (.br), nor C, C++, an object file or a library"
                );
                return Err(Failure::Usage(message));
            }
            let mut source = reader.read(file, MessageFormat::Human)?;
            if whole_paths {
                source.name = absolute(file);
            }
            if let Some(other) = sources.iter().find(|s| stem(&s.name) == stem(file)) {
                let message = format!(
                    "'{}' and '{file}' would have the same header, {}.h",
                    other.name,
                    stem(file)
                );
                return Err(Failure::Usage(message));
            }
            sources.push(source);
        }
        timings.enter("backend");
        let options = Options {
            exported_kernels,
            c_functions: self.c_functions,
            line_directives: true,
            // One program has one configuration, which the compilers of its C and C++ are told, too.
            ..self.preprocess.options_for(self.configured())?
        };
        // The kernels are translated again for the device by the program itself; here it is about
        // the host half, which is the same for all.
        let backend = Backend::built_in("openmp").map_err(|e| Failure::Usage(e.to_string()))?;
        let headers = Headers {
            sources: &sources,
            backend: &backend,
            options: &options,
            timings,
            reader,
            known: RefCell::default(),
            current: RefCell::default(),
        };
        let mut units = Vec::new();
        let mut failed = false;
        for source in &sources {
            match headers.transpile(source) {
                Ok(translation) => {
                    terminal::report(&translation.warnings, MessageFormat::Human);
                    units.push((stem(&source.name).to_string(), translation));
                }
                Err(report) => {
                    terminal::report(&report, MessageFormat::Human);
                    failed = true;
                }
            }
        }
        if failed {
            return Err(Failure::Input);
        }
        let mut kernels = Kernels::default();
        units.iter().for_each(|(_, t)| kernels.add(&t.metadata));
        let names: Vec<String> = sources.iter().map(|s| s.name.clone()).collect();
        self.preprocess.check_choices(&names, &kernels)?;
        let mut linker: Vec<String> = Vec::new();
        linker.extend(self.library_directories.iter().map(|d| format!("-L{d}")));
        linker.extend(self.libraries.iter().map(|l| format!("-l{l}")));
        let mut preprocessor = common::flags(&options);
        if options.checking.brookgpu {
            // Whose C++ includes the same header as everybody's, and expects more types.
            preprocessor.push("-DBROOK_DIALECT_BROOKGPU".to_string());
        }
        Ok(Translated {
            units,
            preprocessor,
            linker,
        })
    }

    /// The files that were read. A header that another `.br` file becomes is none.
    pub(crate) fn read(&self, translated: &Translated) -> Vec<PathBuf> {
        let included = translated.units.iter().flat_map(|(_, t)| &t.dependencies);
        let files = self.files.iter().chain(included).map(PathBuf::from);
        let besides = self.preprocess.read_besides([self.configured()]);
        files.chain(besides).collect()
    }

    /// What the project says of this source is said of the whole program.
    fn configured(&self) -> &str {
        let mut files = self.files.iter();
        let source = files.find(|file| Dialect::of_path(file) == Dialect::Brook);
        source.map_or(".", |file| file)
    }

    /// What a program is told about its device.
    pub(crate) fn told<'a>(&'a self, device: Option<&'a str>) -> ProgramOptions<'a> {
        ProgramOptions {
            device,
            flags: &self.compile.flags,
            standard: self.compile.standard.as_deref(),
            debug: false,
            sanitize: false,
            sanitize_clamped: false,
            sanitize_json: false,
            fusion: None,
            fusion_report: false,
            trace: None,
            verbose: terminal::is_verbose(),
        }
    }

    /// How the executable is built.
    pub(crate) fn host<'a>(&'a self, translated: &'a Translated) -> HostBuild<'a> {
        let mut generated = translated.units.iter();
        let units = self.files.iter().filter_map(|file| {
            if Dialect::of_path(file) != Dialect::Brook {
                return HostUnit::file(Path::new(file));
            }
            let (_, translation) = generated.next()?;
            Some(HostUnit::Generated {
                name: file,
                cpp: translation.host.as_deref().unwrap_or_default(),
                header: translation.header.as_deref(),
                translation: Some(translation),
            })
        });
        HostBuild {
            units: units.collect(),
            standard: self.compile.standard.as_deref(),
            preprocessor: &translated.preprocessor,
            linker: &translated.linker,
            ..HostBuild::default()
        }
    }
}

impl Translated {
    /// Whether one of the `.br` files has the word `main`.
    pub(crate) fn mentions_main(&self) -> bool {
        let mut hosts = self.units.iter().filter_map(|(_, t)| t.host.as_deref());
        hosts.any(|host| host.contains("main"))
    }

    /// Writes the C++ file and the header of each `.br` file.
    pub(crate) fn write(&self, folder: &Path) -> Result<Vec<PathBuf>, Failure> {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::System(format!("cannot create '{}': {error}", folder.display()))
        })?;
        let mut files = Vec::new();
        for (stem, translation) in &self.units {
            let host = translation.host.as_deref().unwrap_or_default();
            let header = translation.header.as_deref().unwrap_or_default();
            files.push((folder.join(stem).with_extension("cpp"), host));
            files.push((folder.join(stem).with_extension("h"), header));
        }
        write_files(&files)?;
        Ok(files.into_iter().map(|(path, _)| path).collect())
    }
}

/// Refuses a device's name that no backend has: the program would go on without one. Without a flag, the environment names it
/// where the program is run at once.
pub(crate) fn check_device(flag: Option<&str>, runs: bool) -> Result<(), Failure> {
    let is_one = |name: &&str| !name.trim().is_empty();
    if let Some(name) = flag {
        let named = Some(name.trim()).filter(is_one);
        return named.map_or(Ok(()), common::check_device_name);
    }
    let said = std::env::var("BROOK_DEVICE").ok().filter(|_| runs);
    match said.as_deref().filter(is_one) {
        Some(name) => runtime::check_device_name(name.trim())
            .map_err(|e| Failure::System(format!("BROOK_DEVICE: {e}"))),
        None => Ok(()),
    }
}

/// What a failed build is to the caller: errors of the program's, or of the toolchain.
pub(crate) fn failure(error: &runtime::Error) -> Failure {
    match error.exit_code() {
        1 => {
            eprintln!("brook: {error}");
            Failure::Input
        }
        _ => Failure::System(error.to_string()),
    }
}

/// Hands out headers of the program's own `.br` files, which are nowhere on the disk.
struct Headers<'a> {
    sources: &'a [Source],
    backend: &'a Backend,
    options: &'a Options,
    timings: &'a Timings,
    reader: &'a Reader,
    /// By stem; none while it is being made.
    known: RefCell<HashMap<String, Option<String>>>,
    /// The one that is being translated: what its own header says it says itself.
    current: RefCell<String>,
}

impl Headers<'_> {
    fn transpile(&self, source: &Source) -> Result<Translation, Box<Report>> {
        let before = self.current.replace(stem(&source.name).to_string());
        let made = self
            .timings
            .transpile(source, self.backend, self.options, self);
        self.current.replace(before);
        made
    }
}

impl Loader for Headers<'_> {
    fn has_directory(&self, path: &str) -> Option<bool> {
        self.reader.has_directory(path)
    }

    fn load(&self, path: &str) -> io::Result<Vec<u8>> {
        let error = match self.reader.load(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => error,
            found => return found,
        };
        let Some(stem) = Path::new(path).file_name().and_then(|n| n.to_str()) else {
            return Err(error);
        };
        let stem = stem.strip_suffix(".h").or(stem.strip_suffix(".hpp"));
        let stem = stem.unwrap_or_default();
        let mut sources = self.sources.iter();
        let Some(source) = sources.find(|s| self::stem(&s.name) == stem) else {
            return Err(error);
        };
        if *self.current.borrow() == stem {
            return Ok(Vec::new());
        }
        if let Some(known) = self.known.borrow().get(stem) {
            return Ok(known.clone().unwrap_or_default().into_bytes());
        }
        self.known.borrow_mut().insert(stem.to_string(), None);
        // Its errors are printed when its own turn comes.
        let made = self.transpile(source);
        // Whoever includes it goes on reading.
        self.timings.enter(Stage::Preprocess.name());
        let header = made.ok().and_then(|t| t.header).unwrap_or_default();
        let mut known = self.known.borrow_mut();
        known.insert(stem.to_string(), Some(header.clone()));
        Ok(header.into_bytes())
    }
}

/// The file's name without its ending, which its header has, too.
fn stem(path: &str) -> &str {
    let stem = Path::new(path).file_stem().and_then(|s| s.to_str());
    stem.unwrap_or_default()
}

fn absolute(path: &str) -> String {
    let whole = std::path::absolute(path);
    whole.map_or_else(|_| path.to_string(), |p| p.display().to_string())
}
