//! Programs with reads that a compiler may join.

/// The types of their elements.
pub const TYPES: [&str; 10] = [
    "float",
    "double",
    "int",
    "unsigned int",
    "short",
    "unsigned char",
    "char",
    "long",
    "float3",
    "double2",
];

/// Reads of `in`, which is only read, and of `out`, which is written, that a compiler may join. `T` is their type.
pub const SHAPES: [(&str, &str); 25] = [
    (
        "conditional",
        "out[i] = one; out[i] = p > n ? in[i ^ 1] : out[i];",
    ),
    (
        "if_else",
        "out[i] = one; T v; if (p > n) v = in[i]; else v = out[i]; out[i] = v;",
    ),
    (
        "if_only",
        "out[i] = one; T v = out[i]; if (p > n) v = in[i]; out[i] = v;",
    ),
    (
        "if_other",
        "out[i] = one; T v = in[i]; if (p > n) v = out[i]; out[i] = v;",
    ),
    (
        "operation",
        "out[i] = one; T v; if (p > n) v = in[i] + in[i]; else v = out[i] + out[i]; out[i] = v;",
    ),
    (
        "switch",
        "out[i] = one; T v; switch (p & 3) { case 0: v = in[i]; break; case 1: v = in[i + 1]; break; default: v = out[i]; } out[i] = v;",
    ),
    (
        "loop",
        "out[i] = one; T v = one; for (int j = 0; j < p; ++j) { v += j == n ? out[i] : in[j]; out[i] = v; }",
    ),
    (
        "loop_carried",
        "T v = in[i]; for (int j = 0; j < p; ++j) { out[i] = v; v = out[i ^ 1]; } out[i] = v;",
    ),
    (
        "while",
        "out[i] = one; int j = 0; T v = in[i]; while (j < p) { out[i] = v; v = j & 1 ? in[j] : out[j]; ++j; } out[i] = v;",
    ),
    (
        "pointer",
        "out[i] = one; const T *q = p > n ? in + (i ^ 1) : out + i; out[i] = *q;",
    ),
    (
        "pointer_assigned",
        "out[i] = one; const T *q; if (p > n) q = in + i; else q = out + i; out[i] = q[0] + q[1];",
    ),
    (
        "pointer_swapped",
        "const T *a = in; const T *b = out; if (p > n) { a = out; b = in; } out[i] = a[i] + b[i + n];",
    ),
    (
        "pointer_in_loop",
        "out[i] = one; const T *q = in; T v = one; for (int j = 0; j < p; ++j) { v += q[i]; q = out; out[i] = v; }",
    ),
    (
        "pointer_array",
        "out[i] = one; const T *q[2] = {in, out}; out[i] = q[p > n][i];",
    ),
    (
        "alias",
        "out[i] = one; const T *q = in + 1; out[i] = p > n ? q[i] : out[i];",
    ),
    (
        "helper",
        "out[i] = one; out[i] = p > n ? get(in, i) : get(out, i);",
    ),
    (
        "helper_writes",
        "put(out, i, one); out[i] = p > n ? in[i] : get(out, i);",
    ),
    (
        "helper_picks",
        "out[i] = one; out[i] = *pick(in + i, out + i, p > n);",
    ),
    (
        "helper_of_pick",
        "out[i] = one; out[i] = get(p > n ? in : out, i);",
    ),
    (
        "reference",
        "out[i] = one; const T &r = in[i]; T v = out[i]; if (p > n) v = r; out[i] = v;",
    ),
    (
        "by_reference",
        "out[i] = one; T v = out[i]; if (p > n) v = same(in[i]); out[i] = v;",
    ),
    (
        "dimensions",
        "out[i] = one; out[i] = p > n ? m(i & 3, 1) : out[i];",
    ),
    (
        "compound",
        "out[i] = one; if (p > n) out[i] += one; else out[i] = in[i] + one;",
    ),
    (
        "lambda",
        "out[i] = one; auto f = [&](int j) { return in[j]; }; out[i] = p > n ? f(i) : out[i];",
    ),
    (
        "barrier",
        "out[i] = one; @barrier; T v = p > n ? in[i] : out[i ^ 1]; @barrier; out[i] = v;",
    ),
];

/// A kernel of one of these shapes, with what is said of the array that is read and of the other.
pub fn source(ty: &str, statements: &str, of_in: &str, of_out: &str) -> String {
    let one = match ty {
        "float3" => "make_float3(1, 2, 3)",
        "double2" => "make_double2(1, 2)",
        _ => "1",
    };
    let body = format!("const T one = {one};\n{statements}");
    format!(
            "typedef {ty} T;
             T get(const T *a, int i) {{ return a[i]; }}
             void put(T *a, int i, T v) {{ a[i] = v; }}
             const T *pick(const T *a, const T *b, bool c) {{ return c ? a : b; }}
             T same(const T &v) {{ return v; }}
             @kernel void k(const int n, const int p, {of_in} T *in, {of_out} T *out, {of_in} T *m @dim(4, 4)) {{
               @outer for (int b = 0; b < 4; ++b) {{
                 @inner for (int t = 0; t < 64; ++t) {{
                   const int i = b * 64 + t;
                   {body}
                 }}
               }}
             }}"
        )
}
