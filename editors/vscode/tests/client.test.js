// The client against a stub of VS Code and the real server: the program in BROOK, or brook on the PATH.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const Module = require('node:module');
const path = require('node:path');
const { after, before, test } = require('node:test');

const resolve = Module._resolveFilename;
Module._resolveFilename = (name, ...rest) =>
  name === 'vscode' ? path.join(__dirname, 'stub', 'vscode.js') : resolve(name, ...rest);
const vscode = require('vscode');
const { activate, deactivate } = require('../dist/client.js');

const { seen } = vscode;
const program = process.env.BROOK || 'brook';
const there = spawnSync(program, ['--version']).status === 0;
const skip = there ? false : `there is no program '${program}'; BROOK says which`;
const KERNEL = `@kernel void scale(const int n, float *x) {
  for (int i = 0; i < n; ++i; @tile(64, @outer, @inner)) {
    x[i] *= 2.0f;
  }
}
`;
const uri = vscode.Uri.file('/tmp/scale.okl');
const source = new vscode.Document(uri, 'okl', KERNEL);
const context = { subscriptions: [] };

/** Types at the beginning of a line in the place of so many letters, as the client is told. */
function type(line, text, instead = 0) {
  const lines = source.text.split('\n');
  lines[line] = text + lines[line].slice(instead);
  source.text = lines.join('\n');
  source.version += 1;
  const range = new vscode.Range(new vscode.Position(line, 0), new vscode.Position(line, instead));
  const contentChanges = [{ range, text }];
  vscode.events.onDidChangeTextDocument.fire({ document: source, contentChanges });
}

/** The next document that is made anew. */
function refreshed() {
  const emitter = (vscode.events.refreshed ??= new vscode.EventEmitter());
  return new Promise((done) => {
    const listener = emitter.event((document) => {
      listener.dispose();
      done(document);
    });
  });
}

before(async () => {
  seen.settings['brook.path'] = 'no-such-brook';
  vscode.workspace.textDocuments.push(source);
  vscode.window.activeTextEditor = { document: source };
  await activate(context);
});

after(async () => {
  await deactivate();
  for (const each of context.subscriptions) each.dispose();
});

test('commands are there', () => {
  assert.deepEqual([...seen.commands.keys()].sort(), ['brook.restart', 'brook.showSource']);
});

test('a missing program is an error that names the setting', () => {
  assert.equal(seen.errors.length, 1);
  assert.match(seen.errors[0], /no program 'no-such-brook'.*'brook\.path'/);
});

test('without a server, nothing can be shown, and that is said', async () => {
  await vscode.commands.executeCommand('brook.showSource');
  assert.match(seen.errors.at(-1), /the language server does not run/);
});

test('the server starts, and its own command comes with it', { skip }, async () => {
  seen.settings['brook.path'] = program;
  seen.errors.length = 0;
  await vscode.commands.executeCommand('brook.restart');
  assert.deepEqual(seen.errors, []);
  assert.ok(seen.commands.has('brook.showGenerated'));
});

test('a lens opens generated source beside the kernel, and once', { skip }, async () => {
  const lenses = await seen.lenses.at(-1).provideCodeLenses(source, new vscode.CancellationTokenSource().token);
  const { command } = lenses.find((lens) => lens.command.title === 'show CUDA');
  await vscode.commands.executeCommand(command.command, ...command.arguments);
  assert.deepEqual(seen.errors, []);
  assert.equal(seen.shown.length, 1);
  const { document, options } = seen.shown[0];
  assert.equal(document.uri.scheme, 'brook-generated');
  assert.match(document.uri.path, /scale\.cu$/);
  assert.equal(document.languageId, 'cuda-cpp');
  assert.equal(options.viewColumn, vscode.ViewColumn.Beside);
  assert.match(document.getText(), /__global__[^]*blockIdx/);
});

test('it follows the source', { skip }, async () => {
  const next = refreshed();
  type(2, '    x[i] += 3.0f;\n');
  assert.match((await next).getText(), /x\[i\] \+= 3\.0f/);
});

test('in the middle of a change the last text stays, and says so', { skip }, async () => {
  const broken = refreshed();
  type(2, 'if (');
  assert.match((await broken).getText(), /^\/\/ Not up to date: [^\n]+\n[^]*x\[i\] \+= 3\.0f/);
  const mended = refreshed();
  type(2, '', 'if ('.length);
  assert.doesNotMatch((await mended).getText(), /Not up to date/);
});

test('what is not seen is made anew when it is', { skip }, async () => {
  const editors = vscode.window.visibleTextEditors.splice(0);
  type(2, 'x[i] -= 4.0f;');
  await new Promise((done) => setTimeout(done, 500));
  assert.doesNotMatch(editors[0].document.getText(), /4\.0f/);
  const next = refreshed();
  vscode.window.visibleTextEditors.push(...editors);
  vscode.events.onDidChangeVisibleTextEditors.fire(editors);
  assert.match((await next).getText(), /x\[i\] -= 4\.0f/);
});

test('all backends of the list are the server\'s', { skip }, async () => {
  await vscode.commands.executeCommand('brook.showSource');
  const endings = { cuda: 'cuda-cpp', hip: 'cpp', opencl: 'c', openmp: 'cpp', metal: 'cpp', sycl: 'cpp' };
  const offered = seen.picks.at(-1).map((item) => item.description);
  assert.deepEqual(offered, Object.keys(endings));
  for (const backend of offered) {
    await vscode.commands.executeCommand('brook.showGenerated', uri.toString(), backend);
    assert.deepEqual(seen.errors, []);
    assert.equal(seen.shown.at(-1).document.languageId, endings[backend], backend);
  }
});

test('it starts again, with its command', { skip }, async () => {
  await vscode.commands.executeCommand('brook.restart');
  assert.deepEqual(seen.errors, []);
  assert.ok(seen.commands.has('brook.showGenerated'));
});
