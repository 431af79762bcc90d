//! Calls over streams, on the processor.

#[cfg(feature = "emulation")]
use super::kernel::{FunctionSink, Which};
use super::tests::processor;
use super::*;
use crate::Source;
use crate::expr::Scalar;
use crate::runtime::tests::Trusted;
#[cfg(feature = "emulation")]
use std::sync::Arc;

const KERNELS: &str = r"
kernel void add(float a<>, float b<>, out float c<>) { c = a + b; }
kernel void shift(float4 a<>, float4 by, int times, out float4 c<>) {
    int i;
    c = a;
    for (i = 0; i < times; i++) { c = c + by; }
}
kernel void pick(float table[][], int2 at<>, out float c<>) { c = table[at]; }
kernel void spread(float a<>, out float c[]) { c[instance().x] = a; }
kernel void two(float a<>, out float c<>, out float d<>) { c = a; d = a; }
reduce void sum(float a<>, reduce float r<>) { r += a; }
reduce void xors(int a<>, reduce int r<>) { r ^= a; }
reduce void last(int a<>, reduce int r<>) { r = a; }
";

fn program(device: &Device) -> Program {
    let options = BuildOptions::new().cache(false);
    device
        .build(Source::new("kernels.br", KERNELS), &options)
        .unwrap()
}

fn floats(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn ints(values: &[i32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn stream(device: &Device, type_: &str, extents: &[u32], bytes: &[u8]) -> DynStream {
    let stream = device.stream(type_, extents).unwrap();
    stream.read(bytes).unwrap();
    stream
}

fn content(stream: &DynStream) -> Vec<f32> {
    let mut bytes = vec![0; stream.bytes()];
    stream.write(&mut bytes).unwrap();
    bytes
        .chunks(4)
        .map(|b| f32::from_le_bytes(b.try_into().unwrap()))
        .collect()
}

use StreamArgument::{Array, Stream, Value, Variable};

#[test]
fn inputs_are_resized_to_the_output() {
    let Some(device) = processor() else { return };
    let program = program(&device);
    let a = stream(&device, "float", &[2, 2], &floats(&[1.0, 2.0, 3.0, 4.0]));
    let b = stream(
        &device,
        "float",
        &[1, 4],
        &floats(&[10.0, 20.0, 30.0, 40.0]),
    );
    let c = device.stream("float", &[2, 4]).unwrap();
    program
        .call("add", &mut [Stream(&a), Stream(&b), Stream(&c)])
        .unwrap();
    assert_eq!(
        content(&c),
        [11.0, 21.0, 32.0, 42.0, 13.0, 23.0, 34.0, 44.0]
    );
    assert_eq!(c.extents(), [2, 4]);
    assert_eq!(format!("{c:?}"), "the stream of float<2, 4>");
}

#[test]
fn values_and_arrays_convert() {
    let Some(device) = processor() else { return };
    let program = program(&device);
    let a = stream(&device, "float4", &[1], &floats(&[1.0, 2.0, 3.0, 4.0]));
    let c = device.stream("float4", &[1]).unwrap();
    let by = ints(&[1, 2, 3, 4]);
    let times = 2.9f64.to_le_bytes();
    let by = Value {
        scalar: Scalar::Int,
        bytes: &by,
    };
    let times = Value {
        scalar: Scalar::Double,
        bytes: &times,
    };
    program
        .call("shift", &mut [Stream(&a), by, times, Stream(&c)])
        .unwrap();
    assert_eq!(content(&c), [3.0, 6.0, 9.0, 12.0]);

    let table = floats(&[0.0, 1.0, 2.0, 10.0, 11.0, 12.0]);
    let at = stream(&device, "int2", &[3], &ints(&[0, 0, 2, 1, 99, -5]));
    let c = device.stream("float", &[3]).unwrap();
    let array = |extents| Array {
        scalar: Scalar::Float,
        extents,
        bytes: &table,
    };
    program
        .call("pick", &mut [array(&[2, 3]), Stream(&at), Stream(&c)])
        .unwrap();
    assert_eq!(content(&c), [0.0, 12.0, 2.0]);
    let error = program
        .call("pick", &mut [array(&[6]), Stream(&at), Stream(&c)])
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 1 'table' of kernel 'pick' has 2 dimensions; got 1"
    );
}

#[test]
fn a_scatter_gives_the_domain() {
    let Some(device) = processor() else { return };
    let a = stream(&device, "float", &[2], &floats(&[1.0, 2.0]));
    let c = device.stream("float", &[4]).unwrap();
    program(&device)
        .call("spread", &mut [Stream(&a), Stream(&c)])
        .unwrap();
    assert_eq!(content(&c), [1.0, 1.0, 2.0, 2.0]);
}

#[test]
fn reductions_fold_tiles_and_everything() {
    let Some(device) = processor() else { return };
    let program = program(&device);
    // Large enough to be cut into parts.
    let values: Vec<i32> = (0..60_000i32)
        .map(|i| i.wrapping_mul(2_654_435) ^ (i << 7))
        .collect();
    let a = stream(&device, "int", &[100, 600], &ints(&values));
    let reduce = |kernel: &str, target: &[u32]| -> Vec<i32> {
        let r = device.stream("int", target).unwrap();
        program.call(kernel, &mut [Stream(&a), Stream(&r)]).unwrap();
        let mut bytes = vec![0; r.bytes()];
        r.write(&mut bytes).unwrap();
        bytes
            .chunks(4)
            .map(|b| i32::from_le_bytes(b.try_into().unwrap()))
            .collect()
    };
    let xor = |v: &mut dyn Iterator<Item = i32>| v.fold(0, |a, b| a ^ b);
    let rows: Vec<i32> = values
        .chunks(600)
        .map(|r| xor(&mut r.iter().copied()))
        .collect();
    assert_eq!(reduce("xors", &[100, 1]), rows);
    assert_eq!(reduce("xors", &[100]), rows);
    let columns: Vec<i32> = (0..600)
        .map(|c| xor(&mut values.iter().skip(c).step_by(600).copied()))
        .collect();
    assert_eq!(reduce("xors", &[1, 600]), columns);
    assert_eq!(reduce("xors", &[1, 1]), [xor(&mut values.iter().copied())]);
    // A function that only looks at the newest element keeps the last one of each tile.
    assert_eq!(reduce("last", &[1, 1]), [values[59_999]]);
    assert_eq!(reduce("last", &[2, 2])[0], values[49 * 600 + 299]);
    let mut variable = 1000i32.to_le_bytes();
    let target = Variable {
        scalar: Scalar::Int,
        bytes: &mut variable,
    };
    program.call("xors", &mut [Stream(&a), target]).unwrap();
    assert_eq!(
        i32::from_le_bytes(variable),
        xor(&mut values.iter().copied())
    );
}

#[test]
fn mistakes_have_the_specification_s_words() {
    let Some(device) = processor() else { return };
    let program = program(&device);
    let make = |type_: &str, extents: &[u32]| device.stream(type_, extents).unwrap();
    let (a, b, flat) = (
        make("float", &[4, 6]),
        make("float", &[4, 6]),
        make("float", &[6]),
    );
    let error = |kernel: &str, arguments: &mut [StreamArgument<'_>]| {
        program.call(kernel, arguments).unwrap_err().to_string()
    };
    let is = |got: String, wanted: &str| assert!(got.starts_with(wanted), "{got}");
    is(
        error(
            "two",
            &mut [Stream(&a), Stream(&b), Stream(&make("float", &[6, 4]))],
        ),
        "Kernel Execution: output stream dimension doesn't match with first output dimension.",
    );
    is(
        error("two", &mut [Stream(&a), Stream(&b), Stream(&flat)]),
        "Kernel Execution: output stream rank doesn't match with first output rank.",
    );
    is(
        error("add", &mut [Stream(&a), Stream(&flat), Stream(&b)]),
        "Kernel Execution: input stream rank doesn't match with first output rank",
    );
    is(
        error(
            "add",
            &mut [Stream(&a), Stream(&make("float4", &[4, 6])), Stream(&b)],
        ),
        "argument 2 'b' of kernel 'add' is a stream of float; got a stream of float4",
    );
    is(
        error("sum", &mut [Stream(&flat), Stream(&a)]),
        "Kernel Execution: Reduction operation don't allow output rank > input rank",
    );
    is(
        error("sum", &mut [Stream(&a), Stream(&make("float", &[3, 1]))]),
        "Kernel Execution: Input dimensions should be integral multiple of output dimensions.",
    );
    let one = [0; 4];
    is(
        error(
            "sum",
            &mut [
                Stream(&a),
                Value {
                    scalar: Scalar::Float,
                    bytes: &one,
                },
            ],
        ),
        "argument 2 'r' of kernel 'sum' must be a stream or a variable of type float",
    );
    is(
        error(
            "add",
            &mut [
                Stream(&a),
                Value {
                    scalar: Scalar::Float,
                    bytes: &one,
                },
                Stream(&b),
            ],
        ),
        "argument 2 'b' of kernel 'add' is a stream; got the value of type float",
    );
    is(
        error(
            "pick",
            &mut [
                Stream(&flat),
                Stream(&make("int2", &[6])),
                Stream(&make("float", &[6])),
            ],
        ),
        "argument 1 'table' of kernel 'pick' has 2 dimensions; got 1",
    );
    is(
        error("add", &mut [Stream(&a)]),
        "kernel 'add' takes 3 arguments (a, b, c); got 1",
    );
    is(
        program
            .kernel("add")
            .unwrap()
            .run(&[])
            .unwrap_err()
            .to_string(),
        "kernel 'add' works on streams: use Program::call",
    );
    is(
        device.stream("banana", &[1]).unwrap_err().to_string(),
        "Stream Allocation: Stream of this type not supported on the device: there are no",
    );
    is(
        device.stream("float", &[0]).unwrap_err().to_string(),
        "Stream Allocation: This dimension not supported",
    );
    is(
        a.read(&[0; 3]).unwrap_err().to_string(),
        "Stream Read: the stream of float<4, 6> has 96",
    );
}

/// The functions that a call launches.
#[cfg(feature = "emulation")]
fn launched(kernel: &Kernel, arguments: &mut [StreamArgument<'_>]) -> Vec<String> {
    let Which::Declared { found, .. } = &kernel.which else {
        return Vec::new();
    };
    let mut names = Vec::new();
    let sink: &mut FunctionSink<'_> = &mut |function, _, _, _| {
        let mut all = found.functions.iter();
        let known = all.find(|(_, f)| Arc::ptr_eq(f, function));
        names.extend(known.map(|(name, _)| name.clone()));
        Ok(())
    };
    kernel.call_into(None, arguments, Some(sink)).unwrap();
    names
}

#[test]
#[cfg(feature = "emulation")]
fn what_stays_in_its_arrays_has_a_kernel_of_its_own() {
    let Ok(device) = Device::open("emulated-cuda") else {
        return;
    };
    let source =
        "kernel void beside(int a[][], int by, out int o<>) { o = a[0][instance().x + by]; }";
    let options = BuildOptions::new().cache(false);
    let program = device.build(Source::new("k.br", source), &options).unwrap();
    let kernel = program.kernel("beside").unwrap();
    let beside = |count: u32, elements: u32, by: i32| {
        let a = device.stream("int", &[1, elements]).unwrap();
        let o = device.stream("int", &[count]).unwrap();
        let by = by.to_le_bytes();
        let scalar = Scalar::Int;
        let by = Value { scalar, bytes: &by };
        launched(&kernel, &mut [Stream(&a), by, Stream(&o)]).join(" ")
    };
    let (clamped, not) = ("brook_linear_beside", "brook_in_bounds_beside");
    assert_eq!(beside(99, 100, 1), not);
    // Few elements are looked at once.
    assert_eq!(beside(99, 100, 2), clamped);
    assert_eq!(beside(98, 100, 2), clamped);
    assert_eq!(beside(99, 100, 1), not);
    for (count, elements, by, expected) in [
        (70_000, 70_000, 0, not),
        (70_000, 70_000, 1, clamped),
        (70_000, 70_001, 1, not),
        (70_000, 70_001, 2, clamped),
        (70_000, 70_001, -1, clamped),
        (70_000, 70_001, i32::MAX, clamped),
    ] {
        assert_eq!(
            beside(count, elements, by),
            expected,
            "{count} of {elements} by {by}"
        );
    }
}
