//! Kernels that are templates, on the processor.

use super::plain::{bytes_of, bytes_of_mut};
use super::tests::{Trusted, processor};
use super::*;
use crate::source_text::Source;
use crate::{args, stream_args};
use std::sync::Barrier;
use std::sync::atomic::{AtomicUsize, Ordering};

const SOURCE: &str = r"
@kernel void plain(const int n, float *a) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = 7;
}
template <typename T>
@kernel void add(const int n, const T *a, T *b, const T alpha) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) b[i] += alpha * a[i];
}
template <typename T, int N = 4, typename U = T>
@kernel void spread(const int n, const T *const @restrict a, U *b) {
  for (int g = 0; g < n; ++g; @outer) {
    for (int i = 0; i < N; ++i; @inner) b[N * g + i] = (U)(a[g]);
  }
}
template <typename T>
@kernel void fill(const int n, T value, T other, double *a) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) a[i] = (double)(value + other) + sizeof(T);
}
";

fn build(device: &Device, text: &str) -> Program {
    let options = BuildOptions::new().cache(false);
    device
        .build(Source::new("test.okl", text), &options)
        .unwrap()
}

#[test]
fn types_of_arguments_say_which() {
    let Some(device) = processor() else { return };
    let program = build(&device, SOURCE);
    let add = program.kernel("add").unwrap();
    let (a, b) = (
        device.upload(&[1f32, 2.0]).unwrap(),
        device.upload(&[10f32, 10.0]).unwrap(),
    );
    add.run(args![2, &a, &b, 2.0f32]).unwrap();
    // Memory decides; the value converts.
    add.run(args![2, a.read_only(), &b, 2.0f64]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [14.0, 18.0]);
    let (a, b) = (
        device.upload(&[3i64, 4]).unwrap(),
        device.upload(&[0i64, 1]).unwrap(),
    );
    add.run(args![2, &a, &b, 2]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [6, 9]);
    let (a, b) = (
        device.upload(&[3u8, 4]).unwrap(),
        device.upload(&[0u8, 1]).unwrap(),
    );
    add.run(args![2, &a, &b, 2]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [6, 9]);
    // A null pointer says nothing, the other one all.
    add.run(args![0, KernelArgument::null(), &b, 2]).unwrap();
    let plain = program.kernel("plain").unwrap();
    let c = device.zeros::<f32>(1).unwrap();
    plain.run(args![1, &c]).unwrap();
    assert_eq!(c.to_vec().unwrap(), [7.0]);
    assert!(plain.template().is_none());
    assert_eq!(
        format!("{program:?}"),
        "Program(plain, add<T>, spread<T, N, U>, fill<T>) on openmp:0"
    );
}

#[test]
fn arguments_by_name_and_defaults() {
    let Some(device) = processor() else { return };
    let program = build(&device, SOURCE);
    let spread = program.kernel("spread").unwrap();
    let a = device.upload(&[1f64, 2.0]).unwrap();
    let b = device.zeros::<f64>(8).unwrap();
    spread.run(args![2, &a, &b]).unwrap();
    assert_eq!(
        b.to_vec().unwrap(),
        [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0]
    );
    // U is what the memory says, not its default.
    let b = device.zeros::<i32>(4).unwrap();
    let two = spread.with("N", 2).unwrap();
    two.run(args![2, &a, &b]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [1, 1, 2, 2]);
    let three = program.kernel("spread<double, 1 + 2>").unwrap();
    let b = device.zeros::<i16>(6).unwrap();
    three.run(args![2, &a, &b]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [1, 1, 1, 2, 2, 2]);
    assert_eq!(three.metadata().parameters[1].type_name, "T");
    let whole = program.kernel("spread< double, 2, unsigned >").unwrap();
    assert_eq!(whole.metadata().parameters[2].type_name, "unsigned int");
    let same = two.instance(args![2, &a, &device.zeros::<u32>(1).unwrap()]);
    assert_eq!(same.unwrap().metadata().name, whole.metadata().name);
    let error = spread.with("M", 2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel 'spread<T, N, U>' has no template parameter 'M'"
    );
    let error = spread.with("N", "2, int").unwrap_err();
    assert_eq!(
        error.to_string(),
        "'2, int' is no argument for template parameter 'N' of kernel 'spread'"
    );
    let error = program.kernel("spread<float, 2, int, 4>").unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel 'spread<T, N, U>' has 3 template parameters; got 4"
    );
    let error = program.kernel("plain").unwrap().with("N", 2).unwrap_err();
    assert_eq!(
        error.to_string(),
        "kernel 'plain' is no template: it has no parameter 'N' to be given"
    );
}

#[test]
fn values_tell_where_no_pointer_does() {
    let Some(device) = processor() else { return };
    let fill = build(&device, SOURCE).kernel("fill").unwrap();
    let a = device.zeros::<f64>(1).unwrap();
    let filled =
        |arguments: &[KernelArgument<'_>]| fill.run(arguments).map(|()| a.to_vec().unwrap()[0]);
    assert_eq!(filled(args![1, 1.5f32, 1.0f32, &a]).unwrap(), 6.5);
    assert_eq!(filled(args![1, 1.5f64, 1.0f64, &a]).unwrap(), 10.5);
    assert_eq!(filled(args![1, 250u8, 250u8, &a]).unwrap(), 501.0);
    assert_eq!(filled(args![1, true, true, &a]).unwrap(), 3.0);
    assert_eq!(
        filled(args![1, 1.5f32, 1.0f64, &a])
            .unwrap_err()
            .to_string(),
        "template parameter 'T' of kernel 'fill' cannot be both float by argument 2 'value' and double by argument 3 \
         'other'; give 'T' by name, or ask for the kernel as 'fill<T>' with what they are"
    );
    let double = fill.with("T", "double").unwrap();
    double.run(args![1, 1.5f32, 1.0f64, &a]).unwrap();
    assert_eq!(a.to_vec().unwrap(), [10.5]);
}

#[test]
fn what_is_not_known_is_said() {
    let Some(device) = processor() else { return };
    let program = build(
        &device,
        r"
struct Pair { float a; int b; };
template <typename T> struct Twice { T a, b; };
template <typename T, int N> @kernel void f(const int n, T *a, T **const p) {
  for (int i = 0; i < n; ++i; @tile(N, @outer, @inner)) a[i] = a[i];
}
template <typename T> @kernel void g(const int n, Twice<T> x, float *a) {
  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) a[i] = x.b;
}
template <typename T> @kernel void h(const int n, T *a) {
  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) a[i] = a[n - 1];
}
",
    );
    let f = program.kernel("f").unwrap();
    let (floats, doubles) = (
        device.zeros::<f32>(4).unwrap(),
        device.zeros::<f64>(4).unwrap(),
    );
    let error =
        |kernel: &Kernel, list: &[KernelArgument<'_>]| kernel.run(list).unwrap_err().to_string();
    let null = KernelArgument::null();
    let how = "give 'T' by name, or ask for the kernel as 'f<T, N>' with what they are";
    assert_eq!(
        error(&f, args![4, null, null]),
        format!(
            "template parameter 'T' of kernel 'f' is not known: argument 2 'a' is a pointer to T, and got a null pointer; {how}"
        )
    );
    assert_eq!(
        error(&f, args![4, KernelArgument::buffer(floats.buffer()), null]),
        format!(
            "template parameter 'T' of kernel 'f' is not known: argument 2 'a' is a pointer to T, and got a buffer; {how}"
        )
    );
    assert_eq!(
        error(&f, args![4, 3, null]),
        format!(
            "template parameter 'T' of kernel 'f' is not known: argument 2 'a' is a pointer to T, and got an int; {how}"
        )
    );
    assert_eq!(
        error(&f, args![4, &floats, null]),
        "template parameter 'N' of kernel 'f' is not known: no argument's type tells it; give 'N' by name, or ask for \
         the kernel as 'f<T, N>' with what they are"
    );
    assert_eq!(
        error(&f, args![4]),
        "kernel 'f' takes 3 arguments (n, a, p); got 1"
    );
    let g = program.kernel("g").unwrap();
    assert_eq!(
        error(&g, args![4, KernelArgument::bytes(&[0; 8]), &floats]),
        "template parameter 'T' of kernel 'g' is not known: argument 2 'x' is of type 'Twice<T>', which does not tell \
         it; give 'T' by name, or ask for the kernel as 'g<T>' with what they are"
    );
    let x = [0f64, 2.5].map(f64::to_ne_bytes).concat();
    let g = g.with("T", "double").unwrap();
    g.run(args![4, KernelArgument::bytes(&x), &floats]).unwrap();
    assert_eq!(floats.to_vec().unwrap(), [2.5; 4]);
    let h = program.kernel("h").unwrap();
    let pairs = device
        .upload(&[Pair { a: 1.0, b: 2 }, Pair { a: 3.0, b: 4 }])
        .unwrap();
    assert!(
        error(&h, args![2, &pairs]).contains("got a 8-byte structure buffer; give 'T' by name")
    );
    h.with("T", "Pair").unwrap().run(args![2, &pairs]).unwrap();
    assert_eq!(pairs.to_vec().unwrap(), [Pair { a: 3.0, b: 4 }; 2]);
    // By name it is what was said, and the argument does not fit.
    assert_eq!(
        error(&h.with("T", "float").unwrap(), args![2, &doubles]),
        "argument 2 'a' of kernel 'h<float>' is a float buffer; got a double buffer"
    );
    let error = program.kernel("i").unwrap_err().to_string();
    assert_eq!(
        error,
        "there is no kernel 'i'; the source has: f<T, N>, g<T>, h<T>"
    );
}

crate::structure! { struct Pair { a: f32, b: i32 } }

#[test]
fn pointers_of_two_types_are_named() {
    let Some(device) = processor() else { return };
    let add = build(&device, SOURCE).kernel("add").unwrap();
    let (a, b) = (
        device.zeros::<f32>(4).unwrap(),
        device.zeros::<f64>(4).unwrap(),
    );
    let error = add.run(args![4, &a, &b, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "template parameter 'T' of kernel 'add' cannot be both float by argument 2 'a' and double by argument 3 'b'; \
         give 'T' by name, or ask for the kernel as 'add<T>' with what they are"
    );
    // As for every kernel, an integer does not become a floating-point number.
    let error = add.run(args![4, &a, &a, 2]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "argument 4 'alpha' of kernel 'add<float>' is a float; got an int"
    );
}

#[test]
fn what_does_not_build_says_which_and_where() {
    let Some(device) = processor() else { return };
    let program = build(
        &device,
        r"
template <typename T> @kernel void wrong(const int n, T *a) {
  for (int i = 0; i < n; ++i; @tile(4, @outer, @inner)) {
    a[i].y = a[i].x;
  }
}
template <int N> @kernel void never(const int n, float *a) {
  for (int i = 0; i < n; i += N; @tile(4, @outer, @inner)) a[i] = 1;
}
",
    );
    let a = device.upload(&[[1f32, 2.0], [3.0, 4.0]]).unwrap();
    let floats = device.zeros::<f32>(2).unwrap();
    let wrong = program.kernel("wrong").unwrap();
    let error = wrong.run(args![2, &floats]).unwrap_err();
    assert!(matches!(error, Error::Toolchain(_)));
    let error = error.to_string();
    assert!(
        error.contains("kernel 'wrong<float>'") && error.contains("test.okl:4"),
        "{error}"
    );
    wrong.run(args![2, &a]).unwrap();
    assert_eq!(a.to_vec().unwrap(), [[1.0, 1.0], [3.0, 3.0]]);
    let error = program.kernel("never<0>").unwrap_err().to_string();
    assert!(
        error.contains("test.okl:8:") && error.contains("note: in kernel 'never<0>'"),
        "{error}"
    );
}

#[test]
fn queues_sequences_and_streams() {
    let Some(device) = processor() else { return };
    let add = build(&device, SOURCE).kernel("add").unwrap();
    let (a, b) = (
        device.upload(&[1i32]).unwrap(),
        device.zeros::<i32>(1).unwrap(),
    );
    let queue = device.queue().unwrap();
    // SAFETY: the kernel stays in its memory.
    unsafe { add.launch_async(&queue, args![1, &a, &b, 2]) }
        .unwrap()
        .wait()
        .unwrap();
    let sequence = device
        .record(|r| {
            // SAFETY: as above.
            unsafe { r.launch(&add, args![1, &a, &b, 3]) }?;
            // SAFETY: as above.
            unsafe { r.launch(&add, args![1, &b, &b, 1]) }
        })
        .unwrap();
    sequence.launch().unwrap();
    sequence.launch_on(&queue).unwrap();
    queue.wait().unwrap();
    assert_eq!(b.to_vec().unwrap(), [26]);
    let (x, y) = (
        device.stream("float", &[2]).unwrap(),
        device.stream("float", &[2]).unwrap(),
    );
    x.read(bytes_of(&[1f32, 2.0])).unwrap();
    y.read(bytes_of(&[0.5f32, 0.5])).unwrap();
    // SAFETY: as above.
    unsafe { add.call_okl(stream_args![2, &x, &y, 2.0f32]) }.unwrap();
    let mut out = [0f32; 2];
    y.write(bytes_of_mut(&mut out)).unwrap();
    assert_eq!(out, [2.5, 4.5]);
    // SAFETY: nothing is launched.
    let error = unsafe { add.call_okl(stream_args![2, 1, &y, 2.0f32]) }.unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("argument 2 'a' of kernel 'add<float>' is a pointer to float"),
        "{error}"
    );
}

#[test]
fn threads_build_an_instance_once() {
    let Some(device) = processor() else { return };
    let add = build(&device, SOURCE).kernel("add").unwrap();
    let barrier = Barrier::new(16);
    let programs = std::sync::Mutex::new(Vec::<Program>::new());
    let launches = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (device, add, barrier, programs, launches) =
                (&device, &add, &barrier, &programs, &launches);
            scope.spawn(move || {
                barrier.wait();
                let list = |arguments: &[KernelArgument<'_>]| {
                    add.run(arguments).unwrap();
                    let program = add.instance(arguments).unwrap().program().clone();
                    programs.lock().unwrap().push(program);
                    launches.fetch_add(1, Ordering::Relaxed);
                };
                match thread % 4 {
                    0 => {
                        let a = device.upload(&[1f32]).unwrap();
                        list(args![1, &a, &a, 2.0f32]);
                        assert_eq!(a.to_vec().unwrap(), [3.0]);
                    }
                    1 => {
                        let a = device.upload(&[1f64]).unwrap();
                        list(args![1, &a, &a, 2.0f32]);
                        assert_eq!(a.to_vec().unwrap(), [3.0]);
                    }
                    2 => {
                        let a = device.upload(&[1i16]).unwrap();
                        list(args![1, &a, &a, 2]);
                        assert_eq!(a.to_vec().unwrap(), [3]);
                    }
                    _ => {
                        let a = device.upload(&[[1f32, 2.0]]).unwrap();
                        let two = KernelArgument::vector(
                            crate::module::VectorType {
                                scalar: crate::expr::Scalar::Float,
                                width: 2,
                            },
                            &[0, 0, 0, 64, 0, 0, 0, 64],
                        );
                        list(args![1, &a, &a, two]);
                        assert_eq!(a.to_vec().unwrap(), [[3.0, 6.0]]);
                    }
                }
            });
        }
    });
    let programs = programs.into_inner().unwrap();
    let mut different: Vec<&Program> = Vec::new();
    for program in &programs {
        if !different.iter().any(|other| other.is_same(program)) {
            different.push(program);
        }
    }
    assert_eq!((launches.into_inner(), different.len()), (16, 4));
}

#[test]
fn the_disk_keeps_instances() {
    let Some(device) = processor() else { return };
    if cache::Cache::open().is_none() {
        eprintln!("ignored, since there is no kernel cache");
        return;
    }
    let now = std::time::SystemTime::now();
    let now = now.duration_since(std::time::UNIX_EPOCH).unwrap();
    let text = format!("{SOURCE}// {} {now:?}\n", std::process::id());
    let (a, b) = (
        device.upload(&[2u16]).unwrap(),
        device.upload(&[1u16]).unwrap(),
    );
    for cached in [false, true] {
        let source = Source::new("test.okl", text.as_str());
        let program = device.build(source, &BuildOptions::new()).unwrap();
        assert_eq!(program.from_cache(), cached);
        let add = program.kernel("add").unwrap();
        add.run(args![1, &a, &b, 3]).unwrap();
        let instance = add.instance(args![1, &a, &b, 3]).unwrap();
        assert_eq!(instance.program().from_cache(), cached);
        assert_eq!(instance.metadata().name, "add<unsigned short>");
        // Nothing else of the source is built with it.
        assert_eq!(instance.program().metadata().kernels.len(), 1);
    }
    assert_eq!(b.to_vec().unwrap(), [13]);
}

#[test]
fn a_program_of_templates_alone_needs_no_compiler() {
    let Some(device) = processor() else { return };
    let options = BuildOptions::new().cache(false).flag("--no-such-flag");
    let source = "template <typename T> @kernel void f(T *a) {\n\
                  for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = 1;\n}\n";
    let program = device
        .build(Source::new("test.okl", source), &options)
        .unwrap();
    let f = program.kernel("f").unwrap();
    let error = f.run(args![&device.zeros::<f32>(4).unwrap()]).unwrap_err();
    assert!(
        error.to_string().starts_with("kernel 'f<float>': "),
        "{error}"
    );
}

#[test]
fn packages_have_what_was_asked_for() {
    let Some(device) = processor() else { return };
    let source = Source::new("folder/test.okl", SOURCE);
    let options = BuildOptions::new()
        .instantiate("add<float>")
        .instantiate("spread< double, 1+1 >")
        .instantiate("fill<int>");
    let package = Package::compile(&source, &["openmp"], &options).unwrap();
    let package = Package::from_bytes(package.to_bytes().unwrap()).unwrap();
    let program = Program::load(&device, &package).unwrap();
    let add = program.kernel("add").unwrap();
    let (a, b) = (
        device.upload(&[2f32]).unwrap(),
        device.upload(&[1f32]).unwrap(),
    );
    add.run(args![1, &a, &b, 3.0f32]).unwrap();
    assert_eq!(b.to_vec().unwrap(), [7.0]);
    let c = device.zeros::<f64>(2).unwrap();
    let spread = program.kernel("spread").unwrap().with("N", 2).unwrap();
    let d = device.upload(&[5f64]).unwrap();
    spread.run(args![1, &d, &c]).unwrap();
    assert_eq!(c.to_vec().unwrap(), [5.0, 5.0]);
    let error = add.run(args![1, &d, &d, 3.0]).unwrap_err().to_string();
    assert_eq!(
        error,
        "kernel 'add<double>' is not in the package, and there is no source to build it from; it has: add<float>; \
         compile it with --instantiate 'add<double>'"
    );
    // What nobody asked for is nothing that anybody could use.
    let error = Package::compile(&source, &["openmp"], &BuildOptions::new()).unwrap_err();
    assert!(error.to_string().contains("OKL030"), "{error}");
}

#[test]
fn specialisations_are_not_left_out() {
    let Some(device) = processor() else { return };
    let body = "{ for (int i = 0; i < 4; ++i; @tile(4, @outer, @inner)) a[i] = 1; }\n";
    let text = format!(
        "template <typename T> @kernel void f(T *a) {body}template <> @kernel void f<int>(int *a) {body}"
    );
    let built = device.build(
        Source::new("test.okl", text),
        &BuildOptions::new().cache(false),
    );
    assert!(built.unwrap_err().to_string().contains("OKL030"));
}
