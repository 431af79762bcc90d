//! `brook run --sanitize`: calls of a program's kernels are interpreted before they are made.

use super::{brook, expect};
use std::path::Path;

/// Elements are added up after they were scattered: by `FROM`, and `COUNT` times.
const PROGRAM: &str = r#"#include <stdio.h>

typedef struct Pair_t { float first; float3 rest; } Pair;

kernel void spread(float a<>, float k, float table[4], out float o[]) {
  o[instance().x FROM] = a * k + table[1];
}

kernel void pairs(float a<>, Pair p, out Pair o<>) {
  o.first = a;
  o.rest = p.rest;
}

reduce void sum(float a<>, reduce float s<>) {
  s += a;
}

int main() {
  float s<8>, t<8>;
  Pair v<8>;
  float data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, table[4] = {0, 0, 0, 0}, total;
  Pair p = {1.0f, {2.0f, 3.0f, 4.0f}};
  int i;
  streamRead(s, data);
  for (i = 0; i < 3; i++)
    spread(s, 2.0f, table, t);
  pairs(s, p, v);
  sum(t, total);
  printf("%d\n", total > 0.0f);
  return 0;
}
"#;

/// A race of a kernel is printed once, and decides the exit code if nothing else does; its clean twin runs as ever.
pub fn races(folder: &Path) -> Result<(), String> {
    for (name, from) in [("race.br", "/ 2"), ("clean.br", "* 1")] {
        let text = PROGRAM.replace("FROM", from);
        std::fs::write(folder.join(name), text).map_err(|e| e.to_string())?;
    }
    let run = |arguments: &[&str]| {
        let mut all = vec!["run", "-a", "--device", "openmp"];
        all.extend(arguments);
        brook(folder, &all)
    };
    expect(&run(&["race.br"])?, 0, "1\n")?;
    let found = run(&["--sanitize", "race.br"])?;
    expect(&found, 1, "1\n")?;
    let races: Vec<&str> = { found.stderr.lines() }
        .filter(|line| line.contains("error[SAN031]: race between elements on 'o["))
        .collect();
    match races[..] {
        [only] if only.starts_with("race.br:6:") => {}
        _ => return Err(found.stderr),
    }
    let clean = run(&["--sanitize", "clean.br"])?;
    expect(&clean, 0, "1\n")?;
    match clean.stderr.contains("SAN") {
        false => Ok(()),
        true => Err(clean.stderr),
    }
}
