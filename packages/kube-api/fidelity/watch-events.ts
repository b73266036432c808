import { setTimeout as sleep } from 'node:timers/promises';
import { type Server, send, textOf } from './server.ts';

interface Wanted {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly events: number;
  readonly during: () => Promise<void>;
}

const patienceMs = 15_000;

interface Event {
  readonly type?: string;
  readonly object?: { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
}

/** An API server says with it how far a watch has come, whenever it likes; that which ends the initial events has its place. */
function isPlainBookmark({ type, object }: Event): boolean {
  return type === 'BOOKMARK' && object?.metadata?.annotations?.['k8s.io/initial-events-end'] === undefined;
}

/** Opens a watch, does what happens meanwhile, and gives the first events; fewer when the server ends it or stays silent. */
export async function watchEvents(
  server: Server,
  { path, headers, events: wanted, during }: Wanted,
): Promise<{ code: number; events: readonly unknown[] }> {
  const response = await send(server, { method: 'GET', path, headers });
  const code = response.statusCode ?? 0;
  if (code !== 200) return { code, events: [JSON.parse(await textOf(response))] };
  const events: unknown[] = [];
  const read = (async () => {
    let rest = '';
    for await (const chunk of response.setEncoding('utf8')) {
      const lines = `${rest}${String(chunk)}`.split('\n');
      rest = lines.pop() ?? '';
      events.push(...lines.map((line) => JSON.parse(line) as Event).filter((event) => !isPlainBookmark(event)));
      if (events.length >= wanted) return;
    }
  })().catch(() => undefined);
  await during();
  await Promise.race([read, sleep(patienceMs, undefined, { ref: false })]);
  response.destroy();
  return { code, events: events.slice(0, wanted) };
}
