import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import {
  eventually,
  path,
  pod as podOf,
  serveWatches,
  type WatchApi,
} from '../../controller/test/cluster/watch-api.ts';
import type { Watched } from '../collection.ts';
import { runSource, type SourceOptions } from '../run.ts';

export const pods: Watched = {
  apiVersion: 'v1',
  kind: 'Pod',
  namespace: '',
  selector: '',
  path,
  metadataOnly: false,
  looksAt: ['phase'],
};
const pace = { roundMs: 1000, graceMs: 500, firstBackoffMs: 5, longestBackoffMs: 20 };
export const limits = { commitMs: 5, firstBackoffMs: 5, longestBackoffMs: 20 };

/** Each version of it is another one to who looks at it, unless the phase says otherwise. */
export const pod = (
  name: string,
  version: string,
  { phase = version, ...metadata }: Partial<KubeObject['metadata']> & { readonly phase?: string } = {},
) => ({
  ...podOf(name, version, { uid: `uid-${name}`, ...metadata }),
  status: { phase, startTime: version },
});

export function listOf(version: string, ...items: readonly KubeObject[]) {
  return { body: { kind: 'PodList', metadata: { resourceVersion: version }, items } };
}

export const expired = { status: 410, body: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } };

export interface Bench {
  readonly api: WatchApi;
  /** `add shop/a 11`, in the order in which the Broker took them. */
  readonly taken: string[];
  readonly refused: Set<string>;
  readonly file: string;
  start(options?: Partial<SourceOptions>): ReturnType<typeof runSource>;
}

/** An API server and a Broker of one test, and a file for the sources that follow each other. */
export async function aBench(t: TestContext): Promise<Bench> {
  const api = await serveWatches(t);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-source-'));
  const file = join(dir, 'known.db');
  const [taken, refused] = [[] as string[], new Set<string>()];
  const start = (options: Partial<SourceOptions> = {}) => {
    const source = runSource({
      access: { server: api.url, credentials: async () => ({}) },
      version: '1',
      file,
      watched: [pods],
      tell: () => undefined,
      pace,
      limits,
      failed: unexpected,
      begunAnew: unexpected,
      takenOver: () => undefined,
      pack: ({ verb, object: { metadata } }) => {
        const place = `${metadata.namespace}/${metadata.name}`;
        const line = `${verb} ${place} ${metadata.resourceVersion}`;
        const event = { attributes: {}, contentType: 'text/plain', data: Buffer.from(line), headers: {} };
        return { object: place, event, bytes: line.length };
      },
      send: async ({ object, event }) => {
        if (refused.has(object)) return false;
        taken.push(event.data.toString());
        return true;
      },
      ...options,
    });
    t.after(() => source.close());
    return source;
  };
  t.after(() => rmSync(dir, { recursive: true }));
  return { api, taken, refused, file, start };
}

export function isAt(source: ReturnType<typeof runSource>, version: string): Promise<void> {
  return eventually(`all is taken up to ${version}`, () => [...source.positions().values()][0] === version);
}

function unexpected(error: unknown): never {
  throw error;
}
