import type { Agent } from 'node:http';
import { createMembers, type Member, type Members, type MembersParts, type Release } from './members.ts';
import { wantedInstances } from './scale.ts';

/** A place for one request in an instance that listens. */
export interface Seat {
  readonly port: number;
  readonly agent: Agent;
  /** Milliseconds that the request waited for an instance to start; absent if one was awake. */
  readonly coldMs?: number;
  readonly release: Release;
}

/** One function: requests wait in a queue until an instance has room for them. */
export interface Pool {
  /** A place for a request; rejects when the signal aborts, with its reason, or with QueueFull. */
  seat(signal: AbortSignal): Promise<Seat>;
  /** Ends the instances after what they are doing; the next request starts new ones, of the code as it is then. */
  renew(): void;
  close(graceMs: number): Promise<void>;
}

export class QueueFull extends Error {}

/** As many as Knative's activator holds for one revision. */
const longestQueue = 10_000;

interface Waiting {
  readonly since: number;
  readonly cold: boolean;
  readonly take: (seat: Seat) => void;
}

export function createPool(parts: MembersParts): Pool {
  const { spec, now } = parts;
  const queue: Waiting[] = [];
  const state = { closed: false };
  const settle = (): void => {
    if (state.closed) return;
    for (let member = freest(members, room); member !== undefined; member = freest(members, room)) {
      const waiting = queue.shift();
      if (waiting === undefined) break;
      waiting.take(seatIn(member, waiting));
    }
    const load = members.staying().reduce((sum, member) => sum + member.load, queue.length);
    const missing = wantedInstances(spec, load) - members.staying().length;
    if (missing > 0) members.grow(missing);
  };
  const members = createMembers(parts, settle);
  const room = spec.containerConcurrency > 0 ? spec.containerConcurrency : Number.POSITIVE_INFINITY;

  const seatIn = (member: Member & { readonly port: number }, { cold, since }: Waiting): Seat => {
    const { agent } = member.instance;
    const release = members.occupy(member);
    return { port: member.port, agent, release, ...(cold && { coldMs: now() - since }) };
  };

  const seat = (signal: AbortSignal): Promise<Seat> => {
    if (state.closed) return Promise.reject(new Error('the mesh is shutting down'));
    if (queue.length >= longestQueue) return Promise.reject(new QueueFull('pending request queue full'));
    return new Promise((resolve, reject) => {
      const cold = !members.staying().some(({ port }) => port !== undefined);
      const waiting = { since: now(), cold, take: resolve };
      queue.push(waiting);
      signal.addEventListener('abort', () => {
        const place = queue.indexOf(waiting);
        if (place >= 0) queue.splice(place, 1);
        reject(signal.reason);
      });
      settle();
    });
  };

  settle();
  return {
    seat,
    renew: members.renew,
    close: (graceMs) => {
      state.closed = true;
      return members.close(graceMs);
    },
  };
}

/** The first of the instances with the fewest requests, so that the others can fall asleep. */
function freest(members: Members, room: number): (Member & { readonly port: number }) | undefined {
  return members
    .staying()
    .filter(listens)
    .filter(({ load, doubted }) => load < room && !doubted)
    .reduce<(Member & { readonly port: number }) | undefined>(
      (best, member) => (best === undefined || member.load < best.load ? member : best),
      undefined,
    );
}

function listens(member: Member): member is Member & { readonly port: number } {
  return member.port !== undefined;
}
