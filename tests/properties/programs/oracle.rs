//! The plain program: compiled without optimisation and under sanitizers, then run.

use super::Program;
use super::kernel::{Given, Kernel};
use super::value::Type;
use super::writer::Operation;
use crate::properties::random::Random;
use crate::support::process;
use crate::support::toolchains::host_compiler;
use brook_driver::{ScratchDirectory, find_program, run_compiler};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

const PRELUDE: &str = "#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
template <class T> static T min(T a, T b) { return b < a ? b : a; }
template <class T> static T max(T a, T b) { return a < b ? b : a; }
static FILE *brook_in, *brook_out;
// Heap blocks of their exact size, so that whatever leaves one is noticed.
static void *brook_take(size_t bytes) {
  void *p = malloc(bytes);
  if (fread(p, 1, bytes, brook_in) != bytes) exit(3);
  return p;
}
static void brook_give(void *p, size_t bytes) {
  if (fwrite(p, 1, bytes, brook_out) != bytes) exit(4);
  free(p);
}
";

const SANITIZERS: [&str; 2] = [
    "-fsanitize=undefined,address,float-cast-overflow",
    "-fno-sanitize-recover=all",
];

/// The bytes of one launch's buffers, in the order of the parameters.
pub type Buffers = Vec<Vec<u8>>;

/// Before and after each launch of each kernel.
pub struct Expected {
    pub launches: Vec<(Buffers, Buffers)>,
}

/// What a program computes, once for all devices.
pub fn oracle(program: &Program) -> Result<Arc<Expected>, String> {
    type Cell = Arc<OnceLock<Result<Arc<Expected>, String>>>;
    static KNOWN: Mutex<BTreeMap<(u64, usize), Cell>> = Mutex::new(BTreeMap::new());
    let key = (program.seed, program.source().len());
    let cell = {
        let mut known = KNOWN.lock().map_err(|e| e.to_string())?;
        known.entry(key).or_default().clone()
    };
    cell.get_or_init(|| computed(program).map(Arc::new)).clone()
}

/// The plain program.
pub fn plain(program: &Program) -> String {
    let launches = program
        .kernels
        .iter()
        .flat_map(|k| k.launches.iter().map(move |l| (k, l)));
    let calls: String = launches
        .map(|(kernel, scalars)| call(kernel, scalars))
        .collect();
    format!(
        "{PRELUDE}{}\nint main(int, char **names) {{\n  brook_in = fopen(names[1], \"rb\");\n  \
         brook_out = fopen(names[2], \"wb\");\n{calls}  return fclose(brook_out);\n}}\n",
        program.text.plain
    )
}

fn computed(program: &Program) -> Result<Expected, String> {
    let mut random = Random::new(program.seed ^ 0xda7a);
    let mut before = Vec::new();
    let mut input = Vec::new();
    for kernel in &program.kernels {
        for _ in &kernel.launches {
            let buffers: Buffers = kernel
                .given
                .iter()
                .filter_map(|g| Some(filled(&mut random, g, g.elements?)))
                .collect();
            input.extend(buffers.iter().flatten());
            before.push(buffers);
        }
    }
    let output =
        executed(&plain(program), &input).map_err(|e| format!("the plain program: {e}"))?;
    let mut rest = output.as_slice();
    let mut launches = Vec::new();
    for buffers in before {
        let mut after = Vec::new();
        for buffer in &buffers {
            if rest.len() < buffer.len() {
                return Err("the plain program wrote too little".into());
            }
            let (bytes, others) = rest.split_at(buffer.len());
            after.push(bytes.to_vec());
            rest = others;
        }
        launches.push((buffers, after));
    }
    Ok(Expected { launches })
}

fn filled(random: &mut Random, given: &Given, elements: usize) -> Vec<u8> {
    // What is counted from stays far from the edges, as what is added does.
    let counts = given.operation == Some(Operation::Add) && given.ty.is_signed();
    let bytes = |_| match counts {
        true => encoded(given.ty, random.within(-99, 99).into()),
        false => encoded(given.ty, given.ty.random(random)),
    };
    (0..elements).flat_map(bytes).collect()
}

/// A number as memory has it.
pub fn encoded(ty: Type, number: i128) -> Vec<u8> {
    let value = number as f64 / f64::from(1u32 << ty.range().scale);
    match ty {
        Type::Float => (value as f32).to_ne_bytes().to_vec(),
        Type::Double => value.to_ne_bytes().to_vec(),
        _ => match ty.size() {
            1 => (number as i8).to_ne_bytes().to_vec(),
            2 => (number as i16).to_ne_bytes().to_vec(),
            4 => (number as i32).to_ne_bytes().to_vec(),
            _ => (number as i64).to_ne_bytes().to_vec(),
        },
    }
}

/// A launch as a call of the plain function.
fn call(kernel: &Kernel, scalars: &[i128]) -> String {
    let (mut scalars, mut arguments) = (scalars.iter(), Vec::new());
    let (mut taken, mut given_back) = (String::new(), String::new());
    for given in &kernel.given {
        let (ty, name) = (given.ty.name(), &given.name);
        arguments.push(match given.elements {
            Some(elements) => {
                let size = elements * given.ty.size();
                taken.push_str(&format!("    {ty} *{name} = ({ty} *)brook_take({size});\n"));
                given_back.push_str(&format!("    brook_give({name}, {size});\n"));
                name.clone()
            }
            None => {
                let number = scalars.next().copied().unwrap_or_default();
                given.ty.literal(number, &mut Random::new(1)).plain
            }
        });
    }
    let (name, arguments) = (&kernel.name, arguments.join(", "));
    format!("  {{\n{taken}    {name}({arguments});\n{given_back}  }}\n")
}

fn executed(text: &str, input: &[u8]) -> Result<Vec<u8>, String> {
    let scratch = ScratchDirectory::new().map_err(|e| e.to_string())?;
    let path = |name: &str| scratch.path().join(name);
    std::fs::write(path("plain.cpp"), text).map_err(|e| e.to_string())?;
    std::fs::write(path("input"), input).map_err(|e| e.to_string())?;
    let (compiler, sanitizers) = compiler()?;
    let mut command = Command::new(compiler);
    command.args(["-std=c++17", "-O0", "-w", "-ffp-contract=off"]);
    if *sanitizers {
        command.args(SANITIZERS);
    }
    command.arg("-o").arg(path("plain")).arg(path("plain.cpp"));
    run_compiler(&mut command).map_err(|e| e.to_string())?;
    let mut command = Command::new(path("plain"));
    command.arg(path("input")).arg(path("output"));
    // What looks for leaks does not work in every container, and nothing leaks.
    command.env("ASAN_OPTIONS", "detect_leaks=0");
    let finished = process::run(&mut command, &[], Duration::from_secs(60))?;
    if finished.code != Some(0) {
        return Err(format!(
            "it ended with {:?}: {}",
            finished.code, finished.stderr
        ));
    }
    std::fs::read(path("output")).map_err(|e| e.to_string())
}

/// The first compiler whose sanitizers are installed, or any where none are: then nothing watches the plain
/// programs, which `BROOK_REQUIRE=all` does not allow.
fn compiler() -> Result<&'static (PathBuf, bool), String> {
    static CHOSEN: OnceLock<Result<(PathBuf, bool), String>> = OnceLock::new();
    let choose = || {
        let usual = host_compiler()?;
        let others = ["g++", "clang++-15", "clang++"];
        let found = others.into_iter().filter_map(find_program);
        if let Some(works) = [usual.clone()]
            .into_iter()
            .chain(found)
            .find(|c| has_sanitizers(c))
        {
            return Ok((works, true));
        }
        if std::env::var("BROOK_REQUIRE").as_deref() == Ok("all") {
            return Err("no compiler with sanitizers was found".to_string());
        }
        crate::support::need::say("no compiler has sanitizers: plain programs run without");
        Ok((usual, false))
    };
    CHOSEN.get_or_init(choose).as_ref().map_err(Clone::clone)
}

fn has_sanitizers(compiler: &Path) -> bool {
    let works = || {
        let scratch = ScratchDirectory::new().ok()?;
        let (source, program) = (
            scratch.path().join("empty.cpp"),
            scratch.path().join("empty"),
        );
        std::fs::write(&source, "int main() { return 0; }\n").ok()?;
        let mut command = Command::new(compiler);
        command
            .args(SANITIZERS)
            .arg("-o")
            .arg(&program)
            .arg(&source);
        run_compiler(&mut command).ok()?;
        Command::new(&program)
            .status()
            .ok()?
            .success()
            .then_some(())
    };
    works().is_some()
}
