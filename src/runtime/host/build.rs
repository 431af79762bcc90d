//! Executables out of translated `.br` files and files of the user's.

use super::dependencies::of_rule;
use super::{ProgramOptions, c_compiler, compiler, headers, library, signal, stem};
use crate::runtime::cache::{Cache, HostRequest, HostText};
use crate::runtime::compiler_log::of_host;
use crate::runtime::ranks::is_over_processes;
use crate::runtime::{Error, Result, kernel_sources, sanitized};
use crate::transpile::{KernelSource, Translation};
use brook_driver::{ScratchDirectory, run_compiler};
use brook_mpi::{rank_from_environment, rank_variables};
use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// What an executable is made of, and how. What is left empty is not there.
#[derive(Clone, Debug, Default)]
pub struct HostBuild<'a> {
    /// Its files, in the order they are linked in.
    pub units: Vec<HostUnit<'a>>,
    /// The standard of C++ to compile by; one of another language is for device code only.
    pub standard: Option<&'a str>,
    /// For a debugger: with its information, without optimisation.
    pub debug: bool,
    /// Flags of the preprocessor: `-D`, `-I` and `-include`, as compilers take them.
    pub preprocessor: &'a [String],
    /// Flags of the linker, behind all files.
    pub linker: &'a [String],
    /// What the program starts with where its environment says nothing else.
    pub defaults: ProgramOptions<'a>,
}

/// One file of a [`HostBuild`].
#[derive(Clone, Copy, Debug)]
pub enum HostUnit<'a> {
    /// The host half of a `.br` file.
    Generated {
        /// The path of the `.br` file.
        name: &'a str,
        /// The C++ made of it.
        cpp: &'a str,
        /// What other files include as `STEM.h`, `brookgenfiles/STEM.h` or `built/STEM.hpp`.
        header: Option<&'a str>,
        /// What it is of, if it was made with [`crate::Options::line_directives`]: columns of messages are the user's then.
        translation: Option<&'a Translation>,
    },
    /// C, by its ending `.c`; C++; or an object file or a library, by `.o`, `.a`, `.so`.
    File(&'a Path),
}

/// How other files include a generated header: by its name, or where AMD's and BrookGPU's makefiles put it.
const GENERATED_HEADERS: [(&str, &str); 3] = [("", "h"), ("brookgenfiles", "h"), ("built", "hpp")];
/// What is linked as it is.
const LINKED: [&str; 4] = ["o", "a", "so", "dylib"];
/// What is compiled as C++.
const CPP: [&str; 6] = ["cpp", "cc", "cxx", "c++", "C", "cp"];

impl<'a> HostUnit<'a> {
    /// What other files include of it.
    fn header(&self) -> Option<&'a str> {
        match self {
            Self::Generated { header, .. } => *header,
            Self::File(_) => None,
        }
    }

    /// The host half of a `.br` file without a header.
    pub fn generated(name: &'a str, cpp: &'a str) -> Self {
        Self::Generated {
            name,
            cpp,
            header: None,
            translation: None,
        }
    }

    /// The file, if its ending is one of those.
    pub fn file(path: &'a Path) -> Option<Self> {
        let ending = path.extension().and_then(|e| e.to_str())?;
        let known = ending == "c" || CPP.contains(&ending) || LINKED.contains(&ending);
        // `libx.so.1`
        let versioned = path.to_string_lossy().contains(".so.");
        (known || versioned).then_some(Self::File(path))
    }
}

impl HostBuild<'_> {
    /// Builds the program and runs it, with this process's standard streams. The result is its exit
    /// status; 128 and the signal's number if a signal ended it. `built` is told when the program is about to
    /// begin.
    ///
    /// # Errors
    /// As [`HostBuild::build`].
    pub fn run(
        &self,
        arguments: &[String],
        options: &ProgramOptions<'_>,
        built: &dyn Fn(),
    ) -> Result<i32> {
        self.start(arguments, options, built)?.wait()
    }

    /// The same without waiting for its end. A program for the devices of several processes takes this one's place where the
    /// system has that, and this does not return; what it prints is seen of the first process.
    ///
    /// # Errors
    /// As [`HostBuild::build`].
    pub fn start(
        &self,
        arguments: &[String],
        options: &ProgramOptions<'_>,
        built: &dyn Fn(),
    ) -> Result<RunningProgram> {
        let scratch = ScratchDirectory::new()?;
        let first = self.units.first();
        let name = first.map_or("program", |unit| match unit {
            HostUnit::Generated { name, .. } => stem(name),
            HostUnit::File(path) => path.file_stem().and_then(|s| s.to_str()).unwrap_or(""),
        });
        let program = scratch.path().join(stem(name));
        self.build(&program)?;
        let mut command = Command::new(&program);
        command.args(arguments);
        for (name, value) in environment(options) {
            command.env(name, value);
        }
        let noted = scratch.path().join("sanitized");
        if options.sanitize {
            command.env(sanitized::STATUS_FILE, &noted);
            let sources = scratch.path().join("kernels.json");
            kernel_sources::write(&sources, &self.kernel_sources())?;
            command.env(kernel_sources::FILE, &sources);
        }
        built();
        let said = std::env::var("BROOK_DEVICE").ok();
        if options
            .device
            .or(said.as_deref())
            .is_some_and(is_over_processes)
        {
            if rank_from_environment().is_some_and(|rank| rank > 0) {
                command.stdout(Stdio::null());
            }
            #[cfg(unix)]
            {
                use std::os::unix::process::CommandExt;
                // Whoever ends a job knows of the processes that it has started, and of none of theirs.
                return Err(Error::io(&program, command.exec()));
            }
        }
        let child = command.spawn().map_err(|e| Error::io(&program, e))?;
        Ok(RunningProgram {
            child,
            program,
            noted: options.sanitize.then_some(noted),
            _scratch: scratch,
        })
    }

    /// The kernels' source of each file that has some.
    fn kernel_sources(&self) -> Vec<&KernelSource> {
        let translations = self.units.iter().filter_map(|unit| match unit {
            HostUnit::Generated { translation, .. } => *translation,
            HostUnit::File(_) => None,
        });
        translations.filter_map(|t| t.kernels.as_ref()).collect()
    }

    /// Compiles and links an executable at `output`, which finds this library where it lies now.
    ///
    /// # Errors
    /// No compiler, no `libbrook.so`, or the log of a compiler or of the linker.
    pub fn build(&self, output: &Path) -> Result<()> {
        let library = library()?;
        let scratch = ScratchDirectory::new()?;
        let include = scratch.path().join("include");
        for (header, text) in headers::HEADERS {
            write(include.join(header), text)?;
        }
        for unit in &self.units {
            if let HostUnit::Generated {
                name,
                header: Some(header),
                ..
            } = unit
            {
                for (folder, ending) in GENERATED_HEADERS {
                    let path = include
                        .join(folder)
                        .join(format!("{}.{ending}", stem(name)));
                    write(path, header)?;
                }
            }
        }
        let mut link = compiler()?;
        for (index, unit) in self.units.iter().enumerate() {
            let folder = scratch.path().join(index.to_string());
            link.arg(self.compile(unit, &folder, &include)?);
        }
        if let Some(text) = start(&self.defaults) {
            let source = write(scratch.path().join("start.cpp"), &text)?;
            link.args(["-x", "c++"]).arg(source).args(["-x", "none"]);
        }
        link.args(self.linker);
        let folder = library.parent().unwrap_or(Path::new("."));
        link.arg(&library)
            .arg(format!("-Wl,-rpath,{}", folder.display()))
            // As DT_RPATH it comes before LD_LIBRARY_PATH, which may lead to another build of the library.
            .arg("-Wl,--disable-new-dtags");
        link.arg("-o").arg(output);
        run_compiler(&mut link)?;
        Ok(())
    }

    /// What the linker takes for a unit: an object file made in `folder`, or the file itself.
    fn compile(&self, unit: &HostUnit<'_>, folder: &Path, include: &Path) -> Result<PathBuf> {
        let object = folder.join("unit.o");
        std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
        let (name, cpp, translation) = match *unit {
            HostUnit::File(path) => {
                let Some(mut command) = self.compiler_of(path)? else {
                    return Ok(path.to_path_buf());
                };
                command.args(self.options()).arg("-I").arg(include);
                command.arg("-c").arg(path).arg("-o").arg(&object);
                run_compiler(&mut command)?;
                return Ok(object);
            }
            HostUnit::Generated {
                name,
                cpp,
                translation,
                ..
            } => (name, cpp, translation),
        };
        let mut command = compiler()?;
        // What a debugger is told has paths of this build.
        let cache = if self.debug { None } else { Cache::open() };
        let cache = cache.and_then(|cache| Some((cache, version(&command)?)));
        command.arg(self.standard());
        // Old programs are full of what compilers warn of today.
        command.args(["-w", "-x", "c++"]).args(self.options());
        let beside = Path::new(name).parent().map(|beside| {
            let here = beside.as_os_str().is_empty();
            if here { Path::new(".") } else { beside }
        });
        if let Some(beside) = beside {
            command.arg("-iquote").arg(beside);
        }
        let arguments: Vec<OsString> = command.get_args().map(OsStr::to_os_string).collect();
        let arguments: Vec<&OsStr> = arguments.iter().map(OsString::as_os_str).collect();
        let headers: Vec<&str> = self.units.iter().filter_map(HostUnit::header).collect();
        let asked = cache.as_ref().map(|(cache, said)| {
            cache.host(&HostText {
                text: cpp,
                compiler: said,
                arguments: &arguments,
                beside,
                flags: self.preprocessor,
                headers: &headers,
            })
        });
        let find = || asked.as_ref().and_then(HostRequest::find);
        let mut turn = None;
        let kept = find().or_else(|| {
            turn = asked.as_ref().map(HostRequest::wait_for_turn);
            find()
        });
        if let Some(kept) = kept {
            std::fs::write(&object, kept).map_err(|e| Error::io(&object, e))?;
            return Ok(object);
        }
        let source = write(folder.join(stem(name)).with_extension("cpp"), cpp)?;
        let rule = folder.join("unit.d");
        command.arg("-I").arg(include);
        command.arg("-c").arg(&source).arg("-o").arg(&object);
        command.args(["-MD", "-MF"]).arg(&rule);
        run_compiler(&mut command).map_err(|mut error| {
            if let Some(translation) = translation {
                error.log = error.log.map(|log| of_host(&log, translation));
            }
            error
        })?;
        if let Some(asked) = asked
            && let Ok(rule) = std::fs::read_to_string(&rule)
            && let Ok(made) = std::fs::read(&object)
        {
            let read = of_rule(&rule);
            let read = read.iter().map(PathBuf::as_path);
            asked.keep(
                read.filter(|p| *p != source && !p.starts_with(include)),
                &made,
            );
        }
        Ok(object)
    }

    /// What all files are compiled with.
    fn options(&self) -> Vec<&str> {
        let optimized: &[&str] = match self.debug {
            true => &["-g", "-O0"],
            false => &["-O2"],
        };
        let given = self.preprocessor.iter().map(String::as_str);
        optimized.iter().copied().chain(given).collect()
    }

    /// What compiles a file, by its ending; nothing if it is linked as it is.
    pub(super) fn compiler_of(&self, path: &Path) -> Result<Option<Command>> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        if ending == "c" {
            return c_compiler().map(Some);
        }
        if !CPP.contains(&ending) {
            return Ok(None);
        }
        let mut command = compiler()?;
        command.arg(self.standard());
        command.args(["-x", "c++"]);
        Ok(Some(command))
    }

    fn standard(&self) -> String {
        let is_cpp = |s: &&str| s.starts_with("c++") || s.starts_with("gnu++");
        format!("-std={}", self.standard.filter(is_cpp).unwrap_or("c++17"))
    }
}

/// A program that has begun. It goes on by itself where nobody waits for it or ends it, but its file is gone then.
#[derive(Debug)]
pub struct RunningProgram {
    child: Child,
    program: PathBuf,
    /// Where it says what the sanitizer has found.
    noted: Option<PathBuf>,
    _scratch: ScratchDirectory,
}

impl RunningProgram {
    /// Whether it has come to its end.
    ///
    /// # Errors
    /// The system does not say.
    pub fn has_ended(&mut self) -> Result<bool> {
        let ended = self.child.try_wait();
        Ok(ended.map_err(|e| Error::io(&self.program, e))?.is_some())
    }

    /// Ends it, wherever it is.
    ///
    /// # Errors
    /// The system does not let us.
    pub fn kill(mut self) -> Result<()> {
        let killed = self.child.kill().and_then(|()| self.child.wait());
        killed.map_err(|e| Error::io(&self.program, e))?;
        Ok(())
    }

    /// Waits for its end. The result is its exit status; 128 and the signal's number if a signal ended it.
    ///
    /// # Errors
    /// It was to be sanitized, and was not.
    pub fn wait(mut self) -> Result<i32> {
        let status = self.child.wait();
        let status = status.map_err(|e| Error::io(&self.program, e))?;
        let status = status.code().unwrap_or_else(|| 128 + signal(status));
        let Some(noted) = &self.noted else {
            return Ok(status);
        };
        match sanitized::noted_status(noted) {
            // The program may have ended without its handlers.
            Some(found) if status == 0 => Ok(found),
            Some(_) => Ok(status),
            None => Err(Error::argument(
                "no call was looked at: the program's libbrook knows no sanitizer, or the program has taken \
                 BROOK_SANITIZE out of its environment",
            )),
        }
    }
}

/// What a compiler says that it is, and what it is called; `None` where it says nothing.
fn version(compiler: &Command) -> Option<Vec<u8>> {
    let mut asked = Command::new(compiler.get_program());
    asked.args(compiler.get_args()).arg("--version");
    let said = asked.stdin(Stdio::null()).stderr(Stdio::null()).output();
    let mut said = said.ok().filter(|said| said.status.success())?.stdout;
    said.extend(compiler.get_program().as_encoded_bytes());
    let file = std::fs::metadata(compiler.get_program()).ok();
    let changed = file.map(|file| (file.len(), file.modified().ok()));
    said.extend(format!("{changed:?}").bytes());
    Some(said)
}

fn write(path: PathBuf, text: &str) -> Result<PathBuf> {
    let folder = path.parent().unwrap_or(&path);
    std::fs::create_dir_all(folder).map_err(|e| Error::io(folder, e))?;
    std::fs::write(&path, text).map_err(|e| Error::io(&path, e))?;
    Ok(path)
}

/// What a program is told, as its environment.
fn environment(options: &ProgramOptions<'_>) -> Vec<(&'static str, String)> {
    let flags = (!options.flags.is_empty()).then(|| options.flags.join("\n"));
    // Wherever the program goes.
    let trace = { options.trace }.map(|path| std::path::absolute(path).unwrap_or(path.into()));
    let trace = trace.map(|path| path.to_string_lossy().into_owned());
    let switch = |on: bool| on.then(|| "1".to_string());
    let all = [
        ("BROOK_DEVICE", options.device.map(str::to_string)),
        ("BROOK_COMPILER_FLAGS", flags),
        ("BROOK_STD", options.standard.map(str::to_string)),
        ("BROOK_DEBUG", switch(options.debug)),
        ("BROOK_SANITIZE", switch(options.sanitize)),
        (sanitized::CLAMPED, switch(options.sanitize_clamped)),
        (sanitized::JSON, switch(options.sanitize_json)),
        ("BROOK_FUSION", options.fusion.map(|f| f.name().to_string())),
        (
            brook_driver::VERBOSE,
            options.verbose.then(|| "1".to_string()),
        ),
        ("BROOK_TRACE", trace),
        (
            "BROOK_FUSION_REPORT",
            options.fusion_report.then(|| "1".to_string()),
        ),
    ];
    let given = all.into_iter();
    given
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

/// C++ that gives the program its defaults before anything else of it runs; none if it has none.
fn start(defaults: &ProgramOptions<'_>) -> Option<String> {
    let environment = environment(defaults);
    if environment.is_empty() {
        return None;
    }
    let mut text = "// Generated by brook: what the program starts with where its environment says nothing else.\n\
                    #include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
                    __attribute__((constructor(101))) static void brook_start() {\n"
        .to_string();
    for (name, value) in environment {
        // A String cannot fail to be written to.
        let _ = match name {
            // The names that Brook+ has for the same choice count, too.
            "BROOK_DEVICE" => writeln!(
                text,
                "    if (!getenv(\"BRT_RUNTIME\") && !getenv(\"BRT_ADAPTER\")) setenv(\"{name}\", R\"brook({value})brook\", 0);"
            ),
            _ => writeln!(text, "    setenv(\"{name}\", R\"brook({value})brook\", 0);"),
        };
    }
    if defaults.device.is_some_and(is_over_processes) {
        text.push_str(
            "    // The processes of a job do the same: one of them says so.\n    const char *device = getenv(\"BROOK_DEVICE\");\n",
        );
        let ranks: Vec<String> = rank_variables()
            .map(|name| format!("getenv(\"{name}\")"))
            .collect();
        let _ = writeln!(
            text,
            "    const char *ranks[] = {{{}}}, *rank = 0;\n    for (int i = 0; device && !strncmp(device, \"mpi\", 3) && !rank && i < {}; ++i)\n        \
             rank = ranks[i];\n    if (rank && strcmp(rank, \"0\") && !freopen(\"/dev/null\", \"w\", stdout)) abort();",
            ranks.join(", "),
            ranks.len()
        );
    }
    text.push_str("}\n");
    Some(text)
}
