import { Worker } from 'node:worker_threads';
import { type ErrorCode, KnudgeError } from '../../controller/domain/errors.ts';
import type { EventLog, LogReader } from '../../controller/domain/event-log.ts';
import { createLog, readerOf } from './create-log.ts';
import { openSqliteFile, type SqliteFile } from './sqlite-file.ts';
import type { Call, CallAnswer } from './sqlite-thread.ts';
import { threadAddress } from './thread-address.ts';

/** Milliseconds that a call waits for another process that writes; no caller waits this long for an append (packages/event-log/store/bounded.ts). */
const busyMs = 2000;

/**
 * Opens the log in one SQLite file, which is made if it is missing, in a thread of its own. Rejects with `invalid-request`
 * if a newer Knudge wrote it. A file that cannot be opened now is tried again with each call.
 */
export async function openSqlite(
  file: string,
  now: () => number = Date.now,
  onWritten?: (bytes: number) => void,
): Promise<EventLog> {
  const thread = startThread(file);
  await thread('read', { sql: 'SELECT 1', values: [] }).catch((error: KnudgeError) => {
    if (error.code === 'invalid-request') throw error;
  });
  return createLog(
    {
      write: (writings) => thread('write', writings),
      read: (query) => thread('read', query),
      keepDeliveries: (writings) => thread('keepDeliveries', writings),
      mark: (marking) => thread('mark', marking),
      noteGap: (gap) => thread('noteGap', gap),
      sign: (sign) => thread('sign', sign),
      shrink: (limits) => thread('shrink', limits),
      close: () => thread('close', undefined),
    },
    now,
    onWritten,
  );
}

/** Opens a log's SQLite file read-only, beside the process that writes it; throws a KnudgeError if there is no such file. */
export function readSqlite(file: string): LogReader & { close(): void } {
  const open = openSqliteFile({ file, readOnly: true, busyMs: 5000 });
  return { ...readerOf({ read: async (query) => open.read(query) }), close: open.close };
}

type Thread = <Name extends keyof SqliteFile>(
  name: Name,
  argument: Parameters<SqliteFile[Name]>[0] | undefined,
) => Promise<ReturnType<SqliteFile[Name]>>;

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: KnudgeError) => void;
}

/** Starts the thread. If it ends by itself, all its pending calls fail; the next call starts another. */
function startThread(file: string): Thread {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let calls = 0;
  const start = (): Worker => {
    const started = new Worker(threadAddress, { workerData: { file, readOnly: false, busyMs } });
    started.on('message', (answer: CallAnswer) => settle(pending, answer));
    let why = '';
    started.on('error', (error) => {
      why = `: ${String(error)}`;
    });
    started.once('exit', () => {
      if (worker === started) worker = undefined;
      for (const { reject } of pending.values()) {
        reject(new KnudgeError('unavailable', `the thread of the event log has ended${why}`));
      }
      pending.clear();
    });
    started.unref();
    return started;
  };
  return (name, argument) => {
    worker ??= start();
    calls += 1;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    pending.set(calls, { resolve, reject });
    worker.ref();
    worker.postMessage({ number: calls, name, argument } satisfies Call);
    const own = worker;
    return promise.finally(() => pending.size === 0 && own.unref()) as Promise<never>;
  };
}

function settle(pending: Map<number, Pending>, answer: CallAnswer): void {
  const call = pending.get(answer.number);
  pending.delete(answer.number);
  if ('result' in answer) call?.resolve(answer.result);
  else call?.reject(new KnudgeError(answer.code as ErrorCode, answer.message));
}
