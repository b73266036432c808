import type { TestContext } from 'node:test';
import { startProxy } from '../../kube/proxy.ts';

/** A wire to something whose address is known later, and that can be away. */
export interface Switch {
  /** For plain HTTP; a path may follow. */
  readonly url: string;
  lead(to: string): void;
  /** Breaks off every new connection, and every open one. */
  off(): void;
  on(): void;
}

export async function openSwitch(context: TestContext): Promise<Switch> {
  const to = new URL('http://127.0.0.1:9');
  const { url, cut, heal } = await startProxy(context, to);
  return {
    url: url.replace('https:', 'http:'),
    lead: (target) => {
      to.port = new URL(target).port;
    },
    off: cut,
    on: heal,
  };
}
