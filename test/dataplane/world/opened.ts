import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackendServer } from './backends.ts';
import { type Answered, askHttp, hangUp, holdTcp, type Target } from './clients.ts';

/** Requests or connections that stay open, opened one after the other. */
export interface Opened {
  /** Opens one more; gives the backend that has it as soon as Envoy counts it. Throws if no backend gets it within 10 s. */
  oneMore(): Promise<string>;
  /** Ends all of them; the backends answer at once from now on. */
  close(): Promise<void>;
}

/**
 * By service type. That the backend has seen a connection is not enough: its kernel takes it before Envoy, which may
 * not be running just then, knows of it and counts it, and the next one would be given to the same backend. So a tcp
 * connection is open when its first byte has come through Envoy. A request Envoy counts before it passes it on.
 */
export const opened = {
  tcp: (_: readonly BackendServer[], to: Target): Opened => {
    const sockets: Socket[] = [];
    return {
      oneMore: async () => {
        const held = await holdTcp(to);
        if ('failed' in held) return assert.fail(held.failed);
        sockets.push(held.socket);
        return held.by;
      },
      close: async () => void (await Promise.all(sockets.map(hangUp))),
    };
  },
  http: (backends: readonly BackendServer[], to: Target): Opened => {
    for (const backend of backends) backend.answers('held');
    const open: Promise<Answered>[] = [];
    return {
      oneMore: async () => {
        const before = backends.map((backend) => backend.seen());
        open.push(askHttp(to));
        for (let tries = 0; tries < 1000; tries += 1) {
          const by = backends.find((backend, index) => backend.seen() > (before[index] ?? 0));
          if (by !== undefined) return by.name;
          await sleep(10);
        }
        return assert.fail('no backend has seen the request within 10 s');
      },
      close: async () => {
        for (const backend of backends) backend.release();
        for (const one of await Promise.all(open)) assert.ok('by' in one, JSON.stringify(one));
      },
    };
  },
} as const;
