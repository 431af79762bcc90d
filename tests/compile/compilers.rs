//! Known faults of C++ compilers, as small programs: what is generated for the host must be right with every compiler
//! that is installed, at every level. `tests/compilers/` has the kernels, and programs that call them and know what is
//! right.
//!
//! The same kernels as somebody would write them in C++ are compiled, too: which compilers get those wrong is told, and
//! which do not show a fault that they are known for, and fails nothing.

use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::{Need, say};
use crate::support::toolchains::host_compiler;
use brook::backend::Backend;
use brook::source::FileLoader;
use brook::{Device, Options, Source};
use brook_driver::{CompileOptions, ScratchDirectory, find_program, run_compiler};
use libtest_mimic::Failed;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// The kernels.
const KERNELS: [&str; 2] = ["truths", "rows"];

/// Levels that every compiler is tried at, beside the driver's flags.
const LEVELS: [&str; 3] = ["-O0", "-O2", "-O3"];

/// A compiler of this machine.
struct Compiler {
    program: PathBuf,
    /// The first line of `--version`.
    banner: String,
    /// It can link OpenMP, so that the driver can compile with it.
    links: bool,
}

/// Makes this process compile a text as the driver does.
const COMPILE: &str = "compile-as-the-driver";

/// Does that instead of the tests, if the arguments ask for it.
pub fn run_if_asked() {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, what, from, to] = arguments.as_slice()
        && what == COMPILE
    {
        if let Err(error) = compile_as_driver(from, to) {
            say(&error);
            std::process::exit(1);
        }
        std::process::exit(0);
    }
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    Need::new("c++", &host_compiler()).announce();
    let mut trials = Vec::new();
    for compiler in compilers() {
        let name = compiler.program.display().to_string();
        let compiler = Arc::new(compiler);
        for kernels in KERNELS {
            let compiler = Arc::clone(&compiler);
            let test = move || test(&compiler, kernels);
            trials.push(Trial::test(format!("{kernels}::{name}"), test));
        }
    }
    if trials.is_empty() {
        let need = Need::new("c++", &host_compiler());
        trials.push(need.trial("compilers".to_string(), || Ok(())));
    }
    trials
}

fn compile_as_driver(from: &str, to: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(from).map_err(|e| e.to_string())?;
    let device = Device::open("openmp").map_err(|e| e.to_string())?;
    let made = device.driver().compile(&text, &CompileOptions::default());
    std::fs::write(to, made.map_err(told)?).map_err(|e| e.to_string())
}

/// An error with all that the compiler printed.
fn told(error: brook_driver::Error) -> String {
    let log = error.log.clone().unwrap_or_default();
    format!("{error}\n{log}")
}

/// All that can be found, each once.
fn compilers() -> Vec<Compiler> {
    let gcc = (9..17).map(|n| format!("g++-{n}"));
    let clang = (11..25).map(|n| format!("clang++-{n}"));
    let plain = ["g++", "clang++"].map(str::to_string).into_iter();
    let found = plain
        .chain(gcc)
        .chain(clang)
        .filter_map(|n| find_program(&n));
    let mut all: Vec<Compiler> = Vec::new();
    for program in host_compiler().into_iter().chain(found) {
        let version = Command::new(&program).arg("--version").output();
        let Ok(version) = version else { continue };
        let banner = String::from_utf8_lossy(&version.stdout);
        let banner = banner.lines().next().unwrap_or("").to_string();
        let place = program.canonicalize().ok();
        let known = |c: &Compiler| c.program.canonicalize().ok() == place;
        if banner.is_empty() || all.iter().any(known) {
            continue;
        }
        let mut compiler = Compiler {
            program,
            banner,
            links: true,
        };
        let probe = ScratchDirectory::new().map_err(|e| e.to_string());
        let made = probe.and_then(|p| {
            let nothing = "extern \"C\" void f() {}\n";
            compiler.compile(nothing, None, &p.path().join("probe.so"))
        });
        compiler.links = made.is_ok();
        all.push(compiler);
    }
    all
}

impl Compiler {
    fn is_clang(&self) -> bool {
        self.banner.contains("clang")
    }

    /// Whether it is known to take the lanes of comparisons for numbers.
    fn takes_lanes_for_numbers(&self) -> bool {
        let words = self.banner.split_ascii_whitespace();
        let mut numbers = words.filter_map(|w| w.split('.').next()?.parse::<u32>().ok());
        !self.is_clang() && numbers.next_back().is_some_and(|n| (12..=14).contains(&n))
    }

    /// Makes a shared object of a text; `level` is the driver's own where there is none.
    fn compile(&self, text: &str, level: Option<&str>, to: &Path) -> Result<(), String> {
        let source = to.with_extension("cpp");
        std::fs::write(&source, text).map_err(|e| e.to_string())?;
        let Some(level) = level else {
            // The driver looks for its compiler once in a process.
            let this = std::env::current_exe().map_err(|e| e.to_string())?;
            let mut command = Command::new(this);
            command.env("BROOK_CXX", &self.program).arg(COMPILE);
            let log = run_compiler(command.arg(&source).arg(to));
            return log.map(|_| ()).map_err(told);
        };
        // Without the library loops run on one thread, as vectors all the same.
        let openmp = match self.links {
            true => "-fopenmp",
            false => "-fopenmp-simd",
        };
        let mut command = Command::new(&self.program);
        command.args(["-std=c++17", "-shared", "-fPIC", openmp, level, "-o"]);
        let log = run_compiler(command.arg(to).arg(&source));
        log.map(|_| ()).map_err(told)
    }
}

fn test(compiler: &Compiler, kernels: &str) -> Result<(), Failed> {
    let folder = root().join("tests/compilers");
    let path = folder.join(format!("{kernels}.okl"));
    let okl = std::fs::read_to_string(&path)?;
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let program = scratch.path().join("program");
    let mut command = Command::new(&compiler.program);
    command.args(["-std=c++17", "-O0", "-o"]).arg(&program);
    command
        .arg(folder.join(format!("{kernels}.cpp")))
        .arg("-ldl");
    run_compiler(&mut command).map_err(told)?;

    let openmp = Backend::built_in("openmp").map_err(|e| e.to_string())?;
    let source = Source::new(path.display().to_string(), okl.as_bytes().to_vec());
    let translation = brook::transpile(&source, &openmp, &Options::default(), &FileLoader);
    let generated = translation.map_err(|report| report.to_string())?.device;
    let written = as_written(&okl);

    let mut levels: Vec<Option<&str>> = LEVELS.iter().map(|l| Some(*l)).collect();
    levels.extend(compiler.links.then_some(None));
    let (mut wrong, mut known) = (Vec::new(), Vec::new());
    for level in levels {
        let library = scratch.path().join("kernels.so");
        let name = level.unwrap_or("the driver's flags");
        for (text, found) in [(&generated, &mut wrong), (&written, &mut known)] {
            compiler.compile(text, level, &library)?;
            let names = misses(&program, &library)?;
            if !names.is_empty() {
                found.push(format!("{name}: {}", names.join(", ")));
            }
        }
    }
    let who = format!("{} ({})", compiler.banner, compiler.program.display());
    if !known.is_empty() {
        say(&format!(
            "{who} gets C++ as written wrong, {}",
            known.join("; ")
        ));
    }
    if !wrong.is_empty() {
        return Err(format!("{who} gets generated C++ wrong, {}", wrong.join("; ")).into());
    }
    // A distribution may have mended it: nothing is wrong then, but these kernels show nothing of it.
    let vectors = cfg!(target_arch = "x86_64") && compiler.links;
    if kernels == "truths" && vectors && compiler.takes_lanes_for_numbers() && known.is_empty() {
        say(&format!(
            "{who} is known for a fault that these kernels do not show"
        ));
    }
    Ok(())
}

/// The kernels as somebody would write them in C++ with OpenMP.
fn as_written(okl: &str) -> String {
    let tiles = "for (int i = 0; i < n; ++i; @tile(64, @outer, @inner))";
    let loops = "_Pragma(\"omp parallel for\") for (int t = 0; t < n; t += 64) \
        _Pragma(\"omp simd\") for (int i = t; i < (n < t + 64 ? n : t + 64); ++i)";
    let groups = "for (int g = 0; g < groups; ++g; @outer)";
    let text = okl
        .replace("@kernel ", "extern \"C\" ")
        .replace(tiles, loops)
        .replace(
            groups,
            "_Pragma(\"omp parallel for\") for (int g = 0; g < groups; ++g)",
        )
        .replace("@shared ", "");
    let lines = text.lines().map(|line| match line.contains("; @inner)") {
        true => format!(
            "_Pragma(\"omp simd\")\n{}\n",
            line.replace("; @inner)", ")")
        ),
        false => format!("{line}\n"),
    });
    lines.collect()
}

/// The kernels of a shared object that a program finds wrong; what ends the program is wrong, too.
fn misses(program: &Path, library: &Path) -> Result<Vec<String>, String> {
    let output = Command::new(program).arg(library).output();
    let output = output.map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    if output.status.code() == Some(2) {
        return Err(text.into_owned());
    }
    let lines = text.lines().map(|l| l.split_once(' ').unwrap_or((l, "")));
    let wrong = lines.filter(|(_, verdict)| *verdict != "right");
    let names = wrong.map(|(name, verdict)| match verdict {
        "" => format!("{name} (ends the program)"),
        _ => name.to_string(),
    });
    Ok(names.collect())
}
