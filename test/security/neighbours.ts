import { setTimeout as sleep } from 'node:timers/promises';
import type { Call } from '../../packages/controller/cluster/call.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { startWatch } from '../../packages/controller/cluster/watch.ts';
import { until } from '../kube/until.ts';
import { type RunningMesh, startProcess } from '../mesh/running-mesh.ts';
import { accessTo } from '../mesh/way-in.ts';

/** Two tenants of one mesh: one who floods, and one whose Messages are timed. */
export interface Neighbours {
  /** Milliseconds from the creation of a Message to its Pod, one Message after the other. */
  timesOf(prefix: string, count: number): Promise<readonly number[]>;
  /** Creates Messages of the other namespace, and then changes them, until it is told to stop; gives how many writes it made. */
  flood(): { stop(): Promise<number> };
  /** Until nothing was reported for a second: all that a flood has left is done. */
  quiet(): Promise<void>;
  close(): Promise<void>;
}

const [calm, loud] = ['calm', 'loud'];
/** As many as write at a time, and Messages that they change in turn. */
const [writers, names] = [8, 300];
/** Milliseconds after which a Message counts as never served. */
const longest = 60_000;

export async function openNeighbours(...args: readonly string[]): Promise<Neighbours> {
  const mesh = await startProcess(...args);
  const access = accessTo(mesh.state);
  const call = createTransport({ access, version: 'test', timeoutMs: longest });
  const post = (path: string, body: object) => call({ ...named('create', 'POST'), path, body }).then(() => undefined);
  for (const name of [calm, loud]) {
    await post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  const waiting = new Map<string, () => void>();
  const watch = startWatch({
    access,
    version: 'test',
    path: `/api/v1/namespaces/${calm}/pods`,
    selector: '',
    tell: () => undefined,
    seen: async (_, { metadata }) => waiting.get(metadata.name)?.(),
  });
  return {
    timesOf: async (prefix, count) => {
      const times: number[] = [];
      for (let at = 0; at < count; at += 1) {
        const name = `${prefix}-${at}`;
        const there = new Promise<void>((resolve) => waiting.set(`msg-${name}`, resolve));
        const began = performance.now();
        await post(pathOf(calm), messageOf(calm, name, 'x'));
        await Promise.race([there, sleep(longest, undefined, { ref: false })]);
        times.push(performance.now() - began);
        await sleep(20);
      }
      return times;
    },
    flood: () => {
      const over = new AbortController();
      let writes = 0;
      const write = async (): Promise<void> => {
        while (!over.signal.aborted) {
          const at = writes;
          writes += 1;
          const name = `m-${at % names}`;
          const body = { spec: { text: `text ${at}` } };
          const change = { ...named('patch', 'PATCH'), contentType: 'application/merge-patch+json', body };
          if (at < names) await post(pathOf(loud), messageOf(loud, name, 'first')).catch(ignore);
          else await call({ ...change, path: `${pathOf(loud)}/${name}` }).catch(ignore);
        }
      };
      const done = Promise.all(Array.from({ length: writers }, write));
      return {
        stop: async () => {
          over.abort();
          await done;
          return writes;
        },
      };
    },
    quiet: () => quiet(mesh),
    close: async () => {
      await watch.close();
      call.close();
      mesh.signal('SIGINT');
      await mesh.ended();
      mesh.remove();
    },
  };
}

/** One that is there already, or was refused, is no end of a flood. */
const ignore = (): undefined => undefined;

function named(verb: string, method: Call['method']) {
  return { verb, method, resource: 'messages', target: 'a tenant’s own' } as const;
}

function pathOf(namespace: string): string {
  return `/apis/myorg.dev/v1/namespaces/${namespace}/messages`;
}

function messageOf(namespace: string, name: string, text: string): object {
  return { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { namespace, name }, spec: { text } };
}

async function quiet({ hops }: RunningMesh): Promise<void> {
  let before = -1;
  await until(
    'all is done',
    async () => {
      const same = hops.length === before;
      before = hops.length;
      if (!same) await sleep(1000);
      return same;
    },
    240,
  );
}
