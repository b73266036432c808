import type { TracedCall } from './trace.ts';
import { pick } from './trace-words.ts';

export interface Insisted {
  readonly uid: unknown;
  readonly resourceVersion: unknown;
}

/** The uid and the version that a write insists on. */
export function insistedOn({ verb, body }: TracedCall): Insisted {
  if (verb === 'patch-json') return { uid: tested(body, '/metadata/uid'), resourceVersion: tested(body, versionPath) };
  const from = verb === 'delete' ? 'preconditions' : 'metadata';
  return { uid: pick(body, from, 'uid'), resourceVersion: pick(body, from, 'resourceVersion') };
}

const versionPath = '/metadata/resourceVersion';

function tested(body: unknown, path: string): unknown {
  const operations: readonly unknown[] = Array.isArray(body) ? body : [];
  const test = operations.find((one) => pick(one, 'op') === 'test' && pick(one, 'path') === path);
  return pick(test, 'value');
}
