import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { at } from '../../../packages/kube-api/fidelity/case.ts';
import { serverOf } from '../../../packages/kube-api/fidelity/server.ts';
import { pack } from '../../../packages/source/pack.ts';
import { runSource } from '../../../packages/source/run.ts';
import { createSend } from '../../../packages/source/send.ts';
import { watchedOf } from '../../../packages/source/watched.ts';
import type { SourceCase } from './case.ts';
import { caseLabel, configMaps, manifestsOf } from './manifests.ts';
import { callsTo, make } from './objects.ts';
import { eventually, type Target } from './observe.ts';
import { type Got, type Receiver, startReceiver } from './receiver.ts';
import type { Row } from './table.ts';

/**
 * Knudge's own source on the API server of this kubeconfig, in the place of the ApiServerSources of these cases: one for those of each
 * mode. What it says otherwise in every event is checked here and then taken out, so that the rest can be compared with the record.
 */
export async function startOwnSource(rows: readonly Row<SourceCase>[], kubeconfig: string): Promise<Target> {
  const access = await outsideCluster({ kubeconfig });
  const api = serverOf('real', kubeconfig);
  const call = callsTo(api);
  const receiver = await startReceiver('127.0.0.1');
  const namespace = `own-source-${process.pid}`;
  const dir = mkdtempSync(join(tmpdir(), 'knudge-own-source-'));
  const objects = manifestsOf(rows, { namespace, receiver: receiver.url, nobody: receiver.nobody });
  try {
    for (const object of objects) if (object.kind !== 'ApiServerSource') await make(call, object);
  } catch (error) {
    await receiver.close();
    throw error;
  }
  /** By case: the events that were packed and are not taken. */
  const under = new Map<string, number>();
  const count = (name: string, by: number): void => {
    const [id = ''] = name.split('-');
    under.set(id, (under.get(id) ?? 0) + by);
  };
  const wrong = (error?: unknown): never => assert.fail(String(error));
  const sources = (['Resource', 'Reference'] as const).map((mode) => {
    const resources = rows
      .filter(({ one }) => one.mode === mode)
      .map(({ id, one }) => ({ ...(one.resource ?? configMaps), selector: `${caseLabel}=${id}` }));
    const sent = createSend({
      sink: `${receiver.url}/objects`,
      ca: '',
      tokenFile: '',
      timeoutMs: 10_000,
      most: 16,
      refused: () => undefined,
    });
    const overrides: Readonly<Record<string, string>> = mode === 'Reference' ? { site: 'north' } : {};
    const stamp = { mode, source: access.server, namespace, overrides, now: () => new Date() };
    const running = runSource({
      access,
      version: '1',
      file: join(dir, `${mode}.db`),
      send: async (parcel) => {
        const isTaken = await sent.send(parcel);
        if (isTaken) count(parcel.event.attributes['name'] ?? '', -1);
        return isTaken;
      },
      watched: watchedOf([{ mode, resources }], { namespaces: [], looksAt: {} }),
      pack: (happening) => {
        count(happening.object.metadata.name, 1);
        return pack(happening, stamp);
      },
      tell: () => undefined,
      failed: wrong,
      begunAnew: wrong,
      takenOver: wrong,
    });
    return { running, sent };
  });
  const close = async (): Promise<void> => {
    for (const { running, sent } of sources) {
      await running.close();
      sent.close();
    }
    for (const kind of ['clusterrolebindings', 'clusterroles']) {
      await call('DELETE', `/apis/rbac.authorization.k8s.io/v1/${kind}/${namespace}`);
    }
    const ofCases = encodeURIComponent(caseLabel);
    await call('DELETE', `/apis/rbac.authorization.k8s.io/v1/clusterroles?labelSelector=${ofCases}`);
    await call('DELETE', `/api/v1/namespaces/${namespace}`);
    api.agent.destroy();
    await receiver.close();
    for (const folder of [dir, api.home]) rmSync(folder, { recursive: true, force: true });
  };
  const settled = async (row: Row<SourceCase>): Promise<void> => {
    if (!isRefusedForGood(row)) await eventually(`all of ${row.id} is taken`, () => under.get(row.id) === 0);
  };
  return {
    name: 'knative',
    namespace,
    ingress: '',
    api,
    receiver: asKnative(receiver),
    scenes: new Map(),
    settled,
    close,
  };
}

/** Each try gets this answer: the ApiServerSource loses the event, at once or after six tries; Knudge's own source never does. */
export function isRefusedForGood({ one }: Row<SourceCase>): boolean {
  const [first, ...more] = one.answers?.['a'] ?? [];
  return first !== undefined && more.length === 0 && first.status >= 300;
}

/** What it got, as an ApiServerSource would have sent it: with a random id, and without the key of Kafka's partitions. */
function asKnative(receiver: Receiver): Receiver {
  const ids = new Map<string, string>();
  const idOf = (own: string): string => {
    const id = ids.get(own) ?? randomUUID();
    ids.set(own, id);
    return id;
  };
  const translated = (got: Got): Got => {
    const { 'ce-partitionkey': key, ...headers } = got.headers;
    const own = String(headers['ce-id']);
    const place = [headers['ce-namespace'], headers['ce-name']].filter((part) => part !== '').join('/');
    assert.equal(decodeURIComponent(String(key)), `${String(headers['ce-kind'])} ${place}`);
    const [, type, verb] = /^dev\.knative\.apiserver\.(resource|ref)\.(.*)$/.exec(String(headers['ce-type'])) ?? [];
    if (type === 'ref') assert.match(own, new RegExp(`^[0-9a-f-]{36}-\\d+-${verb}$`));
    else {
      const { uid, resourceVersion } = at(JSON.parse(got.body.toString()), 'metadata') as Record<string, string>;
      assert.equal(own, `${uid}-${resourceVersion}-${verb}`);
    }
    return { ...got, headers: { ...headers, 'ce-id': idOf(own) } };
  };
  return { ...receiver, got: (id) => receiver.got(id).map(translated) };
}
