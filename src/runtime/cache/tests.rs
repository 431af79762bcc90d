use super::Cache;
use crate::args;
use crate::runtime::tests::Trusted;
use crate::runtime::tests::processor;
use crate::runtime::{BuildOptions, Device, Program};
use crate::source_text::Source;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A directory of its own for one test, removed at its end.
pub(super) struct Scratch(brook_driver::ScratchDirectory);

impl Scratch {
    pub(super) fn new() -> Self {
        Self(brook_driver::ScratchDirectory::new().unwrap())
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn cache(&self) -> Cache {
        Cache::at(self.path("cache")).unwrap()
    }

    /// All files of one kind.
    pub(super) fn files(&self, folder: &str) -> Vec<PathBuf> {
        let folder = self.path("cache").join(folder);
        fs::read_dir(folder)
            .into_iter()
            .flatten()
            .map(|f| f.unwrap().path())
            .collect()
    }
}

const SOURCE: &str = r"
@kernel void add(const int n, int *a) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] += AMOUNT;
}
";

pub(super) fn source() -> Source {
    Source::new("cached.okl", SOURCE)
}

pub(super) fn options() -> BuildOptions {
    BuildOptions::new().define("AMOUNT", 5)
}

/// What the program's one kernel adds.
pub(super) fn amount(device: &Device, program: &Program) -> i32 {
    let mut memory = device.upload(&[1, 2]).unwrap();
    program
        .kernel("add")
        .unwrap()
        .run(args![2, &mut memory])
        .unwrap();
    memory.to_vec().unwrap()[0] - 1
}

#[test]
fn a_second_build_is_read_back() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let build = |options: &BuildOptions| device.build_through(&cache, &source(), options).unwrap();
    assert!(!build(&options()).from_cache());
    let again = build(&options());
    assert!(again.from_cache());
    assert_eq!(amount(&device, &again), 5);
    assert_eq!(again.metadata().kernels[0].parameters[1].name, "a");
    let other = build(&BuildOptions::new().define("AMOUNT", 6));
    assert!(!other.from_cache());
    assert_eq!(amount(&device, &other), 6);
    assert!(!build(&options().math(crate::runtime::Math::Strict)).from_cache());
    assert!(!build(&options().flag("-DUNUSED")).from_cache());
    assert!(!build(&options().standard("c++20")).from_cache());
    assert_eq!(scratch.files("temporary").len(), 0);
}

/// An extension that does nothing, in some version.
#[derive(Debug)]
struct Nothing(&'static str);

impl crate::Extension for Nothing {
    fn name(&self) -> &str {
        "nothing"
    }

    fn version(&self) -> String {
        self.0.to_string()
    }
}

#[test]
fn extensions_and_instances_are_part_of_the_key() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let cached = |options: BuildOptions| {
        let built = device.build_through(&cache, &source(), &options);
        built.unwrap().from_cache()
    };
    assert!(!cached(options()));
    assert!(!cached(options().extension(Nothing("1"))));
    assert!(cached(options().extension(Nothing("1"))));
    assert!(!cached(options().extension(Nothing("2"))));
    let template = "template <int N> @kernel void k(int *a) {
        for (int i = 0; i < N; ++i; @tile(8, @outer, @inner)) a[i] = N;
    }";
    let source = Source::new("k.okl", template);
    for n in [8, 16] {
        let name = format!("k<{n}>");
        let options = BuildOptions::new().instantiate(&name);
        let program = device.build_through(&cache, &source, &options).unwrap();
        assert!(!program.from_cache());
        let mut memory = device.upload(&vec![0i32; n]).unwrap();
        let kernel = program.kernel(&name).unwrap();
        kernel.run(crate::args![&mut memory]).unwrap();
        assert_eq!(memory.to_vec().unwrap(), vec![n as i32; n]);
    }
}

#[test]
fn includes_are_watched() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    for folder in ["first", "second"] {
        fs::create_dir(scratch.path(folder)).unwrap();
    }
    let text = format!("#include \"amount.h\"\n{SOURCE}");
    let source = Source::new(scratch.path("k.okl").to_string_lossy(), text);
    let options = BuildOptions::new()
        .include_directory(scratch.path("first").to_string_lossy())
        .include_directory(scratch.path("second").to_string_lossy());
    let build = || {
        let program = device.build_through(&cache, &source, &options).unwrap();
        (program.from_cache(), amount(&device, &program))
    };
    let define = |n: i32| format!("#define AMOUNT {n}\n");
    fs::write(scratch.path("second/amount.h"), define(1)).unwrap();
    assert_eq!(build(), (false, 1));
    assert_eq!(build(), (true, 1));
    fs::write(scratch.path("second/amount.h"), define(2)).unwrap();
    assert_eq!(build(), (false, 2));
    assert_eq!(build(), (true, 2));
    // It was looked for here first, and was not there.
    fs::write(scratch.path("first/amount.h"), define(3)).unwrap();
    assert_eq!(build(), (false, 3));
    assert_eq!(build(), (true, 3));
    fs::write(scratch.path("amount.h"), define(4)).unwrap();
    assert_eq!(build(), (false, 4));
    fs::remove_file(scratch.path("amount.h")).unwrap();
    fs::remove_file(scratch.path("first/amount.h")).unwrap();
    assert_eq!(build(), (false, 2));
}

#[test]
fn embedded_files_stand_for_themselves() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let text = format!("#include \"amount.h\"\n#include <more.h>\n{SOURCE}");
    let build = |name: &str, n: i32| {
        let options = BuildOptions::new()
            .file("embedded:/kernels/k.okl", text.as_str())
            .file("embedded:/kernels/amount.h", format!("#define MORE {n}\n"))
            .file("embedded:/more/more.h", "#define AMOUNT (MORE + 1)\n")
            .include_directory("embedded:/nothing")
            .include_directory("embedded:/more");
        let source = options.source(name).unwrap();
        let program = device.build_through(&cache, &source, &options).unwrap();
        (program.from_cache(), amount(&device, &program))
    };
    assert_eq!(build("embedded:/kernels/k.okl", 1), (false, 2));
    assert_eq!(build("embedded:/kernels/k.okl", 1), (true, 2));
    assert_eq!(build("embedded:/kernels/k.okl", 2), (false, 3));
    assert_eq!(build("embedded:/kernels/k.okl", 1), (true, 2));
    // Nothing of the disk was looked at, nor would be.
    for manifest in scratch.files("manifests") {
        let bytes = fs::read(manifest).unwrap();
        let text = String::from_utf8_lossy(&bytes);
        assert!(text.contains("{\"files\":{}}"), "{text}");
    }
    let missing = BuildOptions::new().source("embedded:/kernels/k.okl");
    let message = missing.unwrap_err().to_string();
    assert!(message.contains("there is no 'embedded:/kernels/k.okl' in the program"));
}

/// A text stands in front of a file; what the text does not decide, the disk does, and is watched.
#[test]
fn embedded_files_come_before_those_of_the_disk() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    fs::write(scratch.path("amount.h"), "#include \"value.h\"\n").unwrap();
    fs::write(scratch.path("value.h"), "#define AMOUNT 7\n").unwrap();
    let name = scratch.path("k.okl").to_string_lossy().into_owned();
    let source = Source::new(&name, format!("#include \"amount.h\"\n{SOURCE}"));
    let folder = scratch.path("").display().to_string();
    let build = |path: &str, text: &str| {
        let options = BuildOptions::new().file(format!("{folder}{path}"), text);
        let program = device.build_through(&cache, &source, &options).unwrap();
        (program.from_cache(), amount(&device, &program))
    };
    assert_eq!(build("value.h", "#define AMOUNT 1\n"), (false, 1));
    fs::write(scratch.path("value.h"), "#define AMOUNT 8\n").unwrap();
    assert_eq!(build("value.h", "#define AMOUNT 1\n"), (true, 1));
    fs::write(
        scratch.path("amount.h"),
        "#include \"./x/../value.h\"\n#undef AMOUNT\n#define AMOUNT 9\n",
    )
    .unwrap();
    assert_eq!(build("value.h", "#define AMOUNT 1\n"), (false, 9));
    assert_eq!(build("amount.h", "#include \"value.h\"\n"), (false, 8));
    fs::write(scratch.path("value.h"), "#define AMOUNT 6\n").unwrap();
    assert_eq!(build("amount.h", "#include \"value.h\"\n"), (false, 6));
    assert_eq!(build("amount.h", "#include \"value.h\"\n"), (true, 6));
}

#[test]
fn headers_for_the_compiler_are_watched() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("inc")).unwrap();
    fs::write(scratch.path("inc/a.h"), "#include \"b.h\"\n").unwrap();
    let options = brook_driver::CompileOptions {
        flags: vec![
            "-O2".into(),
            "-I".into(),
            scratch.path("inc").display().to_string(),
        ],
        ..Default::default()
    };
    let headers = || super::kept_headers("int x;\n # include <a.h>\n", &options);
    let before = headers();
    assert!(before.are_known() && before.are_unchanged());
    fs::write(scratch.path("inc/b.h"), "1").unwrap();
    assert!(!before.are_unchanged());
    let after = headers();
    assert!(after.are_unchanged());
    fs::write(scratch.path("inc/b.h"), "2").unwrap();
    assert!(!after.are_unchanged());
}

/// Every damage to every kind of file is noticed, the file dropped, and a good one put in its place.
#[test]
fn damaged_files_are_rebuilt() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let build = || {
        let program = device.build_through(&cache, &source(), &options()).unwrap();
        assert_eq!(amount(&device, &program), 5);
        program.from_cache()
    };
    assert!(!build());
    for folder in ["entries", "manifests"] {
        let files = scratch.files(folder);
        let [file] = files.as_slice() else {
            panic!("{files:?}")
        };
        let good = fs::read(file).unwrap();
        let mut damages: Vec<Vec<u8>> = [0, 1, 20, good.len() / 2, good.len() - 1]
            .map(|length| good[..length].to_vec())
            .to_vec();
        for at in [0, 9, 40, good.len() / 2, good.len() - 1] {
            let mut flipped = good.clone();
            flipped[at] ^= 0x10;
            damages.push(flipped);
        }
        damages.push([good.as_slice(), b"x"].concat());
        for damaged in damages {
            fs::write(file, &damaged).unwrap();
            assert!(
                !build(),
                "{folder}: a damaged file was taken for a good one"
            );
            assert!(build(), "{folder}: the damaged file was not replaced");
        }
    }
    // A sound file under another's name is damage, too.
    let file = &scratch.files("entries")[0];
    let elsewhere = file.with_file_name("0".repeat(64));
    fs::copy(file, &elsewhere).unwrap();
    let store = &scratch.cache().store;
    assert!(store.read(super::Kind::Entry, &"0".repeat(64)).is_none());
    assert!(!elsewhere.exists());
    assert!(store.read(super::Kind::Entry, "../entries").is_none());
}

#[test]
fn a_cache_that_cannot_be_used_does_no_harm() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    fs::write(scratch.path("file"), "").unwrap();
    assert!(Cache::at(scratch.path("file")).is_none());
    assert!(Cache::at(scratch.path("file/below")).is_none());
    // Folders that cannot be made: every write fails, every build works.
    let cache = scratch.cache();
    for folder in ["entries", "manifests", "temporary"] {
        fs::write(scratch.path("cache").join(folder), "").unwrap();
    }
    for _ in 0..2 {
        let program = device.build_through(&cache, &source(), &options()).unwrap();
        assert!(!program.from_cache());
        assert_eq!(amount(&device, &program), 5);
    }
}

#[cfg(unix)]
#[test]
fn the_directory_is_private() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    let scratch = Scratch::new();
    let deep = scratch.path("a/b");
    Cache::at(deep.clone()).unwrap();
    assert_eq!(fs::metadata(&deep).unwrap().mode() & 0o777, 0o700);
    fs::set_permissions(&deep, PermissionsExt::from_mode(0o777)).unwrap();
    assert!(Cache::at(deep).is_none());
}

/// Not a test of its own: what the processes of the tests below do.
#[test]
#[ignore = "run by other tests, in processes of their own"]
fn child() {
    let Some(device) = processor() else { return };
    let program = device.build(source(), &options()).unwrap();
    assert_eq!(amount(&device, &program), 5);
}

fn start_child(directory: &Path) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "runtime::cache::tests::child",
            "--ignored",
            "--nocapture",
        ])
        .env("BROOK_CACHE_DIR", directory)
        .env_remove("BROOK_CACHE")
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn succeed(children: Vec<Child>) {
    for child in children {
        let output = child.wait_with_output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{log}");
    }
}

#[test]
fn the_environment_says_where() {
    if processor().is_none() {
        return;
    }
    let scratch = Scratch::new();
    let run = |variables: &[(&str, PathBuf)]| {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--exact", "runtime::cache::tests::child", "--ignored"]);
        for name in ["BROOK_CACHE", "BROOK_CACHE_DIR", "XDG_CACHE_HOME"] {
            command.env_remove(name);
        }
        command.env("HOME", scratch.path("home"));
        let variables = variables.iter().map(|(name, value)| (name, value));
        let status = command.envs(variables).stdout(Stdio::null()).status();
        assert!(status.unwrap().success());
    };
    let named = ("BROOK_CACHE_DIR", scratch.path("named"));
    let standard = ("XDG_CACHE_HOME", scratch.path("xdg"));
    run(&[named.clone(), ("BROOK_CACHE", "off".into())]);
    assert!(!scratch.path("named").exists() && !scratch.path("home").exists());
    run(&[named, standard.clone()]);
    assert!(scratch.path("named/entries").is_dir() && !scratch.path("xdg").exists());
    run(&[standard]);
    assert!(scratch.path("xdg/brook/entries").is_dir() && !scratch.path("home").exists());
    run(&[]);
    assert!(scratch.path("home/.cache/brook/entries").is_dir());
}

#[test]
fn many_processes_build_at_once() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let directory = scratch.path("cache");
    succeed((0..24).map(|_| start_child(&directory)).collect());
    assert_eq!(scratch.files("entries").len(), 1);
    assert_eq!(scratch.files("manifests").len(), 1);
    assert_eq!(scratch.files("temporary").len(), 0);
    let program = device
        .build_through(&scratch.cache(), &source(), &options())
        .unwrap();
    assert!(program.from_cache());
    assert_eq!(amount(&device, &program), 5);
}

#[test]
fn killed_builders_do_no_harm() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let directory = scratch.path("cache");
    // Killed at many moments, from before anything was written to after everything was.
    let began = Instant::now();
    succeed(vec![start_child(&scratch.path("other"))]);
    let takes = began.elapsed();
    for part in 0..16u32 {
        let mut child = start_child(&directory);
        std::thread::sleep(takes * part / 14);
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // A file half written, as a kill in the middle of it leaves it.
    fs::create_dir_all(directory.join("temporary")).unwrap();
    let left = directory.join("temporary/1-1-1");
    fs::write(&left, "BROOKe1\nhalf").unwrap();
    succeed((0..4).map(|_| start_child(&directory)).collect());
    let cache = scratch.cache();
    let program = device.build_through(&cache, &source(), &options()).unwrap();
    assert!(program.from_cache());
    assert_eq!(amount(&device, &program), 5);
    // It is swept away once it is old, by whoever writes next.
    assert!(left.exists());
    let old = std::time::SystemTime::now() - Duration::from_secs(7200);
    fs::File::options()
        .write(true)
        .open(&left)
        .unwrap()
        .set_modified(old)
        .unwrap();
    device
        .build_through(&cache, &source(), &options().flag("-DOTHER"))
        .unwrap();
    assert!(!left.exists());
}
