import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What would silence each alert, and what would raise each, as a tenant's Pod would export it. */
export const forged = [
  'knudge_seconds_since_resync 0',
  'knudge_source_lag_seconds 999',
  'knudge_source_blind_watches 3',
  'knudge_resync_repairs_total{kind="Message"} 50',
  'knudge_event_log_dropped_total{what="event"} 50',
  'frp_operator_reconcile_errors_total{error_type="unavailable"} 50',
  'frp_operator_managed_services{state="Failed"} 50',
  'knudge_dead_letters{state="open"} 50',
] as const;

/** A Pod that gives this answer whenever it is scraped; it counts how often that is. */
export async function servePod(
  context: { after(work: () => void): unknown },
  answer: () => string | { readonly location: string },
): Promise<{ readonly address: string; readonly asked: () => number }> {
  let asked = 0;
  const server = createServer((_, response) => {
    asked += 1;
    const given = answer();
    if (typeof given === 'string') response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(given);
    else response.writeHead(302, given).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { address: `127.0.0.1:${String((server.address() as AddressInfo).port)}`, asked: () => asked };
}

/** As the text format wants it. */
export function figures(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
