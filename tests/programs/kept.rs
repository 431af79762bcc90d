//! Host parts of programs that are compiled once.

use super::expect;
use crate::support::process::{self, Finished};
use brook_driver::find_program;
use std::path::Path;

const PROGRAM: &str = r#"
#include <stdio.h>
#include "amount.h"
kernel void add(float a<>, out float b<>) { b = a + AMOUNT; }
int main(void) {
    float a<4>, b<4>, data[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    streamRead(a, data);
    add(a, b);
    streamWrite(b, data);
    printf("%g %d\n", data[3], MORE);
    return 0;
}
"#;

/// A folder with a program, and a compiler that notes what it is called with.
struct Place<'f> {
    folder: &'f Path,
}

impl Place<'_> {
    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        let folder = path.parent().ok_or("a file has a folder")?;
        std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        std::fs::write(path, text).map_err(|e| e.to_string())
    }

    /// What a command prints, and how many host parts were compiled for it.
    fn run(&self, arguments: &[&str]) -> Result<(Finished, usize), String> {
        let log = self.folder.join("calls");
        let _ = std::fs::remove_file(&log);
        let mut command = process::brook();
        command.current_dir(self.folder).args(arguments);
        command.env("BROOK_CXX", self.folder.join("cxx"));
        command.env("BROOK_CACHE_DIR", self.folder.join("cache"));
        command.env("CALLS", &log);
        let finished = process::run(&mut command, b"", process::TIME_LIMIT)?;
        let calls = std::fs::read_to_string(&log).unwrap_or_default();
        let compiled = calls.lines().filter(|call| call.contains("unit.o -MD"));
        Ok((finished, compiled.count()))
    }

    fn expect(&self, arguments: &[&str], text: &str, compiled: usize) -> Result<(), String> {
        let (finished, times) = self.run(arguments)?;
        let told = |e| format!("{arguments:?}: {e}");
        expect(&finished, 0, text).map_err(told)?;
        match times == compiled {
            true => Ok(()),
            false => Err(told(format!("compiled {times} times, not {compiled}"))),
        }
    }
}

/// What has not changed is not compiled again; whatever decides about it, and everything it includes, counts.
pub fn programs_are_compiled_once(folder: &Path) -> Result<(), String> {
    let place = Place { folder };
    let real = ["g++", "c++", "clang++"].into_iter().find_map(find_program);
    let real = real.ok_or("no C++ compiler")?;
    let script = format!(
        "#!/bin/sh\necho \"$@\" >> \"$CALLS\"\nexec {} \"$@\"\n",
        real.display()
    );
    place.write("cxx", &script)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.join("cxx"), mode).map_err(|e| e.to_string())?;
    }
    place.write("program.br", PROGRAM)?;
    place.write("amount.h", "#define AMOUNT 1.0f\n#include \"more.h\"\n")?;
    place.write("more.h", "#define MORE 7\n")?;
    let run = ["run", "--device", "openmp", "program.br"];
    place.expect(&run, "5 7\n", 1)?;
    place.expect(&run, "5 7\n", 0)?;
    // What is built is the same text, compiled for the same.
    place.expect(&["build", "program.br", "-o", "program"], "", 0)?;
    place.expect(&["build", "-g", "program.br", "-o", "program"], "", 1)?;
    place.expect(&["build", "-g", "program.br", "-o", "program"], "", 1)?;

    // A header that only the host's part sees, and one that the kernel sees, too.
    place.write("more.h", "#define MORE 8\n")?;
    place.expect(&run, "5 8\n", 1)?;
    place.write("amount.h", "#define AMOUNT 2.0f\n#include \"more.h\"\n")?;
    place.expect(&run, "6 8\n", 1)?;
    place.expect(&run, "6 8\n", 0)?;

    // Flags, and a header that is found before another one.
    place.write("far/more.h", "#define MORE 9\n")?;
    let far = ["run", "--device", "openmp", "-I", "far", "program.br"];
    place.expect(&far, "6 8\n", 1)?;
    place.expect(&far, "6 8\n", 0)?;
    std::fs::remove_file(folder.join("more.h")).map_err(|e| e.to_string())?;
    place.expect(&far, "6 9\n", 1)?;
    place.expect(&far, "6 9\n", 0)?;
    place.write("more.h", "#define MORE 8\n")?;
    place.expect(&far, "6 8\n", 1)?;

    // What says when it was compiled is not kept.
    place.write(
        "more.h",
        "static const char *when = __TIME__;\n#define MORE (when[0] != 0)\n",
    )?;
    place.expect(&run, "6 1\n", 1)?;
    place.expect(&run, "6 1\n", 1)?;

    // What was kept before is what is there again. Another compiler, though of the same name.
    place.write("more.h", "#define MORE 8\n")?;
    place.expect(&run, "6 8\n", 0)?;
    place.write("cxx", &format!("{script}# another one\n"))?;
    place.expect(&run, "6 8\n", 1)?;
    let (cleared, _) = place.run(&["cache", "clear"])?;
    let text = cleared.text();
    if cleared.code != Some(0) || !text.contains("host parts,") {
        return Err(format!("{text}{}", cleared.stderr));
    }
    place.expect(&run, "6 8\n", 1)
}
