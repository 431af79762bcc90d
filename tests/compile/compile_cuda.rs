//! NVRTC accepts the CUDA source of every example and case, and makes the instructions of it that some
//! functions are there for; that of random modules of `tests/properties`, too. No GPU is needed.

use crate::properties::modules;
use crate::support::Trial;
use crate::support::cases;
use crate::support::joined_reads;
use crate::support::need::Need;
use crate::support::ptx::{self, constant_reads};
use crate::support::translate::translate;
use brook::backend::Backend;
use brook::runtime::BuildOptions;
use brook::source::FileLoader;
use brook::{Options, Source};
use brook_driver::{CompileOptions, Math};
use libtest_mimic::Failed;

const ARCHITECTURE: &str = "sm_90";

/// The tests.
pub fn trials() -> Vec<Trial> {
    let need = Need::new(
        "nvrtc",
        &brook_cuda::compiler_version().map_err(|e| e.message),
    );
    need.announce();
    let mut trials: Vec<Trial> = cases::accepted_by("cuda")
        .into_iter()
        .map(|case| {
            need.trial(format!("nvrtc::{}", case.name), move || {
                let (translation, math) = translate(&case, "cuda")?;
                let options = CompileOptions {
                    math,
                    ..CompileOptions::default()
                };
                let binary = brook_cuda::compile_only(&translation.device, ARCHITECTURE, &options)
                    .map_err(|e| e.to_string())?;
                if binary.is_empty() {
                    return Err("an empty binary".into());
                }
                let text = brook_cuda::compile_to_ptx(&translation.device, ARCHITECTURE, &options)
                    .map_err(|e| e.to_string())?;
                match ptx::stale_reads(&text) {
                    stale if stale.is_empty() => Ok(()),
                    stale => Err(stale.join("\n").into()),
                }
            })
        })
        .collect();
    for module in modules::modules() {
        trials.push(need.trial(format!("nvrtc::{}", module.name), move || {
            let text = module.translated("cuda")?;
            let options = CompileOptions::default();
            brook_cuda::compile_only(&text, ARCHITECTURE, &options)
                .map_err(|e| module.refused(e))?;
            Ok(())
        }));
    }
    for ty in ["int", "unsigned int", "long", "float", "double"] {
        let name = format!("ptx::reduction_by_shuffles::{}", ty.replace(' ', "_"));
        trials.push(need.trial(name, move || reduction_by_shuffles(ty)));
    }
    for (architecture, asynchronous) in [("sm_75", false), ("sm_80", true), ("sm_90", true)] {
        trials.push(need.trial(format!("ptx::copies::{architecture}"), move || {
            copies(architecture, asynchronous)
        }));
    }
    for ty in joined_reads::TYPES {
        for (name, statements) in joined_reads::SHAPES {
            let trial = format!("ptx::joined_reads::{}::{name}", ty.replace(' ', "_"));
            trials.push(need.trial(trial, move || kept_apart(ty, name, statements)));
        }
    }
    trials.push(need.trial("ptx::integers_wrap".to_string(), integers_wrap));
    trials.push(need.trial("ptx::exchanged_elements".to_string(), exchanged_elements));
    trials.push(need.trial("ptx::negatives_of_shorts".to_string(), negatives_of_shorts));
    trials.push(need.trial("packages".to_string(), packages));
    let name = "kinds_of_arithmetic_are_not_mixed_up".to_string();
    trials.push(need.trial(name, kinds_of_arithmetic));
    trials
}

/// `brook compile` makes code of each architecture, and PTX; no GPU's driver is asked.
fn packages() -> Result<(), Failed> {
    let targets = ["cuda:sm_80", "cuda:sm_90", "cuda:compute_80", "cuda:sm_90a"];
    let source = std::fs::read(cases::root().join("tests/data/package/steps.okl"))?;
    let source = Source::new("steps.okl", source);
    let package = brook::Package::compile(&source, &targets, &BuildOptions::new())
        .map_err(|e| e.to_string())?;
    let program = package.program("steps.okl").map_err(|e| e.to_string())?;
    let images: Vec<_> = program.images().collect();
    assert_eq!(images.len(), targets.len());
    for (image, target) in images.iter().zip(targets) {
        let architecture = target.trim_start_matches("cuda:");
        assert_eq!(
            (image.target(), image.architecture()),
            (target, architecture)
        );
        let bytes = image.bytes();
        match image.format() {
            "cubin" => {
                assert!(bytes.starts_with(b"\x7fELF"));
                // The low bytes of the flags are the architecture: NVIDIA's cubins say so themselves.
                let number = architecture.trim_start_matches("sm_").trim_end_matches('a');
                let flags = u32::from_le_bytes([bytes[48], bytes[49], bytes[50], bytes[51]]);
                let own = [flags & 0xff, flags >> 8 & 0xff];
                assert!(own.iter().any(|n| n.to_string() == number), "{flags:#x}");
            }
            "ptx" => {
                let text = std::str::from_utf8(bytes)?;
                assert!(text.contains(".target sm_80") && text.contains("_occa_steps_1"));
            }
            other => return Err(other.into()),
        }
        assert_eq!(image.metadata().map_err(|e| e.to_string())?.backend, "cuda");
    }
    let broken = Source::new(
        "k.okl",
        "@kernel void k(int *a) {\n  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner))\n    a[i] = __nowhere_declared;\n}",
    );
    let error = brook::Package::compile(broken, &["cuda:sm_90"], &BuildOptions::new()).unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("cuda:sm_90: ") && text.contains("k.okl(3)"),
        "{text}"
    );
    Ok(())
}

/// Nothing of 16 bits is negated: NVIDIA's assemblers before 13.5 make 32768 of -32768 there.
fn negatives_of_shorts() -> Result<(), Failed> {
    let path = cases::root().join("tests/cases/brook/negatives_of_shorts.br");
    let source = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let text = ptx(&source, "ptx.br", ARCHITECTURE)?;
    match ["neg.s16", "abs.s16"].iter().find(|i| text.contains(**i)) {
        Some(instruction) => Err(format!("{instruction}:\n{text}").into()),
        None => Ok(()),
    }
}

/// What other items write reaches those that read behind a barrier, `restrict` or not.
fn exchanged_elements() -> Result<(), Failed> {
    let path = cases::root().join("tests/cases/okl/exchanged_elements.okl");
    let source = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let text = ptx(&source, "ptx.okl", ARCHITECTURE)?;
    match ptx::last_phases_without_reads(&text) {
        silent if silent.is_empty() => Ok(()),
        silent => Err(format!("{}\n{text}", silent.join(", ")).into()),
    }
}

/// Of a Brook+ program's integers the compiler concludes nothing from an overflow that C does not define.
fn integers_wrap() -> Result<(), Failed> {
    let kernels = [
        // The largest integer is the one that has no larger one behind it.
        ("o = x + 1 > x;", "2147483647"),
        ("o = -x < 0 == x > 0;", "setp"),
        ("int y = x; y++; o = y > x;", "2147483647"),
        // Its highest bit is lost.
        ("o = (x * 2) / 2;", "sh"),
        (
            "int2 v = int2(x, x); v += int2(1, 1); o = (v > int2(x, x)).x;",
            "2147483647",
        ),
    ];
    for (body, part) in kernels {
        let source = format!("kernel void wraps(int x<>, out int o<>) {{ {body} }}");
        let text = ptx(&source, "ptx.br", "sm_90")?;
        if !text.contains(part) {
            return Err(format!("'{body}' without {part}:\n{text}").into());
        }
    }
    Ok(())
}

/// No such read is one of memory that never changes.
fn kept_apart(ty: &str, name: &str, statements: &str) -> Result<(), Failed> {
    // The array that is only read need not say so; nor need the other promise anything.
    for (of_in, of_out) in [
        ("@restrict const", "@restrict"),
        ("@restrict", "@restrict"),
        ("@restrict const", ""),
        ("const", "@restrict"),
    ] {
        let source = joined_reads::source(ty, statements, of_in, of_out);
        let text = ptx(&source, "ptx.okl", ARCHITECTURE)?;
        let stale = ptx::stale_reads(&text);
        if !stale.is_empty() {
            return Err(format!("{of_in}, {of_out}: {}\n{text}", stale.join("\n")).into());
        }
        let leads_to_both = ["pointer", "helper_picks", "helper_of_pick"];
        let leads_to_both = leads_to_both.iter().any(|w| name.starts_with(w));
        let joined = ptx::joined_reads(&text);
        if !leads_to_both && !joined.is_empty() {
            return Err(format!("{of_in}, {of_out}: {}\n{text}", joined.join("\n")).into());
        }
        // What can be read as constant memory still is.
        if of_in == "@restrict const" && !leads_to_both && constant_reads(&text) == 0 {
            return Err(format!("{of_in}, {of_out}: nothing is constant memory\n{text}").into());
        }
    }
    Ok(())
}

/// A block's sum takes the warps' shuffles, and waits once for all of them.
fn reduction_by_shuffles(ty: &str) -> Result<(), Failed> {
    let source = format!(
        "@kernel void sums(const {ty} *x, {ty} *y) {{
           @outer for (int g = 0; g < 16; ++g) {{
             @inner for (int i = 0; i < 256; ++i) {{
               const {ty} sum = work_group_reduce_add(x[g * 256 + i]);
               if (i == 0) y[g] = sum;
             }}
           }}
         }}"
    );
    let text = ptx(&source, "ptx.okl", "sm_80")?;
    let shuffles = text.matches("shfl.sync").count();
    // Two words of a value are shuffled one by one; a warp of 32 has five steps.
    let words = if ["long", "double"].contains(&ty) {
        2
    } else {
        1
    };
    if shuffles != 5 * words {
        return Err(format!("{shuffles} shuffles, not {}:\n{text}", 5 * words).into());
    }
    match text.matches("bar.sync").count() {
        1 => Ok(()),
        n => Err(format!("{n} barriers, not one:\n{text}").into()),
    }
}

fn copies(architecture: &str, asynchronous: bool) -> Result<(), Failed> {
    let source = "
        @kernel void copies(const float *x, float *y) {
          @outer for (int g = 0; g < 16; ++g) {
            @shared float stage[256];
            @inner for (int i = 0; i < 64; ++i) {
              okl_memcpy_async(&stage[4 * i], x + 256 * g + 4 * i, 16);
              okl_pipeline_commit();
              okl_pipeline_wait_prior(0);
            }
            @inner for (int i = 0; i < 64; ++i) y[g * 64 + i] = stage[255 - i];
          }
        }";
    let text = ptx(source, "ptx.okl", architecture)?;
    let parts = [
        "cp.async.cg.shared.global",
        "cp.async.commit_group",
        "cp.async.wait_group",
    ];
    for part in parts {
        if text.contains(part) != asynchronous {
            let has = if asynchronous { "has no" } else { "has" };
            return Err(format!("the PTX for {architecture} {has} {part}:\n{text}").into());
        }
    }
    Ok(())
}

/// A program as CUDA, and that as PTX.
fn ptx(source: &str, name: &str, architecture: &str) -> Result<String, Failed> {
    let backend = Backend::built_in("cuda").map_err(|e| e.to_string())?;
    let source = Source::new(name, source);
    let translation = brook::transpile(&source, &backend, &Options::default(), &FileLoader)
        .map_err(|report| report.to_string())?;
    let options = CompileOptions::default();
    Ok(
        brook_cuda::compile_to_ptx(&translation.device, architecture, &options)
            .map_err(|e| e.to_string())?,
    )
}

/// Compilers that keep what they made of a source are not to give it to those who ask for other arithmetic, as NVRTC 13.0 does where
/// there is a GPU's driver.
fn kinds_of_arithmetic() -> Result<(), Failed> {
    let source = "extern \"C\" __global__ void f(float *x) { x[threadIdx.x] = 1.0f / sqrt(x[threadIdx.x]); }\n";
    // Somebody may say themselves that nothing is to be kept.
    let made = |math: Math, flag: Option<&str>| {
        let options = CompileOptions {
            math,
            flags: flag.into_iter().map(str::to_string).collect(),
            ..CompileOptions::default()
        };
        let text = brook_cuda::compile_to_ptx(source, ARCHITECTURE, &options);
        let binary = brook_cuda::compile_only(source, ARCHITECTURE, &options);
        Ok::<_, String>((
            text.map_err(|e| e.to_string())?,
            binary.map_err(|e| e.to_string())?,
        ))
    };
    let (exact, fast, again) = (
        made(Math::Default, None)?,
        made(Math::Fast, None)?,
        made(Math::Default, Some("--no-cache"))?,
    );
    if !exact.0.contains("sqrt.rn.f32") || fast.0.contains("sqrt.rn.f32") {
        return Err(format!("{}\n{}", exact.0, fast.0).into());
    }
    if exact.1 == fast.1 || exact != again {
        return Err("the code does not depend on the arithmetic".into());
    }
    Ok(())
}
