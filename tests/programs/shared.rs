//! What several tests need, and one of them builds.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};

type Built = Arc<OnceLock<Result<PathBuf, String>>>;

/// The folder of that name, which is empty when the first test that asks for it builds what belongs there. What is built
/// may need another folder, but not its own.
pub fn once(
    name: &str,
    build: impl FnOnce(&Path) -> Result<(), String>,
) -> Result<PathBuf, String> {
    static ALL: Mutex<BTreeMap<String, Built>> = Mutex::new(BTreeMap::new());
    let built = {
        let mut all = ALL.lock().map_err(|e| e.to_string())?;
        Arc::clone(all.entry(name.to_string()).or_default())
    };
    let build = || {
        let shared = Path::new(env!("CARGO_TARGET_TMPDIR")).join("programs-shared");
        let folder = shared.join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
        build(&folder).map(|()| folder)
    };
    built.get_or_init(build).clone()
}
