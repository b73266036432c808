import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { stringify } from 'yaml';
import { outsideCluster } from '../../../packages/controller/cluster/outside.ts';
import { listening, refusing } from './refusing.ts';

/** Stands between a client and the API server. */
export interface PlainApi {
  /** Answers and watch events that said that a version has expired. */
  readonly counts: { readonly expired: number };
  /** For this long nobody listens there, and what was under way is cut off. */
  refuse(ms: number): Promise<void>;
}

/**
 * The API server of a kubeconfig without TLS and credentials, for a test that speaks to the embedded API otherwise; writes a
 * kubeconfig for it into the file.
 */
export async function servePlainly(context: TestContext, kubeconfig: string, file: string): Promise<PlainApi> {
  const counts = { expired: 0 };
  const { server, credentials } = await outsideCluster({ kubeconfig });
  const { ca, cert, key, authorization } = await credentials(false);
  const agent = new Agent({ keepAlive: true, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) });
  const plain = createServer({ keepAliveTimeout: 100_000 }, (incoming, response) => {
    const { host: _, ...rest } = incoming.headers;
    const headers = { ...rest, ...(authorization !== undefined && { authorization }) };
    const sent = request(
      new URL(incoming.url ?? '/', server),
      { method: incoming.method, headers, agent },
      (answer) => {
        const { connection: __, ...kept } = answer.headers;
        response.writeHead(answer.statusCode ?? 502, kept);
        response.flushHeaders();
        if (answer.statusCode === 410) counts.expired += 1;
        answer.on('data', (chunk: Buffer) => {
          if (chunk.includes(expiredEvent)) counts.expired += 1;
        });
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await listening(plain, 0);
  const { port } = plain.address() as AddressInfo;
  context.after(() => {
    plain.close().closeAllConnections();
    agent.destroy();
  });
  writeFileSync(file, stringify(configFor(`http://127.0.0.1:${port}`)));
  return { counts, refuse: (ms) => refusing(plain, port, ms) };
}

/** So the API server ends a watch whose version it has forgotten, in a piece of its own. */
const expiredEvent = '"reason":"Expired","code":410}';

function configFor(url: string): object {
  const named = { cluster: 'plain', user: 'nobody' };
  return {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'plain',
    clusters: [{ name: 'plain', cluster: { server: url } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'plain', context: named }],
  };
}
