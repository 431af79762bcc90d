//! Typed memory, parts, copies, arguments.

use crate::counting::allocations;
use crate::support::trusted::{Trusted, TrustedRecorder};
use crate::{KERNELS, Test, build};
use brook::runtime::{Device, KernelArgument, Program};
use brook::{Memory, args};

pub const TESTS: &[Test] = &[
    ("memory::copies", copies),
    ("memory::parts", parts),
    ("memory::nothing", nothing),
    ("memory::clones", clones),
    ("memory::elements", elements),
    ("memory::launches", launches),
    ("memory::wrong_arguments", wrong_arguments),
    ("memory::parts_as_arguments", parts_as_arguments),
    ("memory::parts_at_any_element", parts_at_any_element),
    (
        "memory::launches_allocate_nothing",
        launches_allocate_nothing,
    ),
];

fn numbers(n: usize) -> Vec<f32> {
    (0..n).map(|i| i as f32).collect()
}

fn copies(device: &Device) {
    let x = device.upload(&numbers(10)).unwrap();
    let y = device.zeros::<f32>(10).unwrap();
    assert_eq!((x.len(), y.to_vec().unwrap()), (10, vec![0.0; 10]));
    y.copy_from(&x).unwrap();
    assert_eq!(y.to_vec().unwrap(), numbers(10));
    y.write_at(8, &[-1.0, -2.0]).unwrap();
    let mut tail = [0.0; 3];
    y.download_at(7, &mut tail).unwrap();
    assert_eq!(tail, [7.0, -1.0, -2.0]);
    y.zero().unwrap();
    assert_eq!(y.to_vec().unwrap(), [0.0; 10]);
    let error = |result: brook::runtime::Result<()>| result.unwrap_err().to_string();
    assert_eq!(
        error(y.write(&[1.0; 9])),
        "the device memory has 10 elements, the other side of the copy 9"
    );
    assert!(error(y.download(&mut [0.0; 11])).ends_with("copy 11"));
    assert_eq!(
        error(y.write_at(usize::MAX, &[1.0; 2])),
        format!(
            "2 elements from number {} on are not all in Memory<float>[10] on {}",
            usize::MAX,
            device.name()
        )
    );
    let shorter = device.zeros::<f32>(3).unwrap();
    assert!(error(y.copy_from(&shorter)).ends_with("copy 3"));
}

fn parts(device: &Device) {
    let x = device.upload(&numbers(100)).unwrap();
    let part = x.slice(10..20).unwrap();
    assert_eq!((part.len(), part.is_empty()), (10, false));
    let rest = part.slice(5..).unwrap();
    drop(x.slice(..=0).unwrap());
    assert_eq!(rest.to_vec().unwrap(), [15.0, 16.0, 17.0, 18.0, 19.0]);
    rest.write(&[0.0; 5]).unwrap();
    part.slice(..2).unwrap().zero().unwrap();
    let mut expected = numbers(100);
    expected[15..20].fill(0.0);
    expected[10..12].fill(0.0);
    assert_eq!(x.to_vec().unwrap(), expected);
    // Two parts of one memory that overlap, in both directions.
    for (to, from) in [(20..60, 30..70), (30..70, 20..60)] {
        x.slice(to.clone())
            .unwrap()
            .copy_from(&x.slice(from.clone()).unwrap())
            .unwrap();
        expected.copy_within(from, to.start);
        assert_eq!(x.to_vec().unwrap(), expected);
    }
    // A part outlives the whole.
    drop(x);
    drop(part);
    assert_eq!(rest.to_vec().unwrap(), [0.0; 5]);
    let error = rest.slice(2..6).unwrap_err().to_string();
    assert!(error.starts_with("the elements 2..6 are not all in Memory<float>[5]"));
    #[expect(clippy::reversed_empty_ranges, reason = "that is the mistake")]
    let reversed = rest.slice(3..2);
    assert!(reversed.is_err());
}

fn nothing(device: &Device) {
    let none = device.upload::<f32>(&[]).unwrap();
    let zeros = device.zeros::<f32>(0).unwrap();
    assert!(none.is_empty() && none.to_vec().unwrap().is_empty());
    zeros.copy_from(&none).unwrap();
    zeros.zero().unwrap();
    let end = device.upload(&[1.0f32]).unwrap().slice(1..).unwrap();
    assert!(end.try_clone().unwrap().to_vec().unwrap().is_empty());
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    for x in [&none, &end] {
        axpy.run(args![0, 1.0, x, &zeros]).unwrap();
    }
    assert!(device.pinned::<f64>(0).unwrap().is_empty());
}

fn clones(device: &Device) {
    let x = device.upload(&[1i64, 2, 3]).unwrap();
    let clone = x.slice(1..).unwrap().try_clone().unwrap();
    x.zero().unwrap();
    assert_eq!(clone.to_vec().unwrap(), [2, 3]);
}

brook::structure! {
    /// As the kernel below has it.
    struct Particle {
        position: [f32; 3],
        mass: f32,
    }
}

fn elements(device: &Device) {
    let program = build(
        device,
        "struct Particle { float position[3]; float mass; };
        @kernel void fall(const int n, const float by, Particle *p, const float4 *v) {
          for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {
            p[i].position[2] += p[i].mass * by * v[i].w;
          }
        }",
    );
    let fall = program.kernel("fall").unwrap();
    let particle = Particle {
        position: [1.0, 2.0, 3.0],
        mass: 0.5,
    };
    let p = device.upload(&[particle; 5]).unwrap();
    let v = device.upload(&[[0.0f32, 0.0, 0.0, 2.0]; 5]).unwrap();
    fall.run(args![4, 3.0f32, &p, &v]).unwrap();
    let after = p.to_vec().unwrap();
    assert_eq!(after[0].position, [1.0, 2.0, 6.0]);
    assert_eq!(after[4], particle);
    let error = fall.run(args![4, 3.0f32, &v, &v]);
    // Where the transpiler knows the structure it is compared by size, which is a float4's here.
    drop(error);
    let small = device.upload(&[[0u8; 3]]).unwrap();
    let error = fall.run(args![4, 3.0f32, &p, &small]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 4 'v' of kernel 'fall' is a float4 buffer; got an unsigned char[3] buffer"
    );
}

fn launches(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    for n in [1usize, 64, 1000] {
        let x = device.upload(&numbers(n)).unwrap();
        let y = device.zeros::<f32>(n).unwrap();
        axpy.run(args![n as i32, 2.0f32, &x, &y]).unwrap();
        axpy.run(args![n, 1.0, x.read_only(), &y]).unwrap();
        let expected: Vec<f32> = numbers(n).iter().map(|x| 3.0 * x).collect();
        assert_eq!(y.to_vec().unwrap(), expected);
    }
}

fn wrong_arguments(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.zeros::<f32>(4).unwrap();
    let doubles = device.zeros::<f64>(4).unwrap();
    let error = |list: &[KernelArgument<'_>]| axpy.run(list).unwrap_err().to_string();
    assert_eq!(
        error(args![4, 1.0, &x]),
        "kernel 'axpy' takes 4 arguments (n, a, x, y); got 3"
    );
    assert_eq!(
        error(args![4.5, 1.0, &x, &x]),
        "argument 1 'n' of kernel 'axpy' is an int; got a double"
    );
    assert_eq!(
        error(args![4, 1.0, &doubles, &x]),
        "argument 3 'x' of kernel 'axpy' is a float buffer; got a double buffer"
    );
    assert_eq!(
        error(args![4, 1.0, &x, x.read_only()]),
        "argument 4 'y' of kernel 'axpy' is not declared const, so the kernel may write it; got \
         memory that is read only"
    );
    let others = ["openmp", "emulated-cuda"];
    for other in others.into_iter().filter(|o| !device.name().starts_with(o)) {
        // What is not there is another test's affair.
        let Ok(other) = Device::open(other) else {
            continue;
        };
        let foreign: Memory<f32> = other.zeros(4).unwrap();
        assert_eq!(
            error(args![4, 1.0, &x, &foreign]),
            format!(
                "argument 4 'y' of kernel 'axpy' is memory of device {}; the kernel runs on {}",
                other.name(),
                device.name()
            )
        );
        let queue = other.queue().unwrap();
        let error = axpy.run_on(&queue, args![4, 1.0, &x, &x]).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "the queue is of device {}; kernel 'axpy' was built for {}",
                other.name(),
                device.name()
            )
        );
    }
}

fn parts_as_arguments(device: &Device) {
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let x = device.upload(&numbers(2048)).unwrap();
    let y = device.zeros::<f32>(2048).unwrap();
    // 4096 bytes in, which suits every device.
    let (x_part, y_part) = (x.slice(1024..).unwrap(), y.slice(1024..1100).unwrap());
    axpy.run(args![76, 1.0, &x_part, &y_part]).unwrap();
    let mut expected = vec![0.0; 2048];
    expected[1024..1100].copy_from_slice(&numbers(2048)[1024..1100]);
    assert_eq!(y.to_vec().unwrap(), expected);
}

/// Parts that begin at any element, alone and together, in every way to launch.
fn parts_at_any_element(device: &Device) {
    take_parts(&build(device, PARTS));
}

/// Whether a program of [`PARTS`] takes them.
pub fn take_parts(program: &Program) {
    let device = program.device();
    let (shift, scale) = (
        program.kernel("shift").unwrap(),
        program.kernel("scale").unwrap(),
    );
    let x = device.upload(&numbers(300)).unwrap();
    let queue = device.queue().unwrap();
    for first in [0, 1, 3, 31, 32, 33, 127, 128, 129] {
        let y = device.zeros::<f32>(300).unwrap();
        let part = y.slice(first..first + 100).unwrap();
        shift
            .run(args![100, x.slice(first + 2..).unwrap().read_only(), &part])
            .unwrap();
        // Queues know nothing of each other.
        device.synchronize().unwrap();
        scale.run_on(&queue, args![2.0, &part, 3, 50]).unwrap();
        queue.wait().unwrap();
        // A part of a part, and a sequence.
        let inner = part.slice(1..99).unwrap();
        let again = device
            .record(|recorder| recorder.run(&scale, args![0.5, &inner, 10, 1]))
            .unwrap();
        again.launch().unwrap();
        again.launch().unwrap();
        let mut expected = vec![0.0; 300];
        for i in 0..100 {
            expected[first + i] = numbers(300)[first + 2 + i] + 1.0;
        }
        expected[first + 3..first + 53]
            .iter_mut()
            .for_each(|y| *y *= 2.0);
        expected[first + 11] *= 0.25;
        assert_eq!(y.to_vec().unwrap(), expected, "from {first} on");
    }
    // Items that take several elements at a time, where that is aligned and where it is not.
    let double = program.kernel("twice").unwrap();
    let y = device.upload(&numbers(4096)).unwrap();
    for first in 0..9 {
        double
            .run(args![1000, &y.slice(first..first + 1000).unwrap()])
            .unwrap();
    }
    let times = |i: usize| (0..9).filter(|f| (*f..*f + 1000).contains(&i)).count();
    let expected = numbers(4096);
    let expected = expected.iter().enumerate();
    let expected: Vec<f32> = expected.map(|(i, y)| y * (1 << times(i)) as f32).collect();
    assert_eq!(y.to_vec().unwrap(), expected);
}

/// Arrays, pointers that are constants, and host code around nests.
pub const PARTS: &str = "
@kernel void shift(const int n, const float x[], float *const y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) y[i] = x[i] + 1.0f;
}
@kernel void scale(const float by, @restrict float *y, const int from, const int count) {
  const int end = from + count;
  for (int step = 0; step < 2; ++step) {
    for (int o = 0; o < 1; ++o; @outer) {
      @shared float row[64];
      for (int i = 0; i < 64; ++i; @inner) row[i] = i < count ? y[from + i] : 0.0f;
      for (int i = 0; i < 64; ++i; @inner) {
        const int to = from + 63 - i;
        if (step == 1 && to < end) y[to] = by * row[63 - i];
      }
    }
  }
}
@kernel void twice(const int n, float *y) {
  for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) y[i] += y[i];
}
";

fn launches_allocate_nothing(device: &Device) {
    // The emulation builds its own tables at every launch, and is for tests only.
    if device.name().starts_with("emulated") {
        return;
    }
    let axpy = build(device, KERNELS).kernel("axpy").unwrap();
    let queue = device.queue().unwrap();
    let x = device.upload(&numbers(64)).unwrap();
    let y = device.zeros::<f32>(64).unwrap();
    let launch = || axpy.run(args![64, 1.0f32, &x, &y]).unwrap();
    let enqueue = || axpy.run_on(&queue, args![64, 1.0f32, &x, &y]).unwrap();
    // The first launches may have to prepare something.
    for _ in 0..16 {
        launch();
        enqueue();
        queue.wait().unwrap();
    }
    assert_eq!(allocations(launch), 0);
    device.synchronize().unwrap();
    assert_eq!(allocations(enqueue), 0);
    let error = allocations(|| drop(axpy.run(args![64]).unwrap_err()));
    assert!(error > 0, "the counter counts");
}
