//! Streams of a type.

use crate::support::trusted::Trusted;
use crate::{Test, build};
use brook::runtime::{Device, DeviceKind, StreamArgument};
use brook::{Program, Source, Stream, stream_args};

pub const TESTS: &[Test] = &[
    ("streams::shapes", shapes),
    ("streams::kernels", kernels),
    ("streams::variables", variables),
    ("streams::domains", domains),
    ("streams::structures", structures),
    ("streams::assignment", assignment),
    ("streams::mistakes", mistakes),
];

const KERNELS: &str = "
kernel void add(float a<>, float k, out float b<>) { b = a + k; }
kernel void scale(float4 a<>, float4 by, out float4 b<>) { b = a * by; }
kernel void place(out float b<>) { b = (float)instance().x; }
kernel void line(float table[], out float b<>) { b = table[instance().x] * 2.0f; }
reduce void sum(float a<>, reduce float total<>) { total += a; }
reduce void sums(float3 a<>, reduce float3 total<>) { total += a; }
reduce void product(int a<>, reduce int total<>) { total *= a; }
reduce void differences(uint a<>, reduce uint total<>) { total ^= a; }
reduce void small(char a<>, reduce char total<>) { total += a; }
";

fn program(device: &Device) -> Program {
    let options = brook::BuildOptions::new().cache(false);
    device
        .build(Source::new("streams.br", KERNELS), &options)
        .unwrap()
}

fn shapes(device: &Device) {
    let s = Stream::<f32>::new(device, &[2, 3, 4]).unwrap();
    assert_eq!((s.rank(), s.extents(), s.len()), (3, vec![2, 3, 4], 24));
    assert_eq!(s.to_vec().unwrap(), [0.0; 24]);
    let s = Stream::new(device, &[5]).unwrap();
    s.read(&[[1i32, 2], [3, 4], [5, 6], [7, 8], [9, 10]])
        .unwrap();
    let mut part = [[0, 0]; 2];
    s.domain(&[1], &[3]).unwrap().write(&mut part).unwrap();
    assert_eq!(part, [[3, 4], [5, 6]]);
    assert_eq!(s.as_dyn().element(), "int2");
    assert!(s.is_sync().is_ok());
    s.finish().unwrap();
    assert!(s.is_sync().unwrap());
    assert!(Stream::<f64>::try_from(s.as_dyn().clone()).is_err());
    let same = Stream::<[i32; 2]>::try_from(s.as_dyn().clone()).unwrap();
    assert_eq!(same.clone().to_vec().unwrap()[4], [9, 10]);
}

fn kernels(device: &Device) {
    let program = program(device);
    let (a, b) = (
        Stream::<f32>::new(device, &[2, 3]).unwrap(),
        Stream::<f32>::new(device, &[2, 3]).unwrap(),
    );
    a.read(&[1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0]).unwrap();
    let add = program.kernel("add").unwrap();
    add.call(stream_args![&a, 0.5f32, &b]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [1.5f32, 2.5, 3.5, 4.5, 5.5, 6.5]);
    let mut total = 0.0f32;
    program.call("sum", stream_args![&a, &mut total]).unwrap();
    assert_eq!(total, 21.0);
    let (v, w) = (
        Stream::<[f32; 4]>::new(device, &[1]).unwrap(),
        Stream::<[f32; 4]>::new(device, &[1]).unwrap(),
    );
    v.read(&[[1.0f32, 2.0, 3.0, 4.0]]).unwrap();
    program
        .call("scale", stream_args![&v, [1.0f32, 2.0, 3.0, 4.0], &w])
        .unwrap();
    assert_eq!(w.to_vec().unwrap(), [[1.0f32, 4.0, 9.0, 16.0]]);
    let out = Stream::<f32>::new(device, &[3]).unwrap();
    let table = StreamArgument::array(&[1.0f32, 2.0, 3.0], &[3]);
    program.call("line", &mut [table, (&out).into()]).unwrap();
    assert_eq!(out.to_vec().unwrap(), [2.0, 4.0, 6.0]);
}

/// A variable of the host's gets what a stream of one element would, to the bit.
fn variables(device: &Device) {
    let program = program(device);
    let mut seed = 1u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        seed
    };
    let mut all = vec![&[1][..], &[777], &[1 << 17], &[67, 1021], &[8, 64, 100]];
    // As many partial results as the last step has lanes for: only GPUs have the groups for it.
    if device.info().kind == DeviceKind::Gpu {
        all.push(&[1 << 23]);
    }
    for extents in all {
        let count = extents.iter().product::<u32>() as usize;
        let some: Vec<u32> = (0..3 * count).map(|_| next()).collect();
        let ones = vec![1; extents.len()];
        // Of magnitudes that make the order count.
        let float = |n: &u32| (*n as i32 as f32) * 2f32.powi((*n >> 5) as i32 % 24 - 12);
        let (a, b) = (
            Stream::<f32>::new(device, extents).unwrap(),
            Stream::<f32>::new(device, &ones).unwrap(),
        );
        let floats: Vec<f32> = some[..count].iter().map(float).collect();
        a.read(&floats).unwrap();
        let mut total = 0.0f32;
        program.call("sum", stream_args![&a, &mut total]).unwrap();
        program.call("sum", stream_args![&a, &b]).unwrap();
        let near: f64 = floats.iter().map(|f| f64::from(*f)).sum();
        let all: f64 = floats.iter().map(|f| f64::from(f.abs())).sum();
        assert!(
            (f64::from(total) - near).abs() <= 1e-5 * all,
            "{total} {near}"
        );
        // The devices of a set have an order of their own.
        if device.parts().is_empty() {
            assert_eq!(total.to_bits(), b.to_vec().unwrap()[0].to_bits());
        }
        let (a, b) = (
            Stream::<[f32; 3]>::new(device, extents).unwrap(),
            Stream::<[f32; 3]>::new(device, &ones).unwrap(),
        );
        let triples: Vec<[f32; 3]> = some
            .as_chunks::<3>()
            .0
            .iter()
            .map(|t| t.map(|n| float(&n)))
            .collect();
        a.read(&triples).unwrap();
        let mut total = [0.0f32; 3];
        program.call("sums", stream_args![&a, &mut total]).unwrap();
        program.call("sums", stream_args![&a, &b]).unwrap();
        if device.parts().is_empty() {
            assert_eq!(total, b.to_vec().unwrap()[0]);
        }
        let a = Stream::<i32>::new(device, extents).unwrap();
        let odd: Vec<i32> = some[..count].iter().map(|n| (*n | 1) as i32).collect();
        a.read(&odd).unwrap();
        let mut total = 0;
        program
            .call("product", stream_args![&a, &mut total])
            .unwrap();
        assert_eq!(total, odd.iter().fold(1i32, |all, n| all.wrapping_mul(*n)));
        let a = Stream::<u32>::new(device, extents).unwrap();
        a.read(&some[..count]).unwrap();
        let mut total = 0u32;
        program
            .call("differences", stream_args![&a, &mut total])
            .unwrap();
        assert_eq!(total, some[..count].iter().fold(0, |all, n| all ^ n));
        let a = Stream::<i8>::new(device, extents).unwrap();
        let small: Vec<i8> = some[..count].iter().map(|n| (*n >> 24) as i8).collect();
        a.read(&small).unwrap();
        let mut total = 0i8;
        program.call("small", stream_args![&a, &mut total]).unwrap();
        assert_eq!(total, small.iter().fold(0i8, |all, n| all.wrapping_add(*n)));
    }
}

fn domains(device: &Device) {
    let place = program(device).kernel("place").unwrap();
    let s = Stream::<f32>::new(device, &[2, 4]).unwrap();
    s.read(&[-1.0; 8]).unwrap();
    place
        .domain_offset(&[1, 1])
        .domain_size(&[2, 1])
        .call(stream_args![&s])
        .unwrap();
    assert_eq!(
        s.to_vec().unwrap(),
        [-1.0, -1.0, -1.0, -1.0, -1.0, 1.0, 2.0, -1.0]
    );
    let line = Stream::<f32>::new(device, &[5]).unwrap();
    line.read(&[-1.0; 5]).unwrap();
    place.domain_size(&[2]).call(stream_args![&line]).unwrap();
    place
        .call(stream_args![&line.exec_domain(3).unwrap()])
        .unwrap();
    assert_eq!(line.to_vec().unwrap(), [0.0, 1.0, 2.0, -1.0, -1.0]);
    place.domain_offset(&[4]).call(stream_args![&line]).unwrap();
    assert_eq!(line.to_vec().unwrap()[4], 4.0);
    assert!(place.domain_size(&[6]).call(stream_args![&line]).is_err());
}

brook::structure! {
    struct Ray {
        from: [f32; 3],
        steps: i32,
    }
}

fn structures(device: &Device) {
    let options = brook::BuildOptions::new().cache(false);
    let source = "typedef struct ray { float3 from; int steps; } Ray;
        kernel void step(Ray a<>, out Ray b<>) { b = a; b.from.y = a.from.y + 1.0f; b.steps = a.steps + 1; }";
    let program = device
        .build(Source::new("rays.br", source), &options)
        .unwrap();
    let (a, b) = (
        Stream::<Ray>::new(device, &[3]).unwrap(),
        Stream::<Ray>::new(device, &[3]).unwrap(),
    );
    let ray = Ray {
        from: [1.0, 2.0, 3.0],
        steps: 7,
    };
    a.read(&[ray; 3]).unwrap();
    program.call("step", stream_args![&a, &b]).unwrap();
    let expected = Ray {
        from: [1.0, 3.0, 3.0],
        steps: 8,
    };
    assert_eq!(b.to_vec().unwrap(), [expected; 3]);
}

fn assignment(device: &Device) {
    let s = Stream::new(device, &[2, 2]).unwrap();
    s.read(&[1.0f64, 2.0, 3.0, 4.0]).unwrap();
    let t = Stream::new(device, &[2, 2]).unwrap();
    t.assign(&s).unwrap();
    assert_eq!(t.to_vec().unwrap(), [1.0, 2.0, 3.0, 4.0]);
    let (left, right) = (
        t.domain(&[0, 0], &[1, 2]).unwrap(),
        s.domain(&[1, 0], &[2, 2]).unwrap(),
    );
    left.assign(&right).unwrap();
    assert_eq!(t.to_vec().unwrap(), [2.0, 2.0, 4.0, 4.0]);
    if let Ok(other) = Device::open("openmp") {
        let elsewhere = Stream::new(&other, &[2, 2]).unwrap();
        elsewhere.assign(&t).unwrap();
        assert_eq!(elsewhere.to_vec().unwrap(), t.to_vec().unwrap());
    }
}

fn mistakes(device: &Device) {
    assert!(Stream::<f32>::new(device, &[]).is_err());
    let program = program(device);
    let ints = Stream::<i32>::new(device, &[4]).unwrap();
    let floats = Stream::<f32>::new(device, &[4]).unwrap();
    let error = program.call("add", stream_args![&ints, 1.0f32, &floats]);
    assert_eq!(
        error.unwrap_err().to_string(),
        "argument 1 'a' of kernel 'add' is a stream of float; got a stream of int"
    );
    let error = program.call("add", stream_args![&floats, 1.0f32]);
    assert!(error.is_err());
    // An OKL kernel takes streams as memory.
    let okl = build(
        device,
        "@kernel void twice(const int n, float *a) {
          for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) a[i] *= 2;
        }",
    );
    floats.read(&[1.0, 2.0, 3.0, 4.0]).unwrap();
    let error = okl.call("twice", stream_args![3, &floats]).unwrap_err();
    assert!(
        error.to_string().contains("use Kernel::call_okl"),
        "{error}"
    );
    let twice = okl.kernel("twice").unwrap();
    twice.run_over(stream_args![3, &floats]).unwrap();
    assert_eq!(floats.to_vec().unwrap(), [2.0, 4.0, 6.0, 4.0]);
}
