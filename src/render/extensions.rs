use crate::backend::Backend;
use crate::extension::Extension;
use crate::module::{Module, Site};
use crate::source::{Edits, FileId, Overlap};
use std::sync::Arc;

/// What extensions put before the program's text, each in lines of its own.
pub(super) fn prelude(
    module: &Module,
    backend: &Backend,
    extensions: &[Arc<dyn Extension>],
) -> String {
    let mut out = String::new();
    for (index, extension) in extensions.iter().enumerate() {
        let sites: Vec<&Site> = module
            .sites
            .iter()
            .filter(|s| s.extension == index)
            .collect();
        let text = extension.prelude(&sites, backend);
        out.push_str(&text);
        if !text.is_empty() && !text.ends_with('\n') {
            out.push('\n');
        }
    }
    out
}

/// An extension's last stage; each line that remains keeps its way back. Whether it changed anything.
pub(super) fn finish(
    device: &mut String,
    source_map: &mut Vec<Option<(FileId, usize)>>,
    extension: &dyn Extension,
    backend: &Backend,
) -> Result<bool, Overlap> {
    let mut edits = Edits::new();
    extension.finish(device, backend, &mut edits);
    if edits.is_empty() {
        return Ok(false);
    }
    let (text, map) = edits.apply(device)?;
    let starts: Vec<u32> = std::iter::once(0)
        .chain(device.match_indices('\n').map(|(at, _)| at as u32 + 1))
        .collect();
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        let first = at + (line.len() - line.trim_start().len()) as u32;
        at += line.len() as u32;
        let old = starts
            .partition_point(|&s| s <= map.original(first))
            .saturating_sub(1);
        let known = source_map.get(old).copied().flatten();
        lines.push(known.filter(|_| !line.trim().is_empty() && map.is_verbatim(first)));
    }
    *source_map = lines;
    *device = text;
    Ok(true)
}
