import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { refuseForeign } from '../../controller/domain/refuse-foreign.ts';
import { forward } from './forward.ts';
import { type Pool, QueueFull, type Seat } from './pool.ts';

class TooLate extends Error {}
class Gone extends Error {}

/**
 * The address of one function, not yet listening: any method and path goes to an instance. Waiting for a place and for
 * a start counts against the time-out, and failures have the answers of Knative's activator (measured on Knative
 * Serving): 504 when time is over, 502 when the instance broke off, 503 when too many requests wait.
 */
export function createFront(pool: Pool, timeoutMs: number): Server {
  // Idle connections stay longer than the senders' own: it must be the client that closes.
  return createServer({ keepAliveTimeout: 100_000, requestTimeout: 0 }, (request, response) => {
    const foreign = refuseForeign(request);
    if (foreign !== undefined) say(response, foreign.status, foreign.message);
    else answer(request, response, { pool, timeoutMs }).catch(() => response.destroy());
  });
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { pool, timeoutMs }: { readonly pool: Pool; readonly timeoutMs: number },
): Promise<void> {
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(new TooLate()), timeoutMs);
  response.once('close', () => stop.abort(new Gone()));
  try {
    const seat = await pool.seat(stop.signal);
    await serve(request, response, { seat, signal: stop.signal });
  } catch (error) {
    refuse(response, stop.signal.aborted ? stop.signal.reason : error);
  } finally {
    clearTimeout(timer);
    // The caller may still be sending a body that is not needed any more.
    request.unpipe().resume();
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { seat, signal }: { readonly seat: Seat; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await forward(request, response, { seat, signal });
    seat.release('answered');
  } catch (error) {
    seat.release(signal.aborted ? 'left' : 'broken');
    throw error;
  }
}

function refuse(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  const [status, text] = refusalOf(error);
  // The answer has begun: the text is appended, as the activator does it.
  if (response.headersSent) response.end(text);
  else say(response, status, text);
}

function say(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': text.length }).end(text);
}

function refusalOf(error: unknown): readonly [status: number, text: string] {
  if (error instanceof TooLate) return [504, 'activator request timeout'];
  if (error instanceof QueueFull) return [503, error.message];
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ECONNRESET' || code === 'EPIPE') return [502, 'EOF'];
  return [502, error instanceof Error ? error.message : String(error)];
}
