import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Access } from '../controller/cluster/access.ts';
import { endRound, type LeaseName, readLease } from '../controller/cluster/lease.ts';
import { createTransport } from '../controller/cluster/transport.ts';
import { resyncLease } from '../controller/domain/names.ts';
import { isAlive } from '../controller/domain/rounds.ts';
import type { MeshSpec } from './mesh-spec.ts';

/** Milliseconds between two checks whether a round is still under way. */
const pollMs = 2_000;

type Api = ReturnType<typeof createTransport>;

/** A cluster, and the name of the mesh there. */
interface Where {
  readonly access: Access;
  readonly version: string;
}

/**
 * Removes from kept objects the round of the resync that was under way when the last mesh died: nothing continues it, and because
 * of it the resync that this mesh asks for would be skipped.
 */
export async function forgetRound(spec: MeshSpec, where: Where): Promise<void> {
  await withApi(where, async (api) => {
    const lease = leaseIn(spec);
    const { round } = await readLease(api, lease);
    if (round !== undefined) await endRound(api, lease, { round, isWhole: false, now: Date.now() });
  });
}

/** When to stop waiting, and where to report the reason. */
interface Waiting {
  readonly signal: AbortSignal;
  readonly onWait: () => void;
  /** Waits these milliseconds, or rejects at the signal. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/**
 * In a user's cluster, waits while a round of the resync is under way: a mesh that has died may have left it, or another
 * Knudge may be at work, and a resync that is requested meanwhile is skipped. Never rejects: without the right to read the Lease
 * it does not wait.
 */
export async function awaitRound(spec: MeshSpec, where: Where, waiting: Waiting): Promise<void> {
  const { signal, onWait, sleep = wait } = waiting;
  const look = async (api: Api): Promise<void> => {
    for (let tries = 1; !signal.aborted; tries += 1) {
      const { round } = await readLease(api, leaseIn(spec));
      if (round === undefined || !isAlive(round, api.now())) return;
      if (tries === 1) onWait();
      await sleep(pollMs, signal);
    }
  };
  await withApi(where, look).catch(() => undefined);
}

function leaseIn({ functions }: MeshSpec): LeaseName {
  const { env = {} } = functions.find(({ name }) => name === 'resync-due') ?? {};
  return { namespace: env['CONTROLLER_NAMESPACE'] ?? 'knudge', name: resyncLease };
}

async function withApi(where: Where, use: (api: Api) => Promise<void>): Promise<void> {
  const api = createTransport(where);
  try {
    await use(api);
  } finally {
    api.close();
  }
}

function wait(ms: number, signal: AbortSignal): Promise<unknown> {
  return sleepFor(ms, undefined, { signal });
}
