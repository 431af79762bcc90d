//! Reductions that fold what other kernels make just then, whatever those do: in the order in which they fold it from memory.

use brook::runtime::{Device, Fusion};
use brook::{BuildOptions, Program, Source, Stream, stream_args};

const KERNELS: &str = "
kernel void plain(float x<>, out float z<>) { z = x * 1.5f; }
kernel void looped(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 3; i++) z = z * 0.5f + x; }
kernel void uneven(float x<>, out float z<>) { z = x; while (z < 100.0f && z > 1.0f) z = z * 1.7f; }
kernel void fetched(float g[], float x<>, out float z<>) { z = g[floor(x * x)] - x; }
kernel void placed(float x<>, out float z<>) { int i; z = x; for (i = 0; i < 2; i++) z = z * (float)((int)indexof(z).x & 7); }

reduce void total(float x<>, reduce float r<>) { r += x; }
reduce void scaled(reduce float r<>, float x<>, float w) { r += x * w; }
reduce void largest(float x<>, reduce float r<>) { if (x > r) r = x; }
";

const MAPS: [&str; 5] = ["plain", "looped", "uneven", "fetched", "placed"];

/// What a kernel makes of an element, in double precision.
fn made(map: &str, table: &[f32], x: f32, place: usize) -> f64 {
    let x = f64::from(x);
    match map {
        "plain" => x * 1.5,
        "looped" => (0..3).fold(x, |z, _| z * 0.5 + x),
        "uneven" => {
            let mut z = x;
            while z < 100.0 && z > 1.0 {
                z *= 1.7;
            }
            z
        }
        "fetched" => f64::from(table[((x * x) as usize).min(table.len() - 1)]) - x,
        _ => x * ((place & 7) * (place & 7)) as f64,
    }
}

pub fn fused_reductions(device: &Device) {
    let options = BuildOptions::new().cache(false);
    let source = Source::new("fused_reductions.br", KERNELS);
    let program = device.build(source, &options).unwrap();
    for (length, rows) in [(4099, 1), (5, 1), (128, 40)] {
        for map in MAPS {
            folded(device, &program, map, length, rows);
        }
    }
}

fn folded(device: &Device, program: &Program, map: &str, length: u32, rows: u32) {
    let shape = match rows {
        1 => vec![length],
        _ => vec![rows, length],
    };
    let count = (length * rows) as usize;
    let host: Vec<f32> = (0..count)
        .map(|i| (i * 7919 % 1009) as f32 / 83.7)
        .collect();
    let table: Vec<f32> = (0..64).map(|i| i as f32 * 0.37).collect();
    let elements = host.iter().enumerate();
    let expected: Vec<f64> = elements
        .map(|(i, x)| made(map, &table, *x, i % length as usize))
        .collect();
    let x = Stream::<f32>::new(device, &shape).unwrap();
    let z = Stream::<f32>::new(device, &shape).unwrap();
    let g = Stream::<f32>::new(device, &[64]).unwrap();
    x.read(&host).unwrap();
    g.read(&table).unwrap();
    let mut all = Vec::new();
    for fusion in [Fusion::Off, Fusion::Now] {
        device.set_fusion(fusion).unwrap();
        let make = |z: &Stream<f32>| match map {
            "fetched" => program.call(map, stream_args![&g, &x, z]).unwrap(),
            _ => program.call(map, stream_args![&x, z]).unwrap(),
        };
        let mut found: Vec<f32> = Vec::new();
        let mut value = 0.0f32;
        make(&z);
        program.call("total", stream_args![&z, &mut value]).unwrap();
        found.push(value);
        make(&z);
        { program.call("scaled", stream_args![&mut value, &z, 0.3f32]) }.unwrap();
        found.push(value);
        make(&z);
        { program.call("largest", stream_args![&z, &mut value]) }.unwrap();
        found.push(value);
        // Into one element for each column.
        if rows > 1 {
            let columns = Stream::<f32>::new(device, &[1, length]).unwrap();
            make(&z);
            program.call("total", stream_args![&z, &columns]).unwrap();
            let mut sums = vec![0.0f32; length as usize];
            columns.write(&mut sums).unwrap();
            found.extend(sums);
        }
        all.push(found);
    }
    let counts = device.fusion_counts();
    assert!(counts.fused > 0, "{counts:?}");
    let bits = |all: &[f32]| all.iter().map(|x| x.to_bits()).collect::<Vec<u32>>();
    assert_eq!(bits(&all[0]), bits(&all[1]), "{map} of {shape:?}");
    let total: f64 = expected.iter().sum();
    let scale: f64 = expected.iter().map(|x| x.abs()).sum();
    let close = |found: f32, right: f64| (f64::from(found) - right).abs() <= 1e-4 * scale.max(1.0);
    assert!(close(all[0][0], total), "{map}: {} {total}", all[0][0]);
    assert!(close(all[0][1], total * 0.3), "{map}: {}", all[0][1]);
    let largest = expected.iter().copied().fold(f64::MIN, f64::max);
    assert!(close(all[0][2], largest), "{map}: {} {largest}", all[0][2]);
}
