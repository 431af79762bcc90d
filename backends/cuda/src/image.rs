//! Images that are compiled ahead of time, and which devices take them.

use crate::nvrtc::{compile_only, compile_to_ptx, compiler_version};
use brook_driver::{CompileOptions, Error, Image, ImageKind, Result};

const CUBIN: &str = "cubin";
pub(crate) const PTX: &str = "ptx";

/// Those of NVIDIA's modules with a processor of their own, which run no others' code of the same generation, nor theirs.
const TEGRA: [u32; 6] = [53, 62, 72, 87, 101, 110];

/// `sm_90` or `compute_90`, with `a` for what no other architecture runs, or `f` for its family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Architecture {
    real: bool,
    /// Ten times the major number, and the minor one.
    number: u32,
    suffix: Option<char>,
}

impl Architecture {
    fn parse(text: &str) -> Option<Self> {
        let real = text.strip_prefix("sm_");
        let digits = real.or_else(|| text.strip_prefix("compute_"))?;
        let suffix = digits.chars().last().filter(|c| matches!(c, 'a' | 'f'));
        let digits = digits.strip_suffix(['a', 'f']).unwrap_or(digits);
        // The parser for numbers takes a sign.
        let plain = matches!(digits.len(), 2..=4) && digits.bytes().all(|b| b.is_ascii_digit());
        Some(Self {
            real: real.is_some(),
            number: digits.parse().ok().filter(|_| plain)?,
            suffix,
        })
    }

    fn major(self) -> u32 {
        self.number / 10
    }
}

/// As [`Driver::check_architecture`](brook_driver::Driver::check_architecture).
pub(crate) fn check_architecture(architecture: &str) -> Result<()> {
    parsed(architecture).map(|_| ())
}

fn parsed(architecture: &str) -> Result<Architecture> {
    Architecture::parse(architecture).ok_or_else(|| {
        let named = match architecture {
            "" => "it needs an architecture".to_string(),
            other => format!("'{other}' is no architecture of NVIDIA's"),
        };
        Error::invalid(format!(
            "{named}: cuda:sm_90 is code for these GPUs, cuda:compute_90 PTX for these and later ones, and cuda:0 what the \
             first GPU here is"
        ))
    })
}

/// As [`Driver::compile_ahead`](brook_driver::Driver::compile_ahead): a cubin for `sm_90`, PTX for `compute_90`.
pub(crate) fn compile_ahead(
    architecture: &str,
    source: &str,
    options: &CompileOptions,
) -> Result<Image> {
    let parsed = parsed(architecture)?;
    let names = ["-arch", "--gpu-architecture", "--gpu-code", "-code"];
    options.check_architecture(&names, &format!("cuda:{architecture}"))?;
    let (format, bytes) = match parsed.real {
        true => (CUBIN, compile_only(source, architecture, options)?),
        false => {
            let text = compile_to_ptx(source, architecture, options)?;
            (PTX, text.into_bytes())
        }
    };
    Ok(Image {
        kind: ImageKind::new(format, architecture),
        bytes,
        compiler: compiler_version()?,
    })
}

/// How well a GPU of an architecture such as `sm_90` takes an image, as
/// [`Device::fit`](brook_driver::Device::fit): its own code best, then code for the same generation, then PTX.
///
/// # Errors
/// Why it does not take it.
pub fn fit(architecture: &str, kind: &ImageKind) -> std::result::Result<u32, String> {
    let unknown = |text: &str| format!("'{text}' is no architecture of NVIDIA's");
    let device = Architecture::parse(architecture).ok_or_else(|| unknown(architecture))?;
    let image =
        Architecture::parse(&kind.architecture).ok_or_else(|| unknown(&kind.architecture))?;
    let (is, other) = (device.number, image.number);
    let refused = |what: &str| Err(format!("the device is {architecture}; {what}"));
    match (kind.format.as_str(), image.real) {
        (CUBIN, true) | (PTX, false) => {}
        _ => return Err(kind.unknown_format()),
    }
    let exact = is == other;
    match image.suffix {
        Some('a') if !exact => return refused("what ends in 'a' is for no other"),
        Some('f') if device.major() != image.major() => {
            return refused("what ends in 'f' is for its family only");
        }
        _ => {}
    }
    if other > is {
        return refused("it is older");
    }
    if !image.real {
        return Ok(other);
    }
    if exact {
        return Ok(20_000);
    }
    if device.major() != image.major() {
        return refused("code is for one major number only, and PTX for later ones");
    }
    if TEGRA.contains(&is) || TEGRA.contains(&other) {
        return refused("modules with a processor of their own share no code with others");
    }
    Ok(10_000 + other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(device: &str, format: &str, architecture: &str) -> Option<u32> {
        fit(device, &ImageKind::new(format, architecture)).ok()
    }

    #[test]
    fn nearer_code_is_better_and_ptx_last() {
        let order = [
            rank("sm_89", CUBIN, "sm_89"),
            rank("sm_89", CUBIN, "sm_86"),
            rank("sm_89", CUBIN, "sm_80"),
            rank("sm_89", PTX, "compute_89"),
            rank("sm_89", PTX, "compute_80"),
            rank("sm_89", PTX, "compute_75"),
        ];
        assert!(order.iter().all(Option::is_some));
        assert!(order.is_sorted_by(|a, b| a > b), "{order:?}");
    }

    #[test]
    fn what_a_device_cannot_run_does_not_fit() {
        for (device, format, architecture) in [
            ("sm_80", CUBIN, "sm_86"),
            ("sm_90", CUBIN, "sm_80"),
            ("sm_80", PTX, "compute_90"),
            ("sm_100", CUBIN, "sm_90a"),
            ("sm_100", PTX, "compute_90a"),
            ("sm_103", CUBIN, "sm_100a"),
            ("sm_120", PTX, "compute_100f"),
            ("sm_89", CUBIN, "sm_87"),
            ("sm_87", CUBIN, "sm_86"),
            ("sm_90", CUBIN, "compute_90"),
            ("sm_90", PTX, "sm_90"),
            ("sm_90", "code object", "sm_90"),
            ("sm_90", CUBIN, "gfx90a"),
            ("sm_90", CUBIN, "sm_+9"),
            ("sm_90", CUBIN, "sm_"),
            ("sm_90", CUBIN, "sm_9"),
            ("sm_90", CUBIN, "sm_aa"),
            ("sm_90", CUBIN, "sm_99999999999"),
            ("x86_64", CUBIN, "sm_90"),
        ] {
            assert_eq!(
                rank(device, format, architecture),
                None,
                "{device} {format} {architecture}"
            );
        }
        for (device, format, architecture) in [
            ("sm_90", CUBIN, "sm_90a"),
            ("sm_90", PTX, "compute_90a"),
            ("sm_103", CUBIN, "sm_100f"),
            ("sm_103", CUBIN, "sm_100"),
            ("sm_87", CUBIN, "sm_87"),
            ("sm_87", PTX, "compute_80"),
            ("sm_121", PTX, "compute_90"),
        ] {
            assert!(
                rank(device, format, architecture).is_some(),
                "{device} {format} {architecture}"
            );
        }
    }
}
