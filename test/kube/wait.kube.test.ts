import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { waitInCluster } from '../../cli/wait/cluster.ts';
import { resyncAndWait } from '../../cli/wait/resync.ts';
import { requestedType, resyncTypes } from '../../packages/controller/domain/change.ts';
import { message } from '../build/objects.ts';
import { type Arena, openArena } from './arena.ts';
import { type Broker, startBroker } from './broker.ts';
import { postRaw } from './post.ts';

let arena: Arena;
let broker: Broker;
let namespace: string;

before(async () => {
  broker = await startBroker();
  arena = await openArena({ withSource: false, stems: ['resync-due', 'message-changed'], env: { K_SINK: broker.url } });
  namespace = await arena.namespace('waiting');
});
after(async () => {
  await arena.close();
  broker.close();
});

const options = () => ({ kubeconfig: arena.kubeconfig, dir: '.', namespace: arena.home, timeout: 60 });

/** As the Broker would deliver it. */
async function deliver(stem: 'resync-due' | 'message-changed', type: string, more: Readonly<Record<string, string>>) {
  const headers = { 'ce-specversion': '1.0', 'ce-id': 'by-hand', 'ce-source': '/knudge/cli', 'ce-type': type, ...more };
  const answer = await postRaw(arena.functions.of(stem).url, { headers, body: Buffer.alloc(0) });
  assert.ok(answer.status < 300, JSON.stringify(answer));
}

test('reconcile --wait ends when the status of the object speaks of its generation, or when it is gone', async () => {
  await arena.put(message('one', 'hello', { namespace }));
  const waitFor = (name: string) => {
    const object = { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace, name };
    const about = {
      'ce-apiversion': object.apiVersion,
      'ce-kind': 'Message',
      'ce-namespace': namespace,
      'ce-name': name,
    };
    const send = async () => {
      await deliver('message-changed', requestedType, about);
      return { id: 'by-hand' };
    };
    return waitInCluster(object, { ...options(), send });
  };
  const { outcome, by } = await waitFor('one');
  assert.match(outcome, /^its status is of its generation 1, Ready is /);
  assert.equal(by, 'status');
  assert.equal((await waitFor('nobody')).outcome, 'gone');
});

test('resync --wait ends when the round is over', async () => {
  const send = async () => {
    await deliver('resync-due', resyncTypes.due, {});
    return { id: 'by-hand' };
  };
  const { seconds } = await resyncAndWait({ ...options(), json: false }, send);
  assert.ok(seconds >= 0);
});
