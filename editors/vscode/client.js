// The client of `brook lsp`, and generated source beside the source.
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const vscode = require('vscode');
const { LanguageClient, State } = require('vscode-languageclient/node');
const { Generated, SCHEME } = require('./generated');

const LANGUAGES = ['okl', 'brook'];
// What the server calls it, in lenses; VS Code's command of that name is made by the language client.
const SHOW = 'brook.showGenerated';
const BACKENDS = [
  ['cuda', 'CUDA'],
  ['hip', 'HIP'],
  ['opencl', 'OpenCL'],
  ['openmp', 'OpenMP'],
  ['metal', 'Metal'],
  ['sycl', 'SYCL'],
];

let client;
let generated;
// Starts and stops come one after the other.
let turn = Promise.resolve();

/** The program that the setting names; undefined if there is none. */
function find(setting) {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const name = setting.replace(/^~(?=[/\\])/, os.homedir()).replaceAll('${workspaceFolder}', folder);
  const windows = process.platform === 'win32';
  const endings = windows && !path.extname(name) ? ['.exe'] : [''];
  const folders = /[/\\]/.test(name) ? [''] : (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const file of folders.flatMap((f) => endings.map((e) => path.join(f, name + e)))) {
    try {
      fs.accessSync(file, fs.constants.X_OK);
      if (fs.statSync(file).isFile()) return file;
    } catch {
      // It is somewhere else.
    }
  }
}

function create(command) {
  const made = new LanguageClient(
    'brook',
    'Brook',
    { command, args: ['lsp'] },
    {
      documentSelector: [
        ...LANGUAGES.map((language) => ({ language, scheme: 'file' })),
        ...LANGUAGES.map((language) => ({ language, scheme: 'untitled' })),
        // Headers: of those that no kernel includes, the server says nothing.
        ...['c', 'cpp', 'cuda-cpp'].map((language) => ({ language, scheme: 'file', pattern: '**/*.{h,hh,hpp,hxx,inc}' })),
      ],
      synchronize: {
        fileEvents: vscode.workspace.createFileSystemWatcher('**/{*.{okl,br,bri,h,hh,hpp,hxx,inc},brook.toml}'),
      },
      middleware: {
        // A lens was clicked: the text opens as a document of ours.
        executeCommand: (command, args, next) => (command === SHOW ? show(args[0], args[1]) : next(command, args)),
      },
    },
  );
  // The language client says that documents can be shown, whereupon the server would write a file and ask for that, too.
  made.registerFeature({
    fillClientCapabilities: (capabilities) => {
      if (capabilities.window) capabilities.window.showDocument = { support: false };
    },
    initialize() {},
    getState: () => ({ kind: 'static' }),
    clear() {},
    dispose() {},
  });
  made.onDidChangeState((change) => {
    if (change.newState === State.Running) generated.refresh();
  });
  return made;
}

async function start() {
  const setting = vscode.workspace.getConfiguration('brook').get('path') || 'brook';
  const command = find(setting);
  if (!command) {
    // Nobody waits for the answer: activation ends before somebody reads this.
    const what = `Brook: there is no program '${setting}'. Install brook, or say where it is in the setting 'brook.path'.`;
    vscode.window.showErrorMessage(what, 'Open the setting').then((chosen) => {
      if (chosen) vscode.commands.executeCommand('workbench.action.openSettings', 'brook.path');
    });
    return;
  }
  const made = create(command);
  try {
    await made.start();
    client = made;
  } catch (error) {
    // The language client has said why; it only does not know what is set where.
    made.outputChannel.appendLine(`${command} lsp: ${error.message}; the program is the one in the setting 'brook.path'`);
    await made.dispose().catch(() => {});
  }
}

async function stop() {
  const old = client;
  client = undefined;
  // Also one that has crashed, and cannot be asked to stop.
  await old?.dispose().catch(() => {});
}

function restart() {
  turn = turn.then(stop).then(start);
  return turn;
}

/** What the server makes of a source: { name, text }. */
async function request(uri, backend) {
  // The server knows only what is open.
  await vscode.workspace.openTextDocument(vscode.Uri.parse(uri));
  if (!client) throw new Error('the language server does not run');
  return client.sendRequest('workspace/executeCommand', { command: SHOW, arguments: [uri, backend] });
}

async function show(uri, backend) {
  try {
    await generated.show(uri, backend);
  } catch (error) {
    vscode.window.showErrorMessage(`Brook: ${error.message}`);
  }
}

async function showSource() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !LANGUAGES.includes(document.languageId)) {
    vscode.window.showInformationMessage('Brook: open a source of kernels first, *.okl or *.br.');
    return;
  }
  const items = BACKENDS.map(([description, label]) => ({ label, description }));
  const chosen = await vscode.window.showQuickPick(items, { placeHolder: 'Generated for which backend?' });
  if (chosen) await show(document.uri.toString(), chosen.description);
}

async function activate(context) {
  generated = new Generated(request);
  context.subscriptions.push(
    generated,
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, generated),
    vscode.commands.registerCommand('brook.restart', restart),
    vscode.commands.registerCommand('brook.showSource', showSource),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('brook.path')) restart();
    }),
  );
  await restart();
}

function deactivate() {
  turn = turn.then(stop);
  return turn;
}

module.exports = { activate, deactivate };
