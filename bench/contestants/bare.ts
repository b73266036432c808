import { createServer } from 'node:http';

// The simplest function in Node.js: node:http, the body parsed as JSON, an empty answer.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    response.writeHead(204).end();
  });
});
server.listen(Number(process.env['PORT']));
