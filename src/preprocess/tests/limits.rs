use super::*;
use std::time::Duration;

#[test]
fn includes_that_do_not_end() {
    let done = run("#include \"a.h\"")
        .file("a.h", "#include \"b.h\"\n")
        .file("b.h", "#include \"a.h\"\n#include \"a.h\"\n")
        .done();
    assert_eq!(done.diagnostics.len(), 1);
    assert!(
        done.messages()[0].starts_with("PRE032"),
        "{:?}",
        done.messages()
    );
    // Each file includes the next one twice.
    let mut many = run("#include \"0.h\"");
    for i in 0..60 {
        let line = format!("#include \"{}.h\"\n", i + 1);
        many = many.file(&format!("{i}.h"), &(line.clone() + &line));
    }
    many.file("60.h", "").fails(&["PRE010"]);
}

#[test]
fn expansions_that_do_not_end() {
    let mut objects = String::from("#define A0 x x\n");
    let mut functions = String::from("#define F0(a) a a\n");
    let mut strings = String::from("#define S(a) #a #a #a #a\n#define T0(a) S(a)\n");
    for i in 1..40 {
        objects += &format!("#define A{i} A{} A{}\n", i - 1, i - 1);
        functions += &format!("#define F{i}(a) F{}(a a)\n", i - 1);
        strings += &format!("#define T{i}(a) T{}(S(a))\n", i - 1);
    }
    run(&(objects + "A39\nA39")).fails(&["PRE010"]);
    run(&(functions + "F39(y)")).fails(&["PRE010"]);
    run(&(strings + "T39(y)")).fails(&["PRE010"]);
}

#[test]
fn deep_nesting_is_an_error_or_done_with() {
    let nested = |n: usize| format!("#define f(x) x\n{}1{}", "f(".repeat(n), ")".repeat(n));
    run(&nested(200)).gives("1");
    run(&nested(100_000)).fails(&["PRE008"]);
    let open = format!("#define f(x) x\n{}", "f(".repeat(10_000));
    run(&open).fails(&["PRE008"]);
    // A long chain is no nesting.
    let mut chain = String::from("#define A0 x\n");
    for i in 1..20_000 {
        chain += &format!("#define A{i} A{}\n", i - 1);
    }
    run(&(chain + "A19999")).gives("x");
    let parentheses = format!("#if {}1\n#endif", "(".repeat(100_000));
    run(&parentheses).fails(&["PRE020"]);
    let conditionals = "#if 1\n".repeat(50_000) + "x" + &"\n#endif".repeat(50_000);
    run(&conditionals).gives("x");
}

#[test]
fn large_texts_are_quick() {
    let line = "    result[i] += alpha * x[i * stride + k] - value(i, k); // accumulate\n";
    let time = |lines: usize| {
        let text = line.repeat(lines);
        let done = run(&text).define("UNUSED=1").done();
        assert_eq!(done.out.text, text);
        assert_eq!(done.out.provenance.segments.len(), 1);
    };
    is_linear(time);
}

/// Of the processor, by this thread: what others do on the machine is not in it.
fn time_of(work: impl FnOnce()) -> Duration {
    #[repr(C)]
    struct Timespec {
        seconds: std::ffi::c_long,
        nanoseconds: std::ffi::c_long,
    }
    unsafe extern "C" {
        fn clock_gettime(clock: std::ffi::c_int, time: *mut Timespec) -> std::ffi::c_int;
    }
    let clock = if cfg!(target_os = "macos") { 16 } else { 3 };
    let now = || {
        let mut time = Timespec {
            seconds: 0,
            nanoseconds: 0,
        };
        // SAFETY: there is room for the time.
        assert_eq!(unsafe { clock_gettime(clock, &raw mut time) }, 0);
        Duration::new(time.seconds as u64, time.nanoseconds as u32)
    };
    let before = now();
    work();
    now() - before
}

/// Eight times the text takes eight times as long, and not 64 times: a ratio, the same on every machine. The best of a
/// few, since caches are others' as well.
fn is_linear(work: impl Fn(usize)) {
    let best = |lines: usize| (0..4).map(|_| time_of(|| work(lines))).min().unwrap();
    let (small, large) = (best(8000), best(64_000));
    assert!(large < small * 32, "{small:?} {large:?}");
}

#[test]
fn lines_are_found_quickly() {
    is_linear(|lines| {
        let done = run(&"__LINE__\n".repeat(lines)).done();
        assert!(done.out.text.ends_with(&format!("\n{lines}\n")));
    });
}

#[test]
fn nothing_panics_on_fragments() {
    let text = "#define F(a, ...) #a a ## __VA_ARGS__ __VA_OPT__(x)\nF(1, \"b\\\\\", 'c') F\n#if F(2) || defined(G)\n\
        [[okl_tile(\"(F(1), \\\"x\\\")\")]] @mark\n#elif __has_include(<a>)\n#else\n_Pragma(\"x\")\n#endif\n\
        #include <a/*b>\n#pragma F(3)\n%: \\\n é 0x1p-3 /* c */ // d\n";
    for from in (0..text.len()).filter(|&i| text.is_char_boundary(i)) {
        for cut in [&text[from..], &text[..from]] {
            run(cut).done();
        }
        for insert in ["\"", "(", ")", "\n", "##", "\\\n", "/*", "#"] {
            run(&format!("{}{insert}{}", &text[..from], &text[from..])).done();
        }
    }
}
