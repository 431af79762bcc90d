//! `brook tune`, and builds that use what it found.

use crate::support::Trial;
use crate::support::need::Need;
use crate::support::process::{self, Finished};
use crate::support::toolchains::{host_compiler, opencl_device};
use crate::verify::expect;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

/// The more a round, the longer it takes; other modes compute something else, crash, or never end.
const OKL: &str = "#ifndef MODE\n#define MODE 0\n#endif\n\
    #ifndef ROUNDS\n#define ROUNDS 40\n#endif\n\
    @kernel void f(const int n, float *x) {\n\
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) {\n\
        if (MODE == 1) x[i] = 0;\n\
        if (MODE == 2) *(volatile int *) 8 = 1;\n\
        if (MODE == 4 && i == 7) { static int calls = 0; x[i] = ++calls; }\n\
        if (MODE == 3) { volatile int z = 1; while (z) {} }\n\
        float s = 1;\n\
        for (int j = 0; j < 10 * ROUNDS; ++j) s = s * 0.5f + 0.25f;\n\
        x[i] = s + x[i] - s;\n\
        printf(\"\");\n\
      }\n\
    }\n\
    @kernel void other(const int n, const float *x, float *y) {\n\
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i] = x[i] + ROUNDS;\n\
    }\n\
    @kernel void reads(const int n, const float *x) {\n\
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) { }\n\
    }\n";

const BROOK: &str = "#ifndef STEP\n#define STEP 1\n#endif\n\
    kernel void total(float a<>, float g[], out float o<>) {\n\
      float s = a;\n\
      int i;\n\
      for (i = 0; i < 512; i += STEP) { s += g[i] * 0.0f; }\n\
      o = s;\n\
    }\n\
    reduce void sum(float a<>, reduce float r<>) { r += a; }\n";

/// The tests.
pub fn trials() -> Vec<Trial> {
    let cxx = Need::new("openmp", &host_compiler());
    let opencl = Need::new("opencl", &opencl_device());
    cxx.announce();
    opencl.announce();
    let trial = |name: &str, test: fn(&Path) -> Result<(), String>| {
        let folder = name.to_string();
        cxx.trial(name.to_string(), move || Ok(test(&scratch(&folder)?)?))
    };
    vec![
        trial("the_fastest_is_remembered_and_used", remembered),
        trial("what_is_wrong_or_fails_is_left_out", left_out),
        trial("streams_are_tuned", streams),
        trial("the_same_code_is_tried_once", same_code),
        opencl.trial("groups_are_no_text".to_string(), || {
            Ok(groups(&scratch("groups_are_no_text")?)?)
        }),
        trial("who_tries_ends_with_who_asks", ends),
        trial("mistakes_are_named", mistakes),
    ]
}

fn scratch(name: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
        .join("tune")
        .join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    std::fs::write(path.join("a.okl"), OKL).map_err(|e| e.to_string())?;
    std::fs::write(path.join("a.br"), BROOK).map_err(|e| e.to_string())?;
    Ok(path)
}

/// `brook tune …` on the processor, with the words of a line.
fn tune(folder: &Path, words: &str) -> Result<Finished, String> {
    run(folder, "tune", &format!("{words} --device openmp:0"))
}

fn run(folder: &Path, command: &str, words: &str) -> Result<Finished, String> {
    let mut brook = process::brook();
    brook.current_dir(folder).env("BROOK_CACHE", "off");
    brook.env_remove("BROOK_TUNED").arg(command);
    // Threads that wait for each other wait long where other tests run.
    brook.env("OMP_NUM_THREADS", "1");
    brook.args(words.split_whitespace());
    process::run(
        &mut brook,
        b"",
        process::TIME_LIMIT.max(Duration::from_secs(120)),
    )
}

const F: &str = "a.okl --kernel f --arg n=5000 --arg x=constant(5000,1)";

fn remembered(folder: &Path) -> Result<(), String> {
    let space = "--space ROUNDS=1,10,100 --samples 3";
    let words = format!("{F} {space} --tuned kept --plot times.svg --json all.json");
    let found = tune(folder, &words)?;
    let texts = ["3 of 3 combinations tried", "best: ROUNDS=1,", "speedup"];
    expect(&found, 0, &texts)?;
    let read =
        |path: &str| std::fs::read_to_string(folder.join(path)).map_err(|e| format!("{path}: {e}"));
    let kept = read("kept/a.okl.toml")?;
    for text in [
        "kernel = \"f\"",
        "ROUNDS = \"1\"",
        "shape = \"n=5000 x=5000\"",
    ] {
        if !kept.contains(text) {
            return Err(format!("no {text} in\n{kept}"));
        }
    }
    let drawn = read("times.svg")?;
    if drawn.matches("<circle").count() != 4 || !drawn.ends_with("</svg>\n") {
        return Err(drawn);
    }
    let rows: serde_json::Value =
        serde_json::from_str(&read("all.json")?).map_err(|e| e.to_string())?;
    if rows.as_array().map(Vec::len) != Some(4) || rows[1]["settings"]["macros"].is_null() {
        return Err(rows.to_string());
    }

    // Whoever builds it for that device now has the macro.
    let written = |tuned: Option<&str>| -> Result<f32, String> {
        let mut brook = process::brook();
        brook.current_dir(folder).env("BROOK_CACHE", "off");
        match tuned {
            Some(folder) => brook.env("BROOK_TUNED", folder),
            None => brook.env_remove("BROOK_TUNED"),
        };
        let words = "verify a.okl --kernel other --arg n=3 --arg x=zeros(3) --arg y=zeros(3) --devices openmp \
                     --dump dumped";
        brook.args(words.split_whitespace());
        expect(&process::run(&mut brook, b"", process::TIME_LIMIT)?, 0, &[])?;
        let path = folder.join("dumped/openmp:0/y.npy");
        let bytes = std::fs::read(path).map_err(|e| e.to_string())?;
        let last = bytes.last_chunk().ok_or("no number")?;
        Ok(f32::from_le_bytes(*last))
    };
    match (written(None)?, written(Some("kept"))?) {
        (40.0, 1.0) => Ok(()),
        other => Err(format!("{other:?}")),
    }
}

fn left_out(folder: &Path) -> Result<(), String> {
    let found = tune(
        folder,
        &format!("{F} --space MODE=0,1,2,3 --samples 2 --timeout 5"),
    )?;
    let texts = [
        "4 of 4 combinations tried",
        "1 compute something else: MODE=1: x: 5000 of 5000 elements are wrong",
        "2 failed: MODE=2: its process ended: signal: 11",
        "best: the source as it is",
    ];
    expect(&found, 0, &texts)?;
    let late = tune(folder, &format!("{F} --space ROUNDS=1,2 --budget 0"))?;
    expect(
        &late,
        0,
        &["0 of 2 combinations tried", "nothing was tried"],
    )?;
    let broken = tune(folder, &format!("{F} --space ROUNDS=1 -D MODE=2"))?;
    expect(&broken, 3, &["the source as it is: its process ended"])?;
    let moody = tune(folder, &format!("{F} --space ROUNDS=1 -D MODE=4"))?;
    let text = "the source as it is, launched once more: x: 1 of 5000 elements is wrong";
    expect(&moody, 3, &[text, "--tolerance"])
}

fn streams(folder: &Path) -> Result<(), String> {
    let total = "a.br --kernel total --arg a=random(3000) --arg g=random(512) --arg o=zeros(3000)";
    let found = tune(folder, &format!("{total} --space STEP=1,2,128 --samples 3"))?;
    expect(&found, 0, &["3 of 3 combinations tried", "best: STEP=128,"])?;
    let sum = "a.br --kernel sum --arg a=random(3000) --arg r=0";
    let found = tune(folder, &format!("{sum} --space STEP=1,2 --samples 1"))?;
    expect(&found, 0, &["2 of 2 combinations tried"])
}

fn same_code(folder: &Path) -> Result<(), String> {
    let found = tune(
        folder,
        &format!("{F} --space ROUNDS=40,1 --space coarsen=1,2,4 --samples 1"),
    )?;
    expect(
        &found,
        0,
        &["6 of 6", "5 are the same code as others", "best: ROUNDS=1 "],
    )
}

/// How many groups a launch has is not in the text of a GPU's kernel.
fn groups(folder: &Path) -> Result<(), String> {
    let source = "#ifndef BLOCKS\n#define BLOCKS 64\n#endif\n\
        @kernel void f(const float *a, float *b) {\n\
          for (int o = 0; o < BLOCKS; ++o; @outer) for (int i = 0; i < 64; ++i; @inner) b[o * 64 + i] = a[o * 64 + i];\n\
        }\n";
    std::fs::write(folder.join("g.okl"), source).map_err(|e| e.to_string())?;
    let words = "g.okl --kernel f --arg a=random(4096,seed=1) --arg b=zeros(4096) --space BLOCKS=1,32,64 --samples 1";
    let texts = ["2 compute something else", "1 are the same code"];
    let found = run(folder, "tune", &format!("{words} --device opencl"))?;
    expect(&found, 0, &texts)
}

/// A kernel that never ends does not go on when nobody waits for it.
fn ends(folder: &Path) -> Result<(), String> {
    let mut brook = process::brook();
    let words = format!("tune {F} --space MODE=3 --device openmp:0");
    brook.current_dir(folder).env("BROOK_CACHE", "off");
    brook
        .env("OMP_NUM_THREADS", "1")
        .args(words.split_whitespace());
    brook.stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = brook.spawn().map_err(|e| e.to_string())?;
    let mark = folder.display().to_string();
    let running = || -> usize {
        let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
        let here = |p: &std::fs::DirEntry| {
            std::fs::read_link(p.path().join("cwd"))
                .is_ok_and(|cwd| cwd.display().to_string() == mark)
        };
        all.filter(here).count()
    };
    std::thread::sleep(Duration::from_secs(8));
    let before = running();
    child.kill().map_err(|e| e.to_string())?;
    child.wait().map_err(|e| e.to_string())?;
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(100));
        if running() == 0 {
            return match before {
                0 | 1 => Err(format!("{before} processes ran before")),
                _ => Ok(()),
            };
        }
    }
    Err(format!("{} of {before} processes are left", running()))
}

fn mistakes(folder: &Path) -> Result<(), String> {
    let cases = [
        (
            F,
            "--space ROUNDS=1,2 --where ROUNDS>x",
            "'x' is in no --space",
        ),
        (F, "--space coarsen=0", "1 to 255"),
        (F, "--space ROUNDS=1,2 -D ROUNDS=3", "-D ROUNDS says"),
        (
            F,
            "--space coarsen=1,2 --choose f:coarsen=3",
            "--choose coarsen says",
        ),
        (F, "--space math=fast --math strict", "--math says"),
        ("- --kernel f", "", "standard input"),
        (F, "--space ROUNDS=1 --tolerance x", "is no tolerance"),
        (F, "--space ROUNDS=1 --scratch y", "has no 'y'"),
        (
            F,
            "--space ROUNDS=1 --scratch x",
            "writes nothing to compare",
        ),
        ("a.okl --kernel g", "", "has no kernel 'g'"),
        ("a.okl --kernel f", "--space ROUNDS=1", "needs --arg n"),
        (
            "a.okl --kernel reads --arg n=1 --arg x=zeros(1)",
            "",
            "writes nothing to compare",
        ),
    ];
    for (file, rest, text) in cases {
        expect(&tune(folder, &format!("{file} {rest}"))?, 2, &[text])?;
    }
    let nowhere = run(
        folder,
        "tune",
        &format!("{F} --space ROUNDS=1 --device cuda:77"),
    )?;
    expect(&nowhere, 3, &["cuda"])?;
    let unknown = run(
        folder,
        "tune",
        &format!("{F} --space ROUNDS=1 --device gpux"),
    )?;
    expect(&unknown, 2, &["no device is called 'gpux'"])
}
