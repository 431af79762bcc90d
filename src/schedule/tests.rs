//! What is decided for a backend: a program, and its schedule in words.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::{Items, MapSchedule, Vectorized, schedule};
use crate::backend::{Backend, Model};
use crate::module::LoopId;
use crate::options::Choices;
use crate::transpile::analysed;
use crate::{Options, Source};

/// The words of what holds.
fn words(all: &[(bool, String)]) -> String {
    let said = all.iter().filter(|(holds, _)| *holds);
    let said: Vec<&str> = said.map(|(_, word)| word.as_str()).collect();
    said.join(", ")
}

/// How the kernels of a Brook+ program run.
fn maps(backend: &str, text: &str, options: &Options) -> Vec<String> {
    let backend = Backend::built_in(backend).unwrap();
    let module = analysed(&Source::new("a.br", text), &backend, options);
    let schedule = schedule(&module, &backend, options);
    let of = |s: &MapSchedule| {
        words(&[
            (s.width > 1, format!("{} elements", s.width)),
            (s.rows > 0, format!("{} rows", s.rows)),
            (s.in_bounds, "in bounds".to_string()),
            (s.told && !s.in_bounds, "told".to_string()),
            (s.vectorizes, "vectors".to_string()),
            (s.one_by_one, "one by one".to_string()),
            (s.masked, "masked".to_string()),
            (s.cut, "cut".to_string()),
            (s.line > 0, format!("lines of {}", s.line)),
            (s.uneven, "uneven".to_string()),
        ])
    };
    schedule.maps.iter().map(of).collect()
}

/// How the nests of a kernel of OKL run, and its loops.
fn nests(backend: &str, body: &str, options: &Options) -> String {
    let text = format!(
        "@kernel void k(const int n, const float *@restrict a, float *@restrict o) {{ {body} }}"
    );
    let backend = Backend::built_in(backend).unwrap();
    let module = analysed(&Source::new("a.okl", text), &backend, options);
    let schedule = schedule(&module, &backend, options);
    let mut all = Vec::new();
    for nest in module.nests() {
        let Some(own) = schedule.nests.get(&nest.root) else {
            continue;
        };
        if let Some(wide) = &own.wide {
            all.push((true, format!("{} at once from {}", wide.width, wide.shift)));
        }
        if let Some((outer, many)) = own.coarse {
            all.push((true, format!("{many} of axis {}", module.loop_(outer).axis)));
        }
    }
    for id in (0..module.loops.len()).map(LoopId::at) {
        let variable = &module.loop_(id).header.variable;
        let mut say = |holds, what: &str| all.push((holds, format!("{variable} {what}")));
        let items = schedule.items.get(&id);
        say(matches!(items, Some(Items::Masked(_))), "masked");
        say(matches!(items, Some(Items::Accumulated(_))), "accumulated");
        let within = schedule.interchanged(id).len();
        say(within > 0, &format!("within {within}"));
        say(schedule.streamed.contains(&id), "streamed");
        say(schedule.sinking.contains(&id), "sinks");
        say(schedule.barriers.is_split(id), "split");
        say(schedule.barriers.in_fibers(id), "fibers");
        if backend.model == Model::Simt {
            continue;
        }
        let vectorized = schedule.vectorized(id);
        say(vectorized == Vectorized::Plainly, "vector");
        say(vectorized == Vectorized::Dissolving, "dissolves");
    }
    words(&all)
}

fn map(backend: &str, text: &str) -> String {
    maps(backend, text, &Options::default()).join("; ")
}

fn nest(backend: &str, body: &str) -> String {
    nests(backend, body, &Options::default())
}

fn narrow() -> Options {
    Options {
        no_widen: true,
        ..Options::default()
    }
}

#[test]
fn maps_take_elements_as_wide_as_memory_is() {
    let text = "kernel void k(float a<>, out float o<>) { o = 2.0f * a; }";
    assert_eq!(map("cuda", text), "4 elements, vectors");
    assert_eq!(map("openmp", text), "4 elements, vectors, lines of 16");
    assert_eq!(maps("cuda", text, &narrow()), ["vectors"]);
    assert_eq!(maps("openmp", text, &narrow()), ["vectors"]);
    let text = "kernel void k(double a<>, out float o<>) { o = (float)a; }";
    assert_eq!(map("cuda", text), "2 elements, vectors");
    let text = "kernel void k(float4 a<>, out float4 o<>) { o = a; }";
    assert_eq!(map("cuda", text), "vectors");
}

#[test]
fn somebody_may_have_chosen_fewer() {
    let text = "kernel void k(float a<>, out float o<>) { o = 2.0f * a; }";
    let two = Choices {
        elements: Some(2),
        ..Choices::default()
    };
    let options = Options {
        choices: vec![("k".to_string(), two)],
        ..Options::default()
    };
    assert_eq!(maps("cuda", text, &options), ["2 elements, vectors"]);
}

#[test]
fn who_asks_for_its_place_runs_in_rows() {
    let text = "kernel void k(out float4 o<>) { o = indexof(o); }";
    assert_eq!(map("cuda", text), "4 rows, vectors");
    assert_eq!(map("openmp", text), "vectors");
}

#[test]
fn gathers_whose_indices_are_known_have_a_kernel_without_clamps() {
    let text =
        "kernel void k(float a[][], out float o<>) { int2 p = instance().xy; o = a[p.y][p.x]; }";
    assert_eq!(map("cuda", text), "4 elements, in bounds, vectors");
    // An index that is read is known to nobody.
    let text = "kernel void k(int i<>, float a[][], out float o<>) { o = a[i][i]; }";
    assert!(!map("cuda", text).contains("in bounds"));
    // Arrays of one dimension keep their clamp.
    let text = "kernel void k(float a[], out float o<>) { int2 p = instance().xy; o = a[p.x]; }";
    assert!(!map("cuda", text).contains("in bounds"));
    // Kernels that are called are told by those that call them.
    let text = "kernel float s(int y, int x, float a[][]) { return a[y][x]; }
        kernel void k(float a[][], out float o<>) { int2 p = instance().xy; o = s(p.y, p.x, a); }";
    assert!(
        map("cuda", text).contains("told, vectors; 4 elements, in bounds"),
        "{}",
        map("cuda", text)
    );
}

#[test]
fn rows_are_cut_where_gathers_leave_them() {
    let text = "kernel void k(float a[][], out float o<>) { int2 p = instance().xy; o = a[p.y][p.x - 1] + a[p.y][p.x + 1]; }";
    assert!(map("openmp", text).contains("cut"));
    assert!(!map("opencl", text).contains("cut"));
}

#[test]
fn loops_that_elements_leave_are_masked_on_processors() {
    let text = "kernel void k(float a<>, out float o<>) { float x = a; o = 0.0f; while (x < 4.0f) { x = x * 1.5f; o += 1.0f; } }";
    assert_eq!(map("openmp", text), "masked, uneven");
    assert_eq!(map("cuda", text), "uneven");
    assert_eq!(maps("openmp", text, &narrow()), ["uneven"]);
}

#[test]
fn items_access_several_elements_at_once() {
    let scale = "for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) o[i] = 2 * a[i];";
    assert_eq!(nest("cuda", scale), "4 at once from 0");
    assert_eq!(nests("cuda", scale, &narrow()), "");
    assert_eq!(nest("openmp", scale), "i streamed, i vector");
    assert_eq!(nests("openmp", scale, &narrow()), "i vector");
    // The first element of all is not aligned.
    let shifted = "for (int i = 1; i < n; ++i; @tile(256, @outer, @inner)) o[i] = 2 * a[i];";
    assert_eq!(nest("cuda", shifted), "4 at once from 1");
    // What an item reads and writes is not its own.
    let turned = "for (int i = 0; i < n; ++i; @tile(256, @outer, @inner)) o[n - i] = a[i];";
    assert_eq!(nest("cuda", turned), "");
}

#[test]
fn bodies_with_barriers_are_cut_where_loops_stay() {
    let body = "for (int g = 0; g < n; ++g; @outer) { @shared float s[8];
        for (int i = 0; i < 8; ++i; @inner) { s[i] = a[8 * g + i]; @barrier(); o[8 * g + i] = s[7 - i]; } }";
    assert_eq!(nest("cuda", body), "");
    assert_eq!(nest("openmp", body), "i split");
}

#[test]
fn kernels_that_call_others_twice_are_counted_once() {
    let mut text = "kernel float k0(float x) { return x + 1.0f; }\n".to_string();
    for i in 1..40 {
        let before = i - 1;
        text += &format!(
            "kernel float k{i}(float x) {{ return k{before}(x) + k{before}(2.0f * x); }}\n"
        );
    }
    text += "kernel void k(float a<>, out float o<>) { o = k39(a); }";
    let all = maps("cuda", &text, &Options::default());
    // As many operations as no item has room for.
    assert_eq!(all.last().map(String::as_str), Some("vectors"));
    assert_eq!(all.first().map(String::as_str), Some("vectors"));
}
