//! What no editor sends: it is refused, and the conversation goes on.

use super::KERNEL;
use super::client::Client;
use crate::support::process;
use serde_json::{Value, json};

pub fn hostile_messages() -> Result<(), String> {
    let mut client = Client::start("hostile", json!({}));
    client.open("a.okl", KERNEL);
    let uri = client.uri("a.okl");
    for (method, params) in [
        ("textDocument/hover", json!({})),
        ("textDocument/hover", json!([1, 2])),
        ("textDocument/nothing", json!({})),
        (
            "workspace/executeCommand",
            json!({"command": "brook.showGenerated", "arguments": []}),
        ),
        (
            "workspace/executeCommand",
            json!({"command": "rm", "arguments": ["-rf"]}),
        ),
    ] {
        if client.request(method, params.clone()).is_ok() {
            return Err(format!("{method} takes {params}"));
        }
    }
    let far = json!({"textDocument": {"uri": uri}, "position": {"line": 4_000_000_000u32, "character": 7}});
    client.request("textDocument/hover", far)?;
    let nowhere = json!({"textDocument": {"uri": "file:///nowhere.okl"}, "position": {"line": 0, "character": 0}});
    client.request("textDocument/definition", nowhere)?;
    client.notify(
        "textDocument/didChange",
        json!({"textDocument": {"uri": uri}}),
    );
    client.notify("textDocument/didChange", json!({
        "textDocument": {"uri": uri, "version": 2},
        "contentChanges": [{"range": {"start": {"line": 90, "character": 3}, "end": {"line": 2, "character": 1}}, "text": "x"}],
    }));
    client.notify(
        "textDocument/didClose",
        json!({"textDocument": {"uri": "untitled:1"}}),
    );
    let unsaved =
        json!({"uri": "untitled:Kernel-1", "languageId": "okl", "version": 1, "text": KERNEL});
    client.notify("textDocument/didOpen", json!({"textDocument": unsaved}));
    let place = json!({"textDocument": {"uri": "untitled:Kernel-1"}, "position": {"line": 1, "character": 14}});
    let hover = client.request("textDocument/hover", place)?;
    let text = hover["contents"]["value"].as_str().unwrap_or("");
    match text.contains("void scale") && client.end()? == 0 {
        true => Ok(()),
        false => Err(format!("{hover:#}")),
    }
}

pub fn bodies_that_are_no_messages() -> Result<(), String> {
    let mut client = Client::start("bodies", json!({}));
    client.open("a.okl", KERNEL);
    let nobody = json!(null);
    for (body, code, id) in [
        (&b"{"[..], -32700, &nobody),
        (b"", -32700, &nobody),
        (b"Hello!", -32700, &nobody),
        (b"\xff\xfe\x00", -32700, &nobody),
        (
            b"{\"jsonrpc\": \"2.0\", \"id\": 5, \"method\": \"textDocument/hov",
            -32700,
            &nobody,
        ),
        (b"[]", -32600, &nobody),
        (b"null", -32600, &nobody),
        (b"{\"jsonrpc\": \"2.0\"}", -32600, &nobody),
        (b"{\"jsonrpc\": \"2.0\", \"id\": 77}", -32600, &json!(77)),
        (
            b"{\"jsonrpc\": \"2.0\", \"id\": \"x\", \"method\": 3}",
            -32600,
            &json!("x"),
        ),
        (
            b"{\"jsonrpc\": \"2.0\", \"id\": [1], \"method\": \"shutdown\"}",
            -32600,
            &nobody,
        ),
        (
            b"{\"jsonrpc\": \"2.0\", \"id\": 1e99, \"method\": \"shutdown\"}",
            -32600,
            &nobody,
        ),
    ] {
        client.body(body);
        let answer = client.error()?;
        let has_id = answer.get("id") == Some(id);
        if answer["error"]["code"] != code || !has_id || answer["jsonrpc"] != "2.0" {
            return Err(format!("{}: {answer:#}", String::from_utf8_lossy(body)));
        }
    }
    let deep = "[".repeat(100_000);
    client.body(deep.as_bytes());
    if client.error()?["error"]["code"] != -32700 {
        return Err("what is too deep is no JSON".to_string());
    }
    // Answers that nobody waits for, and heads as other clients write them.
    client.body(
        b"{\"jsonrpc\": \"2.0\", \"id\": null, \"error\": {\"code\": 1, \"message\": \"no\"}}",
    );
    client.body(b"{\"jsonrpc\": \"2.0\", \"id\": 12345, \"result\": {}}");
    let body = r#"{"method": "$/nothing", "x": 1}"#;
    let head = format!(
        "content-type: application/json\ncontent-length:{}\n\n",
        body.len()
    );
    client.raw(format!("{head}{body}").as_bytes());
    let hover = client.request("textDocument/hover", client.at("a.okl", "scale", 0))?;
    let text = hover["contents"]["value"].as_str().unwrap_or("");
    match text.contains("void scale") && client.end()? == 0 {
        true => Ok(()),
        false => Err(format!("{hover:#}")),
    }
}

pub fn broken_heads_end_it() -> Result<(), String> {
    let hello = "{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"initialize\", \"params\": {\"capabilities\": {}}}";
    let hello = format!("Content-Length: {}\r\n\r\n{hello}", hello.len());
    for before in ["", &hello] {
        for (head, what) in [
            ("Content-Type: x\r\n\r\n{}", "has no Content-Length"),
            ("{}\r\n\r\n", "has no Content-Length"),
            (
                "Content-Length: many\r\n\r\n{}",
                "says 'Content-Length: many'",
            ),
            (
                "Content-Length: 99999999999999\r\n\r\n{}",
                "says 'Content-Length: 9",
            ),
            ("Content-Length: 20\r\n\r\n{}", "is cut off"),
        ] {
            let mut command = process::brook();
            command.arg("lsp");
            let input = format!("{before}{head}");
            let ended = process::run(&mut command, input.as_bytes(), process::TIME_LIMIT)?;
            let said = &ended.stderr;
            if ended.code != Some(1) || !said.contains(what) || said.lines().count() != 1 {
                return Err(format!("{head:?}: {:?}\n{said}", ended.code));
            }
        }
    }
    Ok(())
}

pub fn wrong_greetings_are_refused() -> Result<(), String> {
    let bodies = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"capabilities": 7}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "initialize", "params": {"processId": "x", "capabilities": {}}}),
        json!({"jsonrpc": "2.0", "id": 4, "method": "textDocument/hover", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 5, "method": "initialize", "params": {"capabilities": {}}}),
        json!({"jsonrpc": "2.0", "method": "initialized", "params": {}}),
        json!({"jsonrpc": "2.0", "id": 6, "method": "shutdown"}),
        json!({"jsonrpc": "2.0", "method": "exit"}),
    ];
    let mut input = String::new();
    for body in bodies {
        let body = body.to_string();
        input += &format!("Content-Length: {}\r\n\r\n{body}", body.len());
    }
    let mut command = process::brook();
    command.arg("lsp");
    let ended = process::run(&mut command, input.as_bytes(), process::TIME_LIMIT)?;
    let answers: Vec<Value> = ended
        .text()
        .split("Content-Length:")
        .filter_map(|answer| serde_json::from_str(answer.split_once("\r\n\r\n")?.1).ok())
        .collect();
    let codes: Vec<Option<i64>> = answers
        .iter()
        .map(|answer| answer["error"]["code"].as_i64())
        .collect();
    let refused = Some(-32602);
    if codes != [refused, refused, refused, Some(-32002), None, None]
        || (1..=6).any(|id| answers[id - 1]["id"] != id)
        || ended.code != Some(0)
    {
        return Err(format!("{:?} {answers:#?}\n{}", ended.code, ended.stderr));
    }
    // Who leaves at once is no failure of the machine's, and says so without `shutdown`.
    let exit = r#"{"jsonrpc": "2.0", "method": "exit"}"#;
    let input = format!("Content-Length: {}\r\n\r\n{exit}", exit.len());
    let mut command = process::brook();
    command.arg("lsp");
    let ended = process::run(&mut command, input.as_bytes(), process::TIME_LIMIT)?;
    match ended.code == Some(1) && ended.stderr.is_empty() {
        true => Ok(()),
        false => Err(format!("{:?}\n{}", ended.code, ended.stderr)),
    }
}
