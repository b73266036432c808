import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { allReady, apply, goBack, kubectl, type Parts } from './installed.ts';
import { home, site as openSite } from './site.ts';
import { aMessageIsProcessed } from './works.ts';

const site = openSite();
const namespace = 'default';
const inHome = ['--namespace', home];
/** The goal of docs/source.md: from the deletion of the Pod that sends until another has sent. */
const longestAway = 5;

const holder = async (): Promise<string> =>
  (await kubectl([...inHome, 'get', 'lease', 'source', '--output=jsonpath={.spec.holderIdentity}'])).split('_')[0] ??
  '';

async function secondsUntilTold(name: string, ...ending: readonly string[]): Promise<number> {
  const before = await holder();
  await kubectl([...inHome, 'delete', 'pod', before, '--wait=false', ...ending]);
  const began = performance.now();
  await site.put(message(name, 'told', { namespace }));
  const isThere = async () => (await site.get('v1', 'Pod', { namespace, name: `msg-${name}` })) !== undefined;
  await until(`Message ${name} has its Pod`, isThere, 60);
  const seconds = (performance.now() - began) / 1000;
  assert.notEqual(await holder(), before);
  return seconds;
}

describe("Knudge's own source with one that stands by", () => {
  const parts: Parts = {
    resources: ['deploy/overlays/source'],
    components: ['deploy/components/source-standby'],
  };
  before(async () => {
    await apply(parts);
    await kubectl([...inHome, 'delete', 'apiserversources', '--all', '--timeout=60s']);
    await allReady();
    await aMessageIsProcessed(namespace);
  });
  after(async () => {
    await kubectl(['--namespace', namespace, 'delete', 'messages.myorg.dev', '--all', '--timeout=60s']);
    await goBack(parts);
  });

  it('has two Pods, of which one holds the Lease', async () => {
    const names = await kubectl([
      ...inHome,
      'get',
      'pods',
      '--selector=app.kubernetes.io/name=source',
      '--output=jsonpath={.items[*].metadata.name}',
    ]);
    assert.equal(names.split(' ').length, 2, names);
    assert.ok(names.split(' ').includes(await holder()), names);
  });

  for (const ending of [[], ['--grace-period=0', '--force']]) {
    it(`tells within ${String(longestAway)} s after the Pod that tells was deleted ${ending.join(' ')}`, async (t) => {
      const seconds = await secondsUntilTold(`after-${String(ending.length)}`, ...ending);
      t.diagnostic(`${seconds.toFixed(1)} s, with the function that makes the Pod`);
      assert.ok(seconds <= longestAway, `${seconds.toFixed(1)} s`);
      await allReady();
    });
  }
});
