import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { KubeConfig } from '@kubernetes/client-node';
import { outsideCluster } from '../../packages/controller/cluster/outside.ts';
import { readTokenKeys } from '../../packages/controller/cluster/token-keys.ts';
import { createTransport } from '../../packages/controller/cluster/transport.ts';
import { asKnudgeError, errorCodes } from '../../packages/controller/domain/errors.ts';
import { createSenderCheck } from '../../packages/controller/server/check-sender.ts';
import type { TrustedSenders } from '../../packages/controller/server/config.ts';
import { brokerObjects } from '../../packages/controller/test/cluster/broker-objects.ts';
import { listen } from '../../packages/controller/test/cluster/listen.ts';
import { takeForwards } from '../../packages/controller/test/cluster/take-forwards.ts';

/** What the Broker got, and what it was asked with. */
export interface Taken {
  readonly type: string | undefined;
  readonly authorization: string | undefined;
}

/** A Broker that asks for tokens of a real API server, as Knative's ingress does: 401 and 403, by our own check of senders. */
export async function securedBroker(context: TestContext, kubeconfig: string, trusted: TrustedSenders) {
  const transport = createTransport({
    access: await outsideCluster({ kubeconfig }),
    version: 'test',
    timeoutMs: 10_000,
  });
  const readKeys = () => readTokenKeys(transport);
  const elapsed = () => performance.now();
  const check = await createSenderCheck({ trusted, readKeys, now: Date.now, elapsed });
  const taken: Taken[] = [];
  const server = createServer((request, response) => {
    const { authorization, 'ce-type': type } = request.headers;
    request.resume();
    check(authorization).then(
      () => {
        taken.push({ type: String(type), authorization });
        response.writeHead(202).end();
      },
      (error: unknown) => response.writeHead(errorCodes[asKnudgeError(error).code].status).end(),
    );
  });
  const port = await listen(context, server);
  context.after(() => transport.close());
  return { port, taken };
}

/**
 * A real API server as somebody with this token sees it, with a Broker in it that has an address, and Pods that are this port:
 * only what needs Knative or a kubelet is not the API server's own answer.
 */
export async function inFrontOf(
  context: TestContext,
  kubeconfig: string,
  { token, pod, audience }: { readonly token: string; readonly pod: number; readonly audience?: string },
): Promise<string> {
  const real = new KubeConfig();
  real.loadFromFile(kubeconfig);
  const { server = '', caData = '' } = real.getCurrentCluster() ?? {};
  const known = brokerObjects(audience);
  const pass = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(asked);
    const headers = { ...asked.headers, host: new URL(server).host };
    const ca = Buffer.from(caData, 'base64');
    const passed = request(new URL(asked.url ?? '', server), { method: asked.method ?? 'GET', headers, ca });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    passed.end(body);
  };
  const front = createServer((asked, response) => {
    const found = known[asked.url?.split('?')[0] ?? ''];
    if (found === undefined) return void pass(asked, response);
    return void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  takeForwards(front, pod);
  const port = await listen(context, front);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-secured-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'kubeconfig');
  const named = { contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }], 'current-context': 'c' };
  const clusters = [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }];
  writeFileSync(
    file,
    JSON.stringify({ apiVersion: 'v1', kind: 'Config', ...named, clusters, users: [{ name: 'c', user: { token } }] }),
  );
  return file;
}
