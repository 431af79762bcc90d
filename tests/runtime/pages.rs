//! What `README.md`, `docs/runtime.md` and `docs/packages.md` show of the library: the lines stand there as they stand here, which
//! `documents` of `programs` compares. What is expected is worked out by hand.
//!
//! They name files of the folder that they run in, and so have a process of their own.
#![allow(
    clippy::undocumented_unsafe_blocks,
    unused_qualifications,
    reason = "kernels stay below n, and names are whole: a page shows neither what was said nor what was imported before"
)]
// Comments stand in a column there.
#![cfg_attr(rustfmt, rustfmt::skip)]

use crate::support::cases::root;
use crate::support::trusted::Trusted;
use brook::runtime::{Error, Fusion, Package, Program};
use brook::{BuildOptions, Device, Source, Stream, args, stream_args};
use std::path::Path;

type Result = std::result::Result<(), Error>;

/// Runs all of them in a folder.
pub fn run(folder: &Path) {
    let files = root().join("tests/data/documents");
    for file in [
        files.join("readme/scale.okl"),
        files.join("runtime/add.okl"),
        files.join("runtime/steps.br"),
        files.join("packages/axpy.okl"),
        files.join("packages/more.okl"),
    ] {
        std::fs::copy(&file, folder.join(file.file_name().unwrap())).unwrap();
    }
    std::env::set_current_dir(folder).unwrap();
    readme().unwrap();
    first().unwrap();
    templates().unwrap();
    queues().unwrap();
    sequences().unwrap();
    fusion().unwrap();
    packages().unwrap();
}

fn readme() -> Result {
    use brook::{BuildOptions, Device, Source, args};

    let device = Device::detect()?;
    let program = device.build(Source::file("scale.okl"), &BuildOptions::new())?;
    let scale = program.kernel("scale")?;
    let x = device.upload(&[1.0f32, 2.0, 3.0])?;
    unsafe { scale.launch(args![3, 2.0f32, &x]) }?;   // checked against its parameters; indices are the kernel's affair
    assert_eq!(x.to_vec()?, [2.0, 4.0, 6.0]);
    Ok(())
}

fn first() -> Result {
    let n = 3;
    let host_x = vec![1.0f32, 2.0, 3.0];
    let mut host_y = vec![0.0f32; n];

    let device  = brook::Device::detect()?;                    // or Device::open("cuda:0"), "opencl:1", "openmp"
    let program = device.build(Source::file("axpy.okl"), &BuildOptions::new().define("BLOCK", 256))?;
    let axpy    = program.kernel("axpy")?;
    let x = device.upload(&host_x)?;                           // Memory<f32>
    let y = device.zeros::<f32>(n)?;
    // SAFETY: the kernel stays below n.
    unsafe { axpy.launch(args![n as i32, 2.0f32, &x, &y]) }?;  // checked against the kernel's signature
    y.download(&mut host_y)?;

    assert_eq!(host_y, [2.0, 4.0, 6.0]);
    Ok(())
}

fn templates() -> Result {
    let device = Device::detect()?;
    let program = device.build(Source::file("add.okl"), &BuildOptions::new())?;
    let n = 2;
    let (a, b) = (device.upload(&[1.0f32, 2.0])?, device.zeros::<f32>(2)?);

    let add = program.kernel("add")?;
    unsafe { add.launch(args![n, &a, &b, 2.0f32]) }?;          // Memory<f32>: add<float, 4>
    let add8 = add.with("N", 8)?;                              // what no argument tells, by name
    let double = program.kernel("add<double, 8>")?;            // all of it: built now

    assert_eq!(b.to_vec()?, [9.0, 10.0]);
    unsafe { add8.launch(args![n, &a, &b, 2.0f32]) }?;
    assert_eq!(b.to_vec()?, [17.0, 18.0]);
    let (c, d) = (device.upload(&[1.0f64, 2.0])?, device.zeros::<f64>(2)?);
    unsafe { double.launch(args![n, &c, &d, 0.5f64]) }?;
    assert_eq!(d.to_vec()?, [5.0, 6.0]);
    Ok(())
}

fn queues() -> Result {
    let device = Device::detect()?;
    let program = device.build(Source::file("axpy.okl"), &BuildOptions::new().define("BLOCK", 256))?;
    let axpy = program.kernel("axpy")?;
    let n = 3;
    let (x, y) = (device.zeros::<f32>(3)?, device.upload(&[1.0f32; 3])?);
    let mut host_y = vec![0.0f32; 3];
    let mut pinned = device.pinned::<f32>(3)?;
    pinned.copy_from_slice(&[1.0, 2.0, 3.0]);
    let other = device.queue()?;
    let begin = other.record()?;

    let queue = device.queue()?;
    let sent = queue.upload(pinned, &x)?;               // has the host's memory until the copy has been made
    unsafe { axpy.launch_on(&queue, args![n, 2.0f32, &x, &y]) }?;
    let done = queue.record()?;                         // an event
    other.wait_for(&done)?;                             // orders two queues, of one device or of two
    let took = done.elapsed_since(&begin)?;             // by the device's clock
    let pinned = sent.wait()?;                          // or is_done()
    queue.scope(|scope| scope.download(&y, &mut host_y))??;   // borrowed host memory: copied when this returns

    assert!(took.as_secs() < 600);
    assert_eq!(pinned[..], [1.0, 2.0, 3.0]);
    assert_eq!(host_y, [3.0, 5.0, 7.0]);
    Ok(())
}

fn sequences() -> Result {
    let device = Device::detect()?;
    let program = device.build(Source::file("axpy.okl"), &BuildOptions::new().define("BLOCK", 256))?;
    let axpy = program.kernel("axpy")?;
    let n = 1;
    let (x, y, z) = (device.upload(&[1.0f32])?, device.zeros::<f32>(1)?, device.zeros::<f32>(1)?);

    let step = device.record(|r| {
        for _ in 0..20 {
            unsafe { r.launch(&axpy, args![n, 0.5f32, &x, &y]) }?;
            unsafe { r.launch(&axpy, args![n, 0.5f32, &y, &x]) }?;
        }
        r.copy(&y, &z)
    })?;
    step.launch()?;                                     // or step.launch_on(&queue)

    let (mut a, mut b) = (1.0f32, 0.0f32);
    for _ in 0..20 {
        b += 0.5 * a;
        a += 0.5 * b;
    }
    // Compilers may round a product and a sum at once.
    let near = |found: f32, wanted: f32| (found - wanted).abs() < 1e-4 * wanted;
    assert!(near(x.to_vec()?[0], a));
    assert!(near(z.to_vec()?[0], b));
    Ok(())
}

fn fusion() -> Result {
    let device = Device::detect()?;
    let program = device.build(Source::file("steps.br"), &BuildOptions::new())?;
    let (x, f) = (Stream::<f32>::new(&device, &[4])?, Stream::<f32>::new(&device, &[4])?);
    x.read(&[1.0, 2.0, 4.0, 8.0])?;

    device.set_fusion(Fusion::On)?;                     // in C: brook_device_fuse(device, BROOK_FUSION_ON); or BROOK_FUSION=on
    for _ in 0..1000 {
        program.call("force", stream_args![&x, &f])?;
        program.call("step", stream_args![&x, &f, 0.01f32, &x])?;
    }
    let now = x.to_vec()?;                              // here they are made

    for (found, first) in now.iter().zip([1.0f64, 2.0, 4.0, 8.0]) {
        let wanted = first * 0.99f64.powi(1000);
        assert!((f64::from(*found) - wanted).abs() < 1e-3 * wanted);
    }
    Ok(())
}

fn packages() -> Result {
    let device = Device::detect()?;
    let target = device.name().to_string();
    let options = BuildOptions::new().define("BLOCK", 256);
    Package::compile(Source::file("axpy.okl"), &[&target], &options)?.write("axpy.brk")?;
    let mut all = Package::compile(Source::file("more.okl"), &[&target], &options)?;
    all.add(Package::read("axpy.brk")?)?;
    all.write("all.brk")?;
    let works = |program: &Program| {
        let device = program.device();
        let (x, y) = (device.upload(&[1.0f32, 2.0])?, device.upload(&[1.0f32, 1.0])?);
        program.kernel("axpy")?.run(args![2, 2.0f32, &x, &y])?;
        assert_eq!(y.to_vec()?, [3.0, 5.0]);
        Ok::<_, Error>(())
    };

    let program = Program::load(&device, "axpy.brk")?;                       // or include_bytes!("axpy.brk"), or a Package
    let device  = Device::detect_for(&Package::read("axpy.brk")?)?;          // the best device that takes it
    let one     = Package::read("all.brk")?.program("axpy.okl")?.load(&device)?;   // of several sources

    assert_eq!(device.name(), program.device().name());
    works(&program)?;
    works(&one)
}
