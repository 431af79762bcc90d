// What of VS Code the client and vscode-languageclient use, without VS Code: documents are texts in memory, and what
// would be seen is noted in `seen`.
const { URI } = require('vscode-uri');

class EventEmitter {
  listeners = new Set();
  event = (listener, self) => {
    const bound = self ? listener.bind(self) : listener;
    this.listeners.add(bound);
    return { dispose: () => this.listeners.delete(bound) };
  };
  fire(what) {
    for (const listener of [...this.listeners]) listener(what);
  }
  dispose() {
    this.listeners.clear();
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose() {} }) };
  cancel() {
    this.token.isCancellationRequested = true;
  }
  dispose() {}
}

/** A kind such as `source.fixAll`, made of its parts one after the other. */
class CodeActionKind {
  constructor(value) {
    this.value = value;
  }
  append(part) {
    return new CodeActionKind(this.value ? `${this.value}.${part}` : part);
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, end) {
    Object.assign(this, { start, end });
  }
}

class Document {
  version = 1;
  constructor(uri, languageId, text) {
    Object.assign(this, { uri, languageId, text });
  }
  getText() {
    return this.text;
  }
}

const seen = { errors: [], shown: [], commands: new Map(), provider: undefined, settings: {}, picks: [], lenses: [] };
const events = {};
const event = (name) => (events[name] ??= new EventEmitter()).event;
const nothing = () => ({ dispose() {} });

const workspace = {
  textDocuments: [],
  workspaceFolders: undefined,
  notebookDocuments: [],
  getConfiguration: (section) => ({ get: (key, otherwise) => seen.settings[`${section}.${key}`] ?? otherwise }),
  createFileSystemWatcher: () => ({ onDidCreate: nothing, onDidChange: nothing, onDidDelete: nothing, dispose() {} }),
  registerTextDocumentContentProvider(scheme, provider) {
    seen.provider = provider;
    provider.onDidChange(async (uri) => {
      const document = workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
      document.text = await provider.provideTextDocumentContent(uri);
      document.version += 1;
      events.refreshed?.fire(document);
    });
    return nothing();
  },
  async openTextDocument(uri) {
    const open = workspace.textDocuments.find((d) => d.uri.toString() === uri.toString());
    if (open) return open;
    const text = await seen.provider.provideTextDocumentContent(uri);
    const document = new Document(uri, 'plaintext', text);
    workspace.textDocuments.push(document);
    return document;
  },
};
const window = {
  activeTextEditor: undefined,
  visibleTextEditors: [],
  createOutputChannel: () => new Proxy({}, { get: () => () => {} }),
  async showErrorMessage(text) {
    seen.errors.push(text);
  },
  async showInformationMessage() {},
  async showQuickPick(items) {
    seen.picks.push(items);
    return items[0];
  },
  async showTextDocument(document, options) {
    seen.shown.push({ document, options });
    window.visibleTextEditors.push({ document });
  },
};
const commands = {
  registerCommand(name, run) {
    if (seen.commands.has(name)) throw new Error(`command '${name}' already exists`);
    seen.commands.set(name, run);
    return { dispose: () => seen.commands.delete(name) };
  },
  executeCommand: async (name, ...args) => seen.commands.get(name)(...args),
};
const languages = {
  match(selector, document) {
    const filters = Array.isArray(selector) ? selector : [selector];
    const { scheme } = document.uri;
    return filters.some((f) => (!f.language || f.language === document.languageId) && (!f.scheme || f.scheme === scheme)) ? 10 : 0;
  },
  async setTextDocumentLanguage(document, language) {
    document.languageId = language;
    return document;
  },
  createDiagnosticCollection: () => ({ set() {}, delete() {}, clear() {}, dispose() {} }),
  registerCodeLensProvider(selector, provider) {
    seen.lenses.push(provider);
    return nothing();
  },
};

// Events and registrations that nothing comes from; classes that only need to be there.
const lenient = (object) =>
  new Proxy(object, {
    get(target, name) {
      if (name in target || typeof name !== 'string') return target[name];
      if (/^on(Did|Will)/.test(name)) return event(name);
      if (/^register/.test(name)) return nothing;
    },
  });
const known = {
  Uri: URI,
  EventEmitter,
  CancellationTokenSource,
  Position,
  Range,
  Document,
  seen,
  events,
  version: '1.99.0',
  workspace: lenient(workspace),
  window: lenient(window),
  commands,
  languages: lenient(languages),
  env: { language: 'en', appName: 'stub' },
  extensions: { all: [], getExtension() {} },
  l10n: { t: (text) => text },
  ViewColumn: { Beside: -2 },
  CodeActionKind: { Empty: new CodeActionKind('') },
  Disposable: class {
    constructor(dispose) {
      this.dispose = dispose;
    }
  },
};
module.exports = new Proxy(known, {
  get(target, name) {
    if (typeof name === 'string' && !(name in target)) target[name] = class {};
    return target[name];
  },
});
