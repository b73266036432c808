import { createServer } from 'node:http';

// The simplest process that never sleeps: node:http, which gets no requests but those for its health.
const server = createServer((_request, response) => response.writeHead(200).end());
server.listen(Number(process.env['PORT']));
