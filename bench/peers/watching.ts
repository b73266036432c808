import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Kube, Named } from '../mesh/kube.ts';
import { paths } from './objects.ts';

/** What the bench's own watches have seen of each Message, by its name. */
export interface Watching {
  /** When the last of these got its Pod, or became Processed. Rejects after this many milliseconds. */
  until(what: 'pod' | 'processed', names: readonly string[], ms: number): Promise<number>;
  /** How often a Message became Processed. */
  timesProcessed(name: string): number;
  stop(): void;
}

interface Waiter {
  readonly what: 'pod' | 'processed';
  readonly missing: Set<string>;
  readonly done: (at: number) => void;
}

/** The name of a Message's Pod, as every contestant makes it. */
const prefix = 'msg-';

export async function watchMessages(kube: Kube): Promise<Watching> {
  const waiters = new Set<Waiter>();
  const phases = new Map<string, string>();
  const times = new Map<string, number>();
  const tell = (what: Waiter['what'], name: string): void => {
    for (const waiter of waiters) {
      if (waiter.what === what && waiter.missing.delete(name) && waiter.missing.size === 0)
        waiter.done(performance.now());
    }
  };
  const stopPods = await follow(kube, paths.pods, (type, { metadata: { name } }) => {
    if (type === 'ADDED' && name.startsWith(prefix)) tell('pod', name.slice(prefix.length));
  });
  const stopMessages = await follow(kube, paths.messages, (type, object) => {
    const { metadata, status } = object as KubeObject & { readonly status?: { readonly phase?: string } };
    const before = phases.get(metadata.name);
    phases.set(metadata.name, type === 'DELETED' ? '' : (status?.phase ?? ''));
    if (type === 'DELETED' || status?.phase !== 'Processed' || before === 'Processed') return;
    times.set(metadata.name, (times.get(metadata.name) ?? 0) + 1);
    tell('processed', metadata.name);
  });
  return {
    timesProcessed: (name) => times.get(name) ?? 0,
    until: (what, names, ms) => {
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      const waiter: Waiter = { what, missing: new Set(names), done: resolve };
      waiters.add(waiter);
      const timer = setTimeout(() => {
        const left = `${String(waiter.missing.size)} of ${String(names.length)}`;
        reject(
          new Error(
            `${left} Messages have no ${what} after ${String(ms / 1000)} s, such as ${[...waiter.missing][0] ?? ''}`,
          ),
        );
      }, ms);
      return promise.finally(() => {
        clearTimeout(timer);
        waiters.delete(waiter);
      });
    },
    stop: () => {
      stopPods();
      stopMessages();
    },
  };
}

/** Watches on after the API server ends a watch, as it does with a slow reader: a list shows what was missed. */
async function follow(kube: Kube, path: string, seen: (type: string, object: Named) => void): Promise<() => void> {
  let isOver = false;
  let stop: () => void = () => undefined;
  const watch = async (): Promise<void> => {
    stop = await kube.watch(path, seen, () => {
      // If the second watch fails too, the wait for the objects ends with an error that names those that are missing.
      if (!isOver) again().catch(() => undefined);
    });
  };
  const again = async (): Promise<void> => {
    await watch();
    const { items } = (await kube.call({ method: 'GET', path })) as { readonly items: readonly Named[] };
    for (const item of items) seen('ADDED', item);
  };
  await watch();
  return () => {
    isOver = true;
    stop();
  };
}
