import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { kustomized } from '../kube/kustomized.ts';
import { until } from '../kube/until.ts';
import { commandsIn } from './commands-in.ts';
import { allReady, apply, kubectl } from './installed.ts';
import { carryOut } from './works.ts';

const namespace = 'uninstalled';
const [blocks, remains] = [commandsIn('docs/operations.md', 'Uninstall'), 'frp.io/certificate-authority'];
const [uninstall = '', forgetAuthorities = ''] = blocks;

describe('to uninstall as docs/operations.md says', () => {
  before(async () => {
    await kubectl(['create', 'namespace', namespace]);
    for (const path of ['server-profile', 'mtls-generated', 'message-hello'])
      await kubectl(
        ['--namespace', namespace, 'apply', '--filename', '-'],
        readFileSync(`examples/${path}.yaml`, 'utf8'),
      );
    await until(
      'the service has its finalizer and its children',
      async () => {
        const finalizers = await inNamespace('distributedservices', '{.items[*].metadata.finalizers}');
        return (
          /frp\.io\/cleanup/.test(finalizers) && (await inNamespace('deployments', '{.items[*].metadata.name}')) !== ''
        );
      },
      60,
    );
    await until(
      'the Message has its Pod',
      async () => (await inNamespace('pods', '{.items[*].metadata.name}')).includes('msg-hello'),
      60,
    );
  });
  // A cluster that others use afterwards gets its Knudge back.
  after(async () => {
    await kubectl(['delete', 'namespace', namespace, '--timeout=60s', '--ignore-not-found']);
    if (process.env['KNUDGE_TEST_KNATIVE'] === undefined) return;
    await apply({ resources: ['deploy'] });
    await allReady();
  });

  it('each command ends well, and none hangs', async (t) => {
    for (const command of commandsOf(uninstall)) {
      const began = performance.now();
      await carryOut(command);
      t.diagnostic(`${((performance.now() - began) / 1000).toFixed(1)} s: ${command}`);
    }
  });

  it('again it finds nothing to do, and ends well too', async () => {
    const last = commandsOf(uninstall).at(-1) ?? '';
    await carryOut(last);
  });

  it('nothing of Knudge is left but the authorities, and what takes them away does so', async () => {
    await until(
      'the namespace is gone',
      async () => (await kubectl(['get', 'namespace', 'knudge', '--ignore-not-found'])) === '',
      90,
    );
    const all = await leftOver();
    assert.ok(all.length > 0, 'an authority is left');
    for (const one of all) assert.match(one, /^secret\/frp-[a-z]+-ca$/);
    await carryOut(forgetAuthorities);
    assert.deepEqual(await leftOver(), []);
    const known = await kustomized('deploy');
    const names = known
      .filter(({ metadata }) => metadata.namespace === undefined)
      .map(({ kind, metadata }) => ({ kind, name: metadata.name }));
    for (const { kind, name } of names)
      assert.equal(await kubectl(['get', kind, name, '--ignore-not-found', '--output=name']), '', name);
    const policies = await kubectl([
      'get',
      'validatingadmissionpolicies,validatingadmissionpolicybindings',
      '--output=name',
    ]);
    assert.doesNotMatch(policies, /knudge/);
  });
});

function inNamespace(kind: string, path: string): Promise<string> {
  return kubectl(['--namespace', namespace, 'get', kind, `--output=jsonpath=${path}`]);
}

/** Each command by itself: of several the exit code would be that of the last. A loop is one. */
function commandsOf(block: string): readonly string[] {
  return block.split(/\n(?! |done)/).filter((line) => line.trim() !== '');
}

/** What has a label of Knudge's, of every kind and in every namespace; what is on its way out counts. */
async function leftOver(): Promise<readonly string[]> {
  const kinds = (await kubectl(['api-resources', '--verbs=list,delete', '--output=name'])).trim().split('\n');
  const events = /^events(\.|$)/;
  const asked = kinds.filter((kind) => !events.test(kind)).join(',');
  const labelled = ['app.kubernetes.io/managed-by=knudge', 'app.kubernetes.io/part-of=knudge', remains];
  const lists = labelled.map((label) =>
    kubectl(['get', asked, '--all-namespaces', `--selector=${label}`, '--output=name', '--ignore-not-found']),
  );
  const found = (await Promise.all(lists)).flatMap((text) => text.split('\n').filter((line) => line !== ''));
  return [...new Set(found)];
}
