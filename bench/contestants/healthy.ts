import { createServer } from 'node:http';

// The least that a process which never sleeps can be: node:http, asked for nothing but its health.
const server = createServer((_request, response) => response.writeHead(200).end());
server.listen(Number(process.env['PORT']));
