//! `brook explore`: what its server answers, and to whom. The page itself is tested in a browser: `editors/explorer/tests`.

mod crowds;
mod lines;
mod server;

use crate::support::Trial;
use serde_json::{Value, json};
use server::{Answered, Server, write};
use std::io::{Read, Write};
use std::time::Duration;

pub fn trials() -> Vec<Trial> {
    type Test = fn() -> Result<(), String>;
    let all: [(&str, Test); 8] = [
        ("only_its_own_page_is_answered", only_its_own_page),
        ("only_files_of_the_folder_are_shown", only_the_folder),
        ("what_is_no_request_is_refused", no_requests),
        ("who_says_nothing_locks_nobody_out", crowds::crowds),
        ("sources_are_looked_at", looks),
        ("comments_lead_to_their_own_lines", lines::comments),
        ("launches_are_drawn", launches),
        ("the_page_is_whole", page),
    ];
    let trial = |(name, test): (&str, Test)| {
        Trial::test(format!("explore::{name}"), move || {
            test().map_err(Into::into)
        })
    };
    all.into_iter().map(trial).collect()
}

const KERNEL: &str = "@kernel void f(const int n, float *x) {\n\
    \x20 for (int b = 0; b < n; b += 64; @outer) {\n\
    \x20   @shared float s[64];\n\
    \x20   for (int t = 0; t < 64; ++t; @inner) { s[t] = x[b + t]; }\n\
    \x20   for (int t = 0; t < 64; ++t; @inner) x[b + t] = s[63 - t];\n\
    \x20 }\n}\n";

fn only_its_own_page() -> Result<(), String> {
    let server = Server::start("own", "all")?;
    let ask = |lines: &[String]| server.raw("POST", "/api/files", lines, "{}");
    let (host, token) = (
        server.host(),
        format!("Authorization: Bearer {}", server.token),
    );
    let right = |more: &[&str]| -> Vec<String> {
        let more = more.iter().map(|m| (*m).to_string());
        [host.clone(), token.clone()]
            .into_iter()
            .chain(more)
            .collect()
    };
    let port = server.port;
    expect(200, ask(&right(&[])))?;
    expect(
        200,
        ask(&[format!("Host: localhost:{port}"), token.clone()]),
    )?;
    expect(
        200,
        ask(&right(&[
            &format!("Origin: http://127.0.0.1:{port}"),
            "Sec-Fetch-Site: same-origin",
        ])),
    )?;
    // Without the token, or another one.
    expect(401, ask(std::slice::from_ref(&host)))?;
    expect(
        401,
        ask(&[host.clone(), "Authorization: Bearer ".to_string()]),
    )?;
    expect(
        401,
        ask(&[host.clone(), token[..token.len() - 1].to_string()]),
    )?;
    expect(401, ask(&[host.clone(), format!("{token}0")]))?;
    expect(401, ask(&[host.clone(), token.clone(), token.clone()]))?;
    // Another name that means this machine, and other pages.
    for name in [
        "evil.example".to_string(),
        format!("evil.example:{port}"),
        "127.0.0.1".to_string(),
        format!("127.0.0.1:{}", port ^ 1),
        format!("127.0.0.1:{port}@evil.example"),
    ] {
        expect(403, ask(&[format!("Host: {name}"), token.clone()]))?;
        expect(403, server.raw("GET", "/", &[format!("Host: {name}")], ""))?;
    }
    expect(403, ask(std::slice::from_ref(&token)))?;
    expect(403, ask(&right(&[&host])))?;
    for more in [
        "Origin: http://evil.example",
        "Origin: null",
        "Origin: http://127.0.0.1",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
    ] {
        expect(403, ask(&right(&[more])))?;
    }
    expect(405, server.raw("OPTIONS", "/api/files", &right(&[]), ""))?;
    expect(404, server.raw("GET", "/api/files", &right(&[]), ""))?;
    expect(404, server.raw("POST", "/api/secrets", &right(&[]), "{}"))?;
    expect(
        404,
        server.raw("GET", "/../../etc/passwd", std::slice::from_ref(&host), ""),
    )?;
    // What asks first may not be answered, and says what it may do in no header.
    let (_, head, _) = ask(&right(&["Origin: http://evil.example"]))?;
    match head.to_lowercase().contains("access-control") {
        true => Err("other pages are let in".to_string()),
        false => Ok(()),
    }
}

fn only_the_folder() -> Result<(), String> {
    let server = Server::start("folder", "all")?;
    let top = server.folder.clone();
    write(&top, "secret.okl", "int secret;\n");
    write(&top, "secret.h", "int secret;\n");
    write(&top, "all/in.h", "#define GIVEN 1\n");
    write(
        &top,
        "all/deep/b.br",
        "kernel void g(float a<>, out float b<>) { b = a; }\n",
    );
    #[cfg(unix)]
    {
        let _ = std::os::unix::fs::symlink(top.join("secret.okl"), top.join("all/link.okl"));
        let _ = std::os::unix::fs::symlink(top.join("secret.h"), top.join("all/link.h"));
    }
    let files = server.ask("files", &json!({}))?;
    let wanted = json!(["a.okl", "deep/b.br", "in.h"]);
    if files["files"] != wanted {
        return Err(format!("files are {}", files["files"]));
    }
    let absolute = top.join("secret.okl").display().to_string();
    for name in [
        "../secret.okl",
        "deep/../../secret.okl",
        "link.okl",
        "",
        ".",
        "/etc/passwd",
        &absolute,
        "a.okl/",
    ] {
        let told = server.ask("source", &json!({ "file": name }));
        match told {
            Err(status) if status.starts_with("404") => {}
            other => return Err(format!("'{name}': {other:?}")),
        }
        let question = json!({ "file": name, "text": KERNEL, "backends": ["cuda"] });
        if server.ask("look", &question).is_ok() || server.ask("run", &question).is_ok() {
            return Err(format!("'{name}' is looked at"));
        }
    }
    let secret = top.join("secret.h").display().to_string();
    for name in [
        "../secret.h",
        "link.h",
        "/etc/passwd",
        &secret,
        "deep/../../secret.h",
    ] {
        for text in [
            format!("#include \"{name}\"\n{KERNEL}"),
            format!("#if __has_include(\"{name}\")\n#error it is there\n#endif\n{KERNEL}"),
        ] {
            let question = json!({ "file": "a.okl", "text": text, "backends": ["cuda"] });
            for what in ["look", "run"] {
                let answer = server.ask(what, &question)?.to_string();
                if answer.contains("int secret")
                    || answer.contains("root:")
                    || answer.contains("it is there")
                {
                    return Err(format!("{what} shows '{name}': {answer}"));
                }
            }
        }
    }
    // What may be shown is, from the text in the editor and the file beside it.
    let text = format!("#include \"in.h\"\n#if GIVEN\n{KERNEL}#endif\n");
    let answer = server.ask(
        "look",
        &json!({ "file": "a.okl", "text": text, "backends": ["cuda"] }),
    )?;
    no_errors(&answer["messages"])?;
    write(&top, "all/.hidden.h", "int secret;\n");
    let text = format!("#include \".hidden.h\"\n{KERNEL}");
    let answer = server.ask("look", &json!({ "file": "a.okl", "text": text }))?;
    contains(&answer["messages"].to_string(), "cannot find")?;
    // Options are no way to files.
    for options in [
        json!({ "include_directories": ["/etc"] }),
        json!({ "includes": ["/etc/passwd"] }),
        json!({ "intrinsics": ["/etc/passwd"] }),
    ] {
        let question = json!({ "file": "a.okl", "text": KERNEL, "options": options });
        match server.ask("look", &question) {
            Err(status) if status.starts_with("400") => {}
            other => return Err(format!("{options}: {other:?}")),
        }
    }
    let file = json!([
        ["n", "64"],
        ["x", format!("@{}", top.join("secret.h").display())]
    ]);
    let answer = server.ask(
        "run",
        &json!({ "file": "a.okl", "text": KERNEL, "arguments": file }),
    )?;
    contains(
        &answer["wrong"].to_string(),
        "files are for the command line",
    )
}

fn no_requests() -> Result<(), String> {
    let server = Server::start("requests", "all")?;
    for (text, status) in [
        ("\r\n\r\n\u{0}\u{0}", 400),
        ("GET\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\n\r\n", 411),
        (
            "POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
            400,
        ),
        ("POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nContent-Length: 9999999999\r\n\r\n", 413),
        (
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            501,
        ),
        ("GET / HTTP/1.1\r\n: x\r\n\r\n", 400),
    ] {
        expect(status, server.exchange(text.as_bytes())).map_err(|e| format!("{text:?}: {e}"))?;
    }
    let long = format!("GET / HTTP/1.1\r\nA: {}\r\n\r\n", "a".repeat(40 << 10));
    expect(431, server.exchange(long.as_bytes()))?;
    let many = format!("GET / HTTP/1.1\r\n{}\r\n", "A: a\r\n".repeat(100));
    expect(431, server.exchange(many.as_bytes()))?;
    let host = server.host();
    let authorization = format!("Authorization: Bearer {}", server.token);
    for body in [
        "",
        "{",
        "[]",
        "\u{0}",
        "{\"file\": 1}",
        "{\"file\": \"a.okl\"}",
    ] {
        let lines = [host.clone(), authorization.clone()];
        expect(400, server.raw("POST", "/api/look", &lines, body))
            .map_err(|e| format!("{body:?}: {e}"))?;
    }
    let deep = format!("{}{}", "[".repeat(200_000), "]".repeat(200_000));
    expect(
        400,
        server.raw(
            "POST",
            "/api/look",
            &[host.clone(), authorization.clone()],
            &deep,
        ),
    )?;
    // However often something is wanted, it is made once; and nobody wants that many options.
    let many = json!({ "file": "a.okl", "text": KERNEL, "backends": vec!["cuda"; 50_000] });
    let answer = server.ask("look", &many)?;
    if answer["outputs"].as_array().map(Vec::len) != Some(1) {
        return Err("a backend was asked for many times".to_string());
    }
    let many =
        json!({ "file": "a.okl", "text": KERNEL, "options": { "defines": vec!["A"; 50_000] } });
    match server.ask("look", &many) {
        Err(status) if status.starts_with("422") => {}
        other => return Err(format!("{other:?}")),
    }
    // Several on one connection, the second one in two pieces.
    let first = format!("GET / HTTP/1.1\r\n{host}\r\n\r\nGET /style.css HT");
    let mut stream = server.connect()?;
    let failed = |e: std::io::Error| e.to_string();
    stream.write_all(first.as_bytes()).map_err(failed)?;
    std::thread::sleep(Duration::from_millis(50));
    let rest = format!("TP/1.1\r\n{host}\r\nConnection: close\r\n\r\n");
    stream.write_all(rest.as_bytes()).map_err(failed)?;
    let mut all = Vec::new();
    stream.read_to_end(&mut all).map_err(failed)?;
    let all = String::from_utf8_lossy(&all);
    match all.matches("HTTP/1.1 200 OK").count() {
        2 => Ok(()),
        count => Err(format!("{count} answers")),
    }
}

fn looks() -> Result<(), String> {
    let server = Server::start("looks", "all")?;
    let told = server.ask("source", &json!({ "file": "a.okl" }))?;
    if told["text"] != KERNEL {
        return Err(format!("the text is {}", told["text"]));
    }
    let again = server.ask(
        "source",
        &json!({ "file": "a.okl", "known": told["stamp"] }),
    )?;
    if !again["text"].is_null() {
        return Err("a file that is known was sent again".to_string());
    }
    let all = ["cuda", "hip", "opencl", "openmp", "metal", "sycl"];
    let question = json!({ "file": "a.okl", "text": KERNEL, "backends": all });
    let answer = server.ask("look", &question)?;
    no_errors(&answer["messages"])?;
    for (output, name) in answer["outputs"].as_array().into_iter().flatten().zip(all) {
        let text = output["text"].as_str().unwrap_or_default();
        if output["backend"] != name || !text.contains("s[63 - t]") {
            return Err(format!("{name}: {output}"));
        }
        // The line with that store is the fifth of the source.
        let line = text
            .lines()
            .position(|l| l.contains("s[63 - t]"))
            .unwrap_or(0);
        if output["map"][line] != 4 {
            return Err(format!(
                "{name}: line {line} comes from {}",
                output["map"][line]
            ));
        }
    }
    // What is wrong has a place in units of UTF-16, and a change that mends it.
    let broken = KERNEL.replace("s[t] = x[b + t];", "/* \u{1d6fc} */ s[t] = x[b + t]");
    let answer = server.ask(
        "look",
        &json!({ "file": "a.okl", "text": broken, "backends": ["cuda"] }),
    )?;
    let message = &answer["messages"][0];
    let line = broken.lines().nth(3).unwrap_or_default();
    let end = line
        .find(" }")
        .map_or("", |at| &line[..at])
        .encode_utf16()
        .count();
    if message["fixes"][0]["edits"][0]
        != json!({ "at": { "from": [3, end], "to": [3, end], "file": null }, "text": ";" })
    {
        return Err(format!("{message}"));
    }
    if !answer["outputs"][0]["text"].is_null() {
        return Err("what is broken has a translation".to_string());
    }
    // Options.
    let open = KERNEL.replace("63 - t", "LAST - t");
    let mut question = json!({ "file": "a.okl", "text": open, "backends": ["cuda"] });
    contains(
        &server.ask("look", &question)?["messages"].to_string(),
        "LAST",
    )?;
    question["options"] = json!({ "defines": ["LAST=63"] });
    let answer = server.ask("look", &question)?;
    no_errors(&answer["messages"])?;
    contains(&answer["outputs"][0]["text"].to_string(), "s[63 - t]")?;
    question["options"] = json!({ "defines": ["1=2"] });
    match server.ask("look", &question) {
        Err(status) if status.starts_with("422") => {}
        other => return Err(format!("{other:?}")),
    }
    // Places, and what may be written there.
    let place = json!({ "file": "a.okl", "text": KERNEL, "line": 3, "column": 43 });
    contains(
        &server.ask("hover", &place)?["text"].to_string(),
        "float s[64]",
    )?;
    let place = json!({ "file": "a.okl", "text": KERNEL, "line": 2, "column": 5 });
    contains(&server.ask("complete", &place)?.to_string(), "exclusive")
}

fn launches() -> Result<(), String> {
    let server = Server::start("launches", "all")?;
    let mut question =
        json!({ "file": "a.okl", "text": KERNEL, "arguments": [["n", "200"], ["x", "iota(256)"]] });
    let answer = server.ask("run", &question)?;
    let place = |from: [u64; 2], to: [u64; 2]| json!({ "from": from, "to": to, "file": null });
    // A loop begins with its attribute.
    let first = place([3, 33], [3, 61]);
    let wanted = json!([{
        "at": place([1, 34], [5, 3]),
        "groups": [4, 1, 1],
        "items": [64, 1, 1],
        "steps": [
            { "items": [64, 1, 1], "at": first },
            { "barrier": true, "at": first },
            { "items": [64, 1, 1], "at": place([4, 33], [4, 62]) },
        ],
        "more": false,
    }]);
    if answer["launches"] != wanted || answer["findings"] != json!([]) {
        return Err(format!("{answer}"));
    }
    // Without the loop between them: two items meet.
    let race = KERNEL.replace("x[b + t]; }\n", "x[b + t]; x[b + t] = s[63 - t]; }\n");
    question["text"] = json!(race);
    let answer = server.ask("run", &question)?;
    let found = answer["findings"].as_array().cloned().unwrap_or_default();
    let race = found.iter().find(|f| f["code"] == "SAN001");
    let race = race.ok_or_else(|| format!("{answer}"))?;
    let (who, other) = (&race["who"], &race["otherWho"]);
    if who["group"] != json!([0, 0, 0])
        || who["group"] != other["group"]
        || who["item"] == other["item"]
    {
        return Err(format!("{race}"));
    }
    // What cannot be: said, and the page goes on.
    question["text"] = json!(KERNEL);
    for (value, what) in [
        ("twelve", "twelve"),
        ("1.5", "cannot hold"),
        ("iota(4)", "one value"),
    ] {
        question["arguments"] = json!([["n", value]]);
        contains(&server.ask("run", &question)?["wrong"].to_string(), what)?;
    }
    question["arguments"] = json!([["x", "zeros(4000000000)"]]);
    contains(
        &server.ask("run", &question)?["wrong"].to_string(),
        "too large",
    )?;
    question["text"] = json!(KERNEL.replace("b < n", "b < n && true"));
    question["arguments"] = json!([]);
    contains(
        &server.ask("run", &question)?["messages"].to_string(),
        "OKL",
    )?;
    let endless = KERNEL.replace("s[t] = x[b + t];", "while (n > 0) { s[t] = x[b + t]; }");
    question["text"] = json!(endless);
    contains(
        &server.ask("run", &question)?["messages"].to_string(),
        "steps",
    )?;
    let large = KERNEL.replace(
        "@shared float s[64];",
        "@shared float s[64]; @exclusive float q[100000000];",
    );
    question["text"] = json!(large);
    contains(
        &server.ask("run", &question)?["messages"].to_string(),
        "MiB",
    )?;
    // Streams: elements, without groups.
    write(
        &server.folder,
        "all/b.br",
        "kernel void g(float a<>, out float b<>) { b = a; }\n",
    );
    let question = json!({ "file": "b.br", "text": "kernel void g(float a<>, out float b<>) { b = a; }\n",
        "arguments": [["a", "iota(30)"], ["b", "zeros(30)"]] });
    let answer = server.ask("run", &question)?;
    let launch = &answer["launches"][0];
    match launch["groups"] == json!([30, 1, 1]) && launch["items"] == json!([0, 0, 0]) {
        true => Ok(()),
        false => Err(format!("{answer}")),
    }
}

fn page() -> Result<(), String> {
    let server = Server::start("page", "all/a.okl")?;
    let host = [server.host()];
    let (_, head, body) = expect(200, server.raw("GET", "/", &host, ""))?;
    let policy = head
        .lines()
        .find(|l| l.starts_with("content-security-policy"));
    let policy = policy.ok_or("there is no policy")?.to_string();
    contains(&policy, "default-src 'none'")?;
    // What is written into the page, styles may have.
    let nonce = policy
        .split("'nonce-")
        .nth(1)
        .and_then(|p| p.split('\'').next());
    contains(&body, &format!("content=\"{}\"", nonce.unwrap_or("?")))?;
    let (_, _, other) = expect(200, server.raw("GET", "/", &host, ""))?;
    if other == body {
        return Err("the nonce is the same twice".to_string());
    }
    for address in body.split(['"', '\'']).filter(|a| a.starts_with('/')) {
        expect(200, server.raw("GET", address, &host, ""))
            .map_err(|e| format!("{address}: {e}"))?;
    }
    for word in ["http:", "https:", "<script>", "onclick", "onload"] {
        if body.contains(word) {
            return Err(format!("the page has '{word}'"));
        }
    }
    let files = server.ask("files", &json!({}))?;
    match files["files"] == json!(["a.okl"]) {
        true => Ok(()),
        false => Err(format!("{files}")),
    }
}

fn expect(status: u16, answered: Result<Answered, String>) -> Result<Answered, String> {
    let answered = answered?;
    match answered.0 == status {
        true => Ok(answered),
        false => Err(format!(
            "{} instead of {status}: {}",
            answered.0, answered.2
        )),
    }
}

fn contains(text: &str, what: &str) -> Result<(), String> {
    match text.contains(what) {
        true => Ok(()),
        false => Err(format!("'{what}' is not in: {text}")),
    }
}

fn no_errors(messages: &Value) -> Result<(), String> {
    let messages = messages.as_array().ok_or("there are no messages")?;
    match messages.iter().find(|m| m["severity"] == "error") {
        None => Ok(()),
        Some(error) => Err(format!("{error}")),
    }
}
