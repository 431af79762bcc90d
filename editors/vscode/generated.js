// Generated source as documents that nobody can write to: brook-generated:/scale.cu?{"source":"file:///scale.okl",…}
const path = require('node:path');
const vscode = require('vscode');

const SCHEME = 'brook-generated';
// Other endings, those of HIP, Metal, SYCL and OpenMP, are C++.
const LANGUAGES = { '.cu': 'cuda-cpp', '.cl': 'c' };
// Somebody types: wait for the end of a word.
const DELAY = 300;

class Generated {
  /** `request` asks the server: (uri, backend) => { name, text }. */
  constructor(request) {
    this.request = request;
    this.texts = new Map(); // what was made last, by the document's URI
    this.stale = new Set(); // documents that were not seen when their source changed
    this.timers = new Map();
    this.changed = new vscode.EventEmitter();
    this.onDidChange = this.changed.event;
    const { workspace, window } = vscode;
    this.listeners = [
      workspace.onDidChangeTextDocument((e) => this.later(e.document.uri.toString())),
      // It may be a header, and who includes it only the server knows.
      workspace.onDidSaveTextDocument(() => this.refresh()),
      window.onDidChangeVisibleTextEditors(() => this.catchUp()),
      workspace.onDidCloseTextDocument((d) => this.forget(d.uri.toString())),
    ];
  }

  /** Opens what a backend gets beside its source. */
  async show(source, backend) {
    const made = await this.request(source, backend);
    const query = JSON.stringify({ source, backend });
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${made.name}`, query });
    const key = uri.toString();
    this.texts.set(key, made.text);
    let document = await vscode.workspace.openTextDocument(uri);
    // An open document keeps its text until it is told of another.
    if (document.getText() !== made.text) this.changed.fire(uri);
    const language = LANGUAGES[path.extname(made.name)] ?? 'cpp';
    // Changing the language closes a document and opens it again: its text must not be forgotten meanwhile.
    if (document.languageId !== language) document = await vscode.languages.setTextDocumentLanguage(document, language);
    this.texts.set(key, made.text);
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }

  /** VS Code asks for a text: the one at hand the first time, a new one after that. */
  async provideTextDocumentContent(uri) {
    const key = uri.toString();
    const { source, backend } = JSON.parse(uri.query);
    const known = this.texts.get(key);
    if (known !== undefined && !this.stale.delete(key)) return known;
    try {
      const made = await this.request(source, backend);
      this.texts.set(key, made.text);
      return made.text;
    } catch (error) {
      // In the middle of a change there often are errors. What was there before stays, and says so.
      this.stale.add(key);
      const why = error.message.split('\n', 1)[0];
      return known === undefined ? `// ${why}\n` : `// Not up to date: ${why}\n${known}`;
    }
  }

  later(source) {
    if (![...this.documents()].some((d) => JSON.parse(d.uri.query).source === source)) return;
    clearTimeout(this.timers.get(source));
    const timer = setTimeout(() => {
      this.timers.delete(source);
      this.refresh(source);
    }, DELAY);
    this.timers.set(source, timer);
  }

  /** All documents of a source, or of any, are out of date. */
  refresh(source) {
    for (const { uri } of this.documents()) {
      if (!source || JSON.parse(uri.query).source === source) this.stale.add(uri.toString());
    }
    this.catchUp();
  }

  /** Makes anew what is out of date and seen. */
  catchUp() {
    for (const { document } of vscode.window.visibleTextEditors) {
      if (this.stale.has(document.uri.toString())) this.changed.fire(document.uri);
    }
  }

  documents() {
    return vscode.workspace.textDocuments.filter((d) => d.uri.scheme === SCHEME);
  }

  forget(key) {
    this.texts.delete(key);
    this.stale.delete(key);
  }

  dispose() {
    for (const timer of this.timers.values()) clearTimeout(timer);
    for (const listener of this.listeners) listener.dispose();
    this.changed.dispose();
  }
}

module.exports = { Generated, SCHEME };
