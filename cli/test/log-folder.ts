import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import type { LogApiParts } from '../../packages/event-log/api/route.ts';
import { openSqlite } from '../../packages/event-log/store/sqlite.ts';
import { serveLog } from '../../packages/event-log/test/api/serve-log.ts';
import type { MeshState } from '../../packages/mesh/state.ts';

/** When everything in these logs was recorded. */
export const recordedAt = '2026-03-01T12:00:00.000Z';

/** A folder that is gone after the test. */
export function newFolder(context: TestContext): string {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-folder-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The folder of a mesh with a log, which is open while it is filled. */
export async function folderWith(context: TestContext, fill: (log: EventLog) => Promise<unknown>): Promise<string> {
  const dir = newFolder(context);
  const log = await openSqlite(join(dir, 'events.db'), () => Date.parse(recordedAt));
  await fill(log);
  await log.close();
  return dir;
}

/** Makes a folder that of a mesh which runs, as far as its log goes. */
export function runAt(dir: string, url: string, of: Partial<MeshState> = {}): void {
  const state: Partial<MeshState> = { ...of, functions: { 'event-log': url, 'message-changed': 'http://127.0.0.1:9' } };
  writeFileSync(join(dir, 'state.json'), JSON.stringify(state));
}

/** The process of the log of such a mesh; `send` is its Broker. */
export async function serveFolder(context: TestContext, dir: string, send: LogApiParts['send']): Promise<EventLog> {
  const log = await openSqlite(join(dir, 'events.db'), () => Date.parse(recordedAt));
  const server = await serveLog({ log, send });
  context.after(async () => {
    server.close();
    await log.close();
  });
  runAt(dir, server.url);
  return log;
}
