import { Agent, type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { KubeConfig } from '@kubernetes/client-node';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { namespace } from './ground.ts';

/** The uid and version of a Message after a write. */
export interface Written {
  readonly uid: string;
  readonly version: string;
}

/** Writes Messages of the bench's namespace over connections that stay, so that only the API server takes time. */
export interface Writer {
  make(name: string, words?: string): Promise<Written>;
  change(name: string, words: string): Promise<Written>;
  remove(name: string): Promise<void>;
  /** Removes all of them with one request. */
  removeAll(): Promise<void>;
  close(): void;
}

const collection = `/apis/myorg.dev/v1/namespaces/${namespace}/messages`;

/** A writer for the cluster of a kubeconfig file. */
export async function openWriter(kubeconfig: string): Promise<Writer> {
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const identity: RequestOptions = {};
  await config.applyToHTTPSOptions(identity);
  const { ca, cert, key } = identity;
  const agent = new Agent({ keepAlive: true, maxSockets: 8, ca, cert, key });
  const server = config.getCurrentCluster()?.server ?? '';
  const headers = { ...identity.headers, accept: 'application/json' };
  const ask = async (method: string, path: string, given: Given = {}): Promise<Written> => {
    const { body, contentType = 'application/json' } = given;
    const { promise, resolve, reject } = Promise.withResolvers<Written>();
    const sent = request(
      new URL(path, server),
      { method, agent, timeout: 30_000, headers: { ...headers, 'content-type': contentType } },
      async (answer) => {
        const told = await text(answer);
        const { statusCode = 0 } = answer;
        if (statusCode < 200 || statusCode > 299) return reject(new Error(`${method} ${path}: ${told}`));
        const { uid = '', resourceVersion: version = '' } = (JSON.parse(told) as KubeObject).metadata;
        return resolve({ uid, version });
      },
    );
    sent.once('timeout', () => sent.destroy(new Error(`${method} ${path}: no answer`)));
    sent.once('error', reject);
    sent.end(body === undefined ? '' : JSON.stringify(body));
    return promise;
  };
  const spec = (words: string) => ({ spec: { text: words } });
  return {
    make: (name, words = 'bench') =>
      ask('POST', collection, {
        body: { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name }, ...spec(words) },
      }),
    change: (name, words) =>
      ask('PATCH', `${collection}/${name}`, { body: spec(words), contentType: 'application/merge-patch+json' }),
    remove: async (name) => void (await ask('DELETE', `${collection}/${name}`)),
    removeAll: async () => void (await ask('DELETE', collection)),
    close: () => agent.destroy(),
  };
}

interface Given {
  readonly body?: object;
  readonly contentType?: string;
}
