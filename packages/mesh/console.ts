import type { ConsoleServer } from './console/serve-console.ts';
import type { MeshParts } from './mesh-parts.ts';

/** The Knative Service that has the pages, and what they show. */
const eventLog = 'event-log';

/** Starts the console of a mesh behind the ports of its functions; nothing where the manifests have no event log. */
export async function startConsole(
  { nextPort, closers, answers = [] }: MeshParts,
  functions: ReadonlyMap<string, string>,
  onRenewed: (url: string) => void,
): Promise<ConsoleServer | undefined> {
  const upstream = functions.get(eventLog);
  if (upstream === undefined) return undefined;
  const { serveConsole } = await import('./console/serve-console.ts');
  const server = await serveConsole({ upstream: () => upstream, port: nextPort(), own: answers, onRenewed });
  closers.push(server.close);
  return server;
}
