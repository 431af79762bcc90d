//! OKL from C and C++: every function of `abi.h` and `okl.hpp` by programs in `tests/faces`, whose results are worked
//! out by hand. They are built by both compilers, without exceptions, and under the address and undefined-behaviour
//! sanitizers and valgrind, and run on the processor and on OpenCL; `scripts/gpu-test` runs them on GPUs. OCCA's interface in `occa` is
//! shown in the same way.

use crate::shared::once;
use crate::support::Trial;
use crate::support::cases::root;
use crate::support::mpi::Mpi;
use crate::support::need::Need;
use crate::support::process;
use crate::support::toolchains::{clang, host_compiler};
use brook::lex::lex;
use brook_driver::{ScratchDirectory, find_program, run_compiler};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How one of the programs is built.
struct Form {
    name: &'static str,
    source: &'static str,
    flags: &'static [&'static str],
    /// Whether valgrind runs it, on the processor.
    valgrind: bool,
    /// Whether it is linked with OCCA's interface.
    occa: bool,
}

const C: [&str; 4] = ["-x", "c", "-std=c11", "-pedantic"];
const C_SANITIZED: [&str; 5] = ["-x", "c", "-std=c11", "-fsanitize=address,undefined", "-g"];
const C_FOR_VALGRIND: [&str; 4] = ["-x", "c", "-std=c11", "-g"];

const FORMS: [Form; 20] = [
    Form::of("c", "okl.c", &C),
    Form::of("c_streams", "streams.c", &C),
    Form::of("c_threads", "threads.c", &C),
    Form::of("c_sanitized", "okl.c", &C_SANITIZED),
    Form::of("c_streams_sanitized", "streams.c", &C_SANITIZED),
    Form::of("c_threads_sanitized", "threads.c", &C_SANITIZED),
    Form::of("cpp", "okl.cpp", &["-std=c++17", "-pedantic", "-O2"]),
    Form::of(
        "sanitized",
        "okl.cpp",
        &["-std=c++20", "-fsanitize=address,undefined", "-g"],
    ),
    Form::of(
        "no_exceptions",
        "no_exceptions.cpp",
        &["-std=c++17", "-fno-exceptions", "-fno-rtti"],
    ),
    Form::of("c_valgrind", "okl.c", &C_FOR_VALGRIND).by_valgrind(),
    Form::of("c_streams_valgrind", "streams.c", &C_FOR_VALGRIND).by_valgrind(),
    Form::of("c_threads_valgrind", "threads.c", &C_FOR_VALGRIND).by_valgrind(),
    Form::of("cpp_valgrind", "okl.cpp", &["-std=c++17", "-g"]).by_valgrind(),
    Form::of(
        "no_exceptions_valgrind",
        "no_exceptions.cpp",
        &["-std=c++17", "-fno-exceptions", "-g"],
    )
    .by_valgrind(),
    Form::of("occa", "occa.cpp", &["-std=c++11", "-pedantic"]).with_occa(),
    Form::of(
        "occa_sanitized",
        "occa.cpp",
        &["-std=c++17", "-fsanitize=address,undefined", "-g"],
    )
    .with_occa(),
    Form::of(
        "occa_functions",
        "occa_functions.cpp",
        &["-std=c++11", "-pedantic"],
    )
    .with_occa(),
    Form::of(
        "occa_functions_sanitized",
        "occa_functions.cpp",
        &["-std=c++17", "-fsanitize=address,undefined", "-g"],
    )
    .with_occa(),
    Form::of("occa_c", "occa.c", &["-x", "c", "-std=c99", "-pedantic"]).with_occa(),
    // As C++, where its errors are caught.
    Form::of(
        "occa_c_sanitized",
        "occa.c",
        &[
            "-x",
            "c++",
            "-std=c++17",
            "-fsanitize=address,undefined",
            "-g",
        ],
    )
    .with_occa(),
];

impl Form {
    const fn of(name: &'static str, source: &'static str, flags: &'static [&'static str]) -> Self {
        Self {
            name,
            source,
            flags,
            valgrind: false,
            occa: false,
        }
    }

    const fn by_valgrind(self) -> Self {
        Self {
            valgrind: true,
            ..self
        }
    }

    const fn with_occa(self) -> Self {
        Self { occa: true, ..self }
    }

    /// What the sanitizers want of everything that is compiled.
    fn sanitizers(&self) -> &'static [&'static str] {
        match self.name.ends_with("sanitized") {
            true => &["-fsanitize=address,undefined", "-g"],
            false => &[],
        }
    }
}

/// The tests.
pub fn trials() -> Vec<Trial> {
    // What another run has left there may be another library's.
    std::fs::remove_dir_all(functions_cache()).ok();
    let mut trials = vec![
        Trial::test("every_function_is_called_from_c", || Ok(called_from_c()?)),
        Trial::test("every_method_is_called_from_cpp", || Ok(called_from_cpp()?)),
    ];
    let valgrind = find_program("valgrind").ok_or("no valgrind found".to_string());
    let needs_valgrind = Need::new("valgrind", &valgrind);
    needs_valgrind.announce();
    trials.push(needs_valgrind.trial("valgrind_sees".into(), || Ok(valgrind_sees()?)));
    for mpi in Mpi::all() {
        mpi.need.announce();
        for language in ["c", "cpp"] {
            let (name, own) = (
                format!("processes_{language}::{}", mpi.need.name),
                mpi.clone(),
            );
            trials.push(
                mpi.need
                    .trial(name, move || Ok(in_processes(&own, language)?)),
            );
        }
    }
    let clangxx = clang().and_then(|c| {
        let name = c.to_string_lossy().replace("clang", "clang++");
        find_program(&name).ok_or(format!("no {name} found"))
    });
    let compilers = [("cxx", host_compiler()), ("clang", clangxx)];
    for device in ["openmp", "opencl"] {
        let found = brook::Device::open(device)
            .map(|_| ())
            .map_err(|e| e.to_string());
        let needs_device = Need::new(device, &found);
        needs_device.announce();
        for (which, compiler) in &compilers {
            let needs_compiler = Need::new(which, compiler);
            // Clang's sanitizers are a package of their own; what valgrind sees is the library.
            let wanted = |f: &&Form| match which {
                &"cxx" => device == "openmp" || !f.valgrind,
                // Two that build the same hundreds of kernels at once wait for each other.
                _ if f.name == "occa_functions" && device == "openmp" => false,
                _ => !f.valgrind && !f.name.ends_with("sanitized"),
            };
            for form in FORMS.iter().filter(wanted) {
                let name = format!("{}::{which}::{device}", form.name);
                let need = match compiler {
                    Ok(_) if form.valgrind && valgrind.is_err() => &needs_valgrind,
                    Ok(_) => &needs_device,
                    Err(_) => &needs_compiler,
                };
                let compiler = compiler.clone();
                trials.push(need.trial(name, move || Ok(run(form, &compiler?, device)?)));
            }
        }
    }
    trials
}

fn functions_cache() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("faces-functions")
}

/// Where the library is that the programs are linked with.
fn library() -> PathBuf {
    let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
    // `cargo test` builds the shared library there.
    built.join("deps")
}

fn compile(command: &mut Command) -> Result<(), String> {
    let compiled = run_compiler(command).map_err(|e| format!("{e}\n{:?}", e.log));
    compiled.map(drop)
}

/// A program under valgrind, which knows no instructions for vectors of 512 bits. What is lost is an error, what remains
/// until the end is not.
fn valgrind(program: &Path, faces: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command
        .args(["-q", "--leak-check=full", "--show-leak-kinds=definite"])
        .args(["--errors-for-leak-kinds=definite", "--error-exitcode=99"])
        .arg("--fair-sched=yes")
        .arg(format!(
            "--suppressions={}",
            faces.join("valgrind.supp").display()
        ))
        .arg(program)
        .env("BROOK_COMPILER_FLAGS", "-march=x86-64-v2")
        .env("OMP_NUM_THREADS", "2");
    command
}

/// The test of the test: memory behind an array that is copied to the device, and an array that is lost.
fn valgrind_sees() -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let (source, program) = (scratch.path().join("a.c"), scratch.path().join("a"));
    let text = "#include <brook/abi.h>\n#include <stdlib.h>\n\
        int main(void) {\n  float *from = calloc(10, sizeof *from);\n\
        brook_memory *to = brook_memory_create(brook_device_open(\"openmp\"), BROOK_FLOAT, 1, 11, NULL);\n\
        return brook_memory_write(to, 0, 11, from);\n}\n";
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let mut command = Command::new(host_compiler()?);
    command.args(C_FOR_VALGRIND).arg("-I");
    command.arg(root().join("include")).arg(&source);
    command.arg("-o").arg(&program).arg("-L").arg(library());
    command.arg("-lbrook");
    compile(&mut command)?;
    let mut command = valgrind(&program, &root().join("tests/faces"));
    command.env("LD_LIBRARY_PATH", library());
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    let stderr = &finished.stderr;
    let seen =
        stderr.contains("0 bytes after a block of size 40") && stderr.contains("definitely lost");
    match finished.code == Some(99) && seen {
        true => Ok(()),
        false => Err(format!("exit code {:?}\n{stderr}", finished.code)),
    }
}

/// `processes.c`, which starts MPI, or `processes.cpp`, which knows nothing of it, in three processes.
fn in_processes(mpi: &Mpi, language: &str) -> Result<(), String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let program = scratch.path().join("processes");
    let mut command = match language {
        "c" => mpi.compiler(),
        _ => Command::new(host_compiler()?),
    };
    command.args(match language {
        "c" => &["-std=c11", "-Wall", "-Wextra", "-Werror"][..],
        _ => &["-std=c++17", "-Wall", "-Wextra", "-Werror"][..],
    });
    let source = format!("tests/faces/processes.{language}");
    command.arg("-I").arg(root().join("include"));
    command.arg(root().join(source)).arg("-o").arg(&program);
    command.arg("-L").arg(library()).arg("-lbrook");
    compile(&mut command)?;
    let mut command = process::clean(&program);
    command.arg(root().join("examples/mesh.okl"));
    command.env("LD_LIBRARY_PATH", library());
    let finished = process::run(&mut mpi.start(3, &command), b"", process::TIME_LIMIT)?;
    let well = finished.text().matches("well").count();
    match (finished.code, well) {
        (Some(0), 3) => Ok(()),
        (code, _) => Err(format!("exit code {code:?}\n{}", finished.stderr)),
    }
}

/// The words of a file that stand before a `(` or a `<`: whatever it may call.
fn calls(path: &Path) -> Result<BTreeSet<String>, String> {
    let text = std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let tokens = lex(&text);
    let pairs = tokens.iter().zip(tokens.iter().skip(1));
    let called =
        pairs.filter(|(word, next)| word.is_identifier() && ["(", "<"].contains(&next.text(&text)));
    Ok(called
        .map(|(word, _)| word.text(&text).to_string())
        .collect())
}

/// Every function that abi.h declares is called by a program in C.
fn called_from_c() -> Result<(), String> {
    let faces = root().join("tests/faces");
    let mut called = BTreeSet::new();
    for file in ["okl.c", "streams.c", "threads.c", "processes.c"] {
        called.extend(calls(&faces.join(file))?);
    }
    let declared = calls(&root().join("include/brook/abi.h"))?;
    let declared = declared.iter().filter(|name| name.starts_with("brook_"));
    let (tested, missing): (Vec<_>, Vec<_>) = declared.partition(|name| called.contains(*name));
    match missing.is_empty() && tested.len() > 100 {
        true => Ok(()),
        false => Err(format!("no C program calls {missing:?}")),
    }
}

/// Every public method of the classes of okl.hpp is called by its program.
fn called_from_cpp() -> Result<(), String> {
    let faces = root().join("tests/faces");
    let mut called = calls(&faces.join("okl.cpp"))?;
    called.extend(calls(&faces.join("processes.cpp"))?);
    let mut missing = BTreeSet::new();
    let mut count = 0;
    for header in ["okl.hpp", "Device.h", "Sequence.h", "processes.hpp"] {
        let path = root().join("include/brook").join(header);
        let text = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
        for method in methods(&text) {
            count += 1;
            if !called.contains(&method) {
                missing.insert(method);
            }
        }
    }
    match missing.is_empty() && count > 80 {
        true => Ok(()),
        false => Err(format!(
            "no C++ program calls any of {missing:?}; {count} methods are known"
        )),
    }
}

/// What is declared in the public parts of classes, bodies and constructors' initialisers left out.
fn methods(text: &str) -> Vec<String> {
    let tokens = lex(text);
    let word = |index: usize| tokens.get(index).map_or("", |t| t.text(text));
    let mut found = Vec::new();
    // Of each brace whether it is a class's, and of the class whether its public part has come.
    let mut open: Vec<(bool, bool)> = Vec::new();
    let (mut parentheses, mut class) = (0, false);
    let mut classes = BTreeSet::from(["operator", "static_assert", "bool", "decltype"]);
    for (index, token) in tokens.iter().enumerate() {
        let before = word(index.wrapping_sub(1));
        match token.text(text) {
            "class" if before != "<" && before != "," && before != "enum" => {
                class = true;
                classes.insert(word(index + 1));
            }
            ";" => class = false,
            "(" => parentheses += 1,
            ")" => parentheses -= 1,
            "{" => open.push((std::mem::take(&mut class), false)),
            "}" => drop(open.pop()),
            access @ ("public" | "private") if word(index + 1) == ":" => {
                if let Some((true, public)) = open.last_mut() {
                    *public = access == "public";
                }
            }
            name if open.last() == Some(&(true, true)) && parentheses == 0 => {
                let plain = token.is_identifier() && word(index + 1) == "(";
                let is_declared = ![":", ",", "::", "."].contains(&before);
                if plain && is_declared && !classes.contains(name) {
                    found.push(name.to_string());
                }
            }
            _ => {}
        }
    }
    found
}

/// The sources of OCCA's interface.
fn occa_sources() -> Result<Vec<PathBuf>, String> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for folder in ["occa/src", "occa/src/c"] {
        let files = std::fs::read_dir(root().join(folder)).map_err(|e| e.to_string())?;
        paths.extend(files.filter_map(|f| Some(f.ok()?.path())));
    }
    paths.retain(|p| p.extension().is_some_and(|e| e == "cpp"));
    paths.sort();
    Ok(paths)
}

/// The folder of `libocca.so`, which is built once by each compiler, and once more for the sanitizers. Tests of both
/// threads wait for it, so it is compiled by two processes.
fn occa_library(form: &Form, compiler: &Path) -> Result<PathBuf, String> {
    let sanitizers = form.sanitizers();
    let kind = if sanitizers.is_empty() {
        ""
    } else {
        "-sanitized"
    };
    let name = compiler.file_name().unwrap_or_default().to_string_lossy();
    let command = || {
        let mut command = Command::new(compiler);
        command.args(["-std=c++17", "-fPIC"]).args(sanitizers);
        command
    };
    once(&format!("libocca-{name}{kind}"), |folder| {
        let sources = occa_sources()?;
        let part = |remainder: usize| {
            let mut own = Vec::new();
            for source in sources.iter().skip(remainder).step_by(2) {
                let mut command = command();
                command
                    .args(["-pedantic", "-Wall", "-Wextra", "-Werror", "-I"])
                    .arg(root().join("occa/include"))
                    .arg("-I")
                    .arg(root().join("include"));
                let object = folder.join(format!("{}-{remainder}.o", own.len()));
                command.arg("-c").arg(source).arg("-o").arg(&object);
                compile(&mut command)?;
                own.push(object);
            }
            Ok::<_, String>(own)
        };
        let (here, there) = std::thread::scope(|scope| {
            let there = scope.spawn(|| part(1));
            (part(0), there.join())
        });
        let there = there.map_err(|_| "a thread has panicked")?;
        let mut command = command();
        command.arg("-shared").args(here?).args(there?);
        command.arg("-o").arg(folder.join("libocca.so"));
        command.arg("-L").arg(library()).args(["-lbrook", "-ldl"]);
        compile(&mut command)
    })
}

/// The program, which is the same for every device.
fn program(form: &Form, compiler: &Path) -> Result<PathBuf, String> {
    let name = compiler.file_name().unwrap_or_default().to_string_lossy();
    let folder = once(&format!("{}-{name}", form.name), |folder| {
        build_program(form, compiler, &folder.join("program"))
    })?;
    Ok(folder.join("program"))
}

fn build_program(form: &Form, compiler: &Path, program: &Path) -> Result<(), String> {
    let occa = form
        .occa
        .then(|| occa_library(form, compiler))
        .transpose()?;
    let faces = root().join("tests/faces");
    let mut command = Command::new(compiler);
    command
        .args(form.flags)
        .args(["-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("include"))
        .arg(faces.join(form.source));
    if let Some(folder) = &occa {
        command.arg("-I").arg(root().join("occa/include"));
        command.arg("-L").arg(folder).arg("-locca");
        command.arg(format!("-Wl,-rpath,{}", folder.display()));
    }
    command
        .arg("-o")
        .arg(program)
        .arg("-L")
        .arg(library())
        .arg(format!("-Wl,-rpath,{}", library().display()))
        .args(["-lbrook", "-ldl", "-pthread"]);
    compile(&mut command)
}

fn run(form: &Form, compiler: &Path, device: &str) -> Result<(), String> {
    let program = program(form, compiler)?;
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let faces = root().join("tests/faces");
    // Its hundreds of kernels are built once for all of its forms.
    let cache = match form.source {
        "occa_functions.cpp" => functions_cache(),
        _ => scratch.path().join("cache"),
    };
    let leaks_count = form.occa && device == "openmp";
    let mut command = match form.valgrind {
        true => valgrind(&program, &faces),
        false => Command::new(&program),
    };
    command
        .arg(device)
        .arg(&faces)
        .args(form.occa.then(|| scratch.path()))
        .env("BROOK_CACHE_DIR", cache)
        // Cargo's own path leads to what was built before.
        .env("LD_LIBRARY_PATH", library())
        // What is asked for and too large is an error here, too; what drivers keep is theirs. OCCA's interface on the
        // processor has no driver, and keeps nothing.
        .env(
            "ASAN_OPTIONS",
            format!(
                "allocator_may_return_null=1:intercept_tls_get_addr=0:detect_leaks={}",
                u8::from(leaks_count)
            ),
        )
        .env("UBSAN_OPTIONS", "halt_on_error=1");
    if leaks_count {
        // Looking for devices would start OpenCL's all the same, whose threads end when they like.
        command.env("OCL_ICD_VENDORS", scratch.path().join("no-drivers"));
    }
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    let good = finished.text() == "all is as it should be\n";
    match finished.code == Some(0) && good && !finished.stderr.contains("Sanitizer") {
        true => Ok(()),
        false => Err(format!(
            "exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}
