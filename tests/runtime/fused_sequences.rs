//! Recordings whose calls become fewer: what they compute, how many there are, and what is never stored.

use crate::support::trusted::TrustedRecorder;
use brook::runtime::{Device, Fusion};
use brook::{BuildOptions, Program, Source, Stream, args, stream_args};
use brook_driver::Math;

const OKL: &str = "
@kernel void scale(const int n, const float a, const float *x, float *y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) { y[i] = a * x[i]; }
}
@kernel void axpy(const int n, const float a, const float *x, float *y) {
  for (int g = 0; g < n; g += 32; @outer) {
    for (int i = g; i < g + 32; ++i; @inner) { if (i < n) { y[i] += a * x[i]; } }
  }
}
@kernel void inner(const int n, const float *x, float *y) {
  for (int i = 1; i < n - 1; ++i; @tile(64, @outer, @inner)) { y[i] = x[i] + 1; }
}
@kernel void neighbours(const int n, const float *x, float *y) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) { y[i] = i + 1 < n ? x[i + 1] : 0; }
}
";

const BROOK: &str = "
kernel void add(float a<>, float k, out float b<>) { b = a + k; }
kernel void twice(float a<>, out float b<>) { b = a + a; }
reduce void total(float a<>, reduce float b<>) { b += a; }
";

fn built(device: &Device, name: &str, source: &str) -> Program {
    // Of a product that goes to a sum, it is known on every device.
    let options = BuildOptions::new().cache(false).math(Math::Strict);
    device.build(Source::new(name, source), &options).unwrap()
}

/// What becomes of so many launches: on a set of devices each is made.
fn fewer(device: &Device, fused: usize, single: usize) -> usize {
    match device.parts().is_empty() {
        true => fused,
        false => single,
    }
}

pub fn fused_sequences(device: &Device) {
    device.set_fusion(Fusion::On).unwrap();
    let okl = built(device, "fused.okl", OKL);
    let kernel = |name: &str| okl.kernel(name).unwrap();
    let (scale, axpy) = (kernel("scale"), kernel("axpy"));
    let (inner, neighbours) = (kernel("inner"), kernel("neighbours"));
    let n = 1000usize;
    let host: Vec<f32> = (0..n).map(|i| (i % 13) as f32).collect();
    let x = device.upload(&host).unwrap();
    let memory = || device.zeros::<f32>(n).unwrap();
    let (y, z) = (memory(), memory());

    // y = 2 x, z += 3 y, x = z - y: one kernel.
    let sequence = device
        .record(|r| {
            r.run(&scale, args![n, 2.0f32, &x, &y])?;
            r.run(&axpy, args![n, 3.0f32, &y, &z])?;
            r.run(&scale, args![n, 1.0f32, &z, &x])?;
            r.run(&axpy, args![n, -1.0f32, &y, &x])
        })
        .unwrap();
    assert_eq!(sequence.len(), fewer(device, 1, 4));
    let (mut a, mut c) = (host.clone(), vec![0.0f32; n]);
    for _ in 0..3 {
        sequence.launch().unwrap();
        let b: Vec<f32> = a.iter().map(|a| 2.0 * a).collect();
        for i in 0..n {
            c[i] += 3.0 * b[i];
            a[i] = c[i] - b[i];
        }
        assert_eq!((y.to_vec().unwrap(), z.to_vec().unwrap()), (b, c.clone()));
        assert_eq!(x.to_vec().unwrap(), a);
    }

    // Neither what reads neighbours, nor what has other elements, nor what overlaps goes along.
    let both = device.zeros::<f32>(2 * n).unwrap();
    let (low, high) = (
        both.slice(..n).unwrap(),
        both.slice(n / 2..n / 2 + n).unwrap(),
    );
    let others = device
        .record(|r| {
            r.run(&scale, args![n, 2.0f32, &x, &low])?;
            r.run(&neighbours, args![n, &low, &y])?;
            r.run(&scale, args![n, 0.5f32, &y, &z])?;
            r.run(&inner, args![n, &x, &z])?;
            r.run(&scale, args![n, 1.0f32, &x, &low])?;
            r.run(&scale, args![n, 3.0f32, &x, &high])
        })
        .unwrap();
    assert_eq!(others.len(), 6);
    others.launch().unwrap();
    let threefold: Vec<f32> = a.iter().map(|x| 3.0 * x).collect();
    assert_eq!(both.to_vec().unwrap()[n / 2..n / 2 + n], threefold);
    assert_eq!(both.to_vec().unwrap()[..n / 2], a[..n / 2]);
    let shifted = |i: usize| if i + 1 < n { 2.0 * a[i + 1] } else { 0.0 };
    assert_eq!(y.to_vec().unwrap(), (0..n).map(shifted).collect::<Vec<_>>());
    let found = z.to_vec().unwrap();
    assert_eq!(found[0], 0.5 * shifted(0));
    assert_eq!(
        found[1..n - 1],
        a[1..n - 1].iter().map(|x| x + 1.0).collect::<Vec<_>>()
    );

    both_languages(device, &okl);
    let counts = device.fusion_counts();
    assert_eq!(counts.fused, fewer(device, 4 + 4 + 2, 0) as u64);
    assert_eq!(counts.kernels, fewer(device, 3, 0) as u64);
    reductions(device, &okl);
}

/// Reductions of what calls before them make, which need not be stored where nobody has it.
fn reductions(device: &Device, okl: &Program) {
    let brook = built(device, "fused.br", BROOK);
    let kernel = |name: &str| brook.kernel(name).unwrap();
    let (add, twice, total) = (kernel("add"), kernel("twice"), kernel("total"));
    let axpy = okl.kernel("axpy").unwrap();
    let stream = |extents: &[u32]| Stream::<f32>::new(device, extents).unwrap();
    let (rows, columns) = (20u32, 50u32);
    let n = (rows * columns) as i32;
    let (a, b, of_a) = (
        stream(&[rows, columns]),
        stream(&[rows, columns]),
        stream(&[1, 1]),
    );
    let alone = device
        .record(|r| r.call(&total, stream_args![&b, &of_a]))
        .unwrap();
    let before = device.fusion_counts();
    let folding = device
        .record(|r| {
            let t = stream(&[rows, columns]);
            r.call(&twice, stream_args![&a, &t])?;
            r.call(&add, stream_args![&t, 1.0f32, &t])?;
            r.call(&total, stream_args![&t, &of_a])?;
            // b is stored as well.
            // SAFETY: it touches the elements that there are.
            unsafe { r.call_okl(&axpy, stream_args![n, 1.0f32, &a, &b]) }?;
            r.call(&total, stream_args![&b, &of_a])
        })
        .unwrap();
    assert_eq!(
        folding.len(),
        fewer(device, 2 * alone.len(), 3 + 2 * alone.len())
    );
    let counts = device.fusion_counts();
    assert_eq!(counts.fused - before.fused, fewer(device, 3, 0) as u64);
    assert_eq!(counts.kernels - before.kernels, fewer(device, 2, 0) as u64);
    // To some elements.
    let (line, some) = (stream(&[n as u32]), stream(&[5]));
    let parts = device
        .record(|r| {
            let t = stream(&[n as u32]);
            r.call(&add, stream_args![&line, 1.0f32, &t])?;
            r.call(&total, stream_args![&t, &some])
        })
        .unwrap();
    let host: Vec<f32> = (0..n).map(|i| (i % 7) as f32).collect();
    a.read(&host).unwrap();
    line.read(&host).unwrap();
    b.read(&vec![1.0; n as usize]).unwrap();
    let sum: f32 = host.iter().sum();
    for round in 1..3u16 {
        folding.launch().unwrap();
        assert_eq!(of_a.to_vec().unwrap(), [n as f32 + f32::from(round) * sum]);
        let expected = host.iter().map(|a| 1.0 + f32::from(round) * a);
        assert_eq!(b.to_vec().unwrap(), expected.collect::<Vec<_>>());
        parts.launch().unwrap();
        let each = host.chunks(200).map(|c| c.iter().sum::<f32>() + 200.0);
        assert_eq!(some.to_vec().unwrap(), each.collect::<Vec<_>>());
    }
}

/// Kernels of both languages over the same streams, one of which nobody has afterwards.
fn both_languages(device: &Device, okl: &Program) {
    let brook = built(device, "fused.br", BROOK);
    let (add, twice) = (brook.kernel("add").unwrap(), brook.kernel("twice").unwrap());
    let (scale, axpy) = (okl.kernel("scale").unwrap(), okl.kernel("axpy").unwrap());
    let (rows, columns) = (20u32, 50u32);
    let stream = || Stream::<f32>::new(device, &[rows, columns]).unwrap();
    let (a, b) = (stream(), stream());
    let n = (rows * columns) as i32;
    let sequence = device
        .record(|r| {
            let t = stream();
            r.call(&add, stream_args![&a, 1.0f32, &t])?;
            // SAFETY: it touches the elements that there are.
            unsafe { r.call_okl(&scale, stream_args![n, 3.0f32, &t, &b]) }?;
            r.call(&twice, stream_args![&b, &t])?;
            // SAFETY: as above.
            unsafe { r.call_okl(&axpy, stream_args![n, -1.0f32, &t, &b]) }
        })
        .unwrap();
    assert_eq!(sequence.len(), fewer(device, 1, 4));
    // What is read before it is written stays from one replay to the next, whoever has it.
    let count = Stream::<f32>::new(device, &[64]).unwrap();
    let counting = device
        .record(|r| {
            let own = Stream::<f32>::new(device, &[64]).unwrap();
            r.call(&add, stream_args![&own, 1.0f32, &own])?;
            r.call(&twice, stream_args![&own, &count])
        })
        .unwrap();
    assert_eq!(counting.len(), fewer(device, 1, 2));
    for round in 1..4u16 {
        let host: Vec<f32> = (0..n).map(|i| (i % 7) as f32 * f32::from(round)).collect();
        a.read(&host).unwrap();
        sequence.launch().unwrap();
        let expected: Vec<f32> = host
            .iter()
            .map(|a| 3.0 * (a + 1.0) - 6.0 * (a + 1.0))
            .collect();
        assert_eq!(b.to_vec().unwrap(), expected);
        counting.launch().unwrap();
        assert_eq!(count.to_vec().unwrap(), [2.0 * f32::from(round); 64]);
    }
}
