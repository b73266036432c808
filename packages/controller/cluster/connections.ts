import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { KnudgeError } from '../domain/errors.ts';
import type { Credentials } from './access.ts';

/** One agent at a time; a new one only when certificates or authorities have changed. */
export interface Connections {
  agentFor(credentials: Credentials): HttpAgent;
  /** Closes idle connections now and busy ones after their answer. */
  close(): void;
}

/** Sockets: a function works on few objects at once, and every connection is a burden for the API server. */
const limits = {
  keepAlive: true,
  maxSockets: 16,
  maxFreeSockets: 16,
  keepAliveMsecs: 30_000,
  scheduling: 'lifo',
} as const;

/** Keep-alive connections to one server; throws `internal` for plain HTTP to another machine. */
export function openConnections(server: URL): Connections {
  refusePlainHttp(server);
  let made: { readonly agent: HttpAgent; readonly for: string } | undefined;
  const close = () => {
    if (made !== undefined) retire(made.agent);
    made = undefined;
  };
  return {
    agentFor: (credentials) => {
      const { ca, cert, key, serverName, insecure } = credentials;
      const material = JSON.stringify([ca, cert, key, serverName, insecure]);
      if (made?.for === material) return made.agent;
      close();
      made = { agent: server.protocol === 'http:' ? new HttpAgent(limits) : secureAgent(credentials), for: material };
      return made.agent;
    },
    close,
  };
}

function secureAgent({ ca, cert, key, serverName, insecure }: Credentials): HttpAgent {
  return new HttpsAgent({
    ...limits,
    minVersion: 'TLSv1.2',
    rejectUnauthorized: insecure !== true,
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    ...(serverName !== undefined && { servername: serverName }),
  });
}

/** Lets answers end first: `agent.destroy()` would cut them off. */
function retire(agent: HttpAgent): void {
  agent.maxFreeSockets = 0;
  for (const sockets of Object.values(agent.freeSockets)) {
    for (const socket of sockets ?? []) socket.destroy();
  }
}

function refusePlainHttp({ protocol, hostname, href }: URL): void {
  if (protocol === 'https:') return;
  if (protocol === 'http:' && /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
  throw new KnudgeError(
    'misuse',
    `${href} is not a safe address of an API server: use https, or http on loopback only`,
  );
}
