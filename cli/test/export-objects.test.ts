import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { parseYaml } from '../../packages/controller/cluster/yaml.ts';
import { received } from '../../packages/event-log/test/store/event.ts';
import { eventsCommand } from '../events.ts';
import { folderWith } from './log-folder.ts';
import { runCommand } from './run-command.ts';

const kinds = { Message: 'myorg.dev/v1', DistributedService: 'frp.io/v1beta1', Pod: 'v1' } as const;

function made(kind: keyof typeof kinds, name: string, text: string) {
  const metadata = {
    name,
    namespace: 'shop',
    uid: name,
    resourceVersion: '1',
    creationTimestamp: '2026-03-01T12:00:00Z',
  };
  const data = { apiVersion: kinds[kind], kind, metadata, spec: { text }, status: { phase: 'Ready' } };
  const extensions = { kind, name, namespace: 'shop' };
  return received({ id: `${kind}-${name}`, type: 'dev.knative.apiserver.resource.add', extensions, data });
}

async function exportTo(context: TestContext, ...args: readonly string[]) {
  const dir = await folderWith(context, async (log) => {
    await log.append(made('Message', 'hello', 'yes'));
    await log.append(made('Message', 'secret', 'kind: Secret'));
    await log.append(made('Pod', 'web', 'x'));
    await log.append(made('DistributedService', 'web', '2026-03-01'));
  });
  const file = join(dir, 'out');
  const ran = await runCommand(context, eventsCommand(), [
    'export',
    '--objects',
    '--dir',
    dir,
    '--output',
    file,
    ...args,
  ]);
  return { ...ran, file, text: () => readFileSync(file, 'utf8') };
}

const written = (kind: keyof typeof kinds, name: string, text: string) => ({
  apiVersion: kinds[kind],
  kind,
  metadata: { name, namespace: 'shop' },
  spec: { text },
});

test('parents are exported as YAML that means the same, and what is not whole is named', async (context) => {
  const { code, out, said, file, text } = await exportTo(context);
  assert.deepEqual(
    [code, out, said],
    [1, `${file} has 2 objects\n`, 'Message shop/secret is left out: the log does not keep one of its texts\n'],
  );
  const { documents, faults } = parseYaml(text());
  assert.deepEqual(faults, []);
  assert.deepEqual(
    documents.map(({ value }) => value),
    [written('DistributedService', 'web', '2026-03-01'), written('Message', 'hello', 'yes')],
  );
});

test('parents of one kind are exported, as JSON where that is asked for', async (context) => {
  const { code, out, text, file } = await exportTo(context, '--kind', 'dsvc', '--json');
  assert.deepEqual([code, JSON.parse(out)], [0, { file, objects: 1 }]);
  assert.deepEqual(JSON.parse(text()), written('DistributedService', 'web', '2026-03-01'));
});

for (const [args, says] of [
  [['--kind', 'Pod'], /--objects gives .*, not Pod: Knudge makes its children anew/],
  [['--id', 'x'], /leave out --type and --id/],
  [['--type', 'resource.add'], /leave out --type and --id/],
] as const) {
  test(`--objects ${args.join(' ')} is wrong usage`, async (context) => {
    const { code, said } = await exportTo(context, ...args);
    assert.equal(code, 2);
    assert.match(said, says);
  });
}
