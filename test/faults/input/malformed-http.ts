import type { Malformed } from './malformed.ts';
import { readRecordings, requestOf } from './recordings.ts';

const raw = (text: string): Buffer => Buffer.from(text, 'latin1');
const post = 'POST / HTTP/1.1\r\nhost: function\r\n';

const wrongMethods = ['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'TRACE', 'MKCOL', 'PURGE', 'QUERY'];

const wrongTargets = [
  ...['/events', '//', '/..', '/../', '/%2e%2e', '/metrics/', '/health', '/index.html', '/?dryRun=', '/?dryRun=None'],
  ...[
    '/?dryRun=all',
    '/?dryRun=All&dryRun=None',
    '/?dryRun',
    '/.well-known/x',
    '*',
    'http://function/other',
    `/${'a'.repeat(4000)}`,
  ],
];

/** Nobody can tell where the body of such a request ends, or that it is a request at all. */
const noRequests: Readonly<Record<string, string>> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'a TLS handshake': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a version that is not there': 'POST / HTTP/9.9\r\nhost: function\r\n\r\n',
  'a method that nobody knows': 'EVENT / HTTP/1.1\r\nhost: function\r\n\r\n',
  'a space before the first header': 'POST / HTTP/1.1\r\n host: function\r\n\r\n',
  'a header without a colon': `${post}nothing\r\n\r\n`,
  'a header with a space in its name': `${post}ce id: 1\r\n\r\n`,
  'a header without a name': `${post}: 1\r\n\r\n`,
  'a NUL in a header': `${post}ce-id: a\x00b\r\n\r\n`,
  'a folded header': `${post}ce-id: a\r\n b\r\n\r\n`,
  'a bare carriage return in a header': `${post}ce-id: a\rb\r\n\r\n`,
  'a length that is no number': `${post}content-length: many\r\n\r\n`,
  'a length below nothing': `${post}content-length: -1\r\n\r\n`,
  'two lengths': `${post}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  'a length beyond every number': `${post}content-length: 99999999999999999999999\r\n\r\n`,
  'a length and chunks': `${post}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  'a transfer encoding that nobody knows': `${post}transfer-encoding: zip\r\n\r\n`,
  'a chunk whose length is no number': `${post}transfer-encoding: chunked\r\n\r\nxyz\r\n{}\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${post}transfer-encoding: chunked\r\n\r\n1\r\n{}{}\r\n0\r\n\r\n`,
};

/** The sender hangs up before its body is whole, but still listens. */
const hungUp: Readonly<Record<string, string>> = {
  'in its first line': 'POST / HT',
  'in its headers': `${post}ce-id: 1\r\n`,
  'before its body': `${post}content-length: 10\r\n\r\n`,
  'in its body': `${post}content-length: 10\r\n\r\n{"a"`,
  'between two chunks': `${post}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`,
};

const [recording] = readRecordings();
const headers = recording?.headers ?? [];
const body = recording?.body ?? Buffer.alloc(0);
const limit = 2 * 1024 * 1024;
const chunk = `${(0x10000).toString(16)}\r\n${' '.repeat(0x10000)}\r\n`;

/** Requests that are bad before anybody looks for an event in them. */
export const malformedHttp: readonly Malformed[] = [
  ...wrongMethods.map((method) => ({
    name: `the method ${method}`,
    bytes: raw(`${method} / HTTP/1.1\r\nhost: function\r\ncontent-length: 0\r\n\r\n`),
    status: 405,
  })),
  ...['/health/liveness', '/health/readiness', '/metrics'].map((target) => ({
    name: `an event to ${target}`,
    bytes: requestOf(headers, body, target),
    status: 405,
  })),
  ...wrongTargets.map((target) => ({
    name: `an event to ${target.slice(0, 40)}`,
    bytes: requestOf(headers, body, target),
    status: 400,
  })),
  ...Object.entries(noRequests).map(([name, text]) => ({ name, bytes: raw(text), status: 400 })),
  ...Object.entries(hungUp).map(([where, text]) => ({
    name: `a sender that hangs up ${where}`,
    bytes: raw(text),
    status: 400,
    ends: true as const,
  })),
  { name: 'a body of one byte too many', bytes: requestOf(headers, Buffer.alloc(limit + 1, ' ')), status: 413 },
  { name: 'a body of 64 MiB by its length alone', bytes: raw(`${post}content-length: 67108864\r\n\r\n`), status: 413 },
  {
    name: 'chunks of 2 MiB and one more',
    bytes: raw(`${post}transfer-encoding: chunked\r\n\r\n${chunk.repeat(33)}0\r\n\r\n`),
    status: 413,
  },
  { name: 'headers of 20 KiB', bytes: requestOf([...headers, ['ce-note', 'x'.repeat(20_000)]], body), status: 413 },
  {
    name: 'five thousand headers',
    bytes: requestOf([...headers, ...Array.from({ length: 5000 }, (_, at) => [`a${at}`, '1'] as const)], body),
    status: 413,
  },
  {
    name: 'an Expect that nobody knows',
    bytes: raw(`${post}expect: the-unexpected\r\ncontent-length: 0\r\n\r\n`),
    status: 400,
  },
  { name: 'no host', bytes: raw('POST / HTTP/1.1\r\ncontent-length: 0\r\n\r\n'), status: 400 },
  {
    name: 'a wish for another protocol',
    bytes: raw(`${post}connection: upgrade\r\nupgrade: websocket\r\n\r\n`),
    status: 400,
  },
];
