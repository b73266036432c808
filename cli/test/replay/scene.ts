import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openSqlite } from '../../../packages/event-log/store/sqlite.ts';
import { received } from '../../../packages/event-log/test/store/event.ts';
import { runIn } from '../knudge.ts';

/** A folder with a log of this many events, e-1 and on, and what runs in it; gone after the test. */
export async function folderWith(t: TestContext, count: number) {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-cli-replay-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const log = await openSqlite(join(dir, 'events.db'));
  const events = Array.from({ length: count }, (_, n) => received({ id: `e-${n + 1}`, data: { n: n + 1 } }));
  await Promise.all(events.map((event) => log.append(event)));
  await log.close();
  const run = (...args: readonly string[]) => {
    const running = runIn(dir, [...args, '--dir', dir]);
    t.after(() => running.child.kill('SIGKILL'));
    return running;
  };
  return { dir, run };
}

export function idsUpTo(count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => `e-${n + 1}`);
}

type Answer = (response: ServerResponse, id: string, count: number) => void;

/** A Broker that notes the ids that it is sent, and answers as a test wants. */
export async function brokerThat(t: TestContext, answer: Answer = (response) => response.writeHead(202).end()) {
  const ids: string[] = [];
  const headers: NodeJS.Dict<string | string[]>[] = [];
  const server = createServer((request, response) => {
    const id = String(request.headers['ce-id']);
    ids.push(id);
    headers.push(request.headers);
    request.resume().on('end', () => answer(response, id, ids.length));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { ids, headers, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b` };
}
