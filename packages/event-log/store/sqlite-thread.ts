// The thread of a SQLite file: a disk that hangs blocks this thread, and not the server, which must answer.
import { parentPort, workerData } from 'node:worker_threads';
import { asKnudgeError } from '../../controller/domain/errors.ts';
import { openSqliteFile, type SqliteFile, type SqliteOptions } from './sqlite-file.ts';

/** A call by its name; its answer has the same number. */
export interface Call {
  readonly number: number;
  readonly name: keyof SqliteFile;
  readonly argument: unknown;
}

export type CallAnswer =
  | { readonly number: number; readonly result: unknown }
  | { readonly number: number; readonly code: string; readonly message: string };

const port = parentPort;
let file: SqliteFile | undefined;

port?.on('message', ({ number, name, argument }: Call) => {
  port.postMessage(
    answer(number, () => {
      // Opened with the first call and not at the start: a file that is missing now may be there later.
      file ??= openSqliteFile(workerData as SqliteOptions);
      return (file[name] as (argument: unknown) => unknown)(argument);
    }),
  );
  if (name === 'close') port.close();
});

function answer(number: number, work: () => unknown): CallAnswer {
  try {
    return { number, result: work() };
  } catch (thrown) {
    const { code, message } = asKnudgeError(thrown);
    return { number, code, message };
  }
}
