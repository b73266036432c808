import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { KubeConfig } from '@kubernetes/client-node';
import { type ChangeStem, functions, watches } from '../../functions/table.ts';
import { groupOf, type KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { changeStems } from '../build/stems.ts';
import type { startFunctions } from './functions.ts';
import { pathOf } from './install.ts';
import { postEvent } from './post.ts';

type Functions = Awaited<ReturnType<typeof startFunctions>>;

/** What a function is woken by, narrowed by labels as the deployed sources are. */
const watchedBy = (stem: ChangeStem) =>
  watches
    .flatMap(({ resources }) => resources)
    .filter(({ apiVersion, kind }) => `${groupOf(apiVersion)}/${kind}` === functions[stem].kind);

/** The Broker's retries in the manifests: 3, exponential from 0.4 s, for these answers. */
const retried = (status: number): boolean => status >= 500 || [404, 408, 409, 429].includes(status);

/**
 * A stand-in for the ApiServerSource and the Broker, for tests: watches the real API server and posts each change to its
 * function, in order for each watch, as the real one sends it. Secrets go in reference mode.
 */
export async function startSource(kubeconfig: string, at: Functions) {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const ending = new AbortController();
  const failures: string[] = [];
  const deliver = (stem: ChangeStem, type: string, object: KubeObject): Promise<void> => {
    const mode = 'mode' in functions[stem] ? 'ref' : 'resource';
    return deliverOne(
      () => postEvent(at.of(stem).url, object, { type: `${mode}.${type}` }),
      (why) => failures.push(`${stem} answered ${why}`),
    );
  };
  const opened = changeStems.flatMap((stem) =>
    watchedBy(stem).map(({ apiVersion, kind, selector: labelSelector }) => {
      const { promise: listening, resolve } = Promise.withResolvers<void>();
      const seen = (type: string, object: KubeObject): Promise<void> => deliver(stem, type, object);
      const path = `${pathOf(apiVersion, kind)}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&labelSelector=${encodeURIComponent(labelSelector)}`;
      const done = watch(config, path, { seen, listening: resolve, signal: ending.signal });
      return { listening, done };
    }),
  );
  await Promise.all(opened.map(({ listening }) => listening));
  return {
    failures,
    stop: async (): Promise<void> => {
      ending.abort();
      await Promise.allSettled(opened.map(({ done }) => done));
    },
  };
}

/** Tries as the Broker does; what it would put to the dead letters is reported. */
async function deliverOne(post: () => ReturnType<typeof postEvent>, fail: (why: string) => void): Promise<void> {
  for (let attempt = 0; attempt <= 3; attempt += 1) {
    if (attempt > 0) await sleep(400 * 2 ** (attempt - 1));
    const { status, body } = await post();
    if (status < 300) return;
    if (attempt === 3 || !retried(status)) return fail(`${status} ${body}`);
  }
}

interface Watching {
  readonly seen: (type: string, object: KubeObject) => Promise<void>;
  readonly listening: () => void;
  readonly signal: AbortSignal;
}

const types: Readonly<Record<string, string>> = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' };

/** Hands over each change after the initial list, which like the real source it says nothing of. */
async function watch(config: KubeConfig, path: string, { seen, listening, signal }: Watching): Promise<void> {
  const options = {};
  await config.applyToHTTPSOptions(options);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const sent = request(new URL(path, config.getCurrentCluster()?.server), { ...options, signal }, (response) => {
    handLines(response, { seen, listening }).then(resolve, reject);
  });
  sent.on('error', reject);
  sent.end();
  return promise;
}

async function handLines(lines: AsyncIterable<string>, { seen, listening }: Omit<Watching, 'signal'>): Promise<void> {
  let rest = '';
  let initial = true;
  for await (const chunk of lines) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      const { type, object } = JSON.parse(line) as { type: string; object: KubeObject };
      if (type === 'BOOKMARK' && initial) {
        initial = false;
        listening();
      }
      const change = types[type];
      if (!initial && change !== undefined) await seen(change, object);
    }
  }
}
