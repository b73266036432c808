import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { Script } from 'node:vm';
import { templateFor } from '../../../cli/new/files.ts';
import { root } from '../../../test/house/files.ts';
import { smallProject } from '../../generate/test/small-project.ts';
import { bundleProject } from '../bundle.ts';
import { makeCaches } from '../cache/caches.ts';

const project = smallProject();
const folder = join(project.folder, 'dist/app');
const services = ['event-log', 'greeting', 'resync-due'];
const said: string[] = [];

/** What a start of the bundle says to people. Its environment is wrong, so it ends at once. */
function started(service: string): string {
  const env = { PORT: 'none', K_SERVICE: service };
  const { status, stderr } = spawnSync(process.execPath, [join(folder, 'function.cjs')], {
    env,
    encoding: 'utf8',
    timeout: 20_000,
  });
  assert.equal(status, 1);
  assert.match(stderr, /cannot start: the environment is wrong: PORT/);
  return stderr;
}

describe('the code caches of the image of a project', async () => {
  after(() => project.remove('.'));
  for (const [path, text] of templateFor('demo')) project.write(path, text);
  symlinkSync(join(root, 'node_modules/esbuild'), join(project.folder, 'node_modules/esbuild'));
  mkdirSync(folder, { recursive: true });
  await bundleProject(project.folder, folder);
  makeCaches(project.folder, folder, (line) => said.push(line));
  const cache = (service: string): string => join(folder, 'caches', `${service}.cache`);

  it('are there for each Service, and V8 takes them for the bundle', () => {
    assert.deepEqual(said, []);
    assert.deepEqual(
      readdirSync(join(folder, 'caches')).sort(),
      services.map((name) => `${name}.cache`),
    );
    const source = readFileSync(join(folder, 'functions.cjs'), 'latin1');
    const wrapped = `(function(require,module,exports,__filename,__dirname){${source}\n})`;
    for (const service of services) {
      const script = new Script(wrapped, { cachedData: readFileSync(cache(service)) });
      assert.equal(script.cachedDataRejected, false, service);
    }
  });

  it('hold what a Service compiles for its first events, so they differ', () => {
    const all = new Set(services.map((service) => readFileSync(cache(service)).toString('base64')));
    assert.equal(all.size, services.length);
  });

  it('are the same when they are made again, wherever the folder is', async () => {
    const again = join(project.folder, 'elsewhere/app');
    mkdirSync(again, { recursive: true });
    await bundleProject(project.folder, again);
    makeCaches(project.folder, again, (line) => said.push(line));
    for (const service of services)
      assert.ok(readFileSync(join(again, 'caches', `${service}.cache`)).equals(readFileSync(cache(service))), service);
  });

  it('are left out with a word where the bundle is another one, and the function starts', () => {
    assert.doesNotMatch(started('event-log'), /code cache/);
    writeFileSync(cache('event-log'), readFileSync(cache('greeting')).subarray(0, 100));
    assert.match(started('event-log'), /^The code cache of event-log is not for this Node\.js: it starts slower\.\n/);
    rmSync(cache('event-log'));
    assert.doesNotMatch(started('event-log'), /code cache/);
  });

  it('are not made for a Service whose process does not start, and the builder is told why', () => {
    rmSync(join(folder, 'caches'), { recursive: true });
    writeFileSync(join(folder, 'functions.cjs'), "throw new Error('it needs a key');\n");
    makeCaches(project.folder, folder, (line) => said.push(line));
    assert.deepEqual(readdirSync(join(folder, 'caches')), []);
    assert.equal(said[0]?.split('\n')[0], 'greeting gets no code cache, so it starts slower: it needs a key');
  });
});
