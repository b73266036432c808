// Loaded by each test process: takes the types out of a source once for all of them, and not in each. JavaScript, since else Node would
// load what takes them out before this is there. What is kept is text, not V8's compiled code, with
// which Node would measure less of what was covered (https://nodejs.org/api/module.html#module-compile-cache).
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url).href;
const kept = fileURLToPath(new URL(`node_modules/.cache/knudge-types/${process.version}/`, root));
const ours = ['packages/', 'resources/', 'cli/', 'functions/', 'test/', 'tools/', 'bench/'].map(
  (folder) => `${root}${folder}`,
);

registerHooks({
  load: (url, context, next) => {
    if (!url.endsWith('.ts') || !ours.some((folder) => url.startsWith(folder))) return next(url, context);
    return { format: 'module', source: withoutTypes(fileURLToPath(url)), shortCircuit: true };
  },
});

function withoutTypes(path) {
  const { mtimeMs, size } = statSync(path);
  const place = join(kept, `${path}.${mtimeMs}.${size}`);
  try {
    return readFileSync(place, 'utf8');
  } catch {
    const text = strip(readFileSync(path, 'utf8'));
    keep(place, text);
    return text;
  }
}

/** Its warning that it is experimental would stand in the report of each file. */
function strip(source) {
  const { emitWarning } = process;
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(source);
  } finally {
    process.emitWarning = emitWarning;
  }
}

function keep(place, text) {
  try {
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(`${place}.${process.pid}`, text);
    renameSync(`${place}.${process.pid}`, place);
  } catch {
    // Where it cannot be written each process does it anew.
  }
}
