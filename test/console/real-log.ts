import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { consoleAssets } from '../../packages/console/index.ts';
import type { Outgoing, Received } from '../../packages/controller/domain/change.ts';
import type { Delivered } from '../../packages/controller/domain/delivery.ts';
import type { EventLog } from '../../packages/controller/domain/event-log.ts';
import { openSqlite } from '../../packages/event-log/store/sqlite.ts';
import { serveLog } from '../../packages/event-log/test/api/serve-log.ts';

/** A real event log with the pages, in this process, and without a mesh: a test fills it as it likes. */
export interface RealLog {
  /** The address of the pages. */
  readonly pages: string;
  readonly log: EventLog;
  /** What the Broker got, in its order. */
  readonly sent: readonly Outgoing[];
  close(): Promise<void>;
}

/** Starts it; `send` is its Broker, after the event was noted. */
export async function startRealLog(send: (event: Outgoing) => Promise<void> = async () => {}): Promise<RealLog> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-console-'));
  const log = await openSqlite(join(dir, 'events.db'));
  const sent: Outgoing[] = [];
  const files = await consoleAssets();
  const { url, close } = await serveLog({
    log,
    files: async () => files,
    send: async (event) => {
      await send(event);
      sent.push(event);
    },
  });
  return {
    pages: `${url}/console/`,
    log,
    sent,
    close: async () => {
      close();
      await log.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

/** An event about a Message, this many seconds ago. */
export function messageEvent(id: string, secondsAgo = 60, name = 'hello'): Received {
  const about = { apiversion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name };
  const time = new Date(Date.now() - secondsAgo * 1000).toISOString();
  const type = 'dev.knative.apiserver.resource.update';
  const metadata = { namespace: 'shop', name, uid: `uid-${name}`, resourceVersion: id };
  const data = { apiVersion: 'myorg.dev/v1', kind: 'Message', metadata, spec: { text: id } };
  return { id, type, source: '/s', time, extensions: new Map(Object.entries(about)), data };
}

/** What a function answered to such an event, at its time. */
export function answerTo({ id, source, time = '' }: Received, more: Partial<Delivered> = {}): Delivered {
  const counts = { ms: 3, reads: 1, writes: 0, parents: [], written: [] };
  return {
    event: { id, source },
    function: 'message-changed',
    attempt: 1,
    at: time,
    status: 204,
    outcome: 'ignored',
    ...counts,
    ...more,
  };
}

/** Answers a question of the pages that the log alone does not answer, such as `POST /plan`. */
export function answers(page: Page, path: string, json: unknown): Promise<unknown> {
  return page.route(`**/console/api${path}`, (route) => route.fulfill({ json }));
}
