//! Sources of any length, in the proportions of real ones. In `float`: Metal has no `double`.

use std::fmt::Write;

/// A spectral-element-like kernel with a body of about `lines` lines: shared and exclusive memory, several
/// inner nests, macros, and straight-line arithmetic.
pub fn okl(lines: usize) -> String {
    let mut text = String::from(
        "#define p_N 8\n#define IDX(i, j, k) ((i) + p_N * ((j) + p_N * (k)))\n\n\
         @kernel void operate(const int elements,\n                     @restrict const float *q,\n\
         \x20                    @restrict float *Aq) {\n\
         \x20 for (int e = 0; e < elements; ++e; @outer) {\n\
         \x20   @shared float s_q[p_N][p_N];\n    @exclusive float r_q[p_N];\n",
    );
    let mut line = 10;
    let mut block = 0;
    while line + 12 < lines || block == 0 {
        let _ = write!(
            text,
            "    // block {block}: load, differentiate, accumulate\n\
             \x20   for (int j = 0; j < p_N; ++j; @inner) {{\n\
             \x20     for (int i = 0; i < p_N; ++i; @inner) {{\n\
             \x20       const int id = IDX(i, j, {plane}) + e * p_N * p_N * p_N;\n\
             \x20       float a{block} = q[id] * {block}.5f + 1.0e-3f;\n\
             \x20       const float b{block} = (a{block} - 0.25f) * (a{block} + 0.75f);\n\
             \x20       a{block} += b{block} > 0.0f ? b{block} : -b{block};\n\
             \x20       if (i < p_N - 1 && j > 0) a{block} = 0.5f * (a{block} + s_q[j - 1][i + 1]);\n\
             \x20       r_q[{plane}] = a{block} * b{block};\n\
             \x20       s_q[j][i] = r_q[{plane}] + a{block};\n\
             \x20       Aq[id] = s_q[j][i] - r_q[{plane}];\n\
             \x20     }}\n    }}\n",
            plane = block % 8,
        );
        line += 13;
        block += 1;
    }
    text.push_str("  }\n}\n");
    text
}

/// A kernel whose one inner loop has that many statements in a row.
pub fn straight_line(statements: usize) -> String {
    let mut text = String::from(
        "#define p_N 8\n#define SQUARE(x) ((x) * (x))\n\n\
         @kernel void chain(const int n, @restrict const float *q, @restrict float *Aq) {\n\
         \x20 for (int e = 0; e < n; ++e; @outer) {\n    @shared float s_q[p_N];\n\
         \x20   for (int i = 0; i < p_N; ++i; @inner) {\n      float t = q[i];\n",
    );
    for number in 0..statements {
        let _ = match number % 4 {
            0 => writeln!(
                text,
                "      const float a{number} = SQUARE(t) + q[p_N * e + i] * {number}.5f;"
            ),
            1 => writeln!(text, "      t += a{} - 0.25f * t;", number - 1),
            2 => writeln!(text, "      s_q[i] = t * a{};", number - 2),
            _ => writeln!(text, "      Aq[p_N * e + i] += s_q[i];"),
        };
    }
    text.push_str("    }\n  }\n}\n");
    text
}

/// A Brook+ program of about `lines` lines: kernels with vectors, gathers, loops and a helper each, one
/// reduction, and a `main` that runs them over streams.
pub fn brook(lines: usize) -> String {
    let mut text = String::from(
        "#include <stdio.h>\n\n#define STEPS 4\n\n\
         reduce void total(float4 a<>, reduce float4 sum<>)\n{\n    sum += a;\n}\n\n",
    );
    let mut kernels = 0;
    // Each of them takes 25 lines and one of main's.
    while 26 * (kernels + 1) + 22 < lines || kernels == 0 {
        let _ = write!(
            text,
            "kernel float mix{kernels}(float a, float b)\n{{\n    return a * {kernels}.25f + b;\n}}\n\n\
             // Relaxes a grid, kernel {kernels}.\n\
             kernel void relax{kernels}(float4 a<>, float table[], float weight, out float4 c<>)\n{{\n\
             \x20   float4 t = a * float4(weight, weight, weight, weight);\n\
             \x20   float s = 0.0f;\n\
             \x20   int i;\n\
             \x20   for (i = 0; i < STEPS; i++)\n    {{\n\
             \x20       s += table[i] * t.x + mix{kernels}(t.y, table[i + 1]);\n\
             \x20       t.zw += t.xy * float2(0.5f, 0.25f);\n\
             \x20   }}\n\
             \x20   if (s > 1.0f)\n\
             \x20       t.x = s - 1.0f;\n\
             \x20   else\n\
             \x20       t.x = dot(t, a) + {kernels}.0f;\n\
             \x20   t = t * t + float4(s, s, s, 1.0f);\n\
             \x20   c = t - a;\n}}\n\n",
        );
        kernels += 1;
    }
    text.push_str(
        "int main()\n{\n    float4 a<64>;\n    float4 c<64>;\n    float table<8>;\n    float4 sum;\n    \
         float4 values[64];\n    float numbers[8];\n    streamRead(a, values);\n    streamRead(table, numbers);\n",
    );
    for kernel in 0..kernels {
        let _ = writeln!(text, "    relax{kernel}(a, table, 0.5f, c);");
    }
    text.push_str("    total(c, sum);\n    printf(\"%f\\n\", sum.x);\n    return 0;\n}\n");
    text
}
