//! `scripts/install`, and what a stranger's project makes of the installation: by CMake and by make with
//! pkg-config, away from this repository, without anything of its environment.

use crate::shared::once;
use crate::support::Trial;
use crate::support::cases::root;
use crate::support::need::Need;
use crate::support::process::{self, Finished};
use crate::support::toolchains::host_compiler;
use brook_driver::{ScratchDirectory, find_program};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The tests.
pub fn trials() -> Vec<Trial> {
    let all = |programs: &[&'static str]| {
        host_compiler()?;
        let missing = programs.iter().find(|p| find_program(p).is_none());
        missing.map_or(Ok(()), |p| Err(format!("no {p} found")))
    };
    let cxx = Need::new("openmp", &host_compiler());
    let cmake = Need::new("cmake", &all(&["cmake", "make"]));
    let ninja = Need::new("ninja", &all(&["cmake", "ninja"]));
    let fortran = Need::new("fortran", &all(&["cmake", "make", "gfortran"]));
    let pkg_config = Need::new("pkg-config", &all(&["pkg-config", "make"]));
    for need in [&cxx, &cmake, &ninja, &fortran, &pkg_config] {
        need.announce();
    }
    let trials: Vec<Trial> = vec![
        cxx.trial("the_layout".into(), || Ok(the_layout()?)),
        cxx.trial(
            "the_command_finds_its_library".into(),
            || Ok(the_command()?),
        ),
        cmake.trial("a_cmake_project".into(), || Ok(a_cmake_project()?)),
        cmake.trial("kernels_by_make".into(), || Ok(kernels("Unix Makefiles")?)),
        ninja.trial("kernels_by_ninja".into(), || Ok(kernels("Ninja")?)),
        cmake.trial("the_examples".into(), || Ok(the_examples()?)),
        cmake.trial("a_depfile".into(), || Ok(a_depfile()?)),
        pkg_config.trial("a_makefile".into(), || Ok(a_makefile()?)),
        cmake.trial("a_project_of_occa".into(), || Ok(a_project_of_occa()?)),
        fortran.trial("a_project_of_occa_in_fortran".into(), || {
            Ok(a_project_of_occa_in_fortran()?)
        }),
        cxx.trial("the_command_of_occa".into(), || Ok(the_command_of_occa()?)),
        cxx.trial("the_first_version_of_occa".into(), || {
            Ok(the_first_version_of_occa()?)
        }),
    ];
    trials
}

/// A fresh folder with the installation in `prefix`.
fn installed() -> Result<ScratchDirectory, String> {
    installed_as(&["--prefix"])
}

/// The same by another of the installer's options.
fn installed_as(options: &[&str]) -> Result<ScratchDirectory, String> {
    let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
    install_into(folder.path(), options)?;
    Ok(folder)
}

/// A fresh folder whose `prefix` leads to OCCA's interface, which is installed once for all tests.
fn occa_installed() -> Result<ScratchDirectory, String> {
    let shared = once("installed-occa", |folder| install_into(folder, &["--occa"]))?;
    let prefix = shared.join("prefix");
    let folder = ScratchDirectory::new().map_err(|e| e.to_string())?;
    std::os::unix::fs::symlink(prefix, folder.path().join("prefix")).map_err(|e| e.to_string())?;
    Ok(folder)
}

/// A folder `from` in another one with what is installed.
pub(crate) fn built_files(folder: &Path) -> Result<PathBuf, String> {
    let built = Path::new(env!("CARGO_BIN_EXE_brook")).parent().unwrap();
    // `cargo test` builds the shared library in `deps` only.
    let from = folder.join("from");
    std::fs::create_dir(&from).map_err(|e| e.to_string())?;
    for (name, file) in [
        ("brook", built.join("brook")),
        ("brcc", built.join("brcc")),
        ("libbrook.so", built.join("deps/libbrook.so")),
    ] {
        std::os::unix::fs::symlink(file, from.join(name)).map_err(|e| e.to_string())?;
    }
    Ok(from)
}

fn install_into(folder: &Path, options: &[&str]) -> Result<(), String> {
    built_files(folder)?;
    let mut command = Command::new(root().join("scripts/install"));
    command.current_dir(folder);
    // How fast OCCA's interface is, no test here asks.
    command.env("CXXFLAGS", "-O0");
    command.args(options).args(["prefix", "--from", "from"]);
    let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
    match finished.code {
        Some(0) => Ok(()),
        code => Err(format!("{code:?} {}{}", finished.text(), finished.stderr)),
    }
}

/// A command that knows of the installation what `PATH`-like variables say, and nothing of this build.
pub(crate) fn clean(program: impl AsRef<std::ffi::OsStr>, folder: &Path) -> Command {
    let mut command = Command::new(program);
    for (name, _) in std::env::vars_os() {
        let text = name.to_string_lossy();
        let ours = text.starts_with("BROOK_") || text.starts_with("BRT_");
        if ours || text.starts_with("CARGO") || text == "LD_LIBRARY_PATH" {
            command.env_remove(&name);
        }
    }
    command
        .env("BROOK_DEVICE", "openmp")
        .env("BROOK_CACHE", "off");
    command.current_dir(folder);
    command
}

pub(crate) fn run(command: &mut Command, text: &str) -> Result<(), String> {
    let finished: Finished = process::run(command, b"", process::TIME_LIMIT)?;
    match finished.code == Some(0) && finished.text().contains(text) {
        true => Ok(()),
        false => Err(format!(
            "{command:?}: exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}

/// The files of a stranger's project, in the folder of the installation.
fn project(name: &str, folder: &Path) -> Result<(), String> {
    let mut copy = Command::new("cp");
    copy.arg("-r")
        .arg(root().join("tests/data/installed").join(name))
        .arg(folder.join("project"));
    run(&mut copy, "")
}

/// The folder in which CMake builds such a project.
fn configured(name: &str, folder: &Path) -> Result<PathBuf, String> {
    project(name, folder)?;
    configured_for(folder, "Unix Makefiles")
}

/// The same of a project that is there, for a generator.
fn configured_for(folder: &Path, generator: &str) -> Result<PathBuf, String> {
    let mut configure = clean("cmake", folder);
    configure.args(["-S", "project", "-B", "build", "-G", generator]);
    configure.arg(format!(
        "-DCMAKE_PREFIX_PATH={}",
        folder.join("prefix").display()
    ));
    run(&mut configure, "Generating done")?;
    Ok(folder.join("build"))
}

fn the_layout() -> Result<(), String> {
    let folder = installed()?;
    let prefix = folder.path().join("prefix");
    for file in [
        "bin/brook",
        "bin/brcc",
        "lib/libbrook.so",
        "lib/pkgconfig/brook.pc",
        "lib/cmake/brook/brookConfig.cmake",
        "lib/cmake/brook/brookConfigVersion.cmake",
        "include/brook/brook.hpp",
        "include/brook/abi.h",
        "share/doc/brook/LICENSE-MIT",
        "share/brook/examples/brook/sum.br",
        "share/brook/examples/c/axpy.c",
        "share/brook/examples/cpp/kernels/heat.okl",
    ] {
        if !prefix.join(file).is_file() {
            return Err(format!("{file} is missing"));
        }
    }
    let text = std::fs::read(prefix.join("lib/libbrook.so")).map_err(|e| e.to_string())?;
    // The library's own name, in its table of strings.
    let soname = b"\0libbrook.so\0";
    match text.windows(soname.len()).any(|w| w == soname) {
        true => Ok(()),
        false => Err("libbrook.so has no soname".to_string()),
    }
}

/// The installed command builds a program with the installed headers and library.
fn the_command() -> Result<(), String> {
    let folder = installed()?;
    let prefix = folder.path().join("prefix");
    let mut command = clean(prefix.join("bin/brook"), folder.path());
    command
        .args(["build", "-o", "sum"])
        .arg(prefix.join("share/brook/examples/brook/sum.br"));
    run(&mut command, "")?;
    run(
        &mut clean(folder.path().join("sum"), folder.path()),
        "  9.00  10.00",
    )
}

fn a_cmake_project() -> Result<(), String> {
    let folder = installed()?;
    let build = configured("cmake", folder.path())?;
    run(
        clean("cmake", &build).args(["--build", "."]),
        "Translating kernels of program",
    )?;
    run(&mut clean(build.join("program"), &build), "3.5 6.5 9.5\n")?;
    run(&mut clean(build.join("plain"), &build), "10 0\n")?;
    // What is up to date stays; what has changed is translated again.
    let source = folder.path().join("project/sub/saxpy.br");
    let text = std::fs::read_to_string(&source).map_err(|e| e.to_string())?;
    std::fs::write(&source, text.replace("SHIFT", "SHIFT * 2.0f")).map_err(|e| e.to_string())?;
    run(
        clean("cmake", &build).args(["--build", "."]),
        "Translating kernels of program",
    )?;
    run(&mut clean(build.join("program"), &build), "4 7 10\n")
}

/// What a build system does again, and what it leaves alone, for every kind of file that kernels are made of.
fn kernels(generator: &str) -> Result<(), String> {
    let folder = installed()?;
    project("kernels", folder.path())?;
    let build = configured_for(folder.path(), generator)?;
    let make = |again: &[&str]| -> Result<(), String> {
        let mut make = clean("cmake", &build);
        make.args(["--build", "."]);
        let finished = process::run(&mut make, b"", process::TIME_LIMIT)?;
        let text = finished.text();
        let lines = text.lines().filter_map(|line| {
            let words = ["Embedding ", "Translating ", "Compiling ", "Building "];
            words.iter().find_map(|w| Some(&line[line.find(w)?..]))
        });
        let mut made: Vec<&str> = lines.collect();
        made.sort_unstable();
        match finished.code == Some(0) && made == again {
            true => Ok(()),
            false => Err(format!(
                "{made:?} instead of {again:?}\n{text}{}",
                finished.stderr
            )),
        }
    };
    run(
        clean("cmake", &build).args(["--build", "."]),
        "Embedding kernels of scaling",
    )?;
    make(&[])?;
    let results = [
        ("plain", "2.5 4.5\n3.25\n5\n"),
        ("words", "2.5 4.5\n3.25\n5\n"),
        ("ahead", "1.5 2.5 \n"),
    ];
    for (program, result) in results {
        run(&mut clean(build.join(program), &build), result)?;
    }
    let source = |file: &str| folder.path().join("project").join(file);
    let change = |file: &str, text: &str| {
        std::fs::write(source(file), text).map_err(|e| format!("{file}: {e}"))
    };
    let object = |target: &str, file: &str| {
        format!("Building CXX object CMakeFiles/{target}.dir/{target}.brook/{file}.cpp.o")
    };
    // A header that a header includes, in a folder with a blank; what includes the generated header is not built again.
    change("with blank/amount.h", "#define SCALE 3.0f\n")?;
    make(&[
        &object("scaling", "scale_sources"),
        "Embedding kernels of scaling",
    ])?;
    // One that is included under a condition which does not hold.
    change("with blank/deep/never.h", "#define UNUSED 2\n")?;
    make(&[
        &object("scaling", "scale_sources"),
        "Embedding kernels of scaling",
    ])?;
    change("include/offset.h", "#define OFFSET 0.25f\n")?;
    make(&[
        &object("scaling", "scale_sources"),
        "Embedding kernels of scaling",
    ])?;
    // Sources on the disk are the program's to read; the others are embedded, and compiled for devices.
    change("sub/shift.h", "#define SHIFT 1.5f\n")?;
    make(&[
        &object("ahead", "ahead_kernels"),
        &object("plain", "plain_kernels"),
        "Compiling kernels of ahead for openmp",
        "Compiling kernels of ahead for openmp;opencl",
        "Embedding kernels of ahead",
        "Embedding kernels of plain",
    ])?;
    change("sub/factor.h", "#define MORE 1.0f\n")?;
    make(&[
        "Building CXX object CMakeFiles/plain.dir/main.cpp.o",
        &object("plain", "saxpy"),
        "Building CXX object CMakeFiles/words.dir/main.cpp.o",
        &object("words", "saxpy"),
        "Translating kernels of plain",
        "Translating kernels of words",
    ])?;
    make(&[])?;
    let results = [
        ("plain", "3.25 6.25\n4\n7.75\n"),
        ("words", "3.25 6.25\n4\n7.75\n"),
        ("ahead", "2.5 3.5 \n"),
    ];
    for (program, result) in results {
        run(&mut clean(build.join(program), &build), result)?;
    }
    run(
        clean("cmake", &build).args(["--install", ".", "--prefix", "out"]),
        "installed.brk",
    )?;
    // What is embedded needs no sources; what was compiled ahead of time, no compiler either.
    std::fs::rename(folder.path().join("project"), folder.path().join("gone"))
        .map_err(|e| e.to_string())?;
    run(&mut clean(build.join("plain"), &build), results[0].1)?;
    let without = |argument: Option<&str>| {
        let mut command = clean(build.join("ahead"), &build);
        command.env("PATH", "/nothing").args(argument);
        run(&mut command, results[2].1)
    };
    without(None)?;
    without(Some("out/share/ahead/installed.brk"))?;
    let words = process::run(
        &mut clean(build.join("words"), &build),
        b"",
        process::TIME_LIMIT,
    )?;
    match words.stderr.contains("project/sub/shift.okl") {
        true => Ok(()),
        false => Err(format!("the source is gone, and is read: {words:?}")),
    }
}

/// The examples are complete projects. Their kernels are part of the programs.
fn the_examples() -> Result<(), String> {
    for (name, program, text) in [
        ("c", "axpy", "openmp:0: 2 * 999 = 1998\n"),
        ("cpp", "heat", "that is what the equation says\n"),
    ] {
        let folder = installed()?;
        let example = folder.path().join("prefix/share/brook/examples").join(name);
        let project = folder.path().join("project");
        std::fs::rename(example, &project).map_err(|e| e.to_string())?;
        let build = configured_for(folder.path(), "Unix Makefiles")?;
        run(
            clean("cmake", &build).args(["--build", "."]),
            "Embedding kernels",
        )?;
        std::fs::remove_dir_all(project).map_err(|e| e.to_string())?;
        run(&mut clean(build.join(program), &build), text)?;
        run(clean(build.join(program), &build).arg("openmp"), text)?;
        let mut wrong = clean(build.join(program), &build);
        let wrong = process::run(wrong.arg("nothing"), b"", process::TIME_LIMIT)?;
        if wrong.code != Some(3) || !wrong.stderr.contains("no device is called 'nothing'") {
            return Err(format!("{wrong:?}"));
        }
    }
    Ok(())
}

/// make itself reads what `--depfile` writes, whatever names are made of.
fn a_depfile() -> Result<(), String> {
    let folder = installed()?;
    let at = |name: &str| folder.path().join(name);
    let write = |name: &str, text: &str| std::fs::write(at(name), text).map_err(|e| e.to_string());
    let header = r"a b#c$d%e\ f.h";
    let kernel = "@kernel void k(int *p) {\n  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) p[i] = X;\n}\n";
    write("k.okl", &format!("#include \"{header}\"\n{kernel}"))?;
    write(header, "#define X 1\n")?;
    write(
        "Makefile",
        "out/k.cpp:\n\tprefix/bin/brook transpile -b openmp k.okl -o out --depfile k.d\n-include k.d\n",
    )?;
    let make = || run(&mut clean("make", folder.path()), "brook transpile");
    let idle = || run(&mut clean("make", folder.path()), "up to date");
    make()?;
    idle()?;
    write(header, "#define X 2\n")?;
    make()?;
    idle()
}

fn a_makefile() -> Result<(), String> {
    let folder = installed()?;
    project("make", folder.path())?;
    let project = folder.path().join("project");
    let mut make = clean("make", &project);
    make.env(
        "PKG_CONFIG_PATH",
        folder.path().join("prefix/lib/pkgconfig"),
    );
    run(&mut make, "brcc -o sum sum.br")?;
    run(&mut clean(project.join("program"), &project), "2 4\n")?;
    run(&mut clean(project.join("plain"), &project), "openmp:0\n")
}

/// What was written for OCCA finds it in the installation, and needs nothing else.
fn a_project_of_occa() -> Result<(), String> {
    let folder = occa_installed()?;
    let build = configured("occa", folder.path())?;
    run(clean("cmake", &build).args(["--build", "."]), "")?;
    run(&mut clean(build.join("program"), &build), "3 6 9\n")
}

/// What OCCA 1 counts in bytes.
fn the_first_version_of_occa() -> Result<(), String> {
    let folder = installed_as(&["--occa-version", "1", "--occa"])?;
    let folder = folder.path();
    let program = r#"
#include <occa.hpp>

static_assert(OCCA_VERSION == 10600, "");

int main() {
    const double host[4] = {1, 2, 3, 4};
    double back[4] = {0, 0, 0, 0};
    occa::device device({{"mode", "Serial"}});
    occa::memory x = device.malloc<double>(4, host), y = device.malloc<double>(4);
    bool all = x.size() == 32 && x.length() == 4 && x.byte_size() == 32;
    x.copyTo(back, 16, 8);
    all = all && back[0] == 2 && back[1] == 3 && back[2] == 0;
    y.copyFrom(host, 8, 24);
    y.copyFrom(x, 8, 0, 16);
    y.copyTo(back);
    all = all && back[0] == 3 && back[1] == 0 && back[3] == 1;
    (x + 1).copyTo(y, 16, 8, 8);
    y.copyTo(back, sizeof(back));
    all = all && back[0] == 3 && back[1] == 3 && back[2] == 4 && back[3] == 1;
    try {
        x.copyTo(back, 8, 32);
        all = false;
    } catch (const occa::exception &) {
    }
    std::cout << (all ? "bytes" : "no bytes") << std::endl;
}
"#;
    std::fs::write(folder.join("program.cpp"), program).map_err(|e| e.to_string())?;
    let mut compile = clean("g++", folder);
    compile.args([
        "program.cpp",
        "-o",
        "program",
        "-Iprefix/include",
        "-Lprefix/lib",
        "-locca",
    ]);
    compile.arg("-Wl,-rpath,$ORIGIN/prefix/lib");
    run(&mut compile, "")?;
    run(&mut clean(folder.join("program"), folder), "bytes\n")
}

/// Every function of the Fortran module, by either of its targets; and C of the same project.
fn a_project_of_occa_in_fortran() -> Result<(), String> {
    let folder = occa_installed()?;
    let build = configured("occa_fortran", folder.path())?;
    run(clean("cmake", &build).args(["--build", "."]), "")?;
    for program in ["program", "named"] {
        run(
            &mut clean(build.join(program), &build),
            "all is as it should be\n",
        )?;
    }
    run(&mut clean(build.join("in_c"), &build), "2 4 6\n")
}

/// `occa` of the installation: what it prints of a kernel with properties, defines and folders, what it compiles, what it
/// keeps, and what it refuses.
fn the_command_of_occa() -> Result<(), String> {
    let folder = occa_installed()?;
    let folder = folder.path();
    let write =
        |name: &str, text: &str| std::fs::write(folder.join(name), text).map_err(|e| e.to_string());
    std::fs::create_dir(folder.join("inc")).map_err(|e| e.to_string())?;
    write("inc/y.h", "#define Y 40\n")?;
    write(
        "k.okl",
        "#include \"y.h\"\n@kernel void f(const int n, float *a) {\n  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) \
         { a[i] = X + Y + Z(1); }\n}\n",
    )?;
    let occa = |arguments: &[&str]| {
        let mut command = clean(folder.join("prefix/bin/occa"), folder);
        command.env_remove("BROOK_CACHE");
        command.env("OCCA_CACHE_DIR", folder.join("cache"));
        command.args(arguments);
        command
    };
    let header = "{headers: ['#define Z(a) a + 5']}";
    for (mode, words) in [
        ("Serial", "omp"),
        ("OpenMP", "omp parallel for"),
        ("CUDA", "blockIdx"),
        ("hip", "__global__"),
        ("OpenCL", "__kernel"),
    ] {
        let arguments = [
            "translate",
            "-m",
            mode,
            "-DX=2",
            "-Iinc",
            "-k",
            header,
            "k.okl",
        ];
        run(&mut occa(&arguments), words)?;
        run(&mut occa(&arguments), "2 + 40 + 1 + 5")?;
    }
    let props = "{defines: {X: 7, 'Z(a)': '(a)'}, okl: {include_paths: ['inc']}}";
    run(
        &mut occa(&["translate", "--kernel-props", props, "k.okl"]),
        "7 + 40 + (1)",
    )?;
    let mut launcher = occa(&[
        "translate",
        "-vlm",
        "CUDA",
        "-D",
        "X=2",
        "--define=Z(a)=a",
        "-I",
        "inc",
        "k.okl",
    ]);
    run(&mut launcher, "\"X\": \"2\"")?;
    run(&mut launcher, "cuLaunchKernel")?;

    let compile = |name: &str| {
        let mut command = occa(&["compile", "-d", "{mode: 'Serial'}", "-k", props, "k.okl"]);
        command.arg(name);
        command
    };
    run(&mut compile("f"), "")?;
    refused(&mut compile("g"), "there is no kernel 'g'")?;
    let kept = folder.join("cache");
    let entries = || std::fs::read_dir(&kept).map(|all| all.count()).unwrap_or(0);
    if entries() == 0 {
        return Err("nothing is in the cache".to_string());
    }
    run(&mut occa(&["clear", "--locks"]), "nothing to remove")?;
    run(&mut occa(&["clear", "--kernels", "-y"]), "removed")?;

    run(&mut occa(&["version"]), "2.0.0\n")?;
    run(&mut occa(&["version", "--okl"]), "2.0.0\n")?;
    run(&mut occa(&["modes"]), "OpenMP\n")?;
    run(&mut occa(&["info"]), "Serial")?;
    run(&mut occa(&["env"]), "OCCA_OPENMP_ENABLED        : 1\n")?;
    run(&mut occa(&["autocomplete", "bash"]), "translate")?;
    run(&mut occa(&["--help"]), "translate")?;
    for (arguments, words) in [
        (
            &["translate", "-m", "Metal", "k.okl"][..],
            "for the mode [Metal]",
        ),
        (&["translate", "none.okl"], "There is no file [none.okl]"),
        (&["translate"], "takes these arguments: FILE"),
        (&["translate", "-Q", "k.okl"], "There is no option [-Q]"),
        (
            &["translate", "k.okl", "--mode"],
            "Option [--mode] has no MODE",
        ),
        (&["translate", "-k", "{", "k.okl"], "json"),
        (&["translate", "-DX=1", "k.okl"], "y.h"),
        (&["turn"], "There is no command [turn]"),
        (&[], "Usage: occa COMMAND"),
    ] {
        refused(&mut occa(arguments), words)?;
    }
    // Without the other command it says so.
    std::fs::remove_file(folder.join("prefix/bin/brook")).map_err(|e| e.to_string())?;
    let mut alone = occa(&["translate", "k.okl"]);
    refused(alone.env("PATH", "/nowhere"), "no command 'brook'")
}

/// Runs what has to fail with words on standard error.
fn refused(command: &mut Command, words: &str) -> Result<(), String> {
    let finished: Finished = process::run(command, b"", process::TIME_LIMIT)?;
    match finished.code != Some(0) && finished.stderr.contains(words) {
        true => Ok(()),
        false => Err(format!(
            "{command:?}: exit code {:?}\n{}{}",
            finished.code,
            finished.text(),
            finished.stderr
        )),
    }
}
