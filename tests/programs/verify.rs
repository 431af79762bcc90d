//! `brook verify`: one kernel on several devices.

use crate::support::Trial;
use crate::support::need::Need;
use crate::support::process::{self, Finished};
use crate::support::toolchains::host_compiler;
use std::path::{Path, PathBuf};

const OKL: &str = "struct Pair { float x; int n; };\n\
    #ifdef BROOK_BACKEND_OPENCL\n\
    #define WRONG (i == 7)\n\
    #else\n\
    #define WRONG 0\n\
    #endif\n\
    @kernel void axpy(const int n, const float a, const float *x, float *y) {\n\
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) y[i] = a * x[i] + y[i];\n\
    }\n\
    @kernel void pairs(const int n, const Pair p, const float *v, Pair *q) {\n\
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) { q[i].x = v[i] * p.x; q[i].n -= p.n; }\n\
    }\n\
    @kernel void wrong(const int n, float *y) {\n\
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) y[i] += WRONG;\n\
    }\n\
    @kernel void crash(const int n, int *y) {\n\
      for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) y[i + ((long) n << 40)] = i;\n\
    }\n";

const BROOK: &str = "typedef struct five_t { float4 a; int b; } Five;\n\
    kernel void scale(float s<>, float t[][], float2 f, out float o<>) { o = s * f.x + t[0][1] * f.y; }\n\
    kernel void roots(float s<>, out float o[]) { o[instance().x] = sqrt(s) * SCALE; }\n\
    kernel void fives(Five f<>, Five g, out Five o<>) { o.a = f.a * g.a; o.b = f.b + g.b; }\n\
    reduce void sum(int a<>, reduce int r<>) { r += a; }\n";

/// The tests.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let opencl = Need::new("opencl", &crate::support::toolchains::opencl_device());
    cxx.announce();
    opencl.announce();
    let trial = |need: &Need, name: &str, test: fn(&Path) -> Result<(), String>| {
        let folder = name.to_string();
        need.trial(name.to_string(), move || Ok(test(&scratch(&folder)?)?))
    };
    let trials: Vec<Trial> = vec![
        trial(&opencl, "devices_agree", devices_agree),
        trial(&opencl, "devices_disagree", devices_disagree),
        trial(&opencl, "packages_are_taken_as_they_are", packages),
        trial(&cxx, "streams_of_every_role", streams_of_every_role),
        trial(&cxx, "arrays_come_from_files_and_go_there", files),
        trial(&cxx, "a_crash_is_reported", a_crash_is_reported),
        trial(&cxx, "mistakes_are_named", mistakes_are_named),
    ];
    trials
}

/// A directory with both sources.
fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("verify")
        .join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    std::fs::write(path.join("a.okl"), OKL).map_err(|e| e.to_string())?;
    std::fs::write(path.join("a.br"), BROOK).map_err(|e| e.to_string())?;
    Ok(path)
}

/// `brook verify FILE --kernel NAME --arg …`, and what follows.
fn verify(folder: &Path, words: &str) -> Result<Finished, String> {
    let mut command = process::brook();
    command.current_dir(folder).env("BROOK_CACHE", "off");
    let mut words = words.split_whitespace();
    command.arg("verify").arg(words.next().unwrap());
    command.arg("--kernel").arg(words.next().unwrap());
    for word in words {
        if word.contains('=') && !word.starts_with('-') {
            command.arg("--arg");
        }
        command.arg(word);
    }
    process::run(&mut command, b"", process::TIME_LIMIT)
}

/// A program that ended with that code, and printed all of these texts.
pub(crate) fn expect(finished: &Finished, code: i32, texts: &[&str]) -> Result<(), String> {
    let all = finished.text() + &finished.stderr;
    match texts.iter().find(|text| !all.contains(*text)) {
        None if finished.code == Some(code) => Ok(()),
        missing => Err(format!(
            "exit code {:?}, missing {missing:?}\n{all}",
            finished.code
        )),
    }
}

fn devices_agree(folder: &Path) -> Result<(), String> {
    let axpy = "a.okl axpy n=1000 a=2.1 x=random(1000,seed=1) y=random(1000,seed=2)";
    let found = verify(
        folder,
        &format!("{axpy} --devices openmp,opencl:0 --tolerance 1ulp"),
    )?;
    expect(
        &found,
        0,
        &[
            "array  elements  openmp:0   opencl:0\n",
            "y      1000      reference",
        ],
    )?;
    let pairs = "a.okl pairs n=9 p=(2.5,3) v=random(9) q=random(9,seed=1,min=-5,max=5)";
    let found = verify(folder, &format!("{pairs} --math strict"))?;
    expect(
        &found,
        0,
        &["openmp:0", "opencl:0", "q      9         reference  same"],
    )
}

fn devices_disagree(folder: &Path) -> Result<(), String> {
    let wrong = "a.okl wrong n=100 y=constant(100,2.5) --devices openmp,opencl:0";
    let details = "y on opencl:0: 1 of 100 elements is wrong; number 7 is 3.5, not 2.5\n";
    expect(&verify(folder, wrong)?, 1, &["1.0e0", details])?;
    let tolerated = verify(folder, &format!("{wrong} --tolerance 0.5"))?;
    expect(&tolerated, 0, &["1.0e0"])
}

/// Code for x86-64, and source for OpenCL; neither the sources nor a C++ compiler are looked for.
fn packages(folder: &Path) -> Result<(), String> {
    let package = crate::support::cases::root().join("tests/data/package.brk");
    let package = package.display();
    let steps =
        format!("{package} steps n=10 rounds=4 step=(3,0.5) a=constant(10,1) sums=zeros(1)");
    if cfg!(target_arch = "x86_64") {
        let found = verify(folder, &format!("{steps} --devices openmp,opencl:0"))?;
        expect(
            &found,
            0,
            &[
                "a      10        reference  same",
                "sums   1         reference  same",
            ],
        )?;
        let mix = format!("{package} mix a=random(7) b=iota(3) weight=2 c=zeros(7)");
        let found = verify(folder, &format!("{mix} --devices openmp,opencl:0"))?;
        expect(&found, 0, &["c      7         reference  same"])?;
    }
    let found = verify(folder, &format!("{package} stops --devices opencl:0"))?;
    expect(
        &found,
        2,
        &["has no kernel 'stops' (did you mean 'steps'?); it has: steps, mix, total"],
    )?;
    std::fs::write(folder.join("a.brk"), "kernels").map_err(|e| e.to_string())?;
    let found = verify(folder, "a.brk steps --devices opencl:0")?;
    expect(&found, 1, &["a.brk: it is no file of 'brook compile'"])
}

fn streams_of_every_role(folder: &Path) -> Result<(), String> {
    for words in [
        "a.br scale s=random(10x20) t=iota(3x4) f=(2,3) o=zeros(10x20)",
        "a.br roots s=random(100) o=zeros(100) -DSCALE=2.0f",
        "a.br fives f=random(10) g=3 o=zeros(10)",
        "a.br sum a=random(1000,seed=3) r=0",
        "a.br sum a=random(20x50) r=zeros(20)",
    ] {
        let words = match words.contains("SCALE") {
            true => words.to_string(),
            false => format!("{words} -DSCALE=1.0f"),
        };
        let found = verify(folder, &format!("{words} --devices openmp,openmp:0"))?;
        expect(&found, 0, &["openmp:0"])?;
    }
    Ok(())
}

/// What one run writes another reads: structs of several types as bytes, vectors with a dimension of their own.
fn files(folder: &Path) -> Result<(), String> {
    let first = "a.br sum a=iota(4x5) r=zeros(4) -DSCALE=1.0f --devices openmp --dump out";
    expect(&verify(folder, first)?, 0, &["one device only"])?;
    let file = std::fs::read(folder.join("out/openmp:0/r.npy")).map_err(|e| e.to_string())?;
    let header = String::from_utf8_lossy(&file[10..128]).into_owned();
    if !header.starts_with("{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }") {
        return Err(header);
    }
    let sums: Vec<u8> = [10i32, 35, 60, 85]
        .iter()
        .flat_map(|n| n.to_le_bytes())
        .collect();
    if file[128..] != sums {
        return Err(format!("{:?}", &file[128..]));
    }
    let again =
        "a.br sum a=@out/openmp:0/a.npy r=@out/openmp:0/r.npy -DSCALE=1.0f --devices openmp";
    expect(&verify(folder, again)?, 0, &["r      4         reference"])?;
    let fives = "a.br fives f=random(6) g=3 o=zeros(6) -DSCALE=1.0f --devices openmp --dump out";
    expect(&verify(folder, fives)?, 0, &[])?;
    let file = std::fs::read(folder.join("out/openmp:0/o.npy")).map_err(|e| e.to_string())?;
    let header = String::from_utf8_lossy(&file[10..128]).into_owned();
    if !header.starts_with("{'descr': '|u1', 'fortran_order': False, 'shape': (6, 20), }") {
        return Err(header);
    }
    let again = "a.br fives f=@out/openmp:0/o.npy g=1 o=zeros(6) -DSCALE=1.0f --devices openmp";
    expect(&verify(folder, again)?, 0, &[])?;
    let wrong = "a.br roots s=@out/openmp:0/a.npy o=zeros(6) -DSCALE=1.0f --devices openmp";
    expect(
        &verify(folder, wrong)?,
        2,
        &["'s': 'out/openmp:0/a.npy': its type is 'i4'; the kernel's is 'f4'"],
    )
}

fn a_crash_is_reported(folder: &Path) -> Result<(), String> {
    let found = verify(folder, "a.okl crash n=100 y=zeros(100) --devices openmp")?;
    expect(
        &found,
        3,
        &[
            "y      0         failed",
            "openmp:0: its process ended: signal",
        ],
    )
}

fn mistakes_are_named(folder: &Path) -> Result<(), String> {
    for (words, text) in [
        (
            "a.okl axpy n=5",
            "kernel 'axpy' needs --arg a=…; it has: int n, float a, float x, float y",
        ),
        (
            "a.okl axpi n=5",
            "'a.okl' has no kernel 'axpi' (did you mean 'axpy'?); it has: axpy, pairs, wrong, crash",
        ),
        (
            "a.okl wrong n=5 z=1 y=zeros(5)",
            "kernel 'wrong' has no 'z'",
        ),
        ("a.okl wrong n=5 n=6 y=zeros(5)", "is given 'n' twice"),
        ("a.okl wrong n=2.5 y=zeros(5)", "'n': int cannot hold 2.5"),
        (
            "a.okl wrong n=3000000000 y=zeros(5)",
            "cannot hold 3000000000",
        ),
        ("a.okl wrong n=5 y=5", "'y': is an array"),
        (
            "a.okl wrong n=zeros(2) y=zeros(5)",
            "'n': is one value, not an array",
        ),
        (
            "a.okl wrong n=5 y=@missing.npy",
            "cannot read 'missing.npy'",
        ),
        (
            "a.okl wrong n=5 y=zeros(5) --devices abacus",
            "no device is called 'abacus:0'",
        ),
        (
            "a.okl wrong n=5 y=zeros(5) --tolerance some",
            "'some' is no tolerance",
        ),
    ] {
        expect(&verify(folder, words)?, 2, &[text]).map_err(|e| format!("{words}: {e}"))?;
    }
    Ok(())
}
