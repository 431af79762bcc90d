use super::manage::KernelCache;
use super::store::{Kind, Store};
use super::tests::{Scratch, amount, options, source};
use super::{Cache, Location};
use crate::runtime::BuildOptions;
use crate::runtime::tests::processor;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

const HOUR: Duration = Duration::from_secs(3600);

fn key(n: usize) -> String {
    format!("{n:064x}")
}

/// The manifest that leads to an entry.
fn manifest(n: usize) -> String {
    key(n + 0x1000)
}

fn path(store: &Store, kind: Kind, key: &str) -> PathBuf {
    store.folder(kind).join(key)
}

fn use_at(path: &PathBuf, time: SystemTime) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

/// Writes an entry and a manifest as a build does, and says that they were used so many hours ago.
fn keep(store: &Store, n: usize, bytes: usize, hours: u32) {
    let mut written = 0;
    for (kind, key, section) in [
        (Kind::Entry, key(n), vec![7; bytes]),
        (Kind::Manifest, manifest(n), key(n).into_bytes()),
    ] {
        written += store.write(kind, &key, &[&section, b"{}"]).unwrap();
        use_at(&path(store, kind, &key), SystemTime::now() - hours * HOUR);
    }
    store.wrote(written, &[&key(n), &manifest(n)]);
}

/// Which of the entries are there; each with its manifest, and no other.
fn kept(store: &Store) -> Vec<usize> {
    let contents = super::limit::Contents::of(store);
    let number = |name: &str| usize::from_str_radix(name, 16).unwrap();
    let mut entries: Vec<usize> = contents.entries.iter().map(|e| number(&e.name)).collect();
    let manifests = contents.manifests.iter().map(|m| number(&m.name) - 0x1000);
    let mut manifests: Vec<usize> = manifests.collect();
    entries.sort_unstable();
    manifests.sort_unstable();
    assert_eq!(entries, manifests);
    entries
}

fn store(scratch: &Scratch, limit: u64) -> Store {
    let mut store = scratch.cache().store;
    store.limit = Some(limit);
    store
}

#[test]
fn what_was_used_longest_ago_makes_room() {
    let scratch = Scratch::new();
    let store = store(&scratch, 50_000);
    for (n, hours) in [(1, 30), (2, 50), (3, 10), (4, 40)] {
        keep(&store, n, 10_000, hours);
    }
    assert_eq!(kept(&store), [1, 2, 3, 4]);
    // Reading is using.
    assert!(store.read(Kind::Entry, &key(2)).is_some());
    assert!(store.read(Kind::Manifest, &manifest(2)).is_some());
    keep(&store, 5, 13_000, 20);
    assert_eq!(kept(&store), [1, 2, 3, 5]);
    keep(&store, 6, 15_000, 0);
    assert_eq!(kept(&store), [2, 3, 6]);
    // What has just been written stays, however old a clock elsewhere makes it.
    keep(&store, 7, 30_000, 1000);
    assert_eq!(kept(&store), [7]);
    assert_eq!(scratch.files("turns").len(), 0);
}

/// A hit writes a file's time once an hour, not each time.
#[test]
fn use_is_written_seldom() {
    let scratch = Scratch::new();
    let store = store(&scratch, 1 << 20);
    keep(&store, 1, 10, 0);
    let path = path(&store, Kind::Entry, &key(1));
    let used = || fs::metadata(&path).unwrap().modified().unwrap();
    let read = |before: SystemTime| {
        use_at(&path, before);
        store.read(Kind::Entry, &key(1)).unwrap();
        used()
    };
    let now = SystemTime::now();
    let recent = now - HOUR / 6;
    assert_eq!(read(recent), recent);
    assert!(read(now - 2 * HOUR) >= now - HOUR);
    // A clock was wrong.
    assert!(read(now + 1000 * HOUR) < now + HOUR);
}

#[test]
fn the_cache_is_looked_through_seldom() {
    let scratch = Scratch::new();
    let store = store(&scratch, 1 << 20);
    let notes = scratch.path("cache/written");
    let noted = || fs::read(&notes).unwrap().len() / 8;
    keep(&store, 1, 10, 0);
    assert_eq!(noted(), 1);
    keep(&store, 2, 10, 0);
    keep(&store, 3, 10, 0);
    assert_eq!(noted(), 3);
    // Beyond so many notes, and where they make no sense, the sum of all begins anew.
    for strange in [vec![0; 8 * 5000], vec![1; 3], Vec::new()] {
        fs::write(&notes, strange).unwrap();
        keep(&store, 4, 10, 0);
        assert_eq!(noted(), 1);
        let bytes = super::limit::Contents::of(&store).bytes();
        assert_eq!(fs::read(&notes).unwrap(), bytes.to_le_bytes());
    }
    #[cfg(unix)]
    {
        let elsewhere = scratch.path("elsewhere");
        fs::write(&elsewhere, [0; 8]).unwrap();
        fs::remove_file(&notes).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &notes).unwrap();
        keep(&store, 4, 10, 0);
        assert_eq!(noted(), 1);
        assert_eq!(fs::read(&elsewhere).unwrap(), [0; 8]);
    }
    // Nothing is removed without a limit, and who has one afterwards looks.
    let mut unlimited = scratch.cache().store;
    unlimited.limit = None;
    keep(&unlimited, 5, 2 << 20, 0);
    assert!(!notes.exists());
    assert_eq!(kept(&store), [1, 2, 3, 4, 5]);
    keep(&store, 6, 10, 0);
    assert_eq!(kept(&store), [6]);
}

/// Whoever keeps something while another looks through the cache goes on; it is not forgotten.
#[test]
fn one_looks_at_a_time() {
    let scratch = Scratch::new();
    let store = store(&scratch, 10_000);
    let looking = store.take_turn(super::turn::SWEEP, Duration::ZERO);
    for n in 0..20 {
        keep(&store, n, 1000, 100 - n as u32);
    }
    assert_eq!(kept(&store).len(), 20);
    drop(looking);
    keep(&store, 20, 1000, 0);
    let left = kept(&store);
    assert!((4..9).contains(&left.len()), "{left:?}");
    assert_eq!(left, Vec::from_iter(21 - left.len()..21));
}

/// Manifests that lead nowhere go first, even the newest; those of other versions grow old.
#[test]
fn orphans_are_removed() {
    let scratch = Scratch::new();
    let store = store(&scratch, 30_000);
    keep(&store, 1, 10_000, 10);
    keep(&store, 2, 10_000, 5);
    fs::remove_file(path(&store, Kind::Entry, &key(2))).unwrap();
    let other = |n: usize, hours: u32| {
        let path = path(&store, Kind::Manifest, &key(n));
        fs::write(&path, b"BROOKm9\nof another version").unwrap();
        use_at(&path, SystemTime::now() - hours * HOUR);
        path
    };
    let (old, new) = (other(90, 20), other(91, 1));
    keep(&store, 3, 25_000, 0);
    assert!(!old.exists() && new.exists());
    fs::remove_file(new).unwrap();
    assert_eq!(kept(&store), [3]);
}

/// Several who make room at once take the same away, and no more.
#[test]
fn many_make_room_at_once() {
    let scratch = Scratch::new();
    let store = store(&scratch, 1 << 20);
    for n in 0..100 {
        keep(&store, n, 1000, 1000 - n as u32);
    }
    let limit = super::limit::Contents::of(&store).bytes() / 2;
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let store = self::store(&scratch, limit);
                store.forget_notes();
                store.wrote(0, &[]);
            });
        }
    });
    // The last of them may have been told that another looks through the cache.
    let store = self::store(&scratch, limit);
    store.forget_notes();
    store.wrote(0, &[]);
    let left = kept(&store);
    assert!((40..50).contains(&left.len()), "{left:?}");
    assert_eq!(left, Vec::from_iter(100 - left.len()..100));
}

#[test]
fn builds_beyond_the_limit() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let mut cache = scratch.cache();
    let build = |cache: &Cache, n: i32| {
        let options = BuildOptions::new().define("AMOUNT", n);
        let program = device.build_through(cache, &source(), &options).unwrap();
        assert_eq!(amount(&device, &program), n);
        program.from_cache()
    };
    assert!(!build(&cache, 5));
    let size = super::limit::Contents::of(&cache.store).bytes();
    // What is larger than all that may be kept is not kept, and nothing makes room for it.
    cache.store.limit = Some(100);
    assert!(!build(&cache, 6) && !build(&cache, 6));
    cache.store.limit = None;
    assert!(build(&cache, 5));
    // Room for two.
    cache.store.limit = Some(size * 5 / 2);
    let oldest = [scratch.files("entries"), scratch.files("manifests")];
    for file in oldest.iter().flatten() {
        use_at(file, SystemTime::now() - 2 * HOUR);
    }
    assert!(!build(&cache, 7) && !build(&cache, 8));
    assert!(build(&cache, 8) && build(&cache, 7));
    assert!(!build(&cache, 5));
}

fn managed(scratch: &Scratch) -> KernelCache {
    KernelCache::of(Location::at(scratch.path("cache")))
}

#[test]
fn contents_and_clear() {
    let scratch = Scratch::new();
    let cache = managed(&scratch);
    let nothing = cache.contents();
    assert_eq!(
        (nothing.entries, nothing.manifests, nothing.bytes),
        (0, 0, 0)
    );
    assert_eq!((nothing.oldest_use, nothing.newest_use), (None, None));
    assert_eq!(cache.clear(Duration::ZERO).unwrap(), nothing);
    assert!(!scratch.path("cache").exists());
    let store = store(&scratch, 1 << 20);
    for (n, hours) in [(1, 100), (2, 20), (3, 1)] {
        keep(&store, n, 1000, hours);
    }
    let contents = cache.contents();
    assert_eq!((contents.entries, contents.manifests), (3, 3));
    let [oldest, newest] = [1, 3].map(|n| {
        let entry = path(&store, Kind::Entry, &key(n));
        fs::metadata(entry).unwrap().modified().unwrap()
    });
    assert!(contents.oldest_use <= Some(oldest) && contents.newest_use >= Some(newest));
    let cleared = cache.clear(24 * HOUR).unwrap();
    assert_eq!((cleared.entries, cleared.manifests), (1, 1));
    assert_eq!(kept(&store), [2, 3]);
    // A manifest leads nowhere once its entry has gone, and goes with it, however young.
    let entry = path(&store, Kind::Entry, &key(2));
    use_at(&entry, SystemTime::now() - 50 * HOUR);
    assert_eq!(cache.clear(24 * HOUR).unwrap().manifests, 1);
    assert_eq!(kept(&store), [3]);
    assert_eq!(cache.clear(Duration::ZERO).unwrap().entries, 1);
    assert_eq!(cache.contents(), nothing);
    assert!(!scratch.path("cache/written").exists());
}

/// What is not the cache's stays, whatever it is called, and nothing is reached through links.
#[cfg(unix)]
#[test]
fn clear_removes_nothing_else() {
    use std::os::unix::fs::symlink;
    let scratch = Scratch::new();
    let store = store(&scratch, 1 << 20);
    keep(&store, 1, 10, 0);
    let cache = scratch.path("cache");
    let sealed = fs::read(path(&store, Kind::Entry, &key(1))).unwrap();
    let outside = scratch.path("outside");
    fs::create_dir(&outside).unwrap();
    for name in [key(2), "1-2-3".to_string(), "sweep".to_string()] {
        fs::write(outside.join(name), &sealed).unwrap();
    }
    let mut stay = Vec::new();
    for (place, content) in [
        ("notes.txt".to_string(), b"mine".as_slice()),
        ("entries/notes.txt".to_string(), b"BROOK".as_slice()),
        (format!("entries/{}", key(5)), b"somebody's".as_slice()),
        (format!("entries/{}0", key(6)), &sealed),
        (format!("entries/{}", key(7).replace('0', "A")), &sealed),
        ("turns/notes".to_string(), b"".as_slice()),
        ("temporary/notes-of-mine".to_string(), b"".as_slice()),
    ] {
        let path = cache.join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        use_at(&path, SystemTime::now() - 9 * HOUR);
        stay.push(path);
    }
    for (link, target) in [
        (cache.join("entries").join(key(8)), outside.join(key(2))),
        (cache.join("temporary/1-2-3"), outside.join("1-2-3")),
        (cache.join("turns").join(key(9)), outside.join("sweep")),
    ] {
        symlink(target, &link).unwrap();
        stay.push(link);
    }
    fs::create_dir(cache.join("entries").join(key(10))).unwrap();
    let cleared = managed(&scratch).clear(Duration::ZERO).unwrap();
    assert_eq!((cleared.entries, cleared.manifests), (1, 1));
    for path in stay {
        assert!(fs::symlink_metadata(&path).is_ok(), "{}", path.display());
    }
    assert!(cache.join("entries").join(key(10)).is_dir());
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 3);
    // Folders that are links are somebody's way to keep things elsewhere, or worse.
    for folder in ["entries", "manifests", "turns", "temporary"] {
        fs::remove_dir_all(cache.join(folder)).unwrap();
        symlink(&outside, cache.join(folder)).unwrap();
    }
    assert_eq!(managed(&scratch).clear(Duration::ZERO).unwrap().entries, 0);
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 3);
}

/// Whoever has a program goes on with it; the next build is a cold one.
#[test]
fn clear_beside_a_program() {
    let Some(device) = processor() else { return };
    let scratch = Scratch::new();
    let cache = scratch.cache();
    let build = || device.build_through(&cache, &source(), &options()).unwrap();
    let before = build();
    assert_eq!(managed(&scratch).clear(Duration::ZERO).unwrap().entries, 1);
    assert_eq!(amount(&device, &before), 5);
    let after = build();
    assert!(!after.from_cache() && build().from_cache());
    assert_eq!(amount(&device, &after), 5);
}
