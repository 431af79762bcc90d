// Makes dist/client.js, one file with all that it needs, and beside it the licences of what is in it.
const fs = require('node:fs');
const path = require('node:path');
const esbuild = require('esbuild');

const dist = path.join(__dirname, 'dist');
fs.rmSync(dist, { recursive: true, force: true });
const { metafile } = esbuild.buildSync({
  absWorkingDir: __dirname,
  entryPoints: ['client.js'],
  outfile: 'dist/client.js',
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node18', // that of the oldest VS Code in package.json
  external: ['vscode'],
  legalComments: 'none',
  metafile: true,
});
const folders = Object.keys(metafile.inputs).map((file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]);
const notices = [...new Set(folders.filter(Boolean))].sort().map((folder) => {
  const absolute = path.join(__dirname, folder);
  const licence = fs.readdirSync(absolute).find((name) => /^licen[cs]e/i.test(name));
  if (!licence) throw new Error(`${folder} has no licence`);
  return `${folder.split('node_modules/').pop()}\n\n${fs.readFileSync(path.join(absolute, licence), 'utf8')}`;
});
fs.writeFileSync(path.join(dist, 'LICENSES.txt'), notices.join('\n\n----\n\n'));
for (const name of ['LICENSE-MIT', 'LICENSE-APACHE']) {
  fs.copyFileSync(path.join(__dirname, '../..', name), path.join(dist, name));
}
