//! How large the caches before memory are, from Linux's `/sys`: kernels write what is larger past them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

/// What a processor has of a last-level cache, at most: a virtual machine's few processors may be told of all that their host has,
/// and shares with others.
const SHARE: f64 = 4_194_304.0;

/// Bytes of all last-level caches that this process's processors have, `BROOK_LAST_CACHE` if that is a number, and nothing where
/// nobody knows.
pub(crate) fn last_level() -> Option<f64> {
    static FOUND: OnceLock<Option<f64>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let wanted = std::env::var("BROOK_LAST_CACHE").ok();
        let wanted = wanted.and_then(|text| text.trim().parse::<f64>().ok());
        wanted.or_else(|| {
            let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
            let allowed = allowed(&status)?;
            let all = allowed.iter().filter_map(|cpu| last_of(*cpu));
            let share = SHARE * allowed.len() as f64;
            total(all).map(|bytes| bytes.min(share))
        })
    })
}

/// The processors that a process may run on.
fn allowed(status: &str) -> Option<Vec<u32>> {
    let mut lines = status.lines();
    let list = lines.find_map(|l| l.strip_prefix("Cpus_allowed_list:"))?;
    let mut all = Vec::new();
    for range in list.trim().split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        all.extend(first..=last);
    }
    Some(all)
}

/// The cache of a processor that is next to memory: who shares it, and its size in bytes.
fn last_of(cpu: u32) -> Option<(String, u64)> {
    let folder = format!("/sys/devices/system/cpu/cpu{cpu}/cache");
    let mut last = None;
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let found = cache(&entry.path());
        if found.as_ref().map(|f| f.0) > last.as_ref().map(|(level, _)| *level) {
            last = found;
        }
    }
    last.map(|(_, cache)| cache)
}

/// A cache of data: its level, who shares it, and its size in bytes.
fn cache(folder: &Path) -> Option<(u32, (String, u64))> {
    let read = |name: &str| fs::read_to_string(folder.join(name)).ok();
    if read("type")?.trim() == "Instruction" {
        return None;
    }
    let level = read("level")?.trim().parse().ok()?;
    Some((level, (read("shared_cpu_list")?, bytes(&read("size")?)?)))
}

fn bytes(size: &str) -> Option<u64> {
    let size = size.trim();
    let (digits, factor) = match size.strip_suffix(['K', 'M']) {
        Some(digits) if size.ends_with('M') => (digits, 1 << 20),
        Some(digits) => (digits, 1 << 10),
        None => (size, 1),
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

/// The sum of all, each counted once however many share it.
fn total(all: impl Iterator<Item = (String, u64)>) -> Option<f64> {
    let caches: BTreeMap<String, u64> = all.collect();
    (!caches.is_empty()).then(|| caches.values().map(|b| *b as f64).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_of_a_process() {
        let status = "Name:\tx\nCpus_allowed:\tff\nCpus_allowed_list:\t0-2,7\nMems_allowed:\t1\n";
        assert_eq!(allowed(status), Some(vec![0, 1, 2, 7]));
        assert_eq!(allowed("Name:\tx\n"), None);
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(bytes("32768K\n"), Some(32 << 20));
        assert_eq!(bytes("105M"), Some(105 << 20));
        assert_eq!(bytes("64"), Some(64));
        assert_eq!(bytes("much"), None);
    }

    #[test]
    fn what_is_shared_counts_once() {
        let cache = |shared: &str| (shared.to_string(), 32);
        let all = [cache("0-7"), cache("0-7"), cache("8-15")];
        assert_eq!(total(all.into_iter()), Some(64.0));
        assert_eq!(total(std::iter::empty()), None);
    }
}
