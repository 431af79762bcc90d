//! Images that are compiled ahead of time, and which processors take them.
//!
//! The code of a shared object asks for what its compiler was allowed to make use of. That is written down beside it, so
//! that a processor which has not got it all refuses the image instead of ending the program.

use crate::compiler::{Compiler, NATIVE};
use crate::features::asked;
use crate::host::{Processor, processor};
use brook_driver::{CompileOptions, Error, ErrorKind, Image, ImageKind, Result};
use std::env::consts::OS;

const OBJECT: &str = "shared object";

/// As [`Driver::compile_ahead`](brook_driver::Driver::compile_ahead); the architecture is what `-march=` takes, and
/// without one it is this processor.
pub(crate) fn compile_ahead(
    compiler: &Compiler,
    architecture: &str,
    source: &str,
    options: &CompileOptions,
) -> Result<Image> {
    let name = if architecture.is_empty() {
        NATIVE
    } else {
        architecture
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'+' | b'.');
    if !name.bytes().all(plain) {
        return Err(Error::invalid(format!(
            "'{name}' is no architecture of a processor: openmp is for this one, and openmp:x86-64-v3 for all that have as much"
        )));
    }
    let bytes = compiler.compile_for(name, source, options)?;
    let machine = machine(&bytes).ok_or_else(|| {
        let message = "the C++ compiler made no shared object of a kind that is known here";
        Error::new(ErrorKind::Compile, message)
    })?;
    let macros = compiler.macros(Some(name), options)?;
    // What all processors of the family have; the flags that change that are the architecture's as well.
    let least = CompileOptions {
        flags: options
            .flags
            .iter()
            .filter(|f| !f.starts_with("-m"))
            .cloned()
            .collect(),
        ..options.clone()
    };
    let family = (machine == "x86_64").then_some("x86-64");
    let least = compiler.macros(family, &least)?;
    let mut kind = ImageKind::new(OBJECT, &format!("{machine}-{OS}")).with("march", name);
    if name == NATIVE {
        kind = kind.with("processor", processor().architecture());
    }
    for feature in asked(&macros, &least) {
        kind = kind.with("feature", feature);
    }
    Ok(Image {
        kind,
        bytes,
        compiler: compiler.description(),
    })
}

/// The processor's family, by the head of an ELF file, in the words of [`std::env::consts::ARCH`].
fn machine(bytes: &[u8]) -> Option<&'static str> {
    let head = bytes.first_chunk::<20>()?;
    let number = match head[5] {
        1 => u16::from_le_bytes([head[18], head[19]]),
        2 => u16::from_be_bytes([head[18], head[19]]),
        _ => return None,
    };
    let wide = head[4] == 2;
    Some(match (head.starts_with(b"\x7fELF"), number, wide) {
        (true, 62, true) => "x86_64",
        (true, 62, false) => "x32",
        (true, 3, _) => "x86",
        (true, 183, _) => "aarch64",
        (true, 40, _) => "arm",
        (true, 21, _) => "powerpc64",
        (true, 22, true) => "s390x",
        (true, 243, true) => "riscv64",
        (true, 258, true) => "loongarch64",
        _ => return None,
    })
}

/// As [`Device::fit`](brook_driver::Device::fit), of a processor of this program's family.
pub(crate) fn fit(processor: &Processor, kind: &ImageKind) -> std::result::Result<u32, String> {
    if kind.format != OBJECT {
        return Err(kind.unknown_format());
    }
    let own = format!("{}-{OS}", std::env::consts::ARCH);
    if kind.architecture != own {
        return Err(format!("this program is for {own}"));
    }
    // Where nothing is known about the processor, any other has the same description.
    let known = !processor.features.is_empty();
    let same = |text: &str| known && text == processor.architecture();
    let mut features = 0;
    let mut lacks = Vec::new();
    for (name, value) in &kind.details {
        match name.as_str() {
            "march" => {}
            "processor" if same(value) => return Ok(u32::MAX),
            "processor" => {}
            "feature" if processor.features.contains(value) => features += 1,
            "feature" => lacks.push(value.as_str()),
            _ => {
                return Err(format!(
                    "this driver does not know what '{name} {value}' means"
                ));
            }
        }
    }
    match lacks.is_empty() {
        true => Ok(features),
        false => Err(format!("{} lacks {}", processor.name, lacks.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind() -> ImageKind {
        ImageKind::new(OBJECT, &format!("{}-{OS}", std::env::consts::ARCH))
    }

    fn with_features(features: &[&str]) -> Processor {
        let mut found = processor();
        found.features = features.iter().map(|f| f.to_string()).collect();
        found
    }

    #[test]
    fn a_processor_takes_what_it_has_all_of() {
        let small = with_features(&["pni", "avx"]);
        let large = with_features(&["pni", "avx", "avx2"]);
        let image = kind()
            .with("march", "x")
            .with("feature", "avx")
            .with("feature", "avx2");
        assert_eq!(fit(&large, &image), Ok(2));
        let reason = fit(&small, &image).unwrap_err();
        assert!(reason.ends_with(" lacks avx2"), "{reason}");
        assert!(fit(&large, &image) > fit(&large, &kind().with("feature", "avx")));
        assert_eq!(fit(&small, &kind()), Ok(0));
        assert!(fit(&large, &kind().with("colour", "blue")).is_err());
        assert!(fit(&large, &ImageKind::new(OBJECT, "m68k-linux")).is_err());
        assert!(fit(&large, &ImageKind::new("cubin", &kind().architecture)).is_err());
    }

    #[test]
    fn the_same_processor_takes_what_has_no_name() {
        let here = with_features(&["avx"]);
        let image = |whose: &str| {
            kind()
                .with("processor", whose)
                .with("feature", "__NEW_THING__")
        };
        assert!(fit(&here, &image(&here.architecture())).is_ok());
        assert!(fit(&here, &image("another")).is_err());
        // Nothing is known about it: it may be any.
        let unknown = with_features(&[]);
        assert!(fit(&unknown, &image(&unknown.architecture())).is_err());
    }

    #[test]
    fn code_says_what_it_needs() {
        let Ok(compiler) = Compiler::find() else {
            return;
        };
        let none = CompileOptions::default();
        let source = "extern \"C\" void f() {}";
        let here = processor();
        let native = compile_ahead(&compiler, "", source, &none).unwrap();
        assert!(fit(&here, &native.kind).is_ok());
        if std::env::consts::ARCH != "x86_64" {
            return;
        }
        let features = |architecture: &str, flags: &[&str]| {
            let flags = flags.iter().map(|f| f.to_string()).collect();
            let options = CompileOptions {
                flags,
                ..CompileOptions::default()
            };
            let image = compile_ahead(&compiler, architecture, source, &options).unwrap();
            let features = image
                .kind
                .details
                .into_iter()
                .filter(|(name, _)| name == "feature");
            features.map(|(_, value)| value).collect::<Vec<_>>()
        };
        assert!(features("x86-64", &[]).is_empty());
        let more = features("x86-64", &["-mavx", "-D__NOT_A_FEATURE__"]);
        assert!(more.contains(&"avx".to_string()), "{more:?}");
        assert!(more.iter().all(|f| !f.starts_with("__")), "{more:?}");
        let third = features("x86-64-v3", &[]);
        for feature in ["avx2", "bmi2", "fma", "movbe", "cx16"] {
            assert!(third.iter().any(|f| f == feature), "{feature}: {third:?}");
        }
        assert!(
            !third
                .iter()
                .any(|f| f.starts_with("avx512") || f.starts_with("__")),
            "{third:?}"
        );
        // What this machine's compiler makes use of has a name in the table.
        let native: Vec<_> = native
            .kind
            .details
            .iter()
            .filter(|(_, v)| v.starts_with("__"))
            .collect();
        assert!(native.is_empty(), "{native:?}");
        for bad in ["x86-64 -o/tmp/x", "nothing/of/the/kind"] {
            assert!(compile_ahead(&compiler, bad, source, &none).is_err());
        }
    }
}
