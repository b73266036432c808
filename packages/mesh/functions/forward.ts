import { request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Seat } from './pool.ts';

/** Headers of one connection, which are not passed on. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Passes a request on to an instance and its answer back; `knudge-cold-ms` on it says what a start took. Rejects if
 * the instance breaks off or the signal aborts; the answer may have begun then.
 */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { seat, signal }: { readonly seat: Seat; readonly signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const upstream = ask({
      host: '127.0.0.1',
      port: seat.port,
      agent: seat.agent,
      method: request.method,
      path: request.url,
      headers: headersFor(request),
      signal,
    });
    upstream.on('response', (answer) => {
      const cold = seat.coldMs === undefined ? [] : ['knudge-cold-ms', seat.coldMs.toFixed(0)];
      response.writeHead(answer.statusCode ?? 502, [...withoutHops(answer.rawHeaders).flat(), ...cold]);
      answer.pipe(response);
      answer.once('error', reject);
      answer.once('end', resolve);
    });
    // An instance may refuse a body that it has not read to its end: its answer counts.
    upstream.on('error', (error) => response.headersSent || reject(error));
    request.pipe(upstream);
  });
}

/** The headers that Knative's activator passes on. */
function headersFor(request: IncomingMessage): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of withoutHops(request.rawHeaders)) {
    const key = name.toLowerCase();
    const former = headers[key];
    headers[key] = former === undefined ? value : [former, value].flat();
  }
  headers['k-proxy-request'] = 'activator';
  headers['x-forwarded-for'] = [headers['x-forwarded-for'] ?? [], request.socket.remoteAddress ?? ''].flat().join(', ');
  return headers;
}

function withoutHops(raw: readonly string[]): [name: string, value: string][] {
  const pairs: [string, string][] = [];
  for (let place = 0; place + 1 < raw.length; place += 2) {
    const name = raw[place] ?? '';
    if (!hopByHop.has(name.toLowerCase())) pairs.push([name, raw[place + 1] ?? '']);
  }
  return pairs;
}
