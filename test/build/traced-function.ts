import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { functions } from '../../functions/table.ts';
import { serve } from '../../packages/controller/test/cluster/loopback.ts';
import { runChangeFunctions } from '../../packages/start/main.ts';
import { equip } from '../../resources/managed/equip.ts';
import { settings } from '../../resources/managed/settings.ts';
import { event } from './event.ts';

export const traceId = '0af7651916cd43dd8448eb211c80319c';
const traceparent = `00-${traceId}-b7ad6b7169203331-01`;

/** The function of Messages, on an API server that has none. */
export async function startMessageFunction(t: TestContext, env: Readonly<Record<string, string>>): Promise<string> {
  const api = await serve(t, () => ({ status: 404, body: { kind: 'Status', reason: 'NotFound', code: 404 } }));
  const own = [{ stem: 'message-changed', ...functions['message-changed'] }];
  const all = { PORT: '0', LOG_LEVEL: 'silent', API_SERVER_URL: api.url, ...env };
  const server: Server = await runChangeFunctions({ name: 'message', own, settings, equip }, all);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  if (!server.listening) await once(server, 'listening');
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/** Sends it an event in that trace. */
export async function postTraced(url: string): Promise<void> {
  const { headers, body } = event({ headers: { traceparent } });
  assert.equal((await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) })).status, 204);
}
