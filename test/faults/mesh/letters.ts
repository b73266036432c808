import assert from 'node:assert/strict';
import type { DeadLetter, DeadLetterState } from '../../../packages/controller/domain/event-log.ts';
import { until } from '../../kube/until.ts';
import type { MeshProcess } from './mesh-process.ts';

/** The dead letters of a mesh, as somebody with curl sees them. */
export interface Letters {
  /** Oldest first. */
  all(state?: DeadLetterState): Promise<readonly DeadLetter[]>;
  /** Its state then; undefined where the log did not know within its time what came of it. */
  retry(seq: number): Promise<DeadLetterState | undefined>;
}

export async function lettersOf(mesh: MeshProcess): Promise<Letters> {
  const { functions } = await mesh.ready;
  const url = functions['event-log'] ?? '';
  return {
    all: async (state) => {
      const query = state === undefined ? '' : `&state=${state}`;
      const response = await fetch(`${url}/dead-letters?limit=1000${query}`);
      assert.equal(response.status, 200);
      return ((await response.json()) as { deadLetters: DeadLetter[] }).deadLetters.toReversed();
    },
    retry: async (seq) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${url}/dead-letters/${seq}/retry`, { method: 'POST', headers });
      const body = await response.text();
      // A synchronous Broker answers when all tries are over, which may take longer than the log may.
      if (response.status === 503) return undefined;
      assert.equal(response.status, 200, body);
      return (JSON.parse(body) as DeadLetter).state;
    },
  };
}

/** Nothing has become a dead letter for this many seconds, or become one again. */
export async function quiet({ all }: Letters, seconds: number): Promise<void> {
  let [count, since] = [-1, performance.now()];
  await until(
    'no dead letter comes any more',
    async () => {
      const now = (await all()).reduce((sum, { times }) => sum + times, 0);
      if (now !== count) [count, since] = [now, performance.now()];
      return performance.now() - since > seconds * 1000 || count;
    },
    400,
  );
}

/** One of them in a few words. */
export function brief({ kind, destination, status, said }: DeadLetter): string {
  return `${kind ?? ''} to ${destination === '' ? 'nobody knows' : destination}: ${status ?? 'no status'} ${said ?? ''}`;
}
