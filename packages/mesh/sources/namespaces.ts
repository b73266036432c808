import type { Access } from '../../controller/cluster/access.ts';
import { readList } from '../../controller/cluster/pages.ts';
import { createTransport } from '../../controller/cluster/transport.ts';
import { startWatch, type WatchPace } from '../../controller/cluster/watch.ts';
import type { Report } from '../hop.ts';

interface Running {
  close(): Promise<void>;
}

interface Following {
  readonly access: Access;
  readonly version: string;
  readonly report: Report;
  /** The name of the source, for the reports. */
  readonly source: string;
  readonly pace?: Partial<WatchPace>;
  /** Starts the watches in these namespaces. */
  readonly start: (namespaces: readonly string[]) => Promise<Running>;
}

/**
 * Keeps a source on the namespaces with these labels. When they change all its watches begin anew, and what happens
 * meanwhile is lost: as in Knative, which rewrites the adapter's Deployment.
 */
export async function followNamespaces(selector: string, following: Following): Promise<Running> {
  const { access, version, report, source, pace } = following;
  const first = Promise.withResolvers<void>();
  const state = { closed: false, watched: 'none yet', running: nothing };
  let queue = Promise.resolve();
  const settle = (): Promise<void> => {
    queue = queue.then(async () => {
      const names = state.closed ? undefined : await namesOf(selector, following);
      if (names === undefined || names.join() === state.watched) return;
      await state.running.close();
      state.watched = names.join();
      state.running = await following.start(names);
    });
    return queue;
  };
  const watch = startWatch({
    access,
    version,
    path: '/api/v1/namespaces',
    selector,
    seen: (type) => (type === 'MODIFIED' ? Promise.resolve() : settle()),
    tell: (told) => {
      report({ ...told, source, what: `Namespace with ${selector}` });
      // Changes that were missed meanwhile are made up for here.
      if (told.kind === 'watching') void settle();
      first.resolve();
    },
    ...(pace && { pace }),
  });
  await first.promise;
  await queue;
  return {
    close: async () => {
      state.closed = true;
      await watch.close();
      await queue;
      await state.running.close();
    },
  };
}

const nothing: Running = { close: async () => undefined };

/** Sorted; undefined if the API server does not answer. */
async function namesOf(selector: string, { access, version }: Following): Promise<readonly string[] | undefined> {
  const transport = createTransport({ access, version });
  try {
    const query = { apiVersion: 'v1', kind: 'Namespace', namespace: '', labelSelector: selector };
    return (await readList(transport, query)).map(({ metadata }) => metadata.name).sort();
  } catch {
    return undefined;
  } finally {
    transport.close();
  }
}
