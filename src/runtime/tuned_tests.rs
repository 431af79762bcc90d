use super::*;
use crate::runtime::tests::{Trusted, processor};
use crate::runtime::{KernelArgument, Memory};

const SOURCE: &str = "#ifndef WIDTH\n#define WIDTH 4\n#endif\n\
    @kernel void one(const int n, int *y) {\n\
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i] = WIDTH;\n\
    }\n\
    @kernel void two(const int n, int *y) {\n\
      for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) y[i] = -WIDTH;\n\
    }\n";

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("brook-tuned-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    folder
}

fn found(device: &Device, kernel: &str, shape: &str, width: &str) -> TunedKernel {
    let mut settings = Settings::default();
    settings
        .macros
        .insert("WIDTH".to_string(), width.to_string());
    settings.choices.insert("coarsen".to_string(), 4);
    TunedKernel {
        kernel: kernel.to_string(),
        backend: device.backend().name.clone(),
        device: device.info().name.clone(),
        shape: shape.to_string(),
        seconds: 1e-3,
        seconds_before: 2e-3,
        settings,
    }
}

/// What the kernel `one` writes.
fn width(device: &Device, options: &BuildOptions) -> i32 {
    let program = device
        .build(Source::new("dir/w.okl", SOURCE), options)
        .unwrap();
    let memory: Memory<i32> = device.zeros(3).unwrap();
    let kernel = program.kernel("one").unwrap();
    kernel
        .run(&[KernelArgument::from(3), KernelArgument::from(&memory)])
        .unwrap();
    memory.to_vec().unwrap()[2]
}

#[test]
fn builds_use_what_was_tuned_for_the_device() {
    let Some(device) = processor() else { return };
    let folder = scratch("builds");
    let options = BuildOptions::new().tuned(&folder);
    assert_eq!(width(&device, &options), 4, "there is no file");
    let mut file = TunedFile::default();
    file.remember(found(&device, "one", "n=10 y=10", "8"));
    file.remember(TunedKernel {
        device: "another".to_string(),
        ..found(&device, "one", "n=10 y=10", "99")
    });
    file.write(&folder, "elsewhere/w.okl").unwrap();
    assert_eq!(width(&device, &options), 8);
    assert_eq!(width(&device, &BuildOptions::new()), 4);
    assert_eq!(width(&device, &options.clone().define("WIDTH", 5)), 5);

    // The latest, or that of a shape.
    file.remember(found(&device, "one", "n=20 y=20", "16"));
    file.write(&folder, "w.okl").unwrap();
    assert_eq!(width(&device, &options), 16);
    assert_eq!(width(&device, &options.clone().tuned_for("n=10")), 8);
    assert_eq!(width(&device, &options.clone().tuned_for("n=1")), 4);
    file.remember(found(&device, "one", "n=10 y=10", "32"));
    assert_eq!(file.kernels.len(), 3);
    file.write(&folder, "w.okl").unwrap();
    assert_eq!(TunedFile::read(&folder, "w.okl").unwrap(), file);
    assert_eq!(width(&device, &options), 32);

    // What is the whole program's, and two kernels want otherwise.
    file.remember(found(&device, "two", "n=10", "64"));
    file.write(&folder, "w.okl").unwrap();
    let program = device
        .build(Source::new("w.okl", SOURCE), &options)
        .unwrap();
    assert!(program.warnings().unwrap().contains("'WIDTH'"));
    assert_eq!(width(&device, &options), 4);

    // One that is best as it is has a value of its own, too.
    file.remember(TunedKernel {
        settings: Settings::default(),
        ..found(&device, "two", "n=10", "64")
    });
    file.write(&folder, "w.okl").unwrap();
    assert_eq!(width(&device, &options), 4);
    // What kernels compute that nobody has tuned is not changed by flags.
    let mut flagged = found(&device, "one", "n=10 y=10", "4");
    flagged.settings.flags = vec!["-DWIDTH=77".to_string()];
    let file = TunedFile {
        kernels: vec![flagged],
    };
    file.write(&folder, "w.okl").unwrap();
    let program = device.build(Source::new("w.okl", SOURCE), &options);
    assert!(program.unwrap().warnings().unwrap().contains("'flags'"));

    fs::write(folder.join("w.okl.toml"), "[[tuned]]\nkernel = 3\n").unwrap();
    let error = device
        .build(Source::new("w.okl", SOURCE), &options)
        .unwrap_err();
    assert!(error.to_string().contains("w.okl.toml"), "{error}");
    fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn settings_leave_what_is_said_already() {
    let settings: Settings = toml::from_str(
        "macros = { A = \"1\", B = \"2\" }\nchoices = { coarsen = 4, groups = 2 }\nmath = \"fast\"\nflags = [\"-x\"]",
    )
    .unwrap();
    let own = Choices {
        coarsen: Some(1),
        ..Choices::default()
    };
    let options = BuildOptions::new().define("A(x)", "7").choose("k", own);
    let options = settings.apply(options.math(Math::Strict), "k").unwrap();
    let defines = options.translate.defines.iter();
    let defines: Vec<String> = defines.map(|d| format!("{}={}", d.name, d.value)).collect();
    assert_eq!(defines, ["A(x)=7", "B=2"]);
    let chosen = options.translate.choices_of("k");
    assert_eq!((chosen.coarsen, chosen.groups), (Some(1), Some(2)));
    assert_eq!(options.translate.choices_of("other"), Choices::default());
    assert_eq!(options.compile.math, Math::Strict);
    assert_eq!(options.compile.flags, ["-x"]);
    let for_all = BuildOptions::new().choose("*", own);
    let all = settings.apply(for_all, "k").unwrap();
    let chosen = all.translate.choices_of("k");
    assert_eq!((chosen.coarsen, chosen.groups), (Some(1), Some(2)));
    let blanks = BuildOptions::new().choose("f<float, 4>", own);
    assert_eq!(blanks.translate.choices_of("f<float,4>"), own);
    let wrong: Settings = toml::from_str("choices = { wings = 2 }").unwrap();
    assert!(wrong.apply(BuildOptions::new(), "k").is_err());
}
