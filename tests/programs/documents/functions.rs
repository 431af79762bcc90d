//! What `docs/brook.md` says that functions of Brook+ give.

use super::reader::Reader;
use crate::support::cases::root;
use std::fmt::Write;

/// They give it.
pub(super) fn functions() -> Result<(), String> {
    let path = root().join("grammar/functions.toml");
    let table = std::fs::read_to_string(path).map_err(|e| e.to_string())?;
    let table: toml::Table = table.parse().map_err(|e| format!("functions.toml: {e}"))?;
    let reader = Reader::new("functions")?;
    for (file, dialect) in [("brook.br", "brook"), ("brookgpu.br", "brookgpu")] {
        let (mut kernels, mut calls, mut names) = (String::new(), String::new(), String::new());
        for (name, row) in &table {
            if row.get("only").is_some() != (dialect == "brookgpu") {
                continue;
            }
            let example = row.get("example").and_then(toml::Value::as_str);
            let example = example.ok_or(format!("{name} has no example"))?;
            let _ = writeln!(
                kernels,
                "kernel void of_{name}(float a<>, out float b<>) {{ if ({example}) {{ b = a; }} else {{ b = 0.0f; }} }}"
            );
            let _ = writeln!(
                calls,
                "b[0] = 0.0f; of_{name}(s, t); streamWrite(t, b); printf(\"{name} %g\\n\", b[0]);"
            );
            let _ = writeln!(names, "{name} 1");
        }
        let text = format!(
            "#include <stdio.h>\n{kernels}\nint main() {{ float s<1>, t<1>; float a[1] = {{1.0f}}, b[1]; streamRead(s, a);\n{calls}return 0; }}\n"
        );
        std::fs::write(reader.folder.join(file), text).map_err(|e| e.to_string())?;
        let (code, output) = reader.run(&format!("brook run --dialect {dialect} {file}"))?;
        if code != 0 || output != names {
            return Err(format!("{file}: exit code {code}\n{output}"));
        }
    }
    Ok(())
}
