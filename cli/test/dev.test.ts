import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '../../test/kube/until.ts';
import { knudge } from './knudge.ts';

const refusals = [
  {
    name: 'a port that is none',
    args: ['--port', 'x'],
    ends: 2,
    says: /'--port <number>' argument 'x' is invalid\. Give a whole/,
  },
  { name: 'a port with no room above it', args: ['--port', '65001'], ends: 2, says: /up to 65000/ },
  { name: 'no time at all', args: ['--idle', '0'], ends: 2, says: /Give a number of seconds above 0/ },
  {
    name: 'an overlay that does not exist',
    args: ['--overlay', 'none'],
    ends: 2,
    says: /^there is no overlay none; deploy\/overlays has [^\n]+\n$/,
  },
  {
    name: 'examples for a foreign cluster',
    args: ['--examples', '--kubeconfig', 'k'],
    ends: 2,
    says: /^--examples would write to /,
  },
] as const;

for (const { name, args, ends, says } of refusals) {
  test(`knudge dev refuses in a sentence: ${name}`, async (context) => {
    const { code, out, said } = await knudge(context, 'dev', ...args).ended;
    assert.deepEqual({ code, out }, { code: ends, out: '' });
    assert.match(said, says);
  });
}

test('a person sees the addresses and what the examples set off, without colours in a pipe', async (context) => {
  const { dir, child, ended } = knudge(context, 'dev', '--port', '0', '--examples', '--all');
  const told: string[] = [];
  child.stdout?.on('data', (chunk: Buffer) => told.push(chunk.toString()));
  // The first resync may ask after it before its source has reported it; then that event finds nothing to do.
  const begins = String.raw`^\d\d:\d\d:\d\d Message hello `;
  const ends = String.raw` → message-changed (\(cold \d+ ms\) )?→ Message default\/hello: `;
  const isWritten = new RegExp(String.raw`${begins}(added|\(dev\.knudge\.resync\.requested\))${ends}\d writes?$`, 'm');
  const isAdded = new RegExp(`${begins}added${ends}`, 'm');
  await until('a Message is done', async () => [isWritten, isAdded].every((line) => line.test(told.join(''))));
  assert.ok(existsSync(join(dir, '.knudge/state.json')));
  child.kill('SIGTERM');
  const { code, out, said } = await ended;
  assert.deepEqual({ code, said }, { code: 0, said: '' });
  assert.match(
    out,
    /^Knudge is up; Ctrl-C ends it\.\n {2}Console {14}http:\/\/127\.0\.0\.1:\d+\/console\/#token=[\w-]{43}\n {2}Kubernetes API {7}http:\/\/127\.0\.0\.1:\d+ {3}export KUBECONFIG=\//,
  );
  assert.match(out, /\n {2}distributed-service {2}http:\/\/127\.0\.0\.1:\d+\n/);
  assert.equal(out.includes('\u001b'), false);
});
