//! Names of files as URIs.

use lsp_types::Uri;
use std::path::Path;
use std::str::FromStr;

/// The path of a `file:` URI; `None` for what is no file, such as a text that was not saved.
pub(super) fn path(uri: &Uri) -> Option<String> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host, which is this one: `file://localhost/…`
    let at = rest.find('/')?;
    let bytes = rest.get(at..)?.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let digits = bytes
            .get(at + 1..at + 3)
            .and_then(|d| std::str::from_utf8(d).ok());
        let value = digits.and_then(|d| u8::from_str_radix(d, 16).ok());
        match (byte, value) {
            (b'%', Some(value)) => {
                out.push(value);
                at += 3;
            }
            (b'?' | b'#', _) => break,
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8(out).ok()
}

/// The URI of a file.
pub(super) fn of(path: &str) -> Option<Uri> {
    let whole = std::path::absolute(Path::new(path)).ok()?;
    let mut text = String::from("file://");
    for byte in whole.to_string_lossy().bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(byte as char);
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn paths_survive() {
        for name in ["/a b/ä#?%.okl", "/plain/x.br"] {
            let uri = of(name).unwrap();
            assert_eq!(path(&uri).as_deref(), Some(name));
        }
        let encoded = Uri::from_str("file:///c%3A/x%20y.okl").unwrap();
        assert_eq!(path(&encoded).as_deref(), Some("/c:/x y.okl"));
        let unsaved = Uri::from_str("untitled:Untitled-1").unwrap();
        assert_eq!(path(&unsaved), None);
    }
}
