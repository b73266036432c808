import { createApi } from '../../../kube-api/api.ts';
import { createCluster } from '../../cluster/cluster.ts';
import { roundsIn } from '../../cluster/restarts.ts';
import type { Resource } from '../../decide/resource.ts';
import { type Change, type Outgoing, resyncTypes } from '../../domain/change.ts';
import { groupOf, type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { EventContext } from '../../domain/ports.ts';
import { type Controller, defineController } from '../../functions/define-controller.ts';
import { reactToChanges } from '../../react/change.ts';
import { keepRuns } from '../../react/runs.ts';
import { createLog } from '../../server/log.ts';
import { createMetrics } from '../../server/metrics.ts';
import { memoryJournal } from '../../testing/sim/snapshot.ts';
import { ending } from '../../testing/sim/spoil.ts';

type Verb = 'added' | 'updated' | 'deleted';
const verbs: Readonly<Record<string, Verb>> = { ADDED: 'added', MODIFIED: 'updated', DELETED: 'deleted' };

/** More rounds or events than these mean that there is no end. */
const most = 100;

/** A controller with its standard functions and its resync over the embedded API, woken by what its sources watch. */
export function embedded(resources: readonly Resource[], crds: readonly KubeObject[]) {
  const controller = defineController({ resources });
  const api = createApi({ journal: memoryJournal(undefined).journal, schedule: (task) => task() });
  for (const crd of crds) api.client.create(crd);
  for (const name of ['shop', 'knudge']) api.client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const cluster = clusterOver(api);
  const runs = keepRuns(runPartsWith(cluster, controller));
  const waiting: Change[] = [];
  api.client.subscribe(({ type, object }) => {
    const event = { id: String(waiting.length), verb: verbs[type] ?? 'updated', ref: refOf(object) };
    for (const mode of modesFor(object, controller))
      waiting.push(mode === 'Reference' ? event : { ...event, hint: object });
  });
  const deliver = async (change: Change): Promise<void> => {
    for (const row of Object.values(controller.functions)) {
      if (row.wakes !== 'change' || row.kind !== `${groupOf(change.ref.apiVersion)}/${change.ref.kind}`) continue;
      const reaction = reactToChanges(row, runs);
      if (reaction.to === 'change') await reaction.handle(change, { dryRun: false });
    }
  };
  /** Delivers every event until none is left; gives how many there were. */
  const drain = async (): Promise<number> => {
    for (let done = 0; done < most; done += 1) {
      const change = waiting.shift();
      if (change === undefined) return done;
      await deliver(change);
    }
    throw new Error('the events have no end');
  };
  const asked: ObjectRef[] = [];
  const sender = {
    send: async ({ id, extensions }: Outgoing): Promise<void> => {
      const { apiversion: apiVersion = '', kind = '', namespace = '', name = '' } = extensions;
      const ref = { apiVersion, kind, namespace, name };
      asked.push(ref);
      await deliver({ id, verb: 'requested', ref, byResync: true });
    },
  };
  const context = resyncContext(cluster, sender);
  /** One round of the resync to its end; gives the names of the objects that it has asked after. */
  const resync = async (): Promise<readonly string[]> => {
    const row = controller.functions['resync-due'];
    if (row?.wakes !== 'event') throw new Error('there is no resync');
    asked.length = 0;
    let data: unknown;
    for (let step = 0; step < most; step += 1) {
      const event = { id: 'tick', type: resyncTypes.due, source: 'test', extensions: new Map(), data };
      const { reply } = await row.handle(event, context);
      if (reply === undefined) return asked.map(({ apiVersion, kind, name }) => `${apiVersion} ${kind} ${name}`);
      ({ data } = reply);
    }
    throw new Error('the round has no end');
  };
  return { api: api.client, controller, drain, resync, lose: () => void waiting.splice(0) };
}

/** In which modes the sources of the controller report an object. */
function modesFor({ apiVersion, kind, metadata }: KubeObject, { watches }: Controller): readonly string[] {
  return watches.flatMap(({ mode, resources }) =>
    resources
      .filter((one) => one.apiVersion === apiVersion && one.kind === kind)
      .filter(({ selector }) => selector === '' || Object.hasOwn(metadata.labels ?? {}, selector))
      .map(() => mode),
  );
}

function clusterOver(api: ReturnType<typeof createApi>) {
  return createCluster({
    access: { server: 'http://127.0.0.1', credentials: async () => ({}) },
    version: 'test',
    instance: 'memory',
    exchange: async ({ method, url, headers, body = '' }) => {
      const answer = api.handle({ method, path: url.pathname, query: url.searchParams, headers, body });
      if (!('status' in answer)) throw new Error('a watch is not a call');
      return ending(answer);
    },
    sleep: async () => undefined,
    now: () => Date.now(),
    onLostNotice: (error) => {
      throw error;
    },
  });
}

type Cluster = ReturnType<typeof clusterOver>;

function runPartsWith(cluster: Cluster, controller: Controller): Parameters<typeof keepRuns>[0] {
  const log = createLog({ logLevel: 'silent', service: 'test', revision: '' }, { write: () => undefined });
  const after = (_: number, task: () => void) => {
    task();
    return () => undefined;
  };
  return {
    cluster,
    config: { controllerNamespace: 'knudge', handlerDeadlineSeconds: 9 },
    log,
    metrics: createMetrics({ now: () => 0 }),
    outside: { now: () => Date.now(), elapsed: () => 0, after, random: () => 0 },
    resources: controller.equip({} as Parameters<Controller['equip']>[0]).resources,
  };
}

/** Its clock goes on by a second each time somebody looks at it, so that work without an end comes to the end of its time. */
function resyncContext(cluster: Cluster, sender: EventContext['sender']): EventContext {
  let clock = 0;
  let keys = 0;
  const newKey = (): string => {
    keys += 1;
    return `key-${String(keys)}`;
  };
  const never = (): Promise<never> => Promise.reject(new Error('not asked for'));
  return {
    pager: cluster,
    sender,
    eventLog: { append: never, appendDeadLetter: never, appendDeliveries: never },
    log: { info: () => undefined, warn: () => undefined },
    now: () => {
      clock += 1000;
      return clock;
    },
    workSeconds: 13,
    tell: cluster.notice,
    rounds: roundsIn(cluster, { namespace: 'knudge', name: 'knudge-resync' }, newKey),
    restarts: { read: never },
    sleep: async () => undefined,
  };
}
