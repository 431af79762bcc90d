use crate::backend::Backend;
use crate::source::Overlap;
use serde::Serialize;
use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;
use tera::{Context, Tera};

/// A template that is wrong.
#[derive(Debug)]
pub struct RenderError(String);

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RenderError {}

impl From<Overlap> for RenderError {
    fn from(overlap: Overlap) -> Self {
        Self(overlap.to_string())
    }
}

impl From<tera::Error> for RenderError {
    fn from(error: tera::Error) -> Self {
        // The chain of causes names the line in the template.
        let mut text = error.to_string();
        let mut source = std::error::Error::source(&error);
        while let Some(cause) = source {
            text.push_str(": ");
            text.push_str(&cause.to_string());
            source = cause.source();
        }
        Self(text)
    }
}

/// The templates of one backend, ready to render.
pub(super) struct Templates {
    tera: Rc<Tera>,
    names: Vec<String>,
}

impl Templates {
    /// Reads a backend's templates; the last backend's are kept, since programs translate many
    /// sources for few backends.
    pub(super) fn of(backend: &Backend) -> Result<Self, RenderError> {
        thread_local! {
            static LAST: RefCell<Vec<(u64, Rc<Tera>)>> = const { RefCell::new(Vec::new()) };
        }
        let names = backend
            .templates
            .iter()
            .map(|(name, _)| name.clone())
            .collect();
        let known = LAST.with_borrow(|last| {
            last.iter()
                .find(|(digest, _)| *digest == backend.digest)
                .map(|(_, t)| t.clone())
        });
        if let Some(tera) = known {
            return Ok(Self { tera, names });
        }
        let mut tera = Tera::default();
        tera.autoescape_on(Vec::<&str>::new());
        let all = backend
            .templates
            .iter()
            .map(|(name, text)| (name.as_str(), text.as_str()));
        tera.add_raw_templates(all.collect::<Vec<_>>())?;
        let tera = Rc::new(tera);
        LAST.with_borrow_mut(|last| {
            last.truncate(7);
            last.insert(0, (backend.digest, tera.clone()));
        });
        Ok(Self { tera, names })
    }

    /// The rendered template; `None` if the backend has none of that name.
    pub(super) fn render(
        &self,
        name: &str,
        context: &impl Serialize,
    ) -> Result<Option<String>, RenderError> {
        if !self.names.iter().any(|n| n == name) {
            return Ok(None);
        }
        let context = Context::from_serialize(context)?;
        Ok(Some(self.tera.render(name, &context)?))
    }
}

/// A text that is a template of its own.
pub(super) fn render_text(text: &str, context: &impl Serialize) -> Result<String, RenderError> {
    let context = Context::from_serialize(context)?;
    Ok(Tera::one_off(text, &context, false)?)
}
