//! A client of the language server, as an editor is one: a process, and its standard input and output.

use crate::support::process;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

/// What is waited for comes at once, unless the machine has other things to do.
const LONGEST: Duration = Duration::from_secs(60);

pub struct Client {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    folder: PathBuf,
    requests: i64,
    /// The texts that are open, by name, and their versions.
    texts: HashMap<String, (i64, String)>,
    /// What was said last of a file, by URI: version and messages.
    said: HashMap<String, (Option<i64>, Vec<Value>)>,
    /// What it has asked for.
    pub asked: Vec<Value>,
}

impl Client {
    /// A server for an empty folder of that name.
    pub fn start(name: &str, capabilities: Value) -> Self {
        let folder = format!("brook-lsp-test-{}-{name}", std::process::id());
        let folder = std::env::temp_dir().join(folder);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let folder = std::fs::canonicalize(folder).unwrap();
        let mut command = process::brook();
        command.arg("lsp").current_dir(&folder);
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, messages) = channel();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let mut this = Self {
            stdin: child.stdin.take().unwrap(),
            child,
            messages,
            folder,
            requests: 0,
            texts: HashMap::new(),
            said: HashMap::new(),
            asked: Vec::new(),
        };
        let root = this.uri("");
        let params = json!({"processId": null, "rootUri": root, "capabilities": capabilities});
        this.request("initialize", params).unwrap();
        this.notify("initialized", json!({}));
        this
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Writes a file beside the sources.
    pub fn write(&self, name: &str, text: &str) {
        let path = self.folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn uri(&self, name: &str) -> String {
        format!("file://{}/{name}", self.folder.display())
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        // Whoever waits for an answer notices that it is gone.
        let _ = write!(self.stdin, "Content-Length: {}\r\n\r\n{text}", text.len());
        let _ = self.stdin.flush();
    }

    /// Sends bytes, whatever they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let _ = self.stdin.write_all(bytes);
        let _ = self.stdin.flush();
    }

    /// Sends a body with its head.
    pub fn body(&mut self, body: &[u8]) {
        self.raw(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes());
        self.raw(body);
    }

    /// The next error, whoever it is for.
    pub fn error(&mut self) -> Result<Value, String> {
        loop {
            let message = self.next()?;
            if message.get("error").is_some() {
                return Ok(message);
            }
        }
    }

    pub fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// The answer to a request.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, String> {
        self.requests += 1;
        let id = self.requests;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.next()?;
            if message["id"] != id || message.get("method").is_some() {
                continue;
            }
            return match message.get("error") {
                Some(error) => Err(error["message"].as_str().unwrap_or("").to_string()),
                None => Ok(message["result"].clone()),
            };
        }
    }

    fn next(&mut self) -> Result<Value, String> {
        let message = self.messages.recv_timeout(LONGEST);
        let message = message.map_err(|e| format!("nothing comes: {e}"))?;
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let messages = params["diagnostics"].as_array().cloned();
            self.said.insert(
                params["uri"].as_str().unwrap_or("").to_string(),
                (params["version"].as_i64(), messages.unwrap_or_default()),
            );
        } else if message.get("method").is_some() && message.get("id").is_some() {
            self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": {"success": true}}));
            self.asked.push(message.clone());
        }
        Ok(message)
    }

    pub fn open(&mut self, name: &str, text: &str) {
        let language = match name.rsplit('.').next() {
            Some("br") => "brook",
            Some("h") => "cpp",
            _ => "okl",
        };
        let uri = self.uri(name);
        let document = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.texts.insert(name.to_string(), (1, text.to_string()));
        self.notify("textDocument/didOpen", json!({"textDocument": document}));
    }

    pub fn close(&mut self, name: &str) {
        self.texts.remove(name);
        let params = json!({"textDocument": {"uri": self.uri(name)}});
        self.notify("textDocument/didClose", params);
    }

    /// The text of a file that is open.
    pub fn text(&self, name: &str) -> String {
        self.texts[name].1.clone()
    }

    /// Writes something in the place of some bytes, as somebody types it.
    pub fn edit(&mut self, name: &str, from: usize, to: usize, new: &str) {
        let (version, text) = self.texts[name].clone();
        let range = json!({"start": position(&text, from), "end": position(&text, to)});
        let mut text = text;
        text.replace_range(from..to, new);
        let version = version + 1;
        self.texts.insert(name.to_string(), (version, text));
        let params = json!({
            "textDocument": {"uri": self.uri(name), "version": version},
            "contentChanges": [{"range": range, "text": new}],
        });
        self.notify("textDocument/didChange", params);
    }

    /// What is said of a file as it is now.
    pub fn messages(&mut self, name: &str) -> Result<Vec<Value>, String> {
        let uri = self.uri(name);
        let wanted = self.texts.get(name).map(|(version, _)| *version);
        loop {
            if let Some((version, messages)) = self.said.get(&uri)
                && *version == wanted
            {
                return Ok(messages.clone());
            }
            self.next()?;
        }
    }

    /// What is said next of a file: something that it depends on has changed.
    pub fn next_messages(&mut self, name: &str) -> Result<Vec<Value>, String> {
        let uri = self.uri(name);
        self.said.remove(&uri);
        loop {
            if let Some((_, messages)) = self.said.get(&uri) {
                return Ok(messages.clone());
            }
            self.next()?;
        }
    }

    /// A place in a file for a request: the beginning of the `nth` of such words, and so many bytes more.
    pub fn at(&self, name: &str, word: &str, nth: usize) -> Value {
        let text = &self.texts[name].1;
        let (at, _) = text.match_indices(word).nth(nth).unwrap();
        json!({"textDocument": {"uri": self.uri(name)}, "position": position(text, at)})
    }

    /// Makes changes that the server has proposed.
    pub fn apply(&mut self, edit: &Value) {
        for (uri, edits) in edit["changes"].as_object().unwrap().clone() {
            let root = self.uri("");
            let name = uri.strip_prefix(&root).unwrap().to_string();
            let text = match self.texts.get(&name) {
                Some((_, text)) => text.clone(),
                None => std::fs::read_to_string(self.folder.join(&name)).unwrap(),
            };
            let mut edits: Vec<(usize, usize, String)> = { edits.as_array().unwrap().iter() }
                .map(|e| {
                    let start = offset(&text, &e["range"]["start"]);
                    let end = offset(&text, &e["range"]["end"]);
                    (start, end, e["newText"].as_str().unwrap().to_string())
                })
                .collect();
            // From the end, so that places stay.
            edits.sort_by_key(|e| std::cmp::Reverse(e.0));
            for (start, end, new) in edits {
                if self.texts.contains_key(&name) {
                    self.edit(&name, start, end, &new);
                } else {
                    let mut text = std::fs::read_to_string(self.folder.join(&name)).unwrap();
                    text.replace_range(start..end, &new);
                    self.write(&name, &text);
                }
            }
        }
    }

    /// Says goodbye; the exit code.
    pub fn end(mut self) -> Result<i32, String> {
        self.request("shutdown", Value::Null)?;
        self.notify("exit", Value::Null);
        let status = self.child.wait().map_err(|e| e.to_string())?;
        Ok(status.code().unwrap_or(-1))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn read(stream: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", count)) => length = count.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Columns count units of UTF-16.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |i| i + 1);
    json!({"line": line, "character": before[start..].encode_utf16().count()})
}

pub fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let character = position["character"].as_u64().unwrap() as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut units = 0;
    for (index, c) in text[start..].char_indices() {
        if units >= character || c == '\n' {
            return start + index;
        }
        units += c.len_utf16();
    }
    text.len()
}
