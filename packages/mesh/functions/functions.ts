import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Answer, CloudEvent } from '../cloud-event.ts';
import type { Report } from '../hop.ts';
import type { FunctionSpec } from '../mesh-spec.ts';
import { createFront } from './front.ts';
import { handOver } from './hand-over.ts';
import { startInstance } from './instance.ts';
import { createPool, type Pool } from './pool.ts';

/** Knative Services as processes of this machine, asleep until a request comes. */
export interface Functions {
  /** The address of each by its name. */
  readonly urls: ReadonlyMap<string, string>;
  deliver(
    to: { readonly name: string; readonly path?: string },
    event: CloudEvent,
    timeoutMs?: number,
  ): Promise<Answer>;
  /** Ends every instance after what it is doing; the next event of a function starts its code as it is then. */
  renew(): void;
  /** Takes no more requests; those under way are finished, within the grace. */
  close(graceMs: number): Promise<void>;
}

export interface FunctionsParts {
  /** The command of an instance; a program of Node, because it reports its port and ends with the mesh. */
  readonly command: (name: string) => readonly string[];
  /** The environment of every instance; the manifest's own variables win. */
  readonly env: Readonly<Record<string, string>>;
  readonly report: Report;
  /** For all functions, in place of their manifests' values. */
  readonly idleSeconds?: number;
  /** The port of each on loopback; 0, or absent: any free port. */
  readonly port?: (name: string) => number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

interface Running {
  readonly name: string;
  readonly pool: Pool;
  readonly front: Server;
  readonly url: string;
  readonly timeoutMs: number;
}

/** Listens for all functions; rejects with Node's error if a port is taken, and leaves nothing behind then. */
export async function createFunctions(specs: readonly FunctionSpec[], parts: FunctionsParts): Promise<Functions> {
  const running = new Map<string, Running>();
  const close = async (graceMs: number): Promise<void> => {
    await Promise.all([...running.values()].map((one) => stop(one, graceMs)));
  };
  try {
    for (const spec of specs) running.set(spec.name, await run(spec, parts));
  } catch (error) {
    await close(0);
    throw error;
  }
  return {
    urls: new Map([...running].map(([name, { url }]) => [name, url])),
    deliver: async ({ name, path }, event, timeoutMs) => {
      const one = running.get(name);
      if (one === undefined) return { kind: 'failed', why: `there is no Knative Service ${name}` };
      return handOver(one.pool, event, { timeoutMs, frontMs: one.timeoutMs, ...(path && { path }) });
    },
    renew: () => {
      for (const { pool } of running.values()) pool.renew();
    },
    close,
  };
}

async function run(spec: FunctionSpec, parts: FunctionsParts): Promise<Running> {
  const { command, report, idleSeconds = spec.idleSeconds, port = () => 0, now = () => performance.now() } = parts;
  const { name } = spec;
  const pool = createPool({
    spec,
    start: () =>
      startInstance({
        command: command(name),
        env: { ...parts.env, ...spec.env, K_SERVICE: name, K_REVISION: `${name}-00001`, K_CONFIGURATION: name },
        onLine: (line) => report({ kind: 'said', function: name, line }),
      }),
    report,
    idleMs: idleSeconds * 1000,
    now,
  });
  const timeoutMs = spec.timeoutSeconds * 1000;
  const server = createFront(pool, timeoutMs);
  const address = await listen(server, port(name));
  return { name, pool, front: server, timeoutMs, url: `http://127.0.0.1:${address.port}` };
}

function listen(server: Server, port: number): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server.address() as AddressInfo));
  });
}

async function stop({ pool, front }: Running, graceMs: number): Promise<void> {
  const closed = new Promise((resolve) => front.close(resolve));
  await pool.close(graceMs);
  front.closeAllConnections();
  await closed;
}
