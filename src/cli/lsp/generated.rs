//! What a backend gets of a source, as lenses show it.

use super::server::Server;
use brook::backend::Backend;
use brook::{Options, Source};
use lsp_types::request::{Request as _, ShowDocument};
use lsp_types::{ShowDocumentParams, Uri};
use serde::Serialize;
use std::path::Path;

/// What a backend gets of a source, for who shows it.
#[derive(Serialize)]
pub(super) struct Generated {
    /// How a file of it is called.
    name: String,
    text: String,
    /// The file it was written to, if the client was asked to open that.
    uri: Option<Uri>,
}

pub(super) fn generated(
    server: &mut Server,
    uri: &Uri,
    backend: &str,
) -> Result<Option<Generated>, String> {
    let main = server.documents.main_of(uri);
    let main = main.ok_or("this is no source of kernels that is open")?;
    let document = server.documents.get(&main);
    let looked = document.and_then(|d| Some((d, d.looked.as_ref()?)));
    let (document, looked) = looked.ok_or("this is no source of kernels that is open")?;
    let backend = Backend::built_in(backend).map_err(|e| e.to_string())?;
    let mut source = Source::new(document.name.clone(), document.text.as_bytes());
    source.dialect = document.dialect.unwrap_or(source.dialect);
    let options = Options {
        no_launcher: true,
        ..looked.analysis.options().clone()
    };
    let made = brook::transpile(&source, &backend, &options, looked.loader());
    let made = made.map_err(|report| report.to_string())?;
    let stem = Path::new(&document.name).file_stem();
    let stem = stem.map_or("kernels".into(), |s| s.to_string_lossy().into_owned());
    let name = format!("{stem}.{}", backend.extension);
    let mut shown = None;
    if server.shows_documents {
        let folder = std::env::temp_dir().join(format!("brook-lsp-{}", std::process::id()));
        let path = folder.join(&name);
        let written =
            std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&path, &made.device));
        written.map_err(|e| format!("cannot write '{}': {e}", path.display()))?;
        shown = super::uris::of(&path.to_string_lossy());
        if let Some(uri) = shown.clone() {
            let params = ShowDocumentParams {
                uri,
                external: None,
                take_focus: Some(false),
                selection: None,
            };
            server.ask(ShowDocument::METHOD, params);
        }
    }
    Ok(Some(Generated {
        name,
        text: made.device,
        uri: shown,
    }))
}
