import { type Api, createApi } from '../../../kube-api/api.ts';
import type { Change } from '../../../kube-api/client.ts';
import { startControllers } from '../../../kube-api/controllers/start.ts';
import type { ApiRequest } from '../../../kube-api/http/request.ts';
import type { JsonObject } from '../../../kube-api/json.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { timeOf } from '../../domain/time.ts';
import type { VirtualClock } from './clock.ts';
import type { Chance } from './random.ts';
import { memoryJournal, type Snapshot } from './snapshot.ts';
import type { Replied } from './spoil.ts';

/** The embedded API with its controllers, where nothing happens by itself. */
export interface SimulatedCluster {
  readonly api: Api;
  /** One request, now. */
  ask(request: ApiRequest): Replied;
  /** How many tasks of the garbage collector and of the controllers wait. */
  tasks(): number;
  /** Runs the oldest of them. */
  runTask(): void;
  /** An object as it was before its last change; undefined where it was not there, or has never changed. */
  earlier(key: string): { readonly object: KubeObject | undefined } | undefined;
  snapshot(): Snapshot;
  close(): void;
}

export interface ClusterParts {
  readonly from: Snapshot | undefined;
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly onChange: (change: Change & { readonly before: KubeObject | undefined }) => void;
}

/** Starts one, as a snapshot has it. */
export function startSimulatedCluster({ from, clock, chance, onChange }: ClusterParts): SimulatedCluster {
  const waiting: (() => void)[] = [];
  const { journal, read } = memoryJournal(from);
  const earlier = new Map(from?.earlier);
  const schedule = (task: () => void): void => void waiting.push(task);
  const { now, after } = clock;
  const api = createApi({ now, after, schedule, newUid: chance.uuid, random: chance.next, journal });
  const known = new Map(api.client.all().map((object) => [keyOf(object), object]));
  const stopListening = api.client.subscribe((change) => {
    const key = keyOf(change.object);
    const before = known.get(key);
    if (change.type === 'DELETED') known.delete(key);
    else known.set(key, change.object);
    earlier.set(key, before as JsonObject | undefined);
    onChange({ ...change, before });
  });
  const stopControllers = startControllers({ client: api.client, now: () => timeOf(now() / 1000), schedule });
  return {
    api,
    ask: (request) => {
      const answer = api.handle(request);
      if (!('status' in answer)) throw new Error('a watch is not a call');
      const { status, headers, body } = answer;
      return { status, headers, body };
    },
    tasks: () => waiting.length,
    runTask: () => waiting.shift()?.(),
    earlier: (key) => (earlier.has(key) ? { object: earlier.get(key) as KubeObject | undefined } : undefined),
    snapshot: () => ({ ...read(), earlier: new Map(earlier), now: now() }),
    close: () => {
      stopListening();
      stopControllers();
      api.close();
    },
  };
}

/** One for an object, whatever the version. */
export function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  const group = apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '';
  return `${group}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
}
