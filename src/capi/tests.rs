//! The C functions, called as C calls them, with what C gets wrong.

use super::*;
use crate::runtime::tests::processor;
use std::ffi::c_void;
use std::ptr::{null, null_mut};

fn last_error() -> String {
    // SAFETY: the function returns a string of this thread's.
    unsafe { CStr::from_ptr(brook_last_error()) }
        .to_str()
        .unwrap()
        .to_string()
}

#[test]
fn null_is_an_error_not_a_crash() {
    // SAFETY: null is allowed everywhere.
    unsafe {
        assert!(brook_module_create(null(), null(), 0, null()).is_null());
        assert_eq!(last_error(), "the module's name is NULL");
        assert_eq!(brook_last_error_code(), 1);
        assert!(brook_module_create(c"a.br".as_ptr(), null(), 0, null()).is_null());
        assert_eq!(last_error(), "the module's source is NULL");
        assert!(brook_stream_create(null(), 1, [1].as_ptr()).is_null());
        assert!(brook_stream_create(c"float".as_ptr(), 1, null()).is_null());
        assert!(brook_stream_create(c"float".as_ptr(), 5, [1; 5].as_ptr()).is_null());
        assert_eq!(
            last_error(),
            "Stream Allocation: This dimension not supported on underlying hardware: a stream has one \
             to four extents"
        );
        assert!(brook_stream_retain(null_mut()).is_null());
        brook_stream_release(null_mut());
        brook_module_release(null_mut());
        assert_eq!(brook_stream_bytes(null()), 0);
        assert_eq!(brook_stream_read(null_mut(), null(), null()), 1);
        assert_eq!(brook_stream_write(null(), null_mut(), null()), 1);
        assert_eq!(last_error(), "the stream is NULL");
        assert_eq!(brook_call(null_mut(), c"f".as_ptr(), null(), null(), 0), 1);
        assert_eq!(last_error(), "the module is NULL");
    }
}

#[test]
fn errors_belong_to_their_thread() {
    // SAFETY: null is allowed.
    unsafe { brook_call(null_mut(), null(), null(), null(), 0) };
    assert_eq!(last_error(), "the module is NULL");
    std::thread::spawn(|| {
        assert_eq!(last_error(), "");
        assert_eq!(brook_last_error_code(), 0);
    })
    .join()
    .unwrap();
}

#[test]
fn panics_stop_at_the_fence() {
    assert_eq!(error::guard(7, || panic!("boom")), 7);
    assert_eq!(last_error(), "internal error: boom");
    assert_eq!(brook_last_error_code(), 4);
}

pub(super) fn of(kind: c_int, type_: c_int, data: *mut c_void, bytes: usize) -> Argument {
    Argument {
        kind,
        type_,
        width: 1,
        rank: 0,
        extents: [0; 4],
        bytes,
        data,
    }
}

#[test]
fn a_program_as_c_writes_it() {
    if processor().is_none() || std::env::var_os("BROOK_DEVICE").is_some() {
        return;
    }
    let source = "kernel void scale(float a<>, float f, out float b<>) { b = a * f * TWO; }\n\
                  reduce void sum(float a<>, reduce float r<>) { r += a; }\n";
    // SAFETY: every pointer is to what the header says.
    unsafe {
        let defines = c"TWO=2.0f\n\n";
        let module = brook_module_create(
            c"scale.br".as_ptr(),
            source.as_ptr().cast(),
            source.len(),
            defines.as_ptr(),
        );
        assert!(!module.is_null(), "{}", last_error());
        let extents = [2, 3];
        let new = || brook_stream_create(c"float".as_ptr(), 2, extents.as_ptr());
        let (a, b) = (new(), new());
        assert!(!a.is_null() && !b.is_null(), "{}", last_error());
        assert_eq!(brook_stream_bytes(a), 24);
        assert_eq!(brook_stream_retain(a), a);
        brook_stream_release(a);
        let values = [1.0f32, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(brook_stream_read(a, values.as_ptr().cast(), null()), 0);
        let mut factor = 10i32;
        let scale = [
            of(1, 0, a.cast(), 0),
            of(2, 5, (&raw mut factor).cast(), 4),
            of(1, 0, b.cast(), 0),
        ];
        let status = brook_call(module, c"scale".as_ptr(), null(), scale.as_ptr(), 3);
        assert_eq!(status, 0, "{}", last_error());
        assert_eq!(factor, 10);
        let mut out = [0f32; 6];
        assert_eq!(brook_stream_write(b, out.as_mut_ptr().cast(), null()), 0);
        assert_eq!(out, values.map(|v| v * 20.0));
        let mut total = 1000f32;
        let sum = [of(1, 0, b.cast(), 0), of(2, 9, (&raw mut total).cast(), 4)];
        assert_eq!(
            brook_call(module, c"sum".as_ptr(), null(), sum.as_ptr(), 2),
            0,
            "{}",
            last_error()
        );
        assert_eq!(total, 420.0);
        assert_eq!(brook_finish(), 0);

        let call = |arguments: &[Argument]| {
            let name = c"sum".as_ptr();
            assert_eq!(
                brook_call(module, name, null(), arguments.as_ptr(), arguments.len()),
                1
            );
            last_error()
        };
        let stream = || of(1, 0, b.cast(), 0);
        assert!(call(&[stream()]).starts_with("kernel 'sum' takes 2 arguments"));
        let wrong = "argument 2 of kernel 'sum': ";
        let data: *mut c_void = (&raw mut total).cast();
        assert_eq!(call(&[stream(), of(9, 9, data, 4)]).find(wrong), Some(0));
        assert_eq!(
            call(&[stream(), of(0, 99, data, 4)]),
            format!("{wrong}99 is no enum brook_type")
        );
        assert_eq!(call(&[stream(), of(0, 9, data, 5)]).find(wrong), Some(0));
        assert_eq!(
            call(&[stream(), of(0, 9, null_mut(), 4)]),
            format!("{wrong}its data is NULL")
        );
        let mut odd = of(3, 9, data, 4);
        odd.rank = 9;
        assert_eq!(call(&[stream(), odd]), format!("{wrong}its rank is over 4"));
        assert!(!brook_device_name(brook_current_device()).is_null());
        brook_stream_release(a);
        brook_stream_release(b);
        brook_module_release(module);
    }
}

#[test]
fn a_sequence_as_c_writes_it() {
    if processor().is_none() || std::env::var_os("BROOK_DEVICE").is_some() {
        return;
    }
    let source = "kernel void add(float a<>, float k, out float b<>) { b = a + k; }\n\
                  reduce void sum(float a<>, reduce float r<>) { r += a; }\n";
    // SAFETY: every pointer is to what the header says.
    unsafe {
        assert!(brook_record_end().is_null());
        assert_eq!(last_error(), "this thread's calls are not being recorded");
        assert_eq!(brook_sequence_launch(null()), 1);
        brook_sequence_release(null_mut());
        let name = c"sequence.br".as_ptr();
        let module = brook_module_create(name, source.as_ptr().cast(), source.len(), null());
        let new = |n| brook_stream_create(c"float".as_ptr(), 1, [n].as_ptr());
        let (a, b, total) = (new(3), new(3), new(1));
        let stream = |s: *mut Stream| of(1, 0, s.cast(), 0);
        let mut k = 1f32;
        let data = (&raw mut k).cast();
        let call = |name: &CStr, arguments: &[Argument]| {
            brook_call(
                module,
                name.as_ptr(),
                null(),
                arguments.as_ptr(),
                arguments.len(),
            )
        };
        assert_eq!(brook_record_begin(), 0, "{}", last_error());
        assert_eq!(brook_record_begin(), 1);
        assert_eq!(call(c"add", &[stream(a), of(0, 9, data, 4), stream(b)]), 0);
        k = 10.0;
        assert_eq!(call(c"add", &[stream(b), of(0, 9, data, 4), stream(a)]), 0);
        assert_eq!(call(c"sum", &[stream(a), stream(total)]), 0);
        // Needs the host.
        assert_eq!(call(c"sum", &[stream(a), of(2, 9, data, 4)]), 1);
        assert!(last_error().contains("recorded"), "{}", last_error());
        let sequence = brook_record_end();
        assert!(!sequence.is_null(), "{}", last_error());
        let mut out = [7f32; 3];
        assert_eq!(brook_stream_write(a, out.as_mut_ptr().cast(), null()), 0);
        assert_eq!(out, [0.0; 3], "recording does nothing");
        let values = [1f32, 2.0, 3.0];
        assert_eq!(
            brook_stream_read(a, values.as_ptr().cast(), c"async".as_ptr()),
            0
        );
        // The sequence keeps what it needs.
        brook_stream_release(b);
        for _ in 0..2 {
            assert_eq!(brook_sequence_launch(sequence), 0, "{}", last_error());
        }
        assert_eq!(brook_stream_write(a, out.as_mut_ptr().cast(), null()), 0);
        assert_eq!(out, [23.0, 24.0, 25.0]);
        assert_eq!(
            brook_stream_write(total, out.as_mut_ptr().cast(), null()),
            0
        );
        assert_eq!(out[0], 72.0);
        // Calls are calls again.
        assert_eq!(call(c"sum", &[stream(a), of(2, 9, data, 4)]), 0);
        assert_eq!(k, 72.0);
        brook_sequence_release(sequence);
        brook_stream_release(a);
        brook_stream_release(total);
        brook_module_release(module);
    }
}
