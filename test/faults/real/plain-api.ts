import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { stringify } from 'yaml';
import { outsideCluster } from '../../../src/kube/outside.ts';

/**
 * The API server of a kubeconfig without TLS and credentials, for whoever speaks to the embedded API otherwise; writes a
 * kubeconfig for it into the file.
 */
export async function servePlainly(context: TestContext, kubeconfig: string, file: string): Promise<void> {
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
        answer.pipe(response);
        answer.on('error', () => response.destroy());
      },
    );
    sent.on('error', () => response.destroy());
    response.on('close', () => sent.destroy());
    incoming.pipe(sent);
  });
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  context.after(() => {
    plain.close().closeAllConnections();
    agent.destroy();
  });
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}`;
  const named = { cluster: 'plain', user: 'nobody' };
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'plain' },
    clusters: [{ name: 'plain', cluster: { server: url } }],
    users: [{ name: 'nobody', user: {} }],
    contexts: [{ name: 'plain', context: named }],
  };
  writeFileSync(file, stringify(config));
}
