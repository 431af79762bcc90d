//! What is known about the processor, from `/proc`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A processor's name, and a digest of everything `-march=native` may depend on.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Processor {
    pub(crate) name: String,
    digest: u64,
    /// What it can do, in the kernel's words; empty where that is not known.
    pub(crate) features: BTreeSet<String>,
}

impl Processor {
    /// The name with the digest: two machines with the same text run each other's binaries.
    pub(crate) fn architecture(&self) -> String {
        format!("{} [{:016x}]", self.name, self.digest)
    }
}

/// The first processor of `/proc/cpuinfo`; the target architecture where there is no such file.
pub(crate) fn processor() -> Processor {
    parse_processor(&fs::read_to_string("/proc/cpuinfo").unwrap_or_default())
}

/// Bytes of physical memory.
pub(crate) fn memory() -> Option<u64> {
    parse_memory(&fs::read_to_string("/proc/meminfo").ok()?)
}

fn parse_processor(cpuinfo: &str) -> Processor {
    const NAMES: [&str; 4] = ["model name", "cpu model", "Processor", "Hardware"];
    const IDENTITY: [&str; 10] = [
        "vendor_id",
        "cpu family",
        "model",
        "stepping",
        "flags",
        "Features",
        "CPU implementer",
        "CPU variant",
        "CPU part",
        "isa",
    ];
    // Later processors repeat the keys of the first; the first is kept.
    let mut values = BTreeMap::new();
    for (key, value) in cpuinfo.lines().filter_map(|line| line.split_once(':')) {
        values.entry(key.trim()).or_insert(value.trim());
    }
    let name = NAMES
        .iter()
        .find_map(|k| values.get(k))
        .filter(|n| !n.is_empty())
        .map_or_else(
            || format!("{} processor", std::env::consts::ARCH),
            |n| n.split_whitespace().collect::<Vec<_>>().join(" "),
        );
    let mut digest = fnv1a(FNV_START, std::env::consts::ARCH.as_bytes());
    for key in IDENTITY {
        digest = fnv1a(digest, &[0]);
        digest = fnv1a(
            digest,
            values.get(key).copied().unwrap_or_default().as_bytes(),
        );
    }
    let features = ["flags", "Features"].iter().filter_map(|k| values.get(k));
    let features = features.flat_map(|list| list.split_whitespace().map(str::to_string));
    Processor {
        name,
        digest,
        features: features.collect(),
    }
}

fn parse_memory(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find_map(|l| l.strip_prefix("MemTotal:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1024)
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// FNV-1a: the same on every machine and in every release, which the standard hasher is not.
fn fnv1a(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |h, b| {
        (h ^ u64::from(*b)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const XEON: &str = "processor\t: 0\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R)  Xeon(R)\n\
                        flags\t\t: sse avx2\n\nprocessor\t: 1\nmodel name\t: other\nflags\t\t: sse\n";

    #[test]
    fn first_processor_counts() {
        let processor = parse_processor(XEON);
        assert_eq!(processor.name, "Intel(R) Xeon(R)");
        let later_changed = XEON.replace(": other", ": third");
        assert_eq!(processor, parse_processor(&later_changed));
    }

    #[test]
    fn flags_change_the_architecture() {
        let other = parse_processor(&XEON.replace("avx2", "avx512f"));
        assert_eq!(other.name, parse_processor(XEON).name);
        assert_ne!(other.architecture(), parse_processor(XEON).architecture());
    }

    #[test]
    fn no_cpuinfo_still_has_a_name() {
        assert_eq!(
            parse_processor("").name,
            format!("{} processor", std::env::consts::ARCH)
        );
    }

    #[test]
    fn memory_in_bytes() {
        assert_eq!(
            parse_memory("MemTotal:       16 kB\nMemFree: 1 kB\n"),
            Some(16384)
        );
        assert_eq!(parse_memory("nothing"), None);
    }
}
