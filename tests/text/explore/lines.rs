//! Lines of what a source becomes, and those of the source that they come from.

use super::server::Server;
use serde_json::json;

/// Whatever becomes of what stands around them.
pub fn comments() -> Result<(), String> {
    let lines = [
        "// at 0",
        "@kernel void f(const int n, float *x) {",
        "  // at 2",
        "  const int half = n / 2; // at 3",
        "  /* at 4",
        "     at 5 */",
        "  for (int b = 0; b < half; b += 64; @outer) {",
        "    // at 7",
        "    for (int t = 0; t < 64; ++t; @inner) {",
        "      // at 9",
        "      x[b + t] = 0;",
        "      // at 11",
        "    }",
        "    // at 13",
        "  }",
        "",
        "  // at 16",
        "  for (int b = 0; b < n; b += 64; @outer) {",
        "    for (int t = 0; t < 64; ++t; @inner) x[b + t] += 1; // at 18",
        "  }",
        "  // at 20",
        "  // at 21",
        "}",
        "// at 23",
    ];
    let server = Server::start("comments", "all")?;
    let backends = ["cuda", "hip", "metal", "opencl", "openmp", "sycl"];
    let question = json!({ "file": "a.okl", "text": lines.join("\n"), "backends": backends });
    let look = server.ask("look", &question)?;
    let outputs = look["outputs"].as_array().ok_or("there are no outputs")?;
    for output in outputs {
        let text = output["text"].as_str().unwrap_or_default();
        let (mut seen, mut wrong) = (0, Vec::new());
        for (index, line) in text.lines().enumerate() {
            let at = line.split("at ").nth(1);
            let at = at.and_then(|at| at.split(' ').next()?.parse::<usize>().ok());
            let head = line.contains("_occa_f_") && line.contains("float *x");
            let Some(at) = at.or(head.then_some(1)) else {
                continue;
            };
            seen += 1;
            if output["map"][index] != at {
                wrong.push(format!("{line}: {}", output["map"][index]));
            }
        }
        if seen < 12 || !wrong.is_empty() {
            return Err(format!("{}: {seen}, {wrong:#?}\n{text}", output["backend"]));
        }
    }
    match outputs.len() == backends.len() {
        true => Ok(()),
        false => Err(format!("{look:#}")),
    }
}
