//! Images that are compiled ahead of time, and which devices take them.

use crate::{conflict, hipcc, hiprtc, sys};
use brook_driver::{CompileOptions, Error, Image, ImageKind, Result};

const CODE: &str = "code object";

/// Whether a text is `gfx` with a number, and settings such as `:xnack+` behind it.
fn is_architecture(text: &str) -> bool {
    let mut parts = text.split(':');
    let version = parts.next().and_then(|name| name.strip_prefix("gfx"));
    let version = version.unwrap_or_default();
    let setting = |s: &str| {
        s.strip_suffix(['+', '-'])
            .is_some_and(|n| matches!(n, "xnack" | "sramecc"))
    };
    (3..=5).contains(&version.len())
        && version.bytes().all(|b| b.is_ascii_hexdigit())
        && parts.all(setting)
}

/// As [`Driver::check_architecture`](brook_driver::Driver::check_architecture).
pub(crate) fn check_architecture(architecture: &str) -> Result<()> {
    if !is_architecture(architecture) {
        let named = match architecture {
            "" => "it needs an architecture".to_string(),
            other => format!("'{other}' is no architecture of AMD's"),
        };
        return Err(Error::invalid(format!(
            "{named}: hip:gfx90a is code for these GPUs, and hip:0 what the first GPU here is"
        )));
    }
    Ok(())
}

/// As [`Driver::compile_ahead`](brook_driver::Driver::compile_ahead), by hiprtc if it can be used, else by hipcc.
pub(crate) fn compile_ahead(
    architecture: &str,
    source: &str,
    options: &CompileOptions,
) -> Result<Image> {
    check_architecture(architecture)?;
    let names = ["--offload-arch", "--cuda-gpu-arch", "-mcpu", "-march"];
    options.check_architecture(&names, &format!("hip:{architecture}"))?;
    let usable = match sys::hiprtc() {
        Err(reason) => Err(Error::missing(reason)),
        Ok(_) => conflict::before_compiling().map_or(Ok(()), |reason| Err(Error::missing(reason))),
    };
    let (bytes, compiler) = match (usable, hipcc::find()) {
        (Err(_), Some(hipcc)) => hipcc::compile(&hipcc, source, architecture, options)?,
        (usable, _) => {
            usable?;
            let bytes = hiprtc::compile_only(source, architecture, options)?;
            (bytes, hiprtc::compiler_version()?)
        }
    };
    Ok(Image {
        kind: ImageKind::new(CODE, architecture),
        bytes,
        compiler,
    })
}

/// How well a GPU of an architecture such as `gfx90a` takes an image, as [`Device::fit`](brook_driver::Device::fit).
/// Of an image for one setting of error correction or page migration, HIP finds out by itself whether the GPU has it.
///
/// # Errors
/// Why it does not take it.
pub fn fit(architecture: &str, kind: &ImageKind) -> std::result::Result<u32, String> {
    if kind.format != CODE {
        return Err(kind.unknown_format());
    }
    let name = |text: &str| text.split(':').next().unwrap_or_default().to_string();
    if name(architecture) != name(&kind.architecture) {
        return Err(format!("the device is {architecture}"));
    }
    Ok(match kind.architecture.contains(':') {
        true => 1,
        false => 2,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_architecture_fits() {
        let rank = |architecture| fit("gfx90a", &ImageKind::new(CODE, architecture)).ok();
        assert!(rank("gfx90a") > rank("gfx90a:xnack-"));
        assert!(rank("gfx90a:xnack-").is_some());
        for other in ["gfx90", "gfx908", "gfx90c", "gfx942", "", "sm_90"] {
            assert_eq!(rank(other), None, "{other}");
        }
        assert!(fit("gfx90a", &ImageKind::new("cubin", "gfx90a")).is_err());
    }

    #[test]
    fn architectures_are_known_by_their_form() {
        for good in ["gfx90a", "gfx942", "gfx1100", "gfx90a:sramecc+:xnack-"] {
            assert!(is_architecture(good), "{good}");
        }
        for bad in [
            "",
            "gfx",
            "gfx9",
            "sm_90",
            "gfx90a:",
            "gfx90a:xnack",
            "gfx90a -o x",
            "0",
        ] {
            assert!(!is_architecture(bad), "{bad}");
        }
    }
}
