import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root, textOf } from '../../test/house/files.ts';
import { until } from '../../test/kube/until.ts';
import { runIn } from './knudge.ts';
import { type Example, examplesIn, isAsTold } from './page.ts';

/** These run until they are told to end. */
const servers: readonly (string | undefined)[] = ['dev', 'function'];

const dir = mkdtempSync(join(tmpdir(), 'knudge-page-'));
for (const name of ['test', 'deploy']) symlinkSync(join(root, name), join(dir, name));
const running: { end(): Promise<void> }[] = [];
after(async () => {
  for (const server of running.reverse()) await server.end();
  rmSync(dir, { recursive: true, force: true });
});

/** In order: the first is the mesh that the others need. */
for (const example of examplesIn(textOf('docs/cli.md'))) {
  test(`npx knudge ${example.args.join(' ')}`, () =>
    servers.includes(example.args[0]) ? serve(example) : run(example));
}

async function serve({ args, env, prints }: Example): Promise<void> {
  // Any free ports, whatever the page says.
  const free = args[0] === 'dev' ? ['--port', '0'] : [];
  const { child, ended } = runIn(dir, [...args, ...free], { ...env, PORT: '0' });
  let text = '';
  child.stdout?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  running.push({
    end: async () => {
      child.kill('SIGTERM');
      assert.deepEqual({ args, ...(await ended), out: '' }, { args, code: 0, out: '', said: '' });
    },
  });
  await until(prints.join('\n'), async () => isAsTold(prints, text, 'begins') || text, 90);
}

async function run({ args, env, prints, code }: Example): Promise<void> {
  const ended = await runIn(dir, args, env).ended;
  assert.ok(
    isAsTold(prints, ended.out + ended.said),
    `the page says:\n${prints.join('\n')}\nit says:\n${ended.out}${ended.said}`,
  );
  assert.equal(ended.code, code);
}
