import type { Outgoing } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import type { EventContext } from '../../domain/ports.ts';
import type { ResyncMarks, Round } from '../../domain/rounds.ts';
import { timeOf } from '../../domain/time.ts';
import type { Cursor } from '../../resync/cursor.ts';
import type { ResyncWith } from '../../resync/page.ts';

const kinds = [
  { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' },
  { apiVersion: 'myorg.dev/v1', kind: 'Message' },
];

export const begin: Cursor = {
  round: 'round-1',
  step: 0,
  kind: 'DistributedService',
  token: '',
  after: '',
  restarts: 0,
};

/** Names that sort as they count. */
export const range = (length: number): string[] =>
  Array.from({ length }, (_, index) => `m${String(index).padStart(4, '0')}`);

export const namesIn = (events: readonly Outgoing[], kind: string): string[] =>
  events.filter(({ extensions }) => extensions['kind'] === kind).map(({ extensions }) => extensions['name'] ?? '');

interface Options {
  /** How far each event moves the clock. */
  readonly sendMs?: number;
  readonly workSeconds?: number;
}

/** A cluster with objects of these names and a Broker, with a clock of their own. A token is `<list>@<offset>`. */
export function arrange(names: Record<string, readonly string[]>, { sendMs = 0, workSeconds = 15 }: Options = {}) {
  const sent: Outgoing[] = [];
  const asked: {
    kind: string;
    token: string;
    limit: number;
    metadataOnly: boolean;
    namespace: string;
    labelSelector: string;
  }[] = [];
  const warnings: string[] = [];
  /** Tokens that are too old, and names whose events are not taken. */
  const expire: string[] = [];
  const refuse = new Set<string>();
  let [lists, clock, underWay, most, keys] = [0, 0, 0, 0, 0];
  const kept: string[] = [];
  const told: string[] = [];
  const lease: { marks: ResyncMarks } = { marks: {} };
  const slept: number[] = [];
  let meanwhile: (ms: number) => void = () => undefined;
  const parts: ResyncWith & EventContext = {
    eventLog: {
      append: async () => true,
      appendDeadLetter: async () => undefined,
      appendDeliveries: async () => undefined,
    },
    kinds,
    pager: {
      page: async ({ kind, apiVersion, namespace, labelSelector }, { token, limit, metadataOnly }) => {
        asked.push({ kind, token, limit, metadataOnly, namespace, labelSelector });
        if (expire.includes(token)) {
          lists += 1;
          throw new KnudgeError('expired', 'The provided continue parameter is too old');
        }
        const from = Number(token.split('@')[1] ?? 0);
        const all = names[kind] ?? [];
        const objects = all
          .slice(from, from + limit)
          .map((name) => ({ apiVersion, kind, metadata: { name, namespace: 'shop', uid: `uid-${name}` } }));
        const remaining = Math.max(0, all.length - from - limit);
        return { objects, next: remaining > 0 ? `${lists}@${from + limit}` : '', remaining };
      },
    },
    sender: {
      send: async (event) => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise((resolve) => setImmediate(resolve));
        underWay -= 1;
        clock += sendMs;
        if (refuse.has(event.extensions['name'] ?? '')) throw new KnudgeError('unavailable', 'the Broker is away');
        sent.push(event);
      },
    },
    log: { info: () => {}, warn: (_, message) => void warnings.push(message) },
    now: () => clock,
    workSeconds,
    tell: async ({ kind, metadata }) => void told.push(`${kind} ${metadata.name}`),
    rounds: {
      read: async () => {
        const { round } = lease.marks;
        const read = lease.marks;
        keys += 1;
        const keep = async (one: Round): Promise<void> => {
          if (read !== lease.marks) throw new KnudgeError('conflict', 'somebody was faster');
          lease.marks = { ...read, round: one };
        };
        return { ...(round && { round }), now: clock, key: `key-${keys}`, keep };
      },
      end: async (round, isWhole) => {
        if (isWhole) kept.push(timeOf(round.began / 1000));
        const { round: underWay, ...other } = lease.marks;
        if (underWay?.key === round.key) lease.marks = other;
        return { reads: 1, writes: 1 };
      },
    },
    restarts: {
      read: async () => {
        const { marks } = lease;
        return { marks, now: clock, take: async (by) => take(marks, by) };
      },
    },
    sleep: async (ms) => {
      slept.push(ms);
      clock += ms;
      meanwhile(ms);
    },
  };
  const take = (read: ResyncMarks, by: string): void => {
    if (read !== lease.marks) throw new KnudgeError('conflict', 'somebody was faster');
    lease.marks = { ...read, restart: { began: clock, by } };
  };
  return {
    kept,
    told,
    parts,
    sent,
    asked,
    warnings,
    expire,
    refuse,
    lease,
    slept,
    most: () => most,
    /** Moves the clock. */
    at: (ms: number) => {
      clock = ms;
    },
    /** What another instance does while this one waits. */
    whileWaiting: (act: () => void) => {
      meanwhile = act;
    },
  };
}
