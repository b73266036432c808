import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a page tries to read, or to send. */
export interface Goal {
  readonly name: string;
  readonly url: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** How one try ended, as far as the page may know: 0 where the browser does not say. */
export interface Tried {
  readonly name: string;
  readonly way: string;
  readonly status: number;
  readonly text: string;
}

/** A request that was led on, and its answer. */
export interface Passed {
  readonly to: string;
  readonly method: string;
  readonly type: string | undefined;
  readonly status: number;
}

/** A server on loopback with a hostile page; everything below `/to/<name>/` it leads on, with its headers as they came. */
export interface Entrance {
  readonly port: number;
  readonly passed: Passed[];
  /** Gives the page these goals; resolves with what it reports. */
  ready(goals: readonly Goal[]): Promise<readonly Tried[]>;
  close(): void;
}

const page = readFileSync(new URL('hostile.html', import.meta.url));

export async function openEntrance(targets: ReadonlyMap<string, string>): Promise<Entrance> {
  const passed: Passed[] = [];
  let goals: readonly Goal[] = [];
  let report = Promise.withResolvers<readonly Tried[]>();
  const server = createServer((asked, response) => {
    const [, to = '', path = ''] = /^\/to\/([^/]+)(\/.*)$/.exec(asked.url ?? '') ?? [];
    if (asked.url === '/') response.setHeader('content-type', 'text/html').end(page);
    else if (asked.url === '/goals') response.end(JSON.stringify(goals));
    else if (asked.url === '/report') void text(asked).then((said) => report.resolve(JSON.parse(said)));
    else lead(asked, response, { to, url: `${targets.get(to) ?? ''}${path}`, passed });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    passed,
    ready: (given) => {
      goals = given;
      report = Promise.withResolvers();
      return report.promise;
    },
    close: () => server.close().closeAllConnections(),
  };
}

function lead(
  asked: IncomingMessage,
  response: ServerResponse,
  { to, url, passed }: { readonly to: string; readonly url: string; readonly passed: Passed[] },
): void {
  if (!URL.canParse(url)) return void response.writeHead(404).end();
  const { method = '', headers } = asked;
  const onward = request(url, { method, headers, agent: false }, (answer) => {
    const { statusCode: status = 0 } = answer;
    passed.push({ to, method, type: headers['content-type'], status });
    response.writeHead(status, answer.rawHeaders);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  asked.pipe(onward);
}
