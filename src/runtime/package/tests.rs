//! Files that hold what they should not, and devices that fit or do not.

use super::format::{Content, ImageEntry, Index, ProgramEntry, sealed};
use super::*;
use crate::args;
use crate::runtime::tests::Trusted;
use crate::runtime::tests::processor;
use crate::runtime::{Device, KernelArgument, Program, Stream};

const SOURCE: &str = r"
@kernel void add(const int n, const float by, const int *which, float *a) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[which[i]] += by * FACTOR;
}
";

fn source() -> Source {
    Source::new("folder/add.okl", SOURCE)
}

fn options() -> BuildOptions {
    BuildOptions::new().define("FACTOR", 2)
}

/// A small one that no compiler is needed for.
fn small() -> Package {
    Package::compile(source(), &["opencl"], &options()).unwrap()
}

fn reason(file: Vec<u8>) -> String {
    Package::from_bytes(file).unwrap_err().to_string()
}

/// What the program adds to the second of three numbers.
fn added(program: &Program) -> f32 {
    let device = program.device();
    let (which, a) = (
        device.upload(&[1]).unwrap(),
        device.upload(&[5f32; 3]).unwrap(),
    );
    let add = program.kernel("add").unwrap();
    add.run(args![1, 1.5f32, &which, &a]).unwrap();
    a.to_vec().unwrap()[1] - 5.0
}

#[test]
fn what_is_written_is_read() {
    let package = small();
    let file = package.to_bytes().unwrap();
    let again = Package::from_bytes(file.clone()).unwrap();
    assert_eq!(again.content, package.content);
    assert_eq!(again.to_bytes().unwrap(), file);
    let program = again.program("add.okl").unwrap();
    let images: Vec<_> = program.images().collect();
    let [image] = images.as_slice() else {
        panic!("{images:?}")
    };
    assert_eq!(
        (image.target(), image.driver(), image.format()),
        ("opencl", "opencl", "source")
    );
    assert!(
        std::str::from_utf8(image.bytes())
            .unwrap()
            .contains("__kernel")
    );
    assert_eq!(image.metadata().unwrap().kernels[0].parameters[3].name, "a");
    let with_offsets = std::str::from_utf8(image.bytes_with_offsets().unwrap()).unwrap();
    assert!(with_offsets.contains("__kernel") && with_offsets.as_bytes() != image.bytes());
    let known = image.metadata_with_offsets().unwrap().unwrap();
    assert_eq!(known.kernels[0].parameters[3].name, "a");
    let error = again.program("folder/add.okl").unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no program 'folder/add.okl'; there are: add.okl"
    );
}

/// Only where addresses are no arguments, and a kernel would take one.
#[test]
fn kernels_take_offsets_where_they_have_to() {
    let has = |source: Source, target: &str| {
        let package = Package::compile(source, &[target], &options()).unwrap();
        let program = package.programs().next().unwrap();
        let image = program.images().next().unwrap();
        assert_eq!(
            image.metadata_with_offsets().is_some(),
            image.bytes_with_offsets().is_some()
        );
        image.bytes_with_offsets().is_some()
    };
    assert!(has(source(), "opencl"));
    let brook = "kernel void half(float a<>, out float b<>) { b = a / 2.0f; }";
    assert!(!has(Source::new("half.br", brook), "opencl"));
    let values = "@kernel void none(const int n) { for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {} }";
    assert!(!has(Source::new("none.okl", values), "opencl"));
    if processor().is_some() {
        assert!(!has(source(), "openmp"));
    }
}

#[test]
fn cut_files_are_refused_at_every_length() {
    let file = small().to_bytes().unwrap();
    for length in 0..file.len() {
        let error = reason(file[..length].to_vec());
        let expected = if length == 0 {
            "it is no file of"
        } else {
            "it is cut off"
        };
        assert!(error.starts_with(expected), "{length}: {error}");
    }
    let longer = [file.as_slice(), &[0]].concat();
    assert!(reason(longer).starts_with("it should have "));
}

#[test]
fn every_bit_counts() {
    let file = image_of("openmp", b"{}").to_bytes().unwrap();
    for bit in 0..file.len() * 8 {
        let mut flipped = file.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let error = reason(flipped);
        let expected = match bit / 8 {
            0..8 => "it is no file of",
            8..16 => "it is of version ",
            16..24 => "it ",
            _ => "it is damaged: its bytes are not those that were written",
        };
        assert!(error.starts_with(expected), "bit {bit}: {error}");
    }
}

#[test]
fn other_versions_say_so() {
    let mut file = small().to_bytes().unwrap();
    file[8] = 1;
    let error = reason(file);
    assert!(
        error.contains("version 2") && error.contains("version 1"),
        "{error}"
    );
}

/// A file whose digest is right, whatever else is wrong.
#[test]
fn sealed_nonsense_is_refused() {
    let good = small();
    let index = serde_json::to_string(&good.content.index).unwrap();
    let bytes = &good.content.bytes;
    assert!(Package::from_bytes(sealed(index.as_bytes(), bytes)).is_ok());
    let image = &good.content.index.programs[0].images[0];
    let place = |(start, length): Place| format!("[{start},{length}]");
    let binary = place(image.binary);
    let with_offsets = place(image.offsets.unwrap().binary);
    let wrong = [
        format!("[0,{}]", bytes.len() + 1),
        format!("[{},1]", bytes.len()),
        format!("[{},{}]", u64::MAX, u64::MAX),
        format!("[1,{}]", u64::MAX),
        "[-1,1]".to_string(),
        "[1.5,1]".to_string(),
        "[1]".to_string(),
        "[1,2,3]".to_string(),
        "null".to_string(),
        "[99999999999999999999,1]".to_string(),
    ];
    let places = [binary, with_offsets];
    for (place, other) in places
        .iter()
        .flat_map(|p| wrong.iter().map(move |w| (p, w)))
    {
        let index = index.replace(place, other);
        let error = reason(sealed(index.as_bytes(), bytes));
        assert!(error.starts_with("it is damaged: "), "{other}: {error}");
    }
    for (what, with) in [
        ("\"generator\"", "\"generated\""),
        ("\"images\"", "\"more\":1,\"images\""),
        ("\"driver\"", "\"target\""),
    ] {
        let error = reason(sealed(index.replace(what, with).as_bytes(), bytes));
        assert!(error.contains("its index cannot be read"), "{error}");
    }
    let deep = "[".repeat(1 << 20);
    assert!(reason(sealed(deep.as_bytes(), bytes)).contains("its index cannot be read"));
    assert!(reason(sealed(b"", b"")).contains("its index cannot be read"));
    let twice = format!(
        "{{\"generator\":\"\",\"programs\":[{0},{0}]}}",
        "{\"name\":\"a\",\"images\":[]}"
    );
    assert!(reason(sealed(twice.as_bytes(), b"")).contains("two programs 'a'"));
    // The index's own length, with a digest that is right for it.
    for length in [
        u64::MAX,
        u64::MAX - 63,
        1 << 40,
        bytes.len() as u64 + index.len() as u64 + 1,
    ] {
        let mut file = good.to_bytes().unwrap();
        file[24..32].copy_from_slice(&length.to_le_bytes());
        let mut hasher = blake3::Hasher::new();
        hasher.update(&file[..32]).update(&file[64..]);
        file[32..64].copy_from_slice(hasher.finalize().as_bytes());
        assert!(reason(file).contains("impossible length"));
    }
}

/// An image of some metadata, for the driver of that name.
fn image_of(driver: &str, metadata: &[u8]) -> Package {
    let mut content = Content {
        index: Index {
            generator: "tests".into(),
            programs: Vec::new(),
        },
        bytes: Vec::new(),
    };
    let entry = ImageEntry {
        target: driver.into(),
        driver: driver.into(),
        format: "binary".into(),
        architecture: "m68k".into(),
        details: Vec::new(),
        compiler: String::new(),
        metadata: content.add(metadata),
        binary: content.add(b"nothing"),
        offsets: None,
    };
    content.index.programs.push(ProgramEntry {
        name: "a.okl".into(),
        images: vec![entry],
    });
    Package {
        content,
        warnings: Vec::new(),
        dependencies: Vec::new(),
    }
}

#[test]
fn metadata_of_others_is_refused() {
    let metadata = |json: &[u8]| {
        let package = image_of("openmp", json);
        let image = package.programs().next().unwrap().images().next().unwrap();
        image
            .metadata()
            .map(|m| m.kernels.len())
            .map_err(|e| e.to_string())
    };
    let good = small();
    let place = good.content.index.programs[0].images[0].metadata;
    let json = std::str::from_utf8(good.content.at(place).unwrap()).unwrap();
    assert_eq!(metadata(json.as_bytes()), Ok(1));
    let newer = json.replacen(
        "{\"dependencies\"",
        "{\"since_next_year\":true,\"dependencies\"",
        1,
    );
    assert_ne!(newer, json);
    let error = metadata(newer.as_bytes()).unwrap_err();
    assert!(error.contains("another version of brook"), "{error}");
    let deep = [b"[".repeat(1 << 20), b"]".repeat(1 << 20)].concat();
    for wrong in [
        &b""[..],
        b"{}",
        b"\xff",
        &json.as_bytes()[1..],
        deep.as_slice(),
    ] {
        let error = metadata(wrong).unwrap_err();
        assert!(error.contains("cannot be read"), "{error}");
    }
    let deep = json.replacen(
        "\"dialect\"",
        &format!("\"x\":{}{},\"dialect\"", "[".repeat(3000), "]".repeat(3000)),
        1,
    );
    assert!(metadata(deep.as_bytes()).is_err());
}

/// A sum is as deep as it has terms, and JSON has no infinity.
#[test]
fn what_the_host_computes_survives() {
    let terms: Vec<String> = (1..300).map(|i| format!("n * {i}")).collect();
    let text = format!(
        "@kernel void k(const int n, double *a) {{
           double most = 1e308 * 10, third = 0.1 + 0.2;
           const int m = n == 1 && most > third ? ({}) / 44850 : 0;
           for (int i = 0; i < m; ++i; @tile(16, @outer, @inner)) a[i] = 7;
         }}",
        terms.join(" + ")
    );
    let source = Source::new("k.okl", text);
    let package = Package::compile(source, &["opencl"], &BuildOptions::new()).unwrap();
    let file = package.to_bytes().unwrap();
    let package = Package::from_bytes(file).unwrap();
    let image = package.programs().next().unwrap().images().next().unwrap();
    assert_eq!(image.metadata().unwrap().kernels.len(), 1);
}

#[test]
fn packages_are_put_together() {
    let mut package = small();
    let text = "@kernel void other(int *b) { for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) b[i] = 1; }";
    let other = || Package::compile(Source::new("b.okl", text), &["opencl"], &options()).unwrap();
    package.add(other()).unwrap();
    let error = package.add(other()).unwrap_err().to_string();
    assert_eq!(error, "'b.okl' for opencl is there twice");
    let twice = Package::compile(source(), &["opencl", "opencl"], &options());
    let error = twice.unwrap_err().to_string();
    assert_eq!(error, "'add.okl' for opencl is there twice");
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let kernels: Vec<String> = package
        .programs()
        .flat_map(|p| p.images())
        .map(|i| i.metadata().unwrap().kernels[0].name.clone())
        .collect();
    assert_eq!(kernels, ["add", "other"]);
    let error = package.only().unwrap_err().to_string();
    assert_eq!(
        error,
        "which program? there are: add.okl, b.okl; take one with Package::program"
    );
}

#[test]
fn wrong_targets_are_named() {
    let error = |target: &str| {
        let compiled = Package::compile(source(), &[target], &options());
        compiled.unwrap_err().to_string()
    };
    for (target, expected) in [
        (
            "abacus",
            "'abacus' is nothing to compile for: no device is called 'abacus'; there are: ",
        ),
        ("", "'' is nothing to compile for"),
        (":0", "':0' is nothing to compile for"),
        ("cuda", "cuda: it needs an architecture: cuda:sm_90 "),
        ("cuda:90", "no device 'cuda:90'"),
        (
            "cuda:gfx90a",
            "cuda:gfx90a: 'gfx90a' is no architecture of NVIDIA's",
        ),
        ("hip", "hip: it needs an architecture: hip:gfx90a "),
        (
            "hip:sm_90",
            "hip:sm_90: 'sm_90' is no architecture of AMD's",
        ),
        (
            "opencl:gpu",
            "opencl:gpu: 'gpu' is no architecture of OpenCL's",
        ),
        (
            "openmp:a b",
            "openmp:a b: 'a b' is no architecture of a processor",
        ),
        ("openmp:-o/tmp/x", "openmp:-o/tmp/x: "),
    ] {
        let error = error(target);
        assert!(error.starts_with(expected), "{target}: {error}");
    }
    let include = "#include <elsewhere.h>\n@kernel void k(int *a) { for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = 1; }";
    let compiled = Package::compile(Source::new("k.okl", include), &["opencl"], &options());
    let error = compiled.unwrap_err().to_string();
    assert!(
        error.starts_with("opencl: '#include <elsewhere.h>' is left to "),
        "{error}"
    );
    for (target, flag) in [
        ("cuda:sm_90", "-arch=sm_80"),
        ("hip:gfx90a", "--offload-arch=gfx908"),
    ] {
        let compiled = Package::compile(source(), &[target], &options().flag(flag));
        let error = compiled.unwrap_err().to_string();
        assert!(error.contains("names another architecture"), "{error}");
    }
}

#[test]
fn the_processor_takes_what_it_can_run() {
    let Some(device) = processor() else { return };
    let package = Package::compile(source(), &["openmp"], &options()).unwrap();
    let file = package.to_bytes().unwrap();
    assert_eq!(added(&Program::load(&device, file).unwrap()), 3.0);
    // The same for a processor that has what no processor has.
    let mut package = package;
    let details = &mut package.content.index.programs[0].images[0].details;
    details.retain(|(name, _)| name != "processor");
    details.push(("feature".into(), "telepathy".into()));
    let error = Program::load(&device, &package).unwrap_err().to_string();
    let expected = [
        "'add.okl' was compiled for nothing that openmp:0 (",
        "\n  openmp (shared object): ",
        " lacks ",
    ];
    assert!(expected.iter().all(|part| error.contains(part)), "{error}");
    assert!(error.ends_with("telepathy"), "{error}");
    // With code for all, the device takes that.
    let text = source();
    let general = std::env::consts::ARCH == "x86_64";
    if general {
        package
            .add(Package::compile(&text, &["openmp:x86-64"], &options()).unwrap())
            .unwrap();
        assert_eq!(added(&Program::load(&device, &package).unwrap()), 3.0);
    }
    assert!(Program::load(&device, image_of("openmp", b"{}")).is_err());
    assert!(Program::load(&device, image_of("cuda", b"{}")).is_err());
}

#[test]
fn files_are_named_in_errors() {
    let Some(device) = processor() else { return };
    let scratch = brook_driver::ScratchDirectory::new().unwrap();
    let path = scratch.path().join("add.brk");
    small().write(&path).unwrap();
    let error = Program::load(&device, &path).unwrap_err().to_string();
    let name = path.display().to_string();
    assert!(
        error.starts_with(&format!("{name}: 'add.okl' was compiled for nothing")),
        "{error}"
    );
    assert!(
        error.ends_with("\n  opencl (source): it is for devices of 'opencl'"),
        "{error}"
    );
    std::fs::write(&path, "BRK").unwrap();
    let error = Program::load(&device, &path).unwrap_err().to_string();
    assert_eq!(error, format!("{name}: it is no file of 'brook compile'"));
    for other in ["/dev/zero", "/nonexistent.brk", "/proc/self", "/dev/null"] {
        assert!(
            Program::load(&device, other)
                .unwrap_err()
                .to_string()
                .starts_with(other)
        );
    }
    assert!(small().write("/nonexistent/a.brk").is_err());
    let left = std::fs::read_dir(scratch.path()).unwrap();
    let mut left = left.map(|f| f.unwrap().file_name().into_string().unwrap());
    assert!(left.all(|name| !name.ends_with(".tmp")));
}

/// Of several images each emulated GPU takes the one that it would if it were one.
#[cfg(feature = "emulation")]
#[test]
fn every_device_gets_the_nearest_image() {
    const WHICH: &str = r"
@kernel void which(int *a) {
  for (int i = 0; i < 1; ++i; @tile(1, @outer, @inner)) {
    a[i] = BROOK_EMULATED;
  }
}";
    let which = |device: &str, targets: &[&str]| {
        let device = Device::open(device).unwrap();
        let source = Source::new("which.okl", WHICH);
        let package = Package::compile(source, targets, &BuildOptions::new()).unwrap();
        let program = Program::load(&device, &package).map_err(|e| e.to_string())?;
        let a = device.upload(&[-1]).unwrap();
        program.kernel("which").unwrap().run(args![&a]).unwrap();
        Ok::<i32, String>(a.to_vec().unwrap()[0])
    };
    let cuda = |ordinal: usize, targets: &str| {
        let targets = targets.split(' ').map(|t| format!("emulated-cuda:{t}"));
        let targets: Vec<String> = targets.collect();
        let targets: Vec<&str> = targets.iter().map(String::as_str).collect();
        which(&format!("emulated-cuda:{ordinal}"), &targets)
    };
    // The devices are sm_90, sm_86 and sm_80.
    let all = "sm_80 compute_75 sm_86 compute_80 sm_90 sm_100";
    assert_eq!(cuda(0, all), Ok(90));
    assert_eq!(cuda(1, all), Ok(86));
    assert_eq!(cuda(2, all), Ok(80));
    assert_eq!(cuda(1, "sm_80 compute_86 sm_90"), Ok(80));
    assert_eq!(cuda(0, "sm_80 sm_86 compute_75 compute_80"), Ok(80));
    assert_eq!(cuda(2, "sm_86 compute_75"), Ok(75));
    let error = cuda(2, "sm_86 sm_90 compute_90").unwrap_err();
    for line in [
        "emulated-cuda:sm_86 (cubin): the device is sm_80; it is older",
        "emulated-cuda:sm_90 (cubin): the device is sm_80; it is older",
        "emulated-cuda:compute_90 (ptx): the device is sm_80; it is older",
    ] {
        assert!(error.contains(&format!("\n  {line}")), "{error}");
    }
    // The devices are gfx942, gfx90a and gfx1100.
    let hip = [
        "emulated-hip:gfx942",
        "emulated-hip:gfx90a:xnack+",
        "emulated-hip:gfx90a",
    ];
    assert_eq!(which("emulated-hip:0", &hip), Ok(0x942));
    assert_eq!(which("emulated-hip:1", &hip[1..]), Ok(0x90a));
    let error = which("emulated-hip:2", &hip).unwrap_err();
    assert!(
        error.contains("(code object): the device is gfx1100"),
        "{error}"
    );
}

/// What a device that is here is, in the words of its name.
#[cfg(feature = "emulation")]
#[test]
fn devices_that_are_here_are_targets() {
    let (first, second) = ("emulated-cuda:0", "emulated-cuda:1");
    let package = Package::compile(source(), &[first], &options()).unwrap();
    assert_eq!(
        added(&Program::load(&Device::open(first).unwrap(), &package).unwrap()),
        3.0
    );
    let error = Program::load(&Device::open(second).unwrap(), &package).unwrap_err();
    assert!(error.to_string().contains("the device is sm_86"), "{error}");
}

#[test]
fn brook_kernels_are_packed() {
    let Some(device) = processor() else { return };
    let text = "kernel void twice(int a<>, out int b<>) { b = a + a; }";
    let package = Package::compile(
        Source::new("twice.br", text),
        &["openmp", "opencl"],
        &BuildOptions::new(),
    );
    let program = Program::load(&device, package.unwrap()).unwrap();
    let stream = || Stream::<i32>::new(&device, &[2]).unwrap();
    let (a, b) = (stream(), stream());
    a.read(&[i32::MAX, 4]).unwrap();
    let twice = program.kernel("twice").unwrap();
    twice.call(crate::stream_args![&a, &b]).unwrap();
    // Integers of Brook+ wrap.
    assert_eq!(b.to_vec().unwrap(), [-2, 8]);
}

#[test]
fn devices_are_found_for_packages() {
    // Others may come first where there are GPUs, or where the environment says so.
    if std::env::var_os("BROOK_DEVICE").is_some() || processor().is_none() {
        return;
    }
    let package = Package::compile(source(), &["openmp"], &options()).unwrap();
    assert_eq!(Device::detect_for(&package).unwrap().name(), "openmp:0");
    let error = Device::detect_for(&image_of("abacus", b"{}")).unwrap_err();
    assert!(matches!(error, Error::NoDevice(_)));
    let text = error.to_string();
    assert!(
        text.contains("\n  openmp:0: 'a.okl' was compiled for nothing"),
        "{text}"
    );
}

/// `tests/data/package.brk` was written by an earlier version, and is to be read as long as the format keeps its number:
/// `brook compile tests/data/package --device opencl --device openmp:x86-64 -o tests/data/package.brk`.
#[test]
fn packages_of_earlier_versions_are_read() {
    let Some(processor) = processor() else { return };
    let package = Package::from_bytes(include_bytes!("../../../tests/data/package.brk")).unwrap();
    let mut devices: Vec<Device> = Vec::new();
    devices.extend(
        (std::env::consts::ARCH == "x86_64" && cfg!(target_os = "linux")).then_some(processor),
    );
    devices.extend(Device::open("opencl").ok());
    for device in devices {
        let program = package.program("steps.okl").unwrap().load(&device).unwrap();
        let a = device.upload(&[1i32; 10]).unwrap();
        let sums = device.upload(&[0f32; 1]).unwrap();
        let step = Step {
            scale: 3,
            offset: 0.5,
        };
        let steps = program.kernel("steps").unwrap();
        let step = KernelArgument::value(&step);
        steps.run(args![10, 4, step, &a, &sums]).unwrap();
        assert_eq!(a.to_vec().unwrap(), [304; 10]);
        assert_eq!(sums.to_vec().unwrap(), [3045.0]);
        let program = package
            .program("streams.br")
            .unwrap()
            .load(&device)
            .unwrap();
        let stream = || Stream::<f32>::new(&device, &[3]).unwrap();
        let (a, c) = (stream(), stream());
        a.read(&[1.0, 2.0, 3.0]).unwrap();
        let b = Stream::<[f32; 4]>::new(&device, &[3]).unwrap();
        b.read(&[[0.0; 4], [1.0; 4], [4.0, 5.0, 6.0, 7.0]]).unwrap();
        program
            .call("mix", crate::stream_args![&a, &b, 2.0f32, &c])
            .unwrap();
        assert_eq!(c.to_vec().unwrap(), [7.0, 9.0, 11.0]);
        let mut total = 0f32;
        program
            .call("total", crate::stream_args![&c, &mut total])
            .unwrap();
        assert_eq!(total, 27.0);
    }
}

crate::structure! {
    /// As in `tests/data/package/steps.okl`.
    struct Step {
        scale: i32,
        offset: f32,
    }
}
