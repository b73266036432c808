import { createHash } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';

/** What a WebSocket's key is answered with (RFC 6455, section 4.2.2). */
const magic = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Lets a server take port-forwards as the API server does (channel.k8s.io, version 4): each channel begins with the port
 * in two bytes, channel 0 is data and channel 1 what goes wrong. `to` is the port on loopback that stands in for the Pod;
 * a text is said on channel 1 instead.
 */
export function takeForwards(server: Server, to: number | string): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const accept = createHash('sha1').update(`${request.headers['sec-websocket-key']}${magic}`).digest('base64');
    const lines = [
      'HTTP/1.1 101 Switching',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${accept}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\nSec-WebSocket-Protocol: v4.channel.k8s.io\r\n\r\n`);
    const port = Number(new URL(request.url ?? '', 'http://a').searchParams.get('ports'));
    for (const channel of [0, 1]) socket.write(frame(channel, Buffer.from([port % 256, port >> 8])));
    if (typeof to === 'string') socket.write(frame(1, Buffer.from(to)));
    else forward(socket, to);
    socket.on('error', () => socket.destroy());
    socket.on('end', () => socket.end());
    socket.resume();
  });
}

function forward(socket: Duplex, to: number): void {
  const pod = connect(to, '127.0.0.1');
  pod.on('data', (chunk) => socket.write(frame(0, chunk)));
  pod.on('close', () => socket.end());
  pod.on('error', () => socket.destroy());
  let kept = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    kept = Buffer.concat([kept, chunk]);
    for (let next = read(kept); next !== undefined; next = read(kept)) {
      kept = kept.subarray(next.size);
      if (next.opcode === 8) pod.end();
      else pod.write(next.payload.subarray(1));
    }
  });
}

function frame(channel: number, data: Buffer): Buffer {
  const length = data.length + 1;
  const head = length < 126 ? Buffer.from([0x82, length]) : Buffer.from([0x82, 126, length >> 8, length % 256]);
  return Buffer.concat([head, Buffer.from([channel]), data]);
}

/** A client masks what it sends. Frames of more than 64 KiB do not come in these tests. */
function read(bytes: Buffer): { opcode: number; payload: Buffer; size: number } | undefined {
  const short = (bytes[1] ?? 0) & 127;
  const start = short === 126 ? 4 : 2;
  if (bytes.length < start + 4) return undefined;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const size = start + 4 + length;
  if (bytes.length < size) return undefined;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, size).map((byte, index) => byte ^ (mask[index % 4] ?? 0)));
  return { opcode: (bytes[0] ?? 0) & 15, payload, size };
}
