import { recorded } from '../test/build/event.ts';

/** A recorded event as the bytes of an HTTP request, to this path, with these headers besides. */
export function requestOf(name: string, path = '/', more: Readonly<Record<string, string>> = {}): Buffer {
  const { headers, body } = recorded(name, more);
  return bytesOf(headers, body, path);
}

/** An event with this body. */
export function bytesOf(headers: Readonly<Record<string, string>>, body: Buffer, path = '/'): Buffer {
  const all = { host: 'localhost', ...headers, 'content-length': String(body.length) };
  const lines = Object.entries(all).map(([header, value]) => `${header}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}
