import type { KubeObject } from '../../../controller/domain/kube-object.ts';
import { timeOf } from '../../../controller/domain/time.ts';
import { createApi } from '../../api.ts';
import type { Client } from '../../client.ts';
import { type ControllerOptions, startControllers } from '../../controllers/start.ts';

/** This many tasks one test may need: more means that the controllers never come to rest. */
const mostTasks = 5000;

/** An API with its controllers and a clock by hand: nothing happens until `settle`. */
export function startCluster({ otherNode }: Pick<ControllerOptions, 'otherNode'> = {}) {
  const tasks: (() => void)[] = [];
  const schedule = (task: () => void): void => void tasks.push(task);
  let seconds = 1_800_000_000;
  const api = createApi({ now: () => seconds * 1000, schedule, random: Math.random });
  const stop = startControllers({ client: api.client, now: () => timeOf(seconds), schedule, otherNode });
  const settle = (): void => {
    for (let count = 0; tasks.length > 0; count += 1) {
      if (count > mostTasks) throw new Error('the controllers do not come to rest');
      tasks.shift()?.();
    }
  };
  settle();
  return {
    client: api.client as Client,
    settle,
    /** Runs this many tasks at most, to look between. */
    step: (count: number): void => {
      for (let left = count; left > 0 && tasks.length > 0; left -= 1) tasks.shift()?.();
    },
    later: (more: number): void => {
      seconds += more;
    },
    stop: (): void => {
      stop();
      api.close();
    },
  };
}

export type Cluster = ReturnType<typeof startCluster>;

/** An object with fields beside its metadata; the namespace is `shop`. */
export function object(
  [apiVersion, kind]: readonly [string, string],
  name: string,
  fields: Readonly<Record<string, unknown>> = {},
): KubeObject {
  const { metadata = {}, ...rest } = fields as { metadata?: object };
  return { apiVersion, kind, metadata: { name, namespace: 'shop', ...metadata }, ...rest } as KubeObject;
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
}

export function deployment(name: string, spec: Readonly<Record<string, unknown>> = {}, image = 'web:1'): KubeObject {
  const template = {
    metadata: { labels: { app: name } },
    spec: { containers: [{ name: 'main', image, ports: [{ name: 'http', containerPort: 8080 }] }] },
  };
  return object(['apps/v1', 'Deployment'], name, {
    spec: { replicas: 2, selector: { matchLabels: { app: name } }, template, ...spec },
  });
}

export function pod(name: string, fields: Readonly<Record<string, unknown>> = {}): KubeObject {
  const { spec = {}, ...rest } = fields as { spec?: object };
  return object(['v1', 'Pod'], name, { spec: { containers: [{ name: 'main', image: 'web:1' }], ...spec }, ...rest });
}

export function service(name: string, spec: Readonly<Record<string, unknown>>): KubeObject {
  return object(['v1', 'Service'], name, {
    spec: { ports: [{ name: 'http', port: 80, targetPort: 'http' }], ...spec },
  });
}

/** Every object of a kind in `shop`, by name. */
export function listed(client: Client, apiVersion: string, kind: string): readonly KubeObject[] {
  return [...client.list({ apiVersion, kind, namespace: 'shop' })].sort((one, other) =>
    one.metadata.name.localeCompare(other.metadata.name),
  );
}

/** What stands at a path of an object; undefined where there is nothing. */
export function at(from: KubeObject | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], from);
}
