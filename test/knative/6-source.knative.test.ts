import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { allReady, apply, goBack, kubectl, type Parts } from './installed.ts';
import { home, site as openSite } from './site.ts';
import { aMessageIsProcessed, carryOut, doctorIsContent, examined } from './works.ts';

const site = openSite();
const namespace = 'default';
const selector = '--selector=app.kubernetes.io/name=source';
const pods = ['--namespace', home, 'delete', 'pods', selector];
const uidsOfPods = ['--namespace', home, 'get', 'pods', selector, '--output=jsonpath={.items[*].metadata.uid}'];
/** Back so soon after its Pod is deleted. */
const longestAway = 15;

const put = (name: string, text: string) => site.put(message(name, text, { namespace }));

async function untilSaid(name: string, text: string): Promise<void> {
  await until(
    `the Pod of Message ${name} says ${text}`,
    async () => {
      const pod = (await site.get('v1', 'Pod', { namespace, name: `msg-${name}` })) as
        | (KubeObject & { readonly spec?: object })
        | undefined;
      return JSON.stringify(pod?.spec ?? {}).includes(text);
    },
    60,
  );
}

describe("Knudge's own source, over an installation of deploy", () => {
  const parts: Parts = { resources: ['deploy/overlays/source'] };
  before(async () => {
    await apply(parts);
    await allReady();
  });
  after(async () => {
    await kubectl(['--namespace', namespace, 'delete', 'messages.myorg.dev', '--all', '--timeout=60s']);
    await goBack(parts);
  });

  it('leaves the sources of Knative behind, each of which doctor names, and is what doctor expects without them', async () => {
    const { findings } = await examined('source');
    const advice = findings.flatMap(({ todo = '' }) => (/ delete apiserversource /.test(todo) ? [todo] : []));
    assert.equal(advice.length, 3, JSON.stringify(findings.filter(({ level }) => level !== 'ok')));
    const others = findings.flatMap(({ todo = '' }) =>
      / delete (clusterrole|role|serviceaccount)/.test(todo) ? [todo] : [],
    );
    for (const todo of new Set([...advice, ...others])) await carryOut(todo);
    await kubectl([
      '--namespace',
      home,
      'delete',
      'triggers.eventing.knative.dev',
      'source-restarted',
      '--ignore-not-found',
    ]);
    await doctorIsContent('source');
  });

  it('tells of a Message, and of what happens to its Pod', async () => {
    await aMessageIsProcessed(namespace);
    await put('stays', 'one');
    await untilSaid('stays', 'one');
    await kubectl(['--namespace', namespace, 'delete', 'pod', 'msg-stays', '--wait=false', '--grace-period=0']);
    await untilSaid('stays', 'one');
  });

  it('tells of what has happened while it was killed, and is back soon', async () => {
    await put('goes', 'gone');
    await untilSaid('goes', 'gone');
    await kubectl([...pods, '--grace-period=0', '--force']);
    const began = performance.now();
    await put('stays', 'two');
    await put('comes', 'new');
    await kubectl(['--namespace', namespace, 'delete', 'messages.myorg.dev', 'goes', '--wait=false']);
    await untilSaid('stays', 'two');
    await untilSaid('comes', 'new');
    const seconds = (performance.now() - began) / 1000;
    assert.ok(seconds <= longestAway, `it told after ${seconds.toFixed(1)} s`);
  });

  it('is not troubled by a namespace that is made', async () => {
    const uidsBefore = await kubectl(uidsOfPods);
    await kubectl(['create', 'namespace', 'made-meanwhile']);
    await put('stays', 'three');
    await untilSaid('stays', 'three');
    await kubectl(['delete', 'namespace', 'made-meanwhile', '--wait=false']);
    assert.equal(await kubectl(uidsOfPods), uidsBefore);
  });
});
