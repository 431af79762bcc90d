//! Whether NVRTC takes the CUDA sources of a folder, where there is no GPU to run them.

use super::form::{defines, hand_text, usual_numbers};
use super::work::Work;
use brook::Define;
use brook::backend::Backend;
use brook::source::FileLoader;
use brook::{Options, Source};
use brook_driver::CompileOptions;

const ARCHITECTURE: &str = "sm_90";

/// Compiles what is written by hand and what is translated, for the folder's last type.
pub fn check(work: &Work) -> Result<usize, String> {
    let real = work.types.last().map_or("", String::as_str);
    let numbers = usual_numbers(work, "check", real, 128)?;
    let defines = defines(work, real, &numbers)?;
    let mut texts = Vec::new();
    if let Some(text) = hand_text(work, "cuda", &defines)? {
        texts.push(("hand.cu", text));
    }
    let cuda = Backend::built_in("cuda").map_err(|e| e.to_string())?;
    let define = |(name, value): &(String, String)| Define {
        name: name.clone(),
        value: value.clone(),
    };
    let options = Options {
        defines: defines.iter().map(define).collect(),
        ..Options::default()
    };
    for name in ["kernel.okl", "kernel.br"] {
        let Some(path) = work.source(name) else {
            continue;
        };
        let text = std::fs::read(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let source = Source::new(path.to_string_lossy(), text);
        let translation = brook::transpile(&source, &cuda, &options, &FileLoader);
        texts.push((name, translation.map_err(|e| e.to_string())?.device));
    }
    for (name, text) in &texts {
        brook_cuda::compile_only(text, ARCHITECTURE, &CompileOptions::default()).map_err(|e| {
            let log = e.log.clone().unwrap_or_default();
            format!("{}/{name}: {e}\n{log}", work.name)
        })?;
    }
    Ok(texts.len())
}
