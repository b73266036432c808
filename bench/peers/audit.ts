import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

interface AuditLine {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
}

/** How often one user made each call: the key is the verb with its target. */
export type Calls = Readonly<Record<string, number>>;

/** The API server's own log of calls, from its current end. */
export interface AuditTail {
  /** All calls of a user since then. */
  callsOf(user: string): Calls;
}

export function auditFromNow(path: string): AuditTail {
  const file = openSync(path, 'r');
  const from = fstatSync(file).size;
  return {
    callsOf: (user) => {
      const text = Buffer.alloc(fstatSync(file).size - from);
      readSync(file, text, 0, text.length, from);
      closeSync(file);
      return countCalls(text.toString().split('\n'), user);
    },
  };
}

/** A watch counts when it begins, all other calls when they are answered. The last line may be half written. */
export function countCalls(lines: readonly string[], user: string): Calls {
  const calls: Record<string, number> = {};
  for (const line of lines) {
    // Lines of other users need not be parsed.
    if (!line.includes(`"${user}"`) || !line.endsWith('}')) continue;
    const { stage, verb, user: who, objectRef } = JSON.parse(line) as AuditLine;
    if (who.username !== user || stage !== (verb === 'watch' ? 'ResponseStarted' : 'ResponseComplete')) continue;
    const { resource = 'other', subresource } = objectRef ?? {};
    const name = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}`;
    calls[name] = (calls[name] ?? 0) + 1;
  }
  return calls;
}

export function sumOf(calls: Calls): number {
  return Object.values(calls).reduce((sum, count) => sum + count, 0);
}
