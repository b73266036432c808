import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { until } from '../kube/until.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly said: string;
}

/** `knudge` with these arguments, in a folder that is gone after the test. */
function knudge(
  context: TestContext,
  ...args: readonly string[]
): { dir: string; child: ChildProcess; ended: Promise<Ended> } {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-cli-'));
  const child = spawn(process.execPath, [main, ...args], { cwd: dir, stdio: ['ignore', 'pipe', 'pipe'] });
  context.after(() => {
    child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  const ended = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]).then(
    ([[code], out, said]) => ({ code: code as number | null, out, said }),
  );
  return { dir, child, ended };
}

const refusals = [
  {
    name: 'a port that is none',
    args: ['--port', 'x'],
    says: /'--port <number>' argument 'x' is invalid\. It is a whole/,
  },
  { name: 'a port with no room above it', args: ['--port', '65001'], says: /up to 65000/ },
  { name: 'no time at all', args: ['--idle', '0'], says: /It is a number of seconds above 0/ },
  { name: 'an overlay that does not exist', args: ['--overlay', 'none'], says: /^there is no overlay none: [^\n]+\n$/ },
  {
    name: 'examples for a foreign cluster',
    args: ['--examples', '--kubeconfig', 'k'],
    says: /^--examples would write to [^\n]+\n$/,
  },
] as const;

for (const { name, args, says } of refusals) {
  test(`knudge start refuses in a sentence: ${name}`, async (context) => {
    const { code, out, said } = await knudge(context, 'start', ...args).ended;
    assert.deepEqual({ code, out }, { code: 1, out: '' });
    assert.match(said, says);
  });
}

test('a person sees the addresses and what the examples set off, without colours in a pipe', async (context) => {
  const { dir, child, ended } = knudge(context, 'start', '--port', '0', '--examples');
  const lines: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
  await until('a Message is done', async () => lines.join('').includes('Message default/hello: nothing to do'));
  assert.ok(existsSync(join(dir, '.knudge/state.json')));
  child.kill('SIGTERM');
  const { code, out, said } = await ended;
  assert.deepEqual({ code, said }, { code: 0, said: '' });
  assert.match(
    out,
    /^Knudge is up; Ctrl-C ends it\.\n {2}Kubernetes API {15}http:\/\/127\.0\.0\.1:\d+ {3}export KUBECONFIG=\//,
  );
  assert.match(out, /\n {2}pod-changed {18}http:\/\/127\.0\.0\.1:\d+\n/);
  assert.match(
    out,
    /\nMessage hello added → message-changed (\(cold \d+ ms\) )?→ Message default\/hello: \d writes?\n/,
  );
  assert.equal(out.includes('\u001b'), false);
});
