// A function that does what the request says: each path is a behaviour.
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

const { CRASH_UNLESS: healed, PORT: port, STUBBORN: stubborn } = process.env;
const at = { once: 0, most: 0 };

if (healed !== undefined && !existsSync(healed)) {
  console.error('the first reason');
  console.error('cannot go on');
  process.exit(3);
}

const server = createServer((request, response) => {
  console.log(`began ${request.url}`);
  at.once += 1;
  at.most = Math.max(at.most, at.once);
  response.once('close', () => {
    at.once -= 1;
    console.log(`closed ${request.url} ${response.writableFinished ? 'answered' : 'unanswered'}`);
  });
  act(request, response);
});

function act(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stub');
  switch (pathname) {
    case '/crash':
      process.kill(process.pid, 'SIGKILL');
      break;
    case '/leave':
      process.exit(0);
      break;
    case '/environment':
      response.end(JSON.stringify(process.env));
      break;
    case '/begin':
      response.write('begun, ');
      break;
    case '/refuse':
      response.writeHead(413).end('too large');
      setTimeout(() => request.socket.destroy(), 200);
      break;
    case '/sleep':
      setTimeout(() => response.end(`${process.pid} ${at.most}`), Number(searchParams.get('ms')));
      break;
    default:
      void echo(request, response);
  }
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = '';
  for await (const piece of request) body += String(piece);
  const { method, url, headers } = request;
  response
    .writeHead(201, { 'x-twice': ['a', 'b'] })
    .end(JSON.stringify({ method, url, headers, body, pid: process.pid }));
}

process.once('SIGTERM', () => {
  if (stubborn !== undefined) return;
  server.close(() => process.exit(0));
  setInterval(() => server.closeIdleConnections(), 20);
});

server.listen(Number(port));
