//! Messages as they come over a pipe: a head that says how long, and a body of JSON. What is no message is answered, and the
//! conversation goes on; a head that does not say how long ends it, since nobody knows where the next one begins.

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::sync::{Arc, OnceLock};
use std::thread::JoinHandle;

/// The longest head that is read. Editors send two lines.
const LONGEST_HEAD: u64 = 64 << 10;
/// The longest body.
const LONGEST_BODY: u64 = 1 << 30;

/// What the two threads beside the server's leave behind.
pub(super) struct Pipes {
    failure: Arc<OnceLock<String>>,
    writer: JoinHandle<io::Result<()>>,
}

/// A connection over standard input and output.
pub(super) fn connect() -> (Connection, Pipes) {
    let (connection, wire) = Connection::memory();
    let (incoming, outgoing) = (wire.sender, wire.receiver);
    let failure = Arc::new(OnceLock::new());
    let note = Arc::clone(&failure);
    std::thread::spawn(move || {
        if let Err(what) = read(&|message| incoming.send(message).is_ok()) {
            // Before the server can see that nothing more comes.
            let _ = note.set(what);
        }
        drop(incoming);
    });
    let writer = std::thread::spawn(move || {
        for message in outgoing {
            let text = serde_json::to_string(&Sent {
                jsonrpc: "2.0",
                message,
            })?;
            write(&text)?;
        }
        Ok(())
    });
    (connection, Pipes { failure, writer })
}

/// Hands out what comes, until nothing more does or nobody takes it.
fn read(takes: &dyn Fn(Message) -> bool) -> Result<(), String> {
    let mut input = io::stdin().lock();
    while let Some(body) = frame(&mut input)? {
        match message(&body) {
            Ok(None) => {}
            Ok(Some(message)) => {
                let is_exit = matches!(&message, Message::Notification(n) if n.method == "exit");
                // The server has ended before the client; and after that, nobody sends anything.
                if !takes(message) || is_exit {
                    break;
                }
            }
            // If nobody takes it, the server notices by itself.
            Err(refusal) => drop(write(&refusal.to_string())),
        }
    }
    Ok(())
}

impl Pipes {
    /// Waits until all is said. What was wrong with what came, if that has ended it.
    pub(super) fn end(self) -> Result<(), String> {
        // The client may have closed its end; that it could not be told anything more is no failure.
        let _ = self.writer.join();
        // Whoever reads may still wait for a client that says nothing any more.
        self.failure.get().cloned().map_or(Ok(()), Err)
    }
}

/// A message as it is sent.
#[derive(serde::Serialize)]
struct Sent {
    jsonrpc: &'static str,
    #[serde(flatten)]
    message: Message,
}

/// Writes a body with its head, which no other thread writes into.
fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    write!(out, "Content-Length: {}\r\n\r\n{text}", text.len())?;
    out.flush()
}

/// The next body; nothing where the input ends between two messages.
fn frame(input: &mut impl BufRead) -> Result<Option<Vec<u8>>, String> {
    let cannot = |e: io::Error| format!("cannot read the next message: {e}");
    let mut length = None;
    let mut head = input.by_ref().take(LONGEST_HEAD);
    let mut lines = 0;
    loop {
        let mut line = Vec::new();
        let count = head.read_until(b'\n', &mut line).map_err(cannot)?;
        if count == 0 && lines == 0 {
            return Ok(None);
        }
        if !line.ends_with(b"\n") {
            return Err("the head of a message has no end".to_string());
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            // Blank lines before a head are the last message's.
            match lines {
                0 => continue,
                _ => break,
            }
        }
        lines += 1;
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            let count = value.trim().parse::<u64>();
            let count = count.ok().filter(|count| *count <= LONGEST_BODY);
            length = Some(count.ok_or(format!("the head of a message says '{line}'"))?);
        }
    }
    let length = length.ok_or("the head of a message has no Content-Length")?;
    // Room comes with the bytes: what a head says costs nothing.
    let mut body = Vec::new();
    let count = input.by_ref().take(length).read_to_end(&mut body);
    match count.map_err(cannot)? as u64 == length {
        true => Ok(Some(body)),
        false => Err("the last message is cut off".to_string()),
    }
}

/// The message that a body is: a request or a notification, and nothing where it is a response. Otherwise what is answered.
fn message(body: &[u8]) -> Result<Option<Message>, Value> {
    let refusal = |id: Value, code: ErrorCode, what: String| json!({"jsonrpc": "2.0", "id": id, "error": {"code": code as i32, "message": what}});
    let value: Value = serde_json::from_slice(body)
        .map_err(|e| refusal(Value::Null, ErrorCode::ParseError, format!("no JSON: {e}")))?;
    let invalid = |id: Value, what: &str| refusal(id, ErrorCode::InvalidRequest, what.to_string());
    let Value::Object(mut fields) = value else {
        return Err(invalid(Value::Null, "a message is an object"));
    };
    let given = fields.remove("id");
    let id = given
        .clone()
        .and_then(|id| serde_json::from_value::<RequestId>(id).ok());
    // What is no id cannot be named in an answer.
    let named = id.as_ref().and(given.clone()).unwrap_or(Value::Null);
    let Some(method) = fields.remove("method") else {
        if !fields.contains_key("result") && !fields.contains_key("error") {
            let what = "it has neither a method nor a result";
            return Err(invalid(named, what));
        }
        // Nobody waits for what a client answers, and answers are never answered.
        return Ok(None);
    };
    let Value::String(method) = method else {
        return Err(invalid(named, "a method is a string"));
    };
    let params = fields.remove("params").unwrap_or_default();
    match (given, id) {
        (None, _) => Ok(Some(Message::Notification(Notification { method, params }))),
        (Some(_), Some(id)) => Ok(Some(Message::Request(Request { id, method, params }))),
        (Some(_), None) => Err(invalid(named, "an id is a string or an integer of 32 bits")),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    fn frames(mut text: &[u8]) -> (Vec<String>, Result<(), String>) {
        let mut bodies = Vec::new();
        loop {
            match frame(&mut text) {
                Ok(Some(body)) => bodies.push(String::from_utf8(body).unwrap()),
                Ok(None) => return (bodies, Ok(())),
                Err(what) => return (bodies, Err(what)),
            }
        }
    }

    #[test]
    fn heads_say_how_long() {
        let text = "Content-Length: 2\r\n\r\n{}content-length:3\nContent-Type: x; charset=utf-8\n\n{ }\r\nContent-Length: 0\r\n\r\n";
        let (bodies, end) = frames(text.as_bytes());
        assert_eq!(bodies, ["{}", "{ }", ""]);
        assert_eq!(end, Ok(()));
        for (text, what) in [
            ("Content-Type: x\r\n\r\n{}", "has no Content-Length"),
            ("{\"jsonrpc\": \"2.0\"}\r\n\r\n", "has no Content-Length"),
            ("Content-Length: -1\r\n\r\n", "says 'Content-Length: -1'"),
            (
                "Content-Length: 99999999999\r\n\r\n",
                "says 'Content-Length: 999",
            ),
            (
                "Content-Length: 99999999999999999999999\r\n\r\n",
                "says 'Content-Length: 999",
            ),
            ("Content-Length: 5\r\n\r\n{}", "cut off"),
            ("Content-Length: 5", "has no end"),
        ] {
            let (bodies, end) = frames(text.as_bytes());
            let end = end.unwrap_err();
            assert!(bodies.is_empty() && end.contains(what), "{text}: {end}");
        }
        let endless = "x".repeat(1 << 20);
        assert!(frames(endless.as_bytes()).1.unwrap_err().contains("no end"));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        for (body, code, id) in [
            (&b"{"[..], -32700, json!(null)),
            (b"", -32700, json!(null)),
            (b"\xff\xfe", -32700, json!(null)),
            (b"{\"id\": 1} {}", -32700, json!(null)),
            (b"[]", -32600, json!(null)),
            (b"7", -32600, json!(null)),
            (b"{}", -32600, json!(null)),
            (b"{\"id\": 7}", -32600, json!(7)),
            (b"{\"id\": \"a\", \"method\": 1}", -32600, json!("a")),
            (b"{\"id\": 1.5, \"method\": \"x\"}", -32600, json!(null)),
            (b"{\"id\": {}, \"method\": \"x\"}", -32600, json!(null)),
            (
                b"{\"id\": 99999999999, \"method\": \"x\"}",
                -32600,
                json!(null),
            ),
        ] {
            let refusal = message(body).unwrap_err();
            assert_eq!(refusal["error"]["code"], code, "{refusal}");
            assert_eq!(refusal["id"], id, "{refusal}");
        }
        let deep = "[".repeat(1 << 20);
        assert_eq!(
            message(deep.as_bytes()).unwrap_err()["error"]["code"],
            -32700
        );
    }

    #[test]
    fn messages_are_what_they_have() {
        let read = |body: &str| message(body.as_bytes()).unwrap();
        assert!(matches!(
            read("{\"id\": 1, \"method\": \"m\"}"),
            Some(Message::Request(_))
        ));
        assert!(matches!(
            read("{\"method\": \"m\"}"),
            Some(Message::Notification(_))
        ));
        assert!(read("{\"id\": 1, \"result\": null}").is_none());
        assert!(read("{\"id\": null, \"error\": {\"code\": 1, \"message\": \"\"}}").is_none());
    }
}
