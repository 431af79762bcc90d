//! Calls of stream kernels that wait, seen from programs.

use super::{brook, data, expect, program};
use std::path::Path;

/// The program computes the same however it is told to fuse its calls, and says what became of them.
pub fn calls_that_wait(folder: &Path) -> Result<(), String> {
    let source = data("fused.br");
    expect(&brook(folder, &["build", &source, "-o", "program"])?, 0, "")?;
    let path = folder.join("program");
    for device in ["openmp", "emulated-cuda:1"] {
        for (fusion, line) in [
            ("off", None),
            ("on", Some(": 44 calls waited, of which 1 were left out")),
            ("now", Some("21 times product + sum")),
        ] {
            let variables = [
                ("BROOK_DEVICE", device),
                ("BROOK_FUSION", fusion),
                ("BROOK_FUSION_REPORT", "1"),
            ];
            let made = program(&path, &variables)?;
            expect(&made, 0, "111\n").map_err(|e| format!("{device}, {fusion}: {e}"))?;
            let said = match line {
                Some(line) => made.stderr.contains(line),
                None => made.stderr.is_empty(),
            };
            if !said {
                return Err(format!("{device}, {fusion}: {}", made.stderr));
            }
        }
    }
    let sums = [
        "times sum + product + total",
        "times sum + total",
        "times sum + most",
    ];
    let gathers = [
        "times fetched + product + total",
        "times behind + place",
        "times cube + added + place",
    ];
    for (file, printed, lines) in [
        ("fused_sums.br", "0\n0\n0\n", sums),
        ("fused_gathers.br", "0\n0\n0\n0\n", gathers),
    ] {
        let file = data(file);
        for device in ["openmp", "emulated-cuda:1"] {
            for fusion in ["off", "on", "now"] {
                let told = ["--device", device, "--fusion", fusion, "--timings", &file];
                let made = brook(folder, &[&["run"][..], &told].concat())?;
                expect(&made, 0, printed).map_err(|e| format!("{device}, {fusion}: {e}"))?;
                for line in lines {
                    if made.stderr.contains(line) != (fusion == "now") {
                        return Err(format!("{device}, {fusion}, {line}: {}", made.stderr));
                    }
                }
            }
        }
    }
    let threads = data("fused_threads.br");
    let told = ["run", "--device", "openmp", "--fusion", "now", &threads];
    expect(&brook(folder, &told)?, 0, "0\n")?;
    let macros = data("fused_macros.br");
    for (file, text, line) in [
        (
            &macros,
            "0 4 14 30 52 80 114 154 200 252 \n",
            "1 times product + sum",
        ),
        (&source, "111\n", "times product + sum"),
    ] {
        let told = ["--device", "openmp", "--fusion", "now", "--timings", file];
        let made = brook(folder, &[&["run"][..], &told].concat())?;
        expect(&made, 0, text)?;
        if !made.stderr.contains(line) {
            return Err(made.stderr);
        }
    }
    Ok(())
}
