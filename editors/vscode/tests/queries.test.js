// The queries for tree-sitter (editors/queries) compile, and find what their comments say.
const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { before, test } = require('node:test');
const { Language, Parser, Query } = require('web-tree-sitter');

const repository = path.join(__dirname, '../../..');
const queries = path.join(repository, 'editors/queries');
before(() => Parser.init());

/** What is captured in a text, as 'capture text' without those that only compare. */
async function captured(language, base, text) {
  const grammar = await Language.load(require.resolve(`tree-sitter-${base}/tree-sitter-${base}.wasm`));
  const parser = new Parser();
  parser.setLanguage(grammar);
  const query = new Query(grammar, fs.readFileSync(path.join(queries, language, 'highlights.scm'), 'utf8'));
  const all = query.captures(parser.parse(text).rootNode).filter(({ name }) => !name.startsWith('_'));
  return all.map(({ name, node }) => `${name} ${node.text}`);
}

test('OKL', async () => {
  const found = await captured('okl', 'cpp', `
@kernel void f(const int n, @restrict const float *x, float *y @dim(n, 3)) {
  for (int i = 0; i < n; ++i; @tile(16, @outer, @inner)) {
    @shared float s[2];
    s[0] = okl_shfl_sync(x[i], 1);
    @barrier;
  }
}
`);
  for (const name of ['kernel', 'restrict', 'dim', 'tile', 'outer', 'inner', 'shared', 'barrier']) {
    assert.ok(found.includes(`attribute ${name}`), `${name}: ${found}`);
  }
  assert.ok(found.includes('punctuation.special @'));
  assert.ok(found.includes('function.builtin okl_shfl_sync'));
  assert.ok(found.includes('type.builtin void'));
});

test('a variable of an attribute\'s name is none', async () => {
  const found = await captured('okl', 'cpp', 'void f() { int outer = inner + tile(2); }');
  assert.deepEqual(found, []);
});

test('Brook+', async () => {
  const found = await captured('brook', 'c', `
kernel void f(float a<>, float4 g[], out float b<>) {
  b = sqrt(a) + g[indexof(a).x].x;
}
Attribute[GroupSize(64)]
reduce void s(float a<>, reduce float r<>) { r += a; }
`);
  for (const what of ['kernel', 'out', 'reduce']) assert.ok(found.includes(`keyword.modifier ${what}`), `${what}: ${found}`);
  for (const what of ['sqrt', 'indexof']) assert.ok(found.includes(`function.builtin ${what}`), `${what}: ${found}`);
  for (const what of ['Attribute', 'GroupSize']) assert.ok(found.includes(`attribute ${what}`), `${what}: ${found}`);
  assert.ok(found.includes('type.builtin float4'));
  assert.ok(found.includes('punctuation.bracket <'));
});

test('all names of the tables are there', () => {
  const rows = (name, pattern) => [...fs.readFileSync(path.join(repository, 'grammar', name), 'utf8').matchAll(pattern)];
  const of = (language) => fs.readFileSync(path.join(queries, language, 'highlights.scm'), 'utf8');
  for (const [, name] of rows('intrinsics.toml', /^\[(\w+)\]$/gm)) assert.ok(of('okl').includes(`"${name}"`), name);
  for (const [, name] of rows('functions.toml', /^(\w+) = \{/gm)) assert.ok(of('brook').includes(`"${name}"`), name);
});
