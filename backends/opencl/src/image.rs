//! Images that are compiled ahead of time, and which devices take them.
//!
//! OpenCL has no code that devices of several kinds run, and no compiler without a device: what is compiled for no
//! device in particular is the source, with what its compiler is to be told, and the device's driver compiles it when it
//! is loaded. What is compiled for a device is its driver's binary, good for that driver only.

use brook_driver::{
    BINARY, CompileOptions, DeviceInfo, Error, Image, ImageKind, Math, Result, SOURCE,
};

const LANGUAGE: &str = "OpenCL C";

/// As [`Driver::compile_ahead`](brook_driver::Driver::compile_ahead): the source.
pub(crate) fn compile_ahead(
    architecture: &str,
    source: &str,
    options: &CompileOptions,
) -> Result<Image> {
    if !architecture.is_empty() {
        return Err(Error::invalid(format!(
            "'{architecture}' is no architecture of OpenCL's: opencl is source for every device, and opencl:0 what the first \
             device here is"
        )));
    }
    let mut kind = ImageKind::new(SOURCE, LANGUAGE).with("math", math_name(options.math));
    if options.contracted {
        kind = kind.with("contract", "off");
    }
    if let Some(standard) = &options.standard {
        kind = kind.with("standard", standard);
    }
    for flag in &options.flags {
        kind = kind.with("flag", flag);
    }
    Ok(Image {
        kind,
        bytes: source.as_bytes().to_vec(),
        compiler: String::new(),
    })
}

fn math_name(math: Math) -> &'static str {
    match math {
        Math::Default => "default",
        Math::Strict => "strict",
        Math::Fast => "fast",
    }
}

/// What the compiler is to be told, as the details of a kind that fits say it. Integers that overflow are the source's
/// own affair in OpenCL.
pub(crate) fn options(kind: &ImageKind) -> CompileOptions {
    let mut options = CompileOptions::default();
    for (name, value) in &kind.details {
        match (name.as_str(), value.as_str()) {
            ("math", "strict") => options.math = Math::Strict,
            ("math", "fast") => options.math = Math::Fast,
            ("contract", "off") => options.contracted = true,
            ("standard", standard) => options.standard = Some(standard.to_string()),
            ("flag", flag) => options.flags.push(flag.to_string()),
            _ => {}
        }
    }
    options
}

/// As [`Device::fit`](brook_driver::Device::fit).
pub(crate) fn fit(info: &DeviceInfo, kind: &ImageKind) -> std::result::Result<u32, String> {
    match kind.format.as_str() {
        SOURCE => {}
        BINARY if kind.architecture == info.architecture => return Ok(2),
        BINARY => return Err(format!("the device is '{}'", info.architecture)),
        _ => return Err(kind.unknown_format()),
    }
    if kind.architecture != LANGUAGE {
        return Err(format!("no device compiles '{}'", kind.architecture));
    }
    for (name, value) in &kind.details {
        let known = match name.as_str() {
            "math" => matches!(value.as_str(), "default" | "strict" | "fast"),
            "standard" | "flag" => true,
            _ => false,
        };
        if !known {
            return Err(format!(
                "this driver does not know what '{name} {value}' means"
            ));
        }
    }
    match &info.compiler {
        Ok(_) => Ok(1),
        Err(reason) => Err(reason.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_compiler_is_told_comes_back() {
        for math in [Math::Default, Math::Strict, Math::Fast] {
            let told = CompileOptions {
                math,
                contracted: math == Math::Default,
                standard: Some("CL2.0".to_string()),
                flags: vec!["-DA=1 2".to_string(), "-cl-mad-enable".to_string()],
                ..CompileOptions::default()
            };
            let image = compile_ahead("", "kernel void k() {}", &told).unwrap();
            let back = options(&image.kind);
            assert_eq!(back.math, told.math);
            assert_eq!(back.contracted, told.contracted);
            assert_eq!(back.standard, told.standard);
            assert_eq!(back.flags, told.flags);
        }
        assert!(compile_ahead("sm_90", "", &CompileOptions::default()).is_err());
    }
}
