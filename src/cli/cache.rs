use super::terminal;
use super::{Failure, Outcome};
use brook::runtime::{CacheContents, KernelCache};
use clap::{Args, Subcommand};
use serde_json::json;
use std::process::ExitCode;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where it is, and how much it holds, is the environment's to say: BROOK_CACHE_DIR, BROOK_CACHE_SIZE.
#[derive(Args)]
pub(crate) struct Cache {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Say what the cache holds, its limit, and when it was used
    Info {
        /// As one JSON object; times are seconds since 1970
        #[arg(long)]
        json: bool,
    },
    /// Remove what the cache holds; programs that run meanwhile go on
    Clear {
        /// Only what has not been used for so many days
        #[arg(long, value_name = "DAYS")]
        older_than: Option<u32>,
    },
    /// Print the cache's directory, whether or not it is there yet
    Path,
}

impl Cache {
    pub(crate) fn run(self) -> Outcome {
        let cache = KernelCache::from_environment().map_err(system)?;
        for variable in cache.ignored() {
            eprintln!("brook: warning: {variable}");
        }
        let text = match self.what {
            What::Path => directory(&cache) + "\n",
            What::Info { json: false } => table(&cache),
            What::Info { json: true } => object(&cache),
            What::Clear { older_than } => {
                let days = u64::from(older_than.unwrap_or(0));
                let cleared = cache.clear(Duration::from_secs(days * 24 * 60 * 60));
                let CacheContents {
                    entries,
                    manifests,
                    hosts,
                    bytes,
                    ..
                } = cleared.map_err(system)?;
                let (entries, manifests, hosts) = (
                    count(entries, "entry", "entries"),
                    count(manifests, "manifest", "manifests"),
                    count(hosts, "host part", "host parts"),
                );
                let size = size(bytes);
                format!("removed {entries}, {manifests} and {hosts}, {size}\n")
            }
        };
        terminal::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn system(error: brook::runtime::Error) -> Failure {
    Failure::System(error.to_string())
}

fn directory(cache: &KernelCache) -> String {
    let path = cache.directory();
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    path.display().to_string()
}

fn table(cache: &KernelCache) -> String {
    let contents = cache.contents();
    let rows = [
        ("directory", directory(cache)),
        ("entries", contents.entries.to_string()),
        ("manifests", contents.manifests.to_string()),
        ("host parts", contents.hosts.to_string()),
        ("size", size(contents.bytes)),
        ("limit", cache.limit().map_or("none".to_string(), size)),
        (
            "oldest use",
            contents.oldest_use.map_or("-".to_string(), age),
        ),
        (
            "newest use",
            contents.newest_use.map_or("-".to_string(), age),
        ),
    ];
    let lines = rows
        .iter()
        .map(|(name, value)| format!("{name:<10}  {value}\n"));
    lines.collect()
}

fn object(cache: &KernelCache) -> String {
    let contents = cache.contents();
    let seconds = |time: Option<SystemTime>| {
        let since = time.and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        since.map(|s| s.as_secs())
    };
    let object = json!({
        "directory": directory(cache),
        "entries": contents.entries,
        "manifests": contents.manifests,
        "hosts": contents.hosts,
        "bytes": contents.bytes,
        "limit": cache.limit(),
        "oldest_use": seconds(contents.oldest_use),
        "newest_use": seconds(contents.newest_use),
    });
    format!("{object}\n")
}

fn count(n: usize, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

fn size(bytes: u64) -> String {
    let units = [("GiB", 30), ("MiB", 20), ("KiB", 10)];
    match units.into_iter().find(|(_, shift)| bytes >= 1 << shift) {
        Some((unit, shift)) => {
            let rounded = bytes as f64 / (1u64 << shift) as f64;
            format!("{rounded:.1} {unit} ({bytes} bytes)")
        }
        None => format!("{bytes} bytes"),
    }
}

fn age(used: SystemTime) -> String {
    let age = used.elapsed().unwrap_or_default().as_secs();
    match (age / 86400, age / 3600) {
        (0, 0) => "less than an hour ago".to_string(),
        (0, hours) => format!("{} ago", count(hours as usize, "hour", "hours")),
        (days, _) => format!("{} ago", count(days as usize, "day", "days")),
    }
}
