// Runs the grammars' tests. VS Code ships the grammars of C and C++; here those of the npm package tm-grammars, which
// are the same ones, stand in for them.
const { spawnSync } = require('node:child_process');
const { readdirSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '..');
const given = ['cpp', 'cpp-macro', 'c'].map((name) => require.resolve(`tm-grammars/grammars/${name}.json`));
const own = ['okl', 'brook'].map((name) => path.join(root, 'syntaxes', `${name}.tmLanguage.json`));
const folder = path.join(__dirname, 'grammar');
const tests = readdirSync(folder).map((name) => path.join(folder, name));
const runner = path.join(root, 'node_modules', '.bin', 'vscode-tmgrammar-test');
const grammars = [...given, ...own].flatMap((file) => ['-g', file]);
const { status } = spawnSync(runner, [...grammars, ...tests], { stdio: 'inherit', shell: process.platform === 'win32' });
process.exit(status ?? 1);
