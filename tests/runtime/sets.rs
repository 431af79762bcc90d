//! Several devices as one: where rows are, and what kernels make of them there.

use crate::Test;
use crate::support::trusted::Trusted;
use brook::runtime::{BuildOptions, Device, ExecutionDomain};
use brook::{Program, Source, Stream, args, stream_args};

pub const TESTS: &[Test] = &[
    ("sets::rows_stay_where_they_are_written", maps),
    ("sets::gathers_bring_what_they_read", gathers),
    ("sets::halos_are_as_wide_as_gathers_reach", halos),
    ("sets::sums_of_parts", sums),
    ("sets::domains", domains),
    ("sets::memory_of_others", others),
    ("sets::kernels_of_okl", okl),
    ("sets::structures", structures),
    ("sets::distributions", distributions),
    ("sets::mistakes", mistakes),
];

const KERNELS: &str = "
kernel void add(float a<>, float k, out float b<>) { b = a + k; }
kernel void place(out float b<>) { b = (float)instance().y * 1000.0f + (float)instance().x; }
kernel void next(float a[], int n, out float b<>) { int i = instance().x; b = a[i] + (i + 1 < n ? a[i + 1] : 0.0f); }
kernel void reversed(float a[], int n, out float b<>) { b = a[n - 1 - instance().x]; }
kernel void above(float a[][], int n, out float b<>) { int4 h = instance(); b = a[max(h.y - 1, 0)][h.x] + a[h.y + 1][h.x]; }
kernel void torus(float a[][], int n, out float b<>) { int4 h = instance(); b = a[(h.y + n - 1) % n][h.x] + a[h.y + 1 < n ? h.y + 1 : 0][h.x]; }
kernel void band(float a[][], int n, out float b<>) { int4 h = instance(); int i; b = 0.0f; for (i = -n; i <= n; i++) b += a[h.y + i][h.x]; }
kernel void floats(float a[][], int n, out float b<>) { float2 p = indexof(b).xy; b = a[p + float2(0.0f, 1.0f)] + a[p - float2(0.0f, (float)n)]; }
kernel float one(float a[][], int4 h, int by) { return a[h.y + by][h.x]; }
kernel void called(float a[][], int n, out float b<>) { int4 h = instance(); b = one(a, h, -n) + one(a, h, n); }
kernel void unknown(float a[][], int n, out float b<>) { int4 h = instance(); b = a[(int)a[h.y][h.x] % n][h.x]; }
kernel void scattered(float a<>, int n, out float b[]) { b[n - 1 - instance().x] = a; }
reduce void sum(int a<>, reduce int total<>) { total += a; }
reduce void squares(int a<>, reduce int total<>) { total += a * a; }
reduce void largest(int a<>, reduce int most<>) { if (a > most) most = a; }
";

/// A set of three parts of that device; of a set, itself.
fn set(device: &Device) -> (Device, Program) {
    let set = match device.parts() {
        [] => Device::open(&[device.name(); 3].join(",")).unwrap(),
        _ => device.clone(),
    };
    let options = BuildOptions::new();
    let program = set.build(Source::new("sets.br", KERNELS), &options);
    (set, program.unwrap())
}

fn numbers(device: &Device, count: u32) -> Stream<f32> {
    let values: Vec<f32> = (0..count).map(|i| i as f32).collect();
    let stream = Stream::new(device, &[count]).unwrap();
    stream.read(&values).unwrap();
    stream
}

/// Each part has the rows that the rule says.
fn is_shared_out(stream: &Stream<f32>, rows: usize) {
    let parts = stream.as_dyn().device().parts().len();
    let placement = stream.as_dyn().placement().unwrap();
    let expected = (0..parts).map(|p| (p, rows * p / parts..rows * (p + 1) / parts));
    assert_eq!(placement, expected.collect::<Vec<_>>());
}

fn maps(device: &Device) {
    let (set, program) = set(device);
    assert!(set.parts().len() > 1 && set.name().contains(','));
    let a = numbers(&set, 100);
    is_shared_out(&a, 100);
    let b = Stream::<f32>::new(&set, &[100]).unwrap();
    assert_eq!(b.as_dyn().placement().unwrap(), []);
    assert_eq!(b.to_vec().unwrap(), [0.0; 100]);
    for _ in 0..3 {
        let call = program.kernel("add").unwrap();
        call.call(stream_args![&a, 0.5f32, &b]).unwrap();
        is_shared_out(&b, 100);
    }
    let expected: Vec<f32> = (0..100).map(|i| i as f32 + 0.5).collect();
    assert_eq!(b.to_vec().unwrap(), expected);
    // In place, and on a copy.
    let call = program.kernel("add").unwrap();
    call.call(stream_args![&b, 1.0f32, &b]).unwrap();
    let c = Stream::<f32>::new(&set, &[100]).unwrap();
    c.assign(&b).unwrap();
    is_shared_out(&c, 100);
    assert_eq!(c.to_vec().unwrap()[99], 100.5);
    // Places are those in the whole.
    let grid = Stream::<f32>::new(&set, &[7, 5]).unwrap();
    program.call("place", stream_args![&grid]).unwrap();
    is_shared_out(&grid, 7);
    let places = (0..35).map(|i| (i / 5 * 1000 + i % 5) as f32);
    assert_eq!(grid.to_vec().unwrap(), places.collect::<Vec<_>>());
    // Fewer rows than devices.
    let one = Stream::<f32>::new(&set, &[1]).unwrap();
    program.call("place", stream_args![&one]).unwrap();
    assert_eq!(one.to_vec().unwrap(), [0.0]);
}

fn gathers(device: &Device) {
    let (set, program) = set(device);
    let (a, b) = (numbers(&set, 50), Stream::<f32>::new(&set, &[50]).unwrap());
    for round in 0..2 {
        program.call("next", stream_args![&a, 50, &b]).unwrap();
        let base = round as f32;
        let next = |i: usize| if i < 49 { i as f32 + 1.0 + base } else { 0.0 };
        let expected: Vec<f32> = (0..50).map(|i| i as f32 + base + next(i)).collect();
        assert_eq!(b.to_vec().unwrap(), expected);
        is_shared_out(&b, 50);
        // What was brought before is old now.
        program.call("add", stream_args![&a, 1.0f32, &a]).unwrap();
    }
    program.call("reversed", stream_args![&a, 50, &a]).unwrap();
    let back: Vec<f32> = (0..50).map(|i| 51.0 - i as f32).collect();
    assert_eq!(a.to_vec().unwrap(), back);
    // Who may write anywhere does so on one device.
    program.call("scattered", stream_args![&a, 50, &b]).unwrap();
    assert_eq!(b.as_dyn().placement().unwrap(), [(0, 0..50)]);
    assert_eq!(b.to_vec().unwrap()[0], 2.0);
    program.call("add", stream_args![&b, 1.0f32, &a]).unwrap();
    assert_eq!(a.to_vec().unwrap()[49], 52.0);
}

/// What a kernel makes of an element, from the number of an array at any row of that column, and which rows the second of three parts
/// reads of 24 beside its own eight.
type Halo<'h> = (
    &'h str,
    i32,
    &'h dyn Fn(&dyn Fn(i32) -> f32, i32) -> f32,
    &'h [[usize; 2]],
);

fn halos(device: &Device) {
    let (set, program) = set(device);
    let (rows, columns) = (24i32, 5);
    let shape = [rows as u32, columns as u32];
    let values: Vec<f32> = (0..rows * columns).map(|i| (i * 7 % 31) as f32).collect();
    let first = |count: usize| rows as usize * count / set.parts().len();
    let kernels: [Halo<'_>; 7] = [
        ("above", 0, &|a, y| a(y - 1) + a(y + 1), &[[1, 1]]),
        (
            "torus",
            rows,
            &|a, y| a((y + rows - 1) % rows) + a((y + 1) % rows),
            &[[1, 1]],
        ),
        (
            "band",
            3,
            &|a, y| (-3..4).fold(0.0, |sum, i| sum + a(y + i)),
            &[[3, 3]],
        ),
        ("floats", 2, &|a, y| a(y + 1) + a(y - 2), &[[2, 1]]),
        ("called", 4, &|a, y| a(y - 4) + a(y + 4), &[[4, 4]]),
        ("called", 30, &|a, y| a(y - 30) + a(y + 30), &[[100, 100]]),
        ("unknown", 24, &|a, y| a(a(y) as i32 % 24), &[[100, 100]]),
    ];
    for (name, n, expected, halo) in kernels {
        let a = Stream::<f32>::new(&set, &shape).unwrap();
        let b = Stream::<f32>::new(&set, &shape).unwrap();
        a.read(&values).unwrap();
        for _ in 0..2 {
            program.call(name, stream_args![&a, n, &b]).unwrap();
        }
        let made = b.to_vec().unwrap();
        for (at, made) in made.into_iter().enumerate() {
            let (y, x) = (at as i32 / columns, at as i32 % columns);
            let value = |y: i32| values[(y.clamp(0, rows - 1) * columns + x) as usize];
            assert_eq!(made, expected(&value, y), "{name} at {y}, {x}");
        }
        let held = a.as_dyn().rows_on(1).unwrap();
        let from = first(1).saturating_sub(halo[0][0]);
        let to = (first(2) + halo[0][1]).min(rows as usize);
        let mut expected: Vec<_> = std::iter::once(from..to).collect();
        match (name, n) {
            // The last part has the first row beside it, too.
            ("torus", _) if to == rows as usize => expected.insert(0, 0..1),
            // No index is inside: all are those of the first row and of the last one.
            ("called", 30) => {
                expected = vec![0..1, first(1)..first(2)];
                match first(2) == rows as usize {
                    true => {}
                    false => expected.push(rows as usize - 1..rows as usize),
                }
            }
            _ => {}
        }
        assert_eq!(held, expected, "{name}");
    }
}

fn sums(device: &Device) {
    let (set, program) = set(device);
    let count = 5000u32;
    let values: Vec<i32> = (0..count as i32).map(|i| i * 7919 % 1013 - 500).collect();
    let a = Stream::<i32>::new(&set, &[count]).unwrap();
    a.read(&values).unwrap();
    let fold = |kernel: &str| {
        let mut result = 0i32;
        let kernel = program.kernel(kernel).unwrap();
        kernel.call(stream_args![&a, &mut result]).unwrap();
        result
    };
    assert_eq!(fold("sum"), values.iter().sum::<i32>());
    let squares = values.iter().map(|v| v * v).sum::<i32>();
    assert_eq!(fold("squares"), squares);
    assert_eq!(fold("largest"), *values.iter().max().unwrap());
    // Its rows are still where they were.
    let parts = set.parts().len();
    assert_eq!(a.as_dyn().placement().unwrap().len(), parts);
    // Sums of rows are where their rows are; sums of columns are joined.
    let table = Stream::<i32>::new(&set, &[50, 100]).unwrap();
    table.read(&values).unwrap();
    let rows = Stream::<i32>::new(&set, &[50, 1]).unwrap();
    program.call("sum", stream_args![&table, &rows]).unwrap();
    assert_eq!(rows.as_dyn().placement().unwrap().len(), parts);
    let by_row = values.chunks(100).map(|row| row.iter().sum::<i32>());
    assert_eq!(rows.to_vec().unwrap(), by_row.collect::<Vec<_>>());
    for (kernel, of) in [("sum", 1), ("squares", 2)] {
        let columns = Stream::<i32>::new(&set, &[1, 100]).unwrap();
        program
            .call(kernel, stream_args![&table, &columns])
            .unwrap();
        let sum = |c: usize| {
            values
                .iter()
                .skip(c)
                .step_by(100)
                .map(|v| v.pow(of))
                .sum::<i32>()
        };
        assert_eq!(
            columns.to_vec().unwrap(),
            (0..100).map(sum).collect::<Vec<_>>()
        );
    }
}

fn domains(device: &Device) {
    let (set, program) = set(device);
    let a = numbers(&set, 60);
    let part = a.domain(&[25], &[45]).unwrap();
    program
        .call("add", stream_args![&part, 100.0f32, &part])
        .unwrap();
    let expected = (0..60).map(|i| i as f32 + if (25..45).contains(&i) { 100.0 } else { 0.0 });
    assert_eq!(a.to_vec().unwrap(), expected.collect::<Vec<_>>());
    is_shared_out(&a, 60);
    // A part of each row: what lies between stays.
    let grid = Stream::<f32>::new(&set, &[9, 8]).unwrap();
    let inner = grid.domain(&[2, 1], &[5, 8]).unwrap();
    program.call("place", stream_args![&inner]).unwrap();
    let at = |x: usize, y: usize| match (2..5).contains(&x) && (1..8).contains(&y) {
        true => ((y - 1) * 1000 + x - 2) as f32,
        false => 0.0,
    };
    let expected = (0..72).map(|i| at(i % 8, i / 8));
    assert_eq!(grid.to_vec().unwrap(), expected.collect::<Vec<_>>());
    // Where a call runs for some places only, these are counted from the beginning.
    let over = ExecutionDomain {
        offset: Some([3, 2, 0, 0]),
        size: Some([4, 5, 0, 0]),
    };
    let grid = Stream::<f32>::new(&set, &[9, 8]).unwrap();
    let place = program.kernel("place").unwrap();
    place.call_over(Some(&over), stream_args![&grid]).unwrap();
    let at = |x: usize, y: usize| match (3..7).contains(&x) && (2..7).contains(&y) {
        true => (y * 1000 + x) as f32,
        false => 0.0,
    };
    let expected = (0..72).map(|i| at(i % 8, i / 8));
    assert_eq!(grid.to_vec().unwrap(), expected.collect::<Vec<_>>());
}

/// Who knows an address may write there at any time.
fn others(device: &Device) {
    let (set, program) = set(device);
    let (a, b) = (numbers(&set, 20), Stream::<f32>::new(&set, &[20]).unwrap());
    let native = a.as_dyn().native();
    assert_eq!(a.as_dyn().placement().unwrap(), [(0, 0..20)]);
    let (a, b) = (a.as_dyn(), b.as_dyn());
    // SAFETY: `a` stays as long as this.
    let same = unsafe { brook::runtime::DynStream::import(&set, "float", &[20], native) };
    let Ok(same) = same else { return };
    let bytes = |from: f32| -> Vec<u8> {
        let values = (0..20).map(|i| from + i as f32);
        values.flat_map(f32::to_ne_bytes).collect()
    };
    for round in 0..3 {
        let from = 10.0 * round as f32;
        same.read(&bytes(from)).unwrap();
        program.call("add", stream_args![a, 0.5f32, b]).unwrap();
        program
            .call("add", stream_args![b, 0.25f32, &same])
            .unwrap();
        let mut found = vec![0; 80];
        a.write(&mut found).unwrap();
        assert_eq!(found, bytes(from + 0.75));
    }
}

/// Rows go where the program says, and kernels follow them.
fn distributions(device: &Device) {
    let (set, program) = set(device);
    let parts = set.parts().len();
    let placed = |counts: &[usize]| {
        let mut next = 0;
        let ranges = counts.iter().map(|count| {
            next += count;
            next - count..next
        });
        let all = ranges.enumerate().filter(|(_, rows)| !rows.is_empty());
        all.collect::<Vec<_>>()
    };
    let mut little = vec![10; parts];
    little[parts - 1] = 100 - 10 * (parts - 1);
    let mut last = vec![0; parts];
    last[parts - 1] = 100;
    let (a, b) = (
        numbers(&set, 100),
        Stream::<f32>::new(&set, &[100]).unwrap(),
    );
    let (a, b, values) = (a.as_dyn(), b.as_dyn(), a.to_vec().unwrap());
    let bytes = |add: f32| -> Vec<u8> {
        let all = values.iter().map(|v| v + add);
        all.flat_map(f32::to_ne_bytes).collect()
    };
    let holds = |stream: &brook::runtime::DynStream, add: f32| {
        let mut found = vec![0; 400];
        stream.write(&mut found).unwrap();
        assert_eq!(found, bytes(add));
    };
    let on_first = |stream: &brook::runtime::DynStream| {
        let rows = stream.rows_on(0).unwrap().into_iter();
        rows.map(|rows| (rows.start, rows.end)).collect::<Vec<_>>()
    };
    // Nobody has written it so far: it is zeros.
    b.share_out(&little).unwrap();
    assert_eq!(b.placement().unwrap(), placed(&little));
    for counts in [&little, &last, &little] {
        a.share_out(counts).unwrap();
        assert_eq!(a.placement().unwrap(), placed(counts));
        holds(a, 0.0);
        program.call("add", stream_args![a, 1.0f32, b]).unwrap();
        assert_eq!(b.placement().unwrap(), placed(&little));
        holds(b, 1.0);
        b.share_out(counts).unwrap();
        holds(b, 1.0);
        // What is read lies elsewhere.
        program.call("add", stream_args![a, 2.0f32, b]).unwrap();
        assert_eq!(b.placement().unwrap(), placed(counts));
        holds(b, 2.0);
        b.share_out(&little).unwrap();
        holds(b, 2.0);
    }
    // What was brought stays until somebody writes it.
    a.prefetch(0, 50..53).unwrap();
    a.prefetch(0, 99..100).unwrap();
    a.prefetch(0, 7..7).unwrap();
    assert_eq!(on_first(a), [(0, 10), (50, 53), (99, 100)]);
    program.call("add", stream_args![b, -2.0f32, a]).unwrap();
    assert_eq!(on_first(a), [(0, 10)]);
    holds(a, 0.0);
    let said = |result: brook::runtime::Result<()>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    said(a.share_out(&last[1..]), "100 rows are to be shared out");
    let mut more = last.clone();
    more[0] = 1;
    said(a.share_out(&more), "100 rows are to be shared out");
    more[0] = usize::MAX;
    said(a.share_out(&more), "100 rows are to be shared out");
    said(a.prefetch(parts, 0..1), "none of number");
    said(a.prefetch(0, 99..101), "the stream has 100 rows");
    let part = a.domain(&[1], &[100]).unwrap();
    said(part.share_out(&last), "a part of a stream");
    part.prefetch(0, 30..31).unwrap();
    assert_eq!(on_first(a), [(0, 10), (31, 32)]);
    holds(a, 0.0);
    a.native();
    said(a.share_out(&little), "others know the address");
    let alone = numbers(&set.parts()[0], 8);
    alone.as_dyn().share_out(&[8]).unwrap();
    alone.as_dyn().prefetch(0, 0..8).unwrap();
    said(alone.as_dyn().share_out(&[4, 4]), "8 rows are one device's");
}

/// They run on the first device, whatever streams and memory they take.
fn okl(device: &Device) {
    let (set, program) = set(device);
    let text = "@kernel void twice(const int n, const float *a, float *b) {
      for (int i = 0; i < n; ++i; @tile(8, @outer, @inner)) b[i] = 2.0f * a[i];
    }";
    let options = BuildOptions::new();
    let twice = set.build(Source::new("twice.okl", text), &options);
    let twice = twice.unwrap().kernel("twice").unwrap();
    let (a, b) = (numbers(&set, 30), Stream::<f32>::new(&set, &[30]).unwrap());
    program.call("add", stream_args![&a, 1.0f32, &a]).unwrap();
    // SAFETY: both have 30 elements.
    unsafe { twice.call_okl(stream_args![30, &a, &b]) }.unwrap();
    program.call("add", stream_args![&b, 0.5f32, &b]).unwrap();
    let expected = (0..30).map(|i| 2.0 * (i as f32 + 1.0) + 0.5);
    assert_eq!(b.to_vec().unwrap(), expected.collect::<Vec<_>>());
    let memory = set.upload(&[1.0f32, 2.0, 3.0]).unwrap();
    let queue = set.queue().unwrap();
    twice.run_on(&queue, args![3, &memory, &memory]).unwrap();
    let done = queue.record().unwrap();
    done.wait().unwrap();
    assert_eq!(memory.to_vec().unwrap(), [2.0, 4.0, 6.0]);
    // OpenCL allocates what is used first.
    if !set.name().starts_with("opencl") {
        assert!(set.zeros::<f64>(1 << 50).is_err());
    }
}

brook::structure! {
    struct Single {
        a: f32,
    }
}

/// A variable of the host's may be a struct, however small.
fn structures(device: &Device) {
    let (set, _) = set(device);
    let text = "typedef struct single { float a; } Single;
        kernel void add(float x<>, Single s, out float y<>) { y = x + s.a; }";
    let program = set.build(Source::new("single.br", text), &BuildOptions::new());
    let (x, y) = (numbers(&set, 9), Stream::<f32>::new(&set, &[9]).unwrap());
    let mut single = Single { a: 203.0 };
    let call = program.unwrap().kernel("add").unwrap();
    call.call(stream_args![&x, &mut single, &y]).unwrap();
    let expected = (0..9).map(|i| i as f32 + 203.0);
    assert_eq!(y.to_vec().unwrap(), expected.collect::<Vec<_>>());
}

fn mistakes(device: &Device) {
    let (set, program) = set(device);
    let single = numbers(&set.parts()[0], 10);
    let b = Stream::<f32>::new(&set, &[10]).unwrap();
    let error = program.call("add", stream_args![&single, 1.0f32, &b]);
    let error = error.unwrap_err().to_string();
    assert!(error.contains("device is different"), "{error}");
    let error = Device::open(&[set.parts()[0].name(); 65].join(",")).unwrap_err();
    assert!(error.to_string().contains("64 devices at most"), "{error}");
    for (name, says) in [
        ("openmp:0,", "no device is called ''"),
        ("nothing:*", "there are none"),
        ("openmp:*:*", "there are none"),
    ] {
        let error = Device::open(name).unwrap_err().to_string();
        assert!(error.contains(says), "{name}: {error}");
    }
    let other = match device.name().starts_with("openmp") {
        true => "emulated-cuda:0",
        false => "openmp:0",
    };
    if let Ok(other) = Device::open(other) {
        let name = format!("{},{}", set.parts()[0].name(), other.name());
        let error = Device::open(&name).unwrap_err().to_string();
        assert!(error.contains("one driver and one architecture"), "{error}");
    }
}
