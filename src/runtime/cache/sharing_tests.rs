//! Processes that want one kernel at once. A compiler of the tests' own notes each time it is called, and waits where a
//! test says so: nothing here depends on how fast anybody is.

use super::manage::KernelCache;
use super::tests::{Scratch, amount, source};
use super::turn::{self, Turn};
use super::{Cache, Location};
use crate::runtime::BuildOptions;
use crate::runtime::tests::processor;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// Not a test of its own: builds what the environment says, in so many threads.
#[test]
#[ignore = "run by other tests, in processes of their own"]
fn builder() {
    let variable = |name: &str| std::env::var(format!("BROOK_TEST_{name}")).unwrap();
    let number = |name: &str| variable(name).parse::<i32>().unwrap();
    let Some(device) = processor() else { return };
    let options = BuildOptions::new().define("AMOUNT", number("AMOUNT"));
    let ready = PathBuf::from(variable("READY"));
    std::thread::scope(|scope| {
        for thread in 0..number("THREADS") {
            let (device, options, ready) = (&device, &options, &ready);
            scope.spawn(move || {
                let process = std::process::id();
                fs::write(ready.join(format!("{process}-{thread}")), "").unwrap();
                match device.build(source(), options) {
                    Ok(program) => assert_eq!(amount(device, &program), number("AMOUNT")),
                    Err(error) => {
                        eprintln!("<<{error}>>");
                        std::process::exit(1)
                    }
                }
            });
        }
    });
}

/// A cache, a compiler, and who builds with both.
struct Workshop(Scratch);

impl Workshop {
    /// `None` where there is no compiler. `first` is what the compiler does before it compiles, in the shell's words.
    fn new(first: &str) -> Option<Self> {
        processor()?;
        let scratch = Scratch::new();
        fs::create_dir(scratch.path("ready")).unwrap();
        let variables = ["BROOK_CXX", "CXX"];
        let named = variables.into_iter().find_map(|v| std::env::var(v).ok());
        let compilers = ["g++", "c++", "clang++"];
        let compiler = named.unwrap_or_else(|| {
            let found = compilers
                .into_iter()
                .find(|c| brook_driver::find_program(c).is_some());
            found.unwrap().to_string()
        });
        // However long it takes; and not for ever, should a test fail.
        let script = format!(
            "until_there() {{ n=0; until [ -e \"$1\" ]; do pause; done; }}\n\
             pause() {{ n=$((n + 1)); [ $n -lt 20000 ] || exit 7; sleep 0.02; }}\n\
             until_ready() {{ n=0; until [ $(ls ready | wc -l) -ge $1 ]; do pause; done; }}\n\
             if [ \"$1\" != --version ]; then\n\
             echo compile >> '{0}/compiles'\n\
             here=$PWD; cd '{0}'\n{first}\ncd \"$here\"\nfi\nexec {compiler} \"$@\"\n",
            scratch.path("").display()
        );
        fs::write(scratch.path("compiler"), script).unwrap();
        Some(Self(scratch))
    }

    fn command(&self, amount: i32) -> Command {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "runtime::cache::sharing_tests::builder"])
            .args(["--ignored", "--nocapture"])
            .env(
                "BROOK_CXX",
                format!("sh {}", self.0.path("compiler").display()),
            )
            .env("BROOK_CACHE_DIR", self.0.path("cache"))
            .env("BROOK_CACHE_WAIT", "1000000")
            .env("BROOK_TEST_READY", self.0.path("ready"))
            .env("BROOK_TEST_AMOUNT", amount.to_string())
            .env("BROOK_TEST_THREADS", "1")
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        for name in ["BROOK_CACHE", "BROOK_CACHE_SIZE"] {
            command.env_remove(name);
        }
        command
    }

    fn start(&self, amount: i32) -> Child {
        self.command(amount).spawn().unwrap()
    }

    fn compiles(&self) -> usize {
        let log = fs::read_to_string(self.0.path("compiles"));
        log.map_or(0, |log| log.lines().count())
    }

    fn say(&self, name: &str) {
        fs::write(self.0.path(name), "").unwrap();
    }

    /// Waits until a file is there, as the compiler does.
    fn wait_for(&self, name: &str) {
        for _ in 0..20_000 {
            if self.0.path(name).exists() {
                return;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        panic!("{name} is not there");
    }

    /// Nothing is left of whoever took turns and wrote.
    fn is_tidy(&self) -> bool {
        let left = |folder| self.0.files(folder).len();
        left("turns") == 0 && left("temporary") == 0
    }
}

/// What it wrote to its standard error, if it ended as expected.
fn end(child: Child, well: bool) -> String {
    let output = child.wait_with_output().unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.success(), well, "{log}");
    log
}

#[test]
fn eight_processes_compile_once() {
    // Nobody comes too late to be there at once.
    let Some(shop) = Workshop::new("until_ready 8") else {
        return;
    };
    let children: Vec<Child> = (0..8).map(|_| shop.start(5)).collect();
    children
        .into_iter()
        .for_each(|child| drop(end(child, true)));
    assert_eq!(shop.compiles(), 1);
    assert_eq!(shop.0.files("entries").len(), 1);
    assert_eq!(shop.0.files("manifests").len(), 1);
    assert!(shop.is_tidy());
}

#[test]
fn eight_threads_compile_once() {
    let Some(shop) = Workshop::new("until_ready 8") else {
        return;
    };
    end(
        shop.command(5)
            .env("BROOK_TEST_THREADS", "8")
            .spawn()
            .unwrap(),
        true,
    );
    assert_eq!(shop.compiles(), 1);
    assert!(shop.is_tidy());
}

/// The first compiler never ends; its process is killed while others wait.
#[test]
fn a_killed_builder_is_replaced() {
    let hang = "if mkdir first 2>/dev/null; then touch hangs; until_there over; exit 1; fi";
    let Some(shop) = Workshop::new(hang) else {
        return;
    };
    let mut first = shop.start(5);
    shop.wait_for("hangs");
    let mut others: Vec<Child> = (0..4).map(|_| shop.start(5)).collect();
    while fs::read_dir(shop.0.path("ready")).unwrap().count() < 5 {
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(shop.compiles(), 1);
    first.kill().unwrap();
    first.wait().unwrap();
    others.push(shop.start(5));
    others.into_iter().for_each(|child| drop(end(child, true)));
    shop.say("over");
    assert_eq!(shop.compiles(), 2);
    assert!(shop.is_tidy());
}

/// All report what they would report alone, and none waits for all others' failures.
#[test]
fn a_failing_build_fails_for_all_alike() {
    let fail = "until_ready 4; echo 'kernel.cpp:1: error: not today' >&2; exit 1";
    let Some(shop) = Workshop::new(fail) else {
        return;
    };
    let alone = {
        let mut alone = shop.command(5);
        alone.env("BROOK_CACHE", "off");
        (0..3).for_each(|n| shop.say(&format!("ready/{n}")));
        end(alone.spawn().unwrap(), false)
    };
    let error = |log: &str| {
        let begin = log.find("<<").unwrap();
        log[begin..log.find(">>").unwrap()].to_string()
    };
    assert!(error(&alone).contains("not today"), "{alone}");
    for file in fs::read_dir(shop.0.path("ready")).unwrap() {
        fs::remove_file(file.unwrap().path()).unwrap();
    }
    let children: Vec<Child> = (0..4).map(|_| shop.start(5)).collect();
    for child in children {
        assert_eq!(error(&end(child, false)), error(&alone));
    }
    // Each compiles twice: the second time for the user's lines.
    assert_eq!(shop.compiles(), 10);
    assert_eq!(shop.0.files("entries").len(), 0);
    assert!(shop.is_tidy());
}

#[test]
fn different_kernels_do_not_wait() {
    let hang = "if mkdir first 2>/dev/null; then touch hangs; until_there go; fi";
    let Some(shop) = Workshop::new(hang) else {
        return;
    };
    let first = shop.start(5);
    shop.wait_for("hangs");
    end(shop.start(6), true);
    shop.say("go");
    end(first, true);
    assert_eq!(shop.compiles(), 2);
}

/// Whoever stands still is waited for only so long.
#[test]
fn patience_ends() {
    let hang = "if mkdir first 2>/dev/null; then touch hangs; until_there go; fi";
    let Some(shop) = Workshop::new(hang) else {
        return;
    };
    let first = shop.start(5);
    shop.wait_for("hangs");
    for wait in ["0", "1"] {
        let mut second = shop.command(5);
        end(second.env("BROOK_CACHE_WAIT", wait).spawn().unwrap(), true);
    }
    // The second of them found what the first had kept.
    assert_eq!(shop.compiles(), 2);
    shop.say("go");
    end(first, true);
    assert!(shop.is_tidy());
}

/// Nothing of the cache is in use by who builds but the turn, which stays.
#[test]
fn clear_beside_a_build() {
    let Some(shop) = Workshop::new("touch hangs; until_there go") else {
        return;
    };
    let first = shop.start(5);
    shop.wait_for("hangs");
    let cache = KernelCache::of(Location::at(shop.0.path("cache")));
    cache.clear(Duration::ZERO).unwrap();
    let second = shop.start(5);
    while fs::read_dir(shop.0.path("ready")).unwrap().count() < 2 {
        std::thread::sleep(Duration::from_millis(20));
    }
    cache.clear(Duration::ZERO).unwrap();
    shop.say("go");
    end(first, true);
    end(second, true);
    assert_eq!(shop.compiles(), 1);
    assert!(shop.is_tidy());
}

/// Where nothing can be kept, all build, at once.
#[test]
fn nothing_can_be_kept() {
    let Some(shop) = Workshop::new("until_ready 4") else {
        return;
    };
    let children: Vec<Child> = (0..4)
        .map(|_| {
            let mut command = shop.command(5);
            command.env("BROOK_CACHE_SIZE", "10").spawn().unwrap()
        })
        .collect();
    children
        .into_iter()
        .for_each(|child| drop(end(child, true)));
    assert_eq!(shop.compiles(), 4);
    assert_eq!(shop.0.files("entries").len(), 0);
    // Folders that are files: no turns, no entries.
    let Some(shop) = Workshop::new("until_ready 4") else {
        return;
    };
    fs::create_dir(shop.0.path("cache")).unwrap();
    for folder in ["entries", "manifests", "temporary", "turns"] {
        shop.say(&format!("cache/{folder}"));
    }
    let children: Vec<Child> = (0..4).map(|_| shop.start(5)).collect();
    children
        .into_iter()
        .for_each(|child| drop(end(child, true)));
    assert_eq!(shop.compiles(), 4);
}

/// On a file system without locks nobody waits, and nothing is left.
#[cfg(target_os = "linux")]
#[test]
fn without_locks() {
    let hang = "if mkdir first 2>/dev/null; then touch hangs; until_there go; fi";
    let Some(shop) = Workshop::new(hang) else {
        return;
    };
    let lacking =
        "#include <cerrno>\nextern \"C\" int flock(int, int) { errno = ENOLCK; return -1; }\n";
    let (source, library) = (shop.0.path("flock.cpp"), shop.0.path("flock.so"));
    fs::write(&source, lacking).unwrap();
    let compiler = fs::read_to_string(shop.0.path("compiler")).unwrap();
    let compiler = compiler.lines().last().unwrap().replace("\"$@\"", "");
    let line = format!(
        "{compiler} -shared -fPIC -o '{}' '{}'",
        library.display(),
        source.display()
    );
    assert!(
        Command::new("sh")
            .args(["-c", &line])
            .status()
            .unwrap()
            .success()
    );
    // Other tests' processes have locks, and take directories without one for those of the dead.
    let temporary = shop.0.path("scratch");
    fs::create_dir(&temporary).unwrap();
    let start = || {
        let mut command = shop.command(5);
        command.env("LD_PRELOAD", &library);
        command.env("TMPDIR", &temporary).spawn().unwrap()
    };
    let first = start();
    shop.wait_for("hangs");
    end(start(), true);
    shop.say("go");
    end(first, true);
    assert_eq!(shop.compiles(), 2);
    assert_eq!(shop.0.files("entries").len(), 1);
    assert!(shop.is_tidy());
}

#[test]
fn turns() {
    let scratch = Scratch::new();
    let path = scratch.path("turn");
    let at_once = || turn::take(&path, Duration::ZERO);
    let first = at_once();
    assert!(matches!(first, Turn::Ours(_)));
    assert!(matches!(at_once(), Turn::Theirs));
    assert!(matches!(
        turn::take(&path, Duration::from_millis(20)),
        Turn::Theirs
    ));
    std::thread::scope(|scope| {
        // Ours, if it came after the end.
        let waits = || {
            let turn = turn::take(&path, Duration::from_secs(1_000_000));
            assert!(matches!(turn, Turn::Over | Turn::Ours(_)));
        };
        (0..4).for_each(|_| drop(scope.spawn(waits)));
        drop(first);
    });
    assert!(!path.exists());
    // What a killed process has left.
    fs::write(&path, "").unwrap();
    assert!(matches!(at_once(), Turn::Ours(_)));
    assert!(!path.exists());
    assert!(matches!(
        turn::take(&scratch.path("no/turn"), Duration::ZERO),
        Turn::Unknown
    ));
}

#[test]
fn turns_of_the_killed_are_swept() {
    let scratch = Scratch::new();
    let store = Cache::at(scratch.path("cache")).unwrap().store;
    let turns = store.turns();
    let (left, held) = ("a".repeat(64), "b".repeat(64));
    let mine = store.take_turn(&held, Duration::ZERO);
    fs::write(turns.join(&left), "").unwrap();
    turn::sweep(&turns, Duration::from_secs(3600));
    assert!(turns.join(&left).exists());
    turn::sweep(&turns, Duration::ZERO);
    assert!(!turns.join(&left).exists() && turns.join(&held).exists());
    drop(mine);
    assert!(!turns.join(&held).exists());
}
