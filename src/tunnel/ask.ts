import { request } from 'node:http';
import { type LiveEndpoints, podLayout, probePaths } from '../domain/data-plane.ts';
import type { AskTunnel } from '../domain/ports.ts';
import { parseLiveEndpoints } from './parse.ts';

/** Envoy's answer has about 250 bytes, with a version of up to 64 characters and counts of any size less than a kilobyte. */
const longest = 2048;
const ok = 200;

interface AskParts {
  /** Milliseconds for the whole answer; 0: nobody is asked, and so nobody answers. */
  readonly timeoutMs: number;
  /** That of the Pod's probe, if not another. */
  readonly port?: number;
}

/**
 * Asks the Envoys of tunnels over plain HTTP, one connection each. What answers there is not known to be Envoy, so its answer is
 * small, on time and of the right form, or it is none.
 */
export function createAskTunnel({ timeoutMs, port = podLayout.probePort }: AskParts): AskTunnel {
  return async (host) => (timeoutMs === 0 ? undefined : get({ host, port, timeoutMs }));
}

function get({
  host,
  port,
  timeoutMs,
}: Required<AskParts> & { readonly host: string }): Promise<LiveEndpoints | undefined> {
  const { promise, resolve } = Promise.withResolvers<LiveEndpoints | undefined>();
  const asked = request({ host, port, path: probePaths.endpoints, agent: false, maxHeaderSize: longest });
  // Of the whole answer: one byte now and then would keep a time-out of the socket from ever coming.
  const timer = setTimeout(() => end(undefined), timeoutMs);

  function end(found: LiveEndpoints | undefined): void {
    clearTimeout(timer);
    resolve(found);
    asked.destroy();
  }

  asked.on('error', () => end(undefined));
  asked.on('response', (answer) => {
    let body = '';
    answer.setEncoding('utf8');
    answer.on('error', () => end(undefined));
    answer.on('data', (chunk: string) => {
      body += chunk;
      if (body.length > longest) end(undefined);
    });
    answer.on('end', () => end(answer.statusCode === ok ? parseLiveEndpoints(body) : undefined));
  });
  asked.on('close', () => end(undefined));
  asked.end();
  return promise;
}
