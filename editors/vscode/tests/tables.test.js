// Grammars and snippets against the tables of the languages, the examples, and the translator.
const assert = require('node:assert/strict');
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const { before, test } = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { Registry, INITIAL } = require('vscode-textmate');

const root = path.join(__dirname, '..');
const repository = path.join(root, '../..');
const given = { 'source.c': 'c', 'source.cpp': 'cpp', 'source.cpp.embedded.macro': 'cpp-macro' };
const own = { 'source.okl': 'okl', 'source.brook': 'brook' };
const grammars = {};
const table = (name) => fs.readFileSync(path.join(repository, 'grammar', name), 'utf8');
const rows = (text, pattern) => [...text.matchAll(pattern)].map((found) => found[1]);

before(async () => {
  const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength));
  const registry = new Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async (scope) => {
      const file = own[scope] ? path.join(root, 'syntaxes', `${own[scope]}.tmLanguage.json`) : given[scope] && require.resolve(`tm-grammars/grammars/${given[scope]}.json`);
      return file ? JSON.parse(fs.readFileSync(file, 'utf8')) : null;
    },
  });
  for (const scope of Object.keys(own)) grammars[own[scope]] = await registry.loadGrammar(scope);
});

/** Whether a word of a line has a scope. */
function has(language, line, word, scope) {
  const at = line.indexOf(word);
  const token = grammars[language].tokenizeLine(line, INITIAL).tokens.find((t) => t.startIndex <= at && at < t.endIndex);
  return token.scopes.includes(scope);
}

test('all attributes are attributes', () => {
  const names = rows(table('attributes.toml'), /^\[(\w+)\]$/gm);
  assert.ok(names.length > 10);
  for (const name of names) assert.ok(has('okl', `@${name} int x;`, name, 'entity.name.function.decorator.okl'), name);
  for (const name of rows(table('attributes.toml'), /^\["brook\.(\w+)"\]$/gm)) {
    // These two are no words of the language.
    if (name === 'stream' || name === 'attribute') continue;
    assert.ok(has('brook', `${name} float x`, name, 'storage.modifier.brook'), name);
  }
});

test('all functions of Brook+ are functions', () => {
  const names = rows(table('functions.toml'), /^(\w+) = \{/gm);
  assert.ok(names.length > 20);
  for (const name of names) assert.ok(has('brook', `x = ${name}(y);`, name, 'support.function.builtin.brook'), name);
});

test('all intrinsics of OKL are functions', () => {
  const names = rows(table('intrinsics.toml'), /^\[(\w+)\]$/gm);
  assert.ok(names.length > 5);
  for (const name of names) assert.ok(has('okl', `x = ${name}(y);`, name, 'support.function.builtin.okl'), name);
});

test('streams of an example are streams', () => {
  const text = fs.readFileSync(path.join(repository, 'examples/brook/reduction.br'), 'utf8');
  let state = INITIAL;
  let found = 0;
  for (const line of text.split('\n')) {
    const made = grammars.brook.tokenizeLine(line, state);
    state = made.ruleStack;
    found += made.tokens.filter((t) => t.scopes.includes('variable.other.stream.brook')).length;
  }
  // Two parameters for each of five kernels, and eight variables.
  assert.equal(found, 18);
});

const program = process.env.BROOK || 'brook';
const there = spawnSync(program, ['--version']).status === 0;
const skip = there ? false : `there is no program '${program}'; BROOK says which`;

test('snippets that are kernels can be translated', { skip }, () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'brook-snippets-'));
  let kernels = 0;
  for (const [language, ending] of [['okl', 'okl'], ['brook', 'br']]) {
    const snippets = JSON.parse(fs.readFileSync(path.join(root, 'snippets', `${language}.json`), 'utf8'));
    for (const [title, { body }] of Object.entries(snippets)) {
      let text = [body].flat().join('\n');
      for (const [whole, number, word] of [...text.matchAll(/\$\{(\d+):(\w+)\}/g)]) {
        text = text.replaceAll(whole, word).replaceAll(new RegExp(`\\$${number}(?!\\d)`, 'g'), word);
      }
      text = text.replaceAll('$0', '');
      if (!/kernel|reduce/.test(text)) continue;
      const file = path.join(folder, `snippet.${ending}`);
      fs.writeFileSync(file, text);
      const { status, stderr } = spawnSync(program, ['check', file], { encoding: 'utf8' });
      assert.equal(status, 0, `${title}:\n${text}\n${stderr}`);
      kernels += 1;
    }
  }
  fs.rmSync(folder, { recursive: true });
  assert.equal(kernels, 5);
});
