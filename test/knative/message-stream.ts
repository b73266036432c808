import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { message } from '../build/objects.ts';
import { until } from '../kube/until.ts';
import { jsonOf } from './command-line.ts';
import type { Site } from './site.ts';

interface Made {
  readonly name: string;
  /** When the API server took it, by its clock. */
  readonly at: number;
}

interface Kept extends Made {
  /** From then, or from when the sources watched, until its Pod was made. */
  readonly seconds: number;
}

const collection = (namespace: string): string => `/apis/myorg.dev/v1/namespaces/${namespace}/messages`;

/** Applies a Message each second from now on, as soon as the kind is there. */
export function messageStream({ api, list }: Site, namespace: string, prefix = 'second') {
  const made: Made[] = [];
  let isOver = false;
  const applying = (async () => {
    for (let second = 0; !isOver; second += 1) {
      const name = `${prefix}-${String(second)}`;
      const { status, body } = await api('POST', collection(namespace), { body: message(name, name, { namespace }) });
      const { metadata } = body as { readonly metadata?: { readonly creationTimestamp?: string } };
      if (status === 201) made.push({ name, at: Date.parse(metadata?.creationTimestamp ?? '') });
      else assert.equal(status, 404, JSON.stringify(body));
      await sleep(1000);
    }
  })();
  return {
    /** Those that were taken. */
    stop: async (): Promise<readonly Made[]> => {
      isOver = true;
      await applying;
      return made;
    },
    /** How long each waited for its Pod, which has to be there some time; then they are deleted, after what is still to be done. */
    pods: async (watched: number, seconds: number, lastly = async () => {}): Promise<readonly Kept[]> => {
      const wanted = new Set(made.map(({ name }) => `msg-${name}`));
      const kept = new Map<string, number>();
      const haveAll = async (): Promise<unknown> => {
        for (const { metadata } of await list('v1', 'Pod', namespace))
          kept.set(metadata.name, Date.parse(metadata.creationTimestamp ?? ''));
        const left = [...wanted].filter((name) => !kept.has(name));
        return left.length === 0 || left;
      };
      try {
        await until('each Message has its Pod', haveAll, seconds + 5);
        await lastly();
      } finally {
        await api('DELETE', collection(namespace));
      }
      return made.map(({ name, at }) => {
        const waited = (kept.get(`msg-${name}`) ?? Number.POSITIVE_INFINITY) - Math.max(at, watched);
        return { name, at, seconds: waited / 1000 };
      });
    },
  };
}

/** The Messages of a namespace of which the log has the event that they were made. */
export async function announced(namespace: string): Promise<ReadonlySet<string>> {
  const about = ['--kind', 'Message', '--in-namespace', namespace, '--type', 'dev.knative.apiserver.resource.add'];
  const [page] = await jsonOf(['events', 'list', ...about, '--limit', '1000']);
  const { events } = page as { readonly events: readonly { readonly name: string }[] };
  return new Set(events.map(({ name }) => name));
}
