//! `brook run --sanitize`: calls of a program's kernels are interpreted before they are made.

use super::{Finished, brook, expect};
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
    let lines: Vec<&str> = found.stderr.lines().collect();
    let races: Vec<&str> = lines
        .windows(2)
        .filter(|l| l[0].contains("error[SAN031]: race between elements on 'o["))
        .map(|l| l[1])
        .collect();
    match races[..] {
        [only] if only.ends_with("--> race.br:6:3") => {}
        _ => return Err(found.stderr),
    }
    // The program's own output stays as it is, and each line beside it is an object.
    let json = run(&["--sanitize", "--json", "race.br"])?;
    expect(&json, 1, "1\n")?;
    let objects = json.stderr.lines().map(serde_json::from_str);
    let objects: Result<Vec<serde_json::Value>, _> = objects.collect();
    let objects = objects.map_err(|error| format!("{error}: {}", json.stderr))?;
    let races = objects.iter().filter(|o| o["code"] == "SAN031");
    let places = races.map(|o| (&o["location"]["line"], &o["location"]["column"]));
    match places.collect::<Vec<_>>()[..] {
        [(line, column)] if *line == 6 && *column == 3 => {}
        _ => return Err(json.stderr),
    }
    let clean = run(&["--sanitize", "clean.br"])?;
    expect(&clean, 0, "1\n")?;
    match clean.stderr.contains("SAN") {
        false => Ok(()),
        true => Err(clean.stderr),
    }
}

/// Kernels that read, and what the program does with them.
const UNWRITTEN: &str = r#"#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

kernel void twice(float a<>, out float o<>) {
  o = 2.0f * a;
}

kernel void shifted(float a[], out float o<>) {
  o = a[instance().x + 1];
}

kernel void add(float a<>, out float o<>) {
  o += a;
}

BEFORE
int main() {
  float s<8>, t<8>, u<8>;
  float data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  streamRead(s, data);
  CALLS
  return 0;
}
"#;

fn unwritten(folder: &Path, before: &str, calls: &str) -> Result<Finished, String> {
    let text = UNWRITTEN.replace("BEFORE", before).replace("CALLS", calls);
    std::fs::write(folder.join("unwritten.br"), text).map_err(|e| e.to_string())?;
    let arguments = ["run", "-a", "--device", "openmp", "--sanitize"];
    brook(folder, &[&arguments[..], &["unwritten.br"]].concat())
}

/// Streams that nobody wrote hold nothing, whoever reads them; what a call, a copy or a part writes does.
pub fn streams(folder: &Path) -> Result<(), String> {
    for (calls, line) in [
        ("twice(t, u);", 5),
        ("shifted(t, u);", 10),
        ("add(s, u);", 14),
        ("twice(t, u); streamRead(t, data);", 5),
        ("t.assign(u); twice(t, u);", 5),
        ("twice(t.domain(0, 4), u.domain(0, 4));", 5),
    ] {
        let found = unwritten(folder, "", calls)?;
        let place = format!("--> unwritten.br:{line}:");
        let lines: Vec<&str> = found.stderr.lines().collect();
        let wanted = |l: &&[&str]| l[0].contains("error[SAN013]") && l[1].contains(&place);
        if lines.windows(2).filter(wanted).count() != 1 {
            return Err(format!("{calls}\n{}", found.stderr));
        }
        expect(&found, 1, "")?;
    }
    for calls in [
        "twice(s, t); twice(t, u); add(s, t);",
        "streamRead(t, data); shifted(t, u);",
        "t.assign(s); twice(t, u);",
        "t.domain(0, 4).read(data); twice(t.domain(0, 4), u.domain(0, 4));",
    ] {
        let found = unwritten(folder, "", calls)?;
        if found.stderr.contains("SAN") {
            return Err(format!("{calls}\n{}", found.stderr));
        }
        expect(&found, 0, "")?;
    }
    Ok(())
}

/// Without a sanitizer a program is not taken for clean; nor is one that ends as it must not.
pub fn silence(folder: &Path) -> Result<(), String> {
    expect(&unwritten(folder, "", "twice(t, u); _exit(0);")?, 1, "")?;
    expect(&unwritten(folder, "", "twice(t, u); _exit(7);")?, 7, "")?;
    // Before any library begins.
    let before = "#include <string.h>
static void clear(int, char **, char **all) {
  for (; *all; ++all)
    if (!strncmp(*all, \"BROOK_SANITIZE=\", 15)) (*all)[0] = 'X';
}
__attribute__((section(\".preinit_array\"), used)) static void (*early)(int, char **, char **) = clear;";
    let found = unwritten(folder, before, "twice(t, u);")?;
    match found.stderr.contains("no call was looked at") {
        true => expect(&found, 1, ""),
        false => Err(found.stderr),
    }
}
