//! Runs the driver against a HIP runtime that lives on the host (`mock.c`): detection, memory,
//! arguments, limits and errors, on machines without an AMD GPU.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stderr
)]

use brook_driver::{
    Argument, Buffer, Driver, ErrorKind, Message, NativeEvent, NativeMemory, NativeQueue, Queue,
    ScratchDirectory, find_program, run_compiler,
};
use brook_hip::Hip;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// Builds the runtime; none without a C compiler, which `BROOK_REQUIRE=all` makes a failure.
fn build(library: &Path) -> bool {
    let Some(compiler) = find_program("cc").or_else(|| find_program("gcc")) else {
        assert_ne!(
            std::env::var("BROOK_REQUIRE").as_deref(),
            Ok("all"),
            "no C compiler (cc)"
        );
        eprintln!("ignored: no C compiler (cc)");
        return false;
    };
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mock.c");
    let mut command = Command::new(compiler);
    command
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(library)
        .arg(source);
    run_compiler(&mut command).unwrap();
    true
}

/// The smallest ELF file that passes for a code object: a header and nothing after it.
fn code_object() -> Vec<u8> {
    let mut elf = vec![0; 64];
    elf[..6].copy_from_slice(b"\x7fELF\x02\x01");
    elf[40] = 64;
    elf
}

/// One test in this file, since the library is named by the environment.
#[test]
fn driver_against_a_mock() {
    let scratch = ScratchDirectory::new().unwrap();
    let library = scratch.path().join("libmockhip.so");
    if !build(&library) {
        return;
    }
    // SAFETY: no other thread of this test reads the environment.
    unsafe {
        std::env::set_var("BROOK_HIP", &library);
        std::env::set_var("BROOK_RCCL", &library);
    }
    let driver = Hip::new();
    let infos = driver.devices().unwrap();
    assert_eq!(infos.len(), 2);
    assert_eq!(
        (infos[0].name.as_str(), infos[0].architecture.as_str()),
        ("Mock Instinct", "gfx90a")
    );
    assert_eq!(infos[0].units, 104);
    assert_eq!(infos[0].limits.grid, [0x7fff_ffff, 65_536, 65_536]);
    assert_eq!(infos[0].limits.shared_memory, 65_536);
    assert_eq!(driver.open(2).err().unwrap().kind, ErrorKind::Invalid);

    let device = driver.open(0).unwrap();
    let program = device.load(&code_object()).unwrap();
    assert_eq!(
        device.load(b"\x7fELF").err().unwrap().kind,
        ErrorKind::Device
    );
    assert_eq!(
        program.kernel("missing").err().unwrap().kind,
        ErrorKind::Invalid
    );
    let saxpy = program.kernel("saxpy").unwrap();
    let null = program.kernel("null").unwrap();

    let n = 1000;
    let x = device.allocate(4 * n).unwrap();
    let ones: Vec<u8> = std::iter::repeat_n(1f32.to_ne_bytes(), n)
        .flatten()
        .collect();
    x.write(0, &ones).unwrap();
    let y = driver.open(0).unwrap().allocate(4 * n).unwrap();
    y.zero().unwrap();
    let mut pair = [0; 16];
    pair[..4].copy_from_slice(&2f32.to_ne_bytes());
    pair[8..].copy_from_slice(&0.5f64.to_ne_bytes());
    let count = (n as i32).to_ne_bytes();
    let mut arguments = [
        Argument::Value(&count),
        Argument::Value(&pair),
        Argument::Buffer(&*x),
        Argument::Buffer(&*y),
    ];
    saxpy.launch([4, 1, 1], [256, 1, 1], &arguments).unwrap();
    std::thread::scope(|s| {
        s.spawn(|| saxpy.launch([4, 1, 1], [256, 1, 1], &arguments).unwrap());
    });
    device.synchronize().unwrap();
    let mut bytes = vec![0; 4 * n];
    y.read(0, &mut bytes).unwrap();
    assert!(bytes.chunks_exact(4).all(|c| c == 5f32.to_ne_bytes()));
    y.read(4 * n - 4, &mut bytes[..4]).unwrap();
    assert_eq!(
        y.read(4 * n - 3, &mut bytes[..4]).unwrap_err().kind,
        ErrorKind::Invalid
    );

    // Limits: the device's grid, and the kernel's own registers.
    for (grid, group) in [
        ([1, 65_537, 1], [1; 3]),
        ([1; 3], [512, 1, 1]),
        ([u64::MAX; 3], [1; 3]),
    ] {
        let error = saxpy.launch(grid, group, &arguments).unwrap_err();
        eprintln!("{error}");
        assert_eq!(error.kind, ErrorKind::Invalid);
    }
    null.launch([0, 1, 1], [1; 3], &[]).unwrap();

    let answer = device.allocate(4).unwrap();
    let empty = device.allocate(0).unwrap();
    empty.zero().unwrap();
    for (argument, expected) in [(Argument::Null, 1), (Argument::Buffer(&*empty), 0)] {
        null.launch([1; 3], [1; 3], &[argument, Argument::Buffer(&*answer)])
            .unwrap();
        answer.read(0, &mut bytes[..4]).unwrap();
        assert_eq!(bytes[..4], i32::to_ne_bytes(expected));
    }
    assert_eq!(
        device.allocate(usize::MAX).err().unwrap().kind,
        ErrorKind::Memory
    );

    // Queues of their own, events, page-locked memory, parts, and copies.
    let queue = device.create_queue().unwrap();
    let start = queue.record().unwrap();
    assert!(!start.is_done().unwrap() && start.is_done().unwrap());
    let pinned = device.pinned(4 * n).unwrap();
    let (part, whole) = (y.slice(400, 8).unwrap(), y.native());
    let NativeMemory::Address(address) = whole else {
        panic!("{whole:?}")
    };
    assert_eq!(part.native(), NativeMemory::Address(address + 400));
    // SAFETY: `pinned` has as many bytes as `x` and `y`, and lives until the queue has been waited
    // for.
    unsafe { queue.write(&*y, 0, pinned.pointer(), 4 * n) }.unwrap();
    queue.wait_for(&start).unwrap();
    saxpy
        .launch_on(&*queue, [4, 1, 1], [256, 1, 1], &arguments)
        .unwrap();
    queue.copy(&*part, 0, &*x, 0, 8).unwrap();
    assert_eq!(
        queue.copy(&*part, 0, &*y, 404, 8).unwrap_err().kind,
        ErrorKind::Invalid
    );
    let end = device.default_queue().unwrap().record().unwrap();
    assert_eq!(
        end.elapsed_since(&*start).unwrap(),
        Duration::from_micros(1500)
    );
    // SAFETY: as above.
    unsafe { queue.read(&*y, 396, pinned.pointer(), 12) }.unwrap();
    queue.synchronize().unwrap();
    // SAFETY: the memory is that long, and nobody writes it.
    let read = unsafe { std::slice::from_raw_parts(pinned.pointer(), 12) };
    assert_eq!(
        read,
        [2.5f32, 1.0, 1.0].map(f32::to_ne_bytes).as_flattened()
    );
    y.copy_from(0, &*y, 4, 4 * n - 4).unwrap();
    y.read(396, &mut bytes[..4]).unwrap();
    assert_eq!(bytes[..4], 1f32.to_ne_bytes());
    // SAFETY: it is `y`'s memory, which lives longer.
    let foreign = unsafe { device.import(whole, 4 * n) }.unwrap();
    foreign.zero().unwrap();
    y.read(0, &mut bytes[..4]).unwrap();
    assert_eq!(bytes[..4], [0; 4]);
    drop((foreign, part, pinned, start, end));

    // Memory that the host uses, too, and its own; a queue of somebody else's.
    let shared = device.allocate_shared(16).unwrap();
    shared.write(8, &[1, 2, 3, 4]).unwrap();
    let host = shared.slice(8, 4).unwrap().host().unwrap();
    // SAFETY: four bytes are there, and nobody writes them.
    assert_eq!(unsafe { std::slice::from_raw_parts(host, 4) }, [1, 2, 3, 4]);
    let mut mine = [7u8; 32];
    let native = NativeMemory::Host(mine.as_mut_ptr().cast());
    // SAFETY: the array outlives the buffer.
    let over = unsafe { device.import(native, 32) }.unwrap();
    over.zero().unwrap();
    drop(over);
    assert_eq!(mine, [0; 32]);
    assert!(x.host().is_none());
    let NativeQueue::Hip(_) = queue.native() else {
        panic!("{:?}", queue.native())
    };
    // SAFETY: the queue outlives the other one.
    let same = unsafe { device.import_queue(queue.native()) }.unwrap();
    assert_eq!(same.native(), queue.native());
    let NativeEvent::Hip(event) = same.record().unwrap().native() else {
        panic!("it is HIP's")
    };
    assert!(!event.is_null());
    // SAFETY: it is refused.
    assert!(unsafe { device.import_queue(NativeQueue::Host) }.is_err());
    drop((shared, same));

    // Sequences: nothing is done when they are recorded, everything each time they are replayed, with the values of then.
    let steps = |queue: &dyn Queue| {
        saxpy.launch_on(queue, [4, 1, 1], [256, 1, 1], &arguments)?;
        saxpy.launch_on(queue, [1, 1, 1], [1, 1, 1], &arguments)?;
        saxpy.launch_on(queue, [0, 1, 1], [1, 1, 1], &arguments)?;
        queue.copy(&*y, 8, &*y, 0, 4)
    };
    y.zero().unwrap();
    let sequence = device.sequence(&mut |queue| steps(queue)).unwrap().unwrap();
    for round in [1f32, 2.0] {
        y.read(0, &mut bytes).unwrap();
        assert_eq!(bytes[..4], (5.0 * (round - 1.0)).to_ne_bytes());
        sequence.replay(&*queue).unwrap();
    }
    y.read(0, &mut bytes[..12]).unwrap();
    assert_eq!(
        bytes[..12],
        [10f32, 5.0, 10.0].map(f32::to_ne_bytes).as_flattened()[..]
    );
    sequence.replay(&*device.default_queue().unwrap()).unwrap();
    // What cannot be recorded ends the recording, and nothing else.
    let refused = device.sequence(&mut |queue| {
        steps(queue)?;
        queue.synchronize()
    });
    assert_eq!(refused.err().unwrap().kind, ErrorKind::Invalid);
    let nothing = device.sequence(&mut |_| Ok(())).unwrap().unwrap();
    nothing.replay(&*queue).unwrap();
    drop((sequence, nothing));
    queue.synchronize().unwrap();
    drop(queue);

    copies_between_two(&driver);

    // An error that a kernel runs into shows when somebody waits.
    arguments[3] = Argument::Null;
    saxpy.launch([1; 3], [1; 3], &arguments).unwrap();
    let error = device.synchronize().unwrap_err();
    assert_eq!(error.kind, ErrorKind::Device);
    assert!(
        error
            .message
            .ends_with("hipErrorIllegalAddress (an illegal access)"),
        "{error}"
    );

    // Everything is given back once nobody needs it; a kernel alone keeps its program.
    drop((x, y, answer, empty, program, null, device));
    saxpy.launch([0, 1, 1], [1; 3], &[]).unwrap();
    drop(saxpy);
    // SAFETY: the library is the one loaded above, and the function's type is the one in `mock.c`.
    let live = unsafe {
        let library = libloading::Library::new(&library).unwrap();
        (library.get::<extern "C" fn() -> i32>(b"mock_live").unwrap())()
    };
    assert_eq!(live, 0);
}

/// Between two devices of this process, and of two, which this one is both of.
fn copies_between_two(driver: &Hip) {
    let devices = [0, 1].map(|ordinal| driver.open(ordinal).unwrap());
    let [here, there] = devices.each_ref().map(|device| device.allocate(8).unwrap());
    let read = |memory: &dyn Buffer| {
        let mut bytes = [0; 8];
        memory.read(0, &mut bytes).unwrap();
        bytes
    };
    here.write(0, &[1, 2, 3, 4, 5, 6, 7, 8]).unwrap();
    there.zero().unwrap();
    there.copy_from(2, &*here, 0, 4).unwrap();
    assert_eq!(read(&*there), [0, 0, 1, 2, 3, 4, 0, 0]);
    let urgent = devices[0].create_urgent_queue().unwrap();
    assert!(urgent.reaches_peers());
    urgent.copy(&*here, 0, &*there, 1, 3).unwrap();
    assert_eq!(read(&*here), [0, 1, 2, 4, 5, 6, 7, 8]);
    assert!(urgent.copy(&*there, 0, &*here, 0, 4).is_err());
    let recorded = devices[0].sequence(&mut |queue| queue.copy(&*here, 0, &*there, 0, 4));
    assert_eq!(recorded.err().unwrap().kind, ErrorKind::Invalid);

    devices[0].can_join().unwrap();
    let ticket = devices[0].ticket().unwrap();
    assert!(devices[0].join(&ticket[1..], 0, 2).is_err());
    let failed = devices[0].join(&ticket, 2, 2).err().unwrap().message;
    assert_eq!(failed, "joining the others by RCCL failed: invalid usage");
    let joined = [0, 1].map(|number| devices[number].join(&ticket, number, 2).unwrap());
    let message = |buffer, offset, goes, with| Message {
        buffer,
        offset,
        bytes: 4,
        with,
        goes,
    };
    let own = devices[1].default_queue().unwrap();
    let both = [message(&*here, 4, true, 1), message(&*here, 0, false, 1)];
    joined[0].enqueue(&*urgent, &both).unwrap();
    let both = [message(&*there, 4, true, 0), message(&*there, 0, false, 0)];
    joined[1].enqueue(&*own, &both).unwrap();
    assert_eq!(read(&*here), [3, 4, 0, 0, 5, 6, 7, 8]);
    assert_eq!(read(&*there), [5, 6, 7, 8, 3, 4, 0, 0]);
    // Of another device, or outside.
    for (queue, wrong) in [
        (&own, message(&*here, 0, true, 1)),
        (&urgent, message(&*there, 0, true, 1)),
        (&urgent, message(&*here, 5, true, 1)),
    ] {
        let refused = joined[0].enqueue(&**queue, &[wrong]).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Invalid);
    }
}
