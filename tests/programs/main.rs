//! Whole programs, built and run from outside.
//!
//! - `programs`: `brook build` of several files, on every device, and under a debugger; `programs::old`: those that were
//!   written for compilers before this one
//! - `documents`: what pages of `docs/` show
//! - `examples`: those in Rust
//! - `faces`: OKL from C and C++, and OCCA's interface
//! - `install`: what a stranger's project makes of an installation
//! - `kept`: host parts that are compiled once
//! - `package`: what `scripts/package` makes
//! - `sanitizers`: the C++ interface under sanitizers
//! - `tune`: what is fastest of what may vary
//! - `verify`: one kernel on several devices
//! - `shared`: what several tests need, and one of them builds

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod documents;
mod examples;
mod faces;
mod fusion;
mod install;
mod interpreted;
mod kept;
mod old;
mod package;
mod sanitizers;
mod shared;
mod streamed;
#[path = "../support/mod.rs"]
mod support;
mod tune;
mod verify;

use brook_driver::find_program;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::Trial;
use support::cases::root;
use support::need::Need;
use support::process::{self, Finished};
use support::toolchains::{host_compiler, opencl_device};

fn main() {
    process::opencl_libraries();
    support::run(&[
        ("documents", documents::trials),
        ("examples", examples::trials),
        ("faces", faces::trials),
        ("install", install::trials),
        ("package", package::trials),
        ("programs", trials),
        ("sanitizers", sanitizers::trials),
        ("tune", tune::trials),
        ("verify", verify::trials),
    ])
}

fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let gdb = host_compiler().and_then(|_| find_program("gdb").ok_or("no gdb found".to_string()));
    let gdb = Need::new("gdb", &gdb);
    let opencl = Need::new("opencl", &opencl_device());
    for need in [&cxx, &gdb, &opencl] {
        need.announce();
    }
    let trial = |need: &Need, name: &str, test: fn(&Path) -> Result<(), String>| {
        let folder = name.to_string();
        need.trial(name.to_string(), move || Ok(test(&scratch(&folder)?)?))
    };
    vec![
        trial(&cxx, "files_of_three_languages", files_of_three_languages),
        trial(&cxx, "compiler_errors_name_the_brook_file", errors),
        trial(&cxx, "the_device_is_a_default", the_device_is_a_default),
        trial(&cxx, "errors_that_nobody_asks_for", unasked),
        trial(&cxx, "prototypes_of_kernels_elsewhere", prototypes),
        trial(&cxx, "c_calls_okl::openmp", |folder| {
            c_calls_okl(folder, "openmp")
        }),
        trial(&opencl, "c_calls_okl::opencl", |folder| {
            c_calls_okl(folder, "opencl:0")
        }),
        trial(&opencl, "one_program_for_all_devices", one_for_all),
        trial(
            &opencl,
            "programs_end_while_kernels_are_compiled",
            ends_at_once,
        ),
        trial(&gdb, "gdb_stops_inside_kernels", gdb_stops),
        trial(&cxx, "calls_are_interpreted", interpreted::races),
        trial(&cxx, "streams_that_nobody_wrote", interpreted::streams),
        trial(&cxx, "a_sanitizer_is_never_silent", interpreted::silence),
        trial(&cxx, "calls_that_wait", fusion::calls_that_wait),
        trial(
            &cxx,
            "writes_past_the_caches",
            streamed::writes_past_the_caches,
        ),
        trial(
            &cxx,
            "programs_are_compiled_once",
            kept::programs_are_compiled_once,
        ),
        trial(&cxx, "old::generated_headers", old::generated_headers),
        trial(&cxx, "old::bri_files", old::bri_files),
        trial(&cxx, "old::host_interface", old::host_interface),
        trial(&cxx, "old::functions_for_cpp", old::functions_for_cpp),
        trial(&cxx, "old::names_of_c_functions", old::names_of_c_functions),
        trial(
            &cxx,
            "old::references_and_iterators",
            old::references_and_iterators,
        ),
    ]
}

/// A program may end while the device's driver is still at work for it: PoCL compiles a kernel when it runs.
fn ends_at_once(folder: &Path) -> Result<(), String> {
    let text = "kernel void twice(float a<>, out float b<>) { b = a + a; }\n\
                int main(void) { float a<16>; float b<16>; twice(a, b); return 0; }\n";
    std::fs::write(folder.join("ends.br"), text).map_err(|e| e.to_string())?;
    expect(&brook(folder, &["build", "ends.br", "-o", "ends"])?, 0, "")?;
    for round in 0..12 {
        // Of its own, so that it is compiled each time.
        let cache = folder.join(format!("pocl-{round}"));
        let cache = cache.to_string_lossy();
        let variables = [("BROOK_DEVICE", "opencl:0"), ("POCL_CACHE_DIR", &*cache)];
        let ended = program(&folder.join("ends"), &variables)?;
        expect(&ended, 0, "").map_err(|e| format!("round {round}: {e}"))?;
    }
    Ok(())
}

/// An empty directory for one test.
fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("programs")
        .join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(path)
}

fn brook(folder: &Path, arguments: &[&str]) -> Result<Finished, String> {
    let mut command = process::brook();
    command.current_dir(folder).args(arguments);
    process::run(&mut command, b"", process::TIME_LIMIT)
}

/// Runs a program that was built; the environment says no more than `variables`.
fn program(path: &Path, variables: &[(&str, &str)]) -> Result<Finished, String> {
    program_with(Command::new(path), variables)
}

fn program_with(mut command: Command, variables: &[(&str, &str)]) -> Result<Finished, String> {
    for name in ["BROOK_DEVICE", "BRT_RUNTIME", "BRT_ADAPTER", "BROOK_DEBUG"] {
        command.env_remove(name);
    }
    command.env("BROOK_CACHE", "off");
    command.envs(variables.iter().copied());
    process::run(&mut command, b"", process::TIME_LIMIT)
}

fn expect(finished: &Finished, code: i32, text: &str) -> Result<(), String> {
    match finished.code == Some(code) && finished.text() == text {
        true => Ok(()),
        false => Err(format!(
            "exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}

fn data(file: &str) -> String {
    root()
        .join("tests/data/program")
        .join(file)
        .display()
        .to_string()
}

fn files() -> [String; 4] {
    ["scale.br", "add.br", "twice.c", "main.cpp"].map(data)
}

/// Two `.br` files that include each other's headers, C that calls one of them, C++ that calls all.
fn files_of_three_languages(folder: &Path) -> Result<(), String> {
    let files = files();
    let mut arguments = vec!["build", "-e", "-D", "OFFSET=1", "-o", "program"];
    arguments.extend(files.iter().map(String::as_str));
    expect(&brook(folder, &arguments)?, 0, "")?;
    let made = program(&folder.join("program"), &[("BROOK_DEVICE", "openmp")])?;
    expect(&made, 0, "11 21 31 41, 14, 42\n")?;
    let mut arguments = vec!["run", "-e", "-D", "OFFSET=2", "--device", "openmp"];
    arguments.extend(files.iter().map(String::as_str));
    expect(&brook(folder, &arguments)?, 0, "12 22 32 42, 16, 84\n")
}

/// The same executable, where each time another device is chosen.
fn one_for_all(folder: &Path) -> Result<(), String> {
    let files = files();
    let mut arguments = vec!["build", "-e", "-D", "OFFSET=1", "-o", "program"];
    arguments.extend(files.iter().map(String::as_str));
    expect(&brook(folder, &arguments)?, 0, "")?;
    for variables in [
        [("BROOK_DEVICE", "openmp")],
        [("BROOK_DEVICE", "opencl:0")],
        [("BRT_RUNTIME", "cpu")],
    ] {
        let made = program(&folder.join("program"), &variables)?;
        expect(&made, 0, "11 21 31 41, 14, 42\n").map_err(|e| format!("{variables:?}: {e}"))?;
    }
    Ok(())
}

/// How the program goes on, what it prints, and what it ends with; an error that counts is printed once.
const UNASKED: [(&str, &str, i32); 17] = [
    ("nothing", "nothing, done\n", 0),
    ("asked", "asked, done\n", 0),
    ("log", "log, done\n", 0),
    ("asks", "asks, done\nasked at the end: 2\n", 0),
    ("released", "released, done\n", 1),
    ("leaked", "leaked, done\n", 1),
    ("static", "static, done\n", 1),
    ("kept", "kept, done\n", 1),
    ("atexit", "atexit, done\nlast\n", 1),
    ("thread", "thread, done\n", 1),
    ("detached", "detached, ", 1),
    ("exit", "exit, ", 1),
    ("own", "own, 5\n", 5),
    ("spread", "spread, done\n", 1),
    ("nowhere", "nowhere, done\n", 1),
    ("part", "part, done\n", 1),
    ("forked", "forked, done\n", 1),
];

/// Whatever makes a stream bad and is asked for by nobody is printed, and the program does not end with 0.
fn unasked(folder: &Path) -> Result<(), String> {
    let source = data("unasked.br");
    expect(&brook(folder, &["build", &source, "-o", "program"])?, 0, "")?;
    let path = folder.join("program");
    let run = |how: &str, variables: &[(&str, &str)], text: &str, code: i32| {
        let mut command = Command::new(&path);
        command.arg(how);
        let made = program_with(command, variables)?;
        expect(&made, code, text).map_err(|e| format!("{how}, {variables:?}: {e}"))?;
        let printed = made.stderr.matches("brook: ").count();
        match printed == usize::from(code != 0) {
            true => Ok(made.stderr),
            false => Err(format!("{how}: printed {printed} times\n{}", made.stderr)),
        }
    };
    for (how, text, code) in UNASKED {
        run(how, &[("BROOK_DEVICE", "openmp")], text, code)?;
    }
    for (name, value) in [
        ("BROOK_DEVICE", "cuda:99"),
        ("BROOK_DEVICE", "abacus"),
        ("BRT_RUNTIME", "abacus"),
        ("BRT_ADAPTER", "99"),
    ] {
        let said = run("nothing", &[(name, value)], "nothing, done\n", 3)?;
        if !said.starts_with("brook: Stream Allocation: ") {
            return Err(format!("{name}={value}: {said}"));
        }
    }
    Ok(())
}

const MAIN: &str = "int main() { float a<4>, b<4>; float h[4] = {1, 2, 3, 4}, s = 0; streamRead(a, h);\n\
    twice(a, b); sum(b, s); streamWrite(b, h); printf(\"%g %g %g %g, %g\\n\", h[0], h[1], h[2], h[3], s); return 0; }\n";

/// Files of programs; each begins with what it includes or declares.
const PARTS: [(&str, &str); 9] = [
    (
        "proto.h",
        "kernel void twice(float a<>, out float b<>);\nreduce void sum(float a<>, reduce float b<>);\n",
    ),
    (
        "kernels.br",
        "#include \"proto.h\"\nkernel void twice(float a<>, out float b<>) { b = 2.0f * a; }\n\
         reduce void sum (float a<>, reduce float b<>) { b += a; }\n",
    ),
    (
        "included.br",
        "#include <stdio.h>\n#include \"proto.h\"\nMAIN",
    ),
    (
        "declared.br",
        "#include <stdio.h>\nextern kernel void twice(float a<>, out float b<>);\n\
         kernel void twice(float x<>, out float y<>);\nreduce void sum(float a<>, reduce float b<>);\nMAIN",
    ),
    (
        "both.br",
        "#include <stdio.h>\n#include \"proto.h\"\n#include \"kernels.br\"\nMAIN",
    ),
    (
        "own.br",
        "#include <stdio.h>\n#include \"proto.h\"\nMAINkernel void twice(float a<>, out float b<>) { b = a + a; }\n\
         reduce void sum(float a<>, reduce float b<>) { b += a; }\n",
    ),
    ("unused.br", "#include \"proto.h\"\nint unused;\n"),
    (
        "private.br",
        "static kernel void twice (float a<>, out float b<>) { b = 3.0f * a; }\nvoid other();\n\
         void other() { float a<1>, b<1>; twice(a, b); }\n",
    ),
    (
        "sub.br",
        "#include \"proto.h\"\nkernel void thrice(float a<>, out float b<>) { float t; twice(a, t); b = t + a; }\n",
    ),
];

/// A prototype says that a kernel is somewhere in the program: in the same file, before it, or in another one.
fn prototypes(folder: &Path) -> Result<(), String> {
    for (name, text) in PARTS {
        let text = text.replace("MAIN", MAIN);
        std::fs::write(folder.join(name), text).map_err(|e| e.to_string())?;
    }
    let run = |files: &[&str]| {
        let mut arguments = vec!["run", "--device", "openmp"];
        arguments.extend(files);
        brook(folder, &arguments)
    };
    for files in [
        &["included.br", "kernels.br"][..],
        &["kernels.br", "unused.br", "included.br"],
        &["declared.br", "kernels.br", "private.br"],
        &["both.br"],
        &["both.br", "unused.br"],
        &["both.br", "kernels.br"],
        &["own.br"],
        &["own.br", "unused.br"],
    ] {
        expect(&run(files)?, 0, "2 4 6 8, 20\n").map_err(|e| format!("{files:?}: {e}"))?;
    }
    // Nobody has the kernel, or nobody lets others have it.
    for files in [
        &["included.br"][..],
        &["declared.br"],
        &["included.br", "private.br"],
    ] {
        let finished = run(files)?;
        if finished.code != Some(3) || !finished.stderr.contains("twice") || finished.text() != "" {
            return Err(format!(
                "{files:?}: {:?}\n{}",
                finished.code, finished.stderr
            ));
        }
    }
    // What a kernel calls has to be in its own file.
    let finished = run(&["sub.br", "kernels.br"])?;
    match finished.code == Some(1) && finished.stderr.contains("BRK150") {
        true => Ok(()),
        false => Err(format!("{:?}\n{}", finished.code, finished.stderr)),
    }
}

/// Parts, types and handles, through the C interface alone.
fn c_calls_okl(folder: &Path, device: &str) -> Result<(), String> {
    let source = data("handles.c");
    expect(&brook(folder, &["build", &source, "-o", "program"])?, 0, "")?;
    let made = program(&folder.join("program"), &[("BROOK_DEVICE", device)])?;
    expect(&made, 0, "0 failures\n")
}

const DEVICE: &str = "#include <stdio.h>\n\
    kernel void copy(float a<>, out float b<>) { b = a; }\n\
    int main() { float s<2>; unsigned n = 0; brook::Device *d = s.getDevices(&n);\n\
    puts(n == 1 ? d->getName() : \"none\"); s.error(); return 0; }\n";

/// `--device` says where the program runs if its environment says nothing.
fn the_device_is_a_default(folder: &Path) -> Result<(), String> {
    std::fs::write(folder.join("device.br"), DEVICE).map_err(|e| e.to_string())?;
    let arguments = ["build", "--device", "openmp", "device.br", "-o", "program"];
    expect(&brook(folder, &arguments)?, 0, "")?;
    let path = folder.join("program");
    expect(&program(&path, &[])?, 0, "openmp:0\n")?;
    // What is not there is asked for all the same: the program's stream says so.
    let other = program(&path, &[("BROOK_DEVICE", "cuda:99")])?;
    expect(&other, 0, "none\n")
}

/// Lines of the host half and of the kernels are those of the `.br` file.
fn errors(folder: &Path) -> Result<(), String> {
    let text = "/* one\n two */\nkernel void copy(float a<>, out float b<>) {\n  b = a;\n}\n\nint main() {\n  return z;\n}\n";
    std::fs::write(folder.join("a.br"), text).map_err(|e| e.to_string())?;
    let finished = brook(folder, &["build", "a.br", "-o", "program"])?;
    if finished.code != Some(3) || !finished.stderr.contains("a.br:8:10: error") {
        return Err(format!("{:?}: {}", finished.code, finished.stderr));
    }
    let text = text
        .replace("z;", "0 * sizeof(float);")
        .replace("b = a;", "float t = a;\n  b = t +;");
    std::fs::write(folder.join("a.br"), text).map_err(|e| e.to_string())?;
    let finished = brook(folder, &["build", "a.br", "-o", "program"])?;
    match finished.code == Some(1) && finished.stderr.contains("a.br:5:") {
        true => Ok(()),
        false => Err(format!("{:?}: {}", finished.code, finished.stderr)),
    }
}

const DEBUGGED: &str = "#include <stdio.h>\n\
    #define HALF(x) ((x) * 0.5f)\n\
    \n\
    typedef struct pair_t { float x, y; } Pair;\n\
    \n\
    kernel float lower(float v)\n\
    {\n\
        float half = HALF(v);\n\
        return half - 1.0f;\n\
    }\n\
    \n\
    kernel void f(float a<>, Pair p<>, out float b<>)\n\
    {\n\
        float sum = a + p.y;\n\
        b = lower(sum);\n\
    }\n\
    \n\
    int main()\n\
    {\n\
        float a<4>, b<4>;\n\
        Pair p<4>;\n\
        float v[4] = {1.0f, 2.0f, 3.0f, 4.0f};\n\
        Pair q[4] = {{0.0f, 10.0f}, {0.0f, 20.0f}, {0.0f, 30.0f}, {0.0f, 40.0f}};\n\
        streamRead(a, v);\n\
        streamRead(p, q);\n\
        f(a, p, b);\n\
        streamWrite(b, v);\n\
        printf(\"%g %g %g %g\\n\", v[0], v[1], v[2], v[3]);\n\
        return 0;\n\
    }\n";

/// A breakpoint in a kernel and one in a sub-kernel are reached, for each element in turn, in one thread.
fn gdb_stops(folder: &Path) -> Result<(), String> {
    std::fs::write(folder.join("debugged.br"), DEBUGGED).map_err(|e| e.to_string())?;
    let arguments = [
        "build",
        "-g",
        "--device",
        "openmp",
        "debugged.br",
        "-o",
        "program",
    ];
    expect(&brook(folder, &arguments)?, 0, "")?;
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-batch", "-nx"]);
    for command in [
        "set breakpoint pending on",
        "break debugged.br:15",
        "break debugged.br:9",
        "break debugged.br:27",
        "run",
        // Before the kernels are there, the nearest line is one of main.
        "continue",
        "print sum",
        "continue",
        "print half",
        "info threads",
        "continue",
        "print sum",
        "delete 1",
        "delete 2",
        "continue",
        "print v[3]",
        "continue",
    ] {
        gdb.args(["-ex", command]);
    }
    // Elsewhere than where the source is.
    gdb.arg(folder.join("program")).current_dir("/");
    gdb.env("BROOK_CACHE", "off").env_remove("BROOK_DEVICE");
    let finished = process::run(&mut gdb, b"", process::TIME_LIMIT)?;
    let text = finished.text();
    let mut rest = text.as_str();
    let steps = [
        "debugged.br:15\n",
        "$1 = 11\n",
        "debugged.br:9\n",
        "$2 = 5.5\n",
        "* 1 ",
        "debugged.br:15\n",
        "$3 = 22\n",
        "debugged.br:27\n",
        "$4 = 4\n",
        "4.5 10 15.5 21\n",
    ];
    for step in steps {
        let Some(at) = rest.find(step) else {
            return Err(format!(
                "{step:?} does not follow\n{text}{}",
                finished.stderr
            ));
        };
        rest = &rest[at + step.len()..];
    }
    match text.contains("\n  2 ") || finished.stderr.contains("kernel.so") {
        true => Err(format!(
            "a second thread, or no file\n{text}{}",
            finished.stderr
        )),
        false => Ok(()),
    }
}
