/** What no attribute may hold, by what is wrong with it (CloudEvents 1.0, section 3.2). */
export const badTexts: Readonly<Record<string, string>> = {
  'with a NUL': 'a\u0000b',
  'with a bell': 'a\u0007b',
  'with a line break': 'a\nb',
  'with a carriage return': 'a\r\nX-Evil: 1',
  'with an escape sequence': '\u001b[31mred',
  'with DEL': 'a\u007f',
  'with a C1 control character': 'a\u0085b',
};

export const badUris: readonly string[] = [
  ...['a b', 'a\\b', 'a<b>', 'a{b}', 'a|b', 'a^b', 'a`b', 'http://a b/', 'http://[::1', '{{ .Envs.A }}', '%'],
];

/** RFC 3339 takes none of these. */
export const badTimes: readonly string[] = [
  ...['now', '0', '1763726400', '2026', '2026-11', '2026-11-21', '2026-11-21T', '2026-11-21T02:03', '02:03:04Z'],
  ...['2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-32T00:00:00Z', '2026-02-30T00:00:00Z'],
  ...['2026-01-01T25:00:00Z', '2026-01-01T00:61:00Z', '26-01-01T00:00:00Z'],
  ...['2026-01-01T00:00:00', '2026-01-01 00:00:00Z', '2026-01-01T00:00:00+99:00', '2026-01-01T00:00:00+01'],
  ...['2026-01-01T00:00:00.Z', '-2026-01-01T00:00:00Z', 'Sat, 21 Nov 2026 00:00:00 GMT'],
];

/** What cannot stand in a path of the API server, so that no event may name it. */
export const badReferences: Readonly<Record<string, readonly string[]>> = {
  kind: [
    '.',
    '..',
    'a/b',
    '../Pod',
    'Pod ',
    'Pod?x=1',
    'Pod#x',
    'Pöd',
    '7Pod',
    'Po-d',
    'P'.repeat(64),
    '{{Pod}}',
    '%2e',
  ],
  apiversion: [
    '.',
    '..',
    '/',
    '/v1',
    'a//v1',
    'a/b/c',
    'V1',
    'a/v1?x',
    'a b/v1',
    'ä/v1',
    '../../v1',
    `a/${'v'.repeat(64)}`,
  ],
  name: [
    '.',
    '..',
    '/',
    'a/b',
    '../a',
    'a?b',
    'a#b',
    'a b',
    'ä',
    '%2e%2e',
    'a\\b',
    'a;b',
    "a'b",
    'a'.repeat(254),
    '{{a}}',
  ],
  namespace: [
    '.',
    '..',
    '/',
    'a/b',
    'a.b',
    '-a',
    'a-',
    'A',
    'ä',
    'a b',
    'a?b',
    'a%2fb',
    'a'.repeat(64),
    '{{a}}',
    'a_b',
  ],
};

/** No JSON (RFC 8259), though some of it is taken elsewhere. */
export const notJson: readonly string[] = [
  ...['{', '}', '[', ']', '"', "'", '\\', '{]', '[}', '{{}', '{}}', '[[]', '{"a"}', '{"a":}', '{:1}', '{"a" 1}'],
  ...['{"a":1,,"b":2}', '[1,]', '[,1]', '{a:1}', "{'a':'b'}", '{"a":undefined}', 'True', 'nul', 'nulll', 'Infinity'],
  ...[
    '-',
    '+1',
    '01',
    '1.',
    '.5',
    '1e',
    '0x1F',
    '1_000',
    '"\\x41"',
    '"\\u12"',
    '"\t"',
    '"a\u0000b"',
    '/* */ {}',
    '// x\n{}',
  ],
  ...[
    '{} trailing',
    '{}{}',
    '{"a":1}\u0000',
    '<xml/>',
    'a=b&c=d',
    'key: value',
    '---\na: 1',
    '{{ .Envs.TOKEN }}',
    '$(id)',
  ],
];

/** What the data of an event is not taken as: 415. */
export const badTypes: readonly string[] = [
  ...['text/html', 'text/json5', 'application/yaml', 'application/x-yaml', 'application/jsonp', 'application/json5'],
  ...[
    'application/x-ndjson',
    'application/json-seq',
    'application/protobuf',
    'application/msgpack',
    'application/cbor',
  ],
  ...[
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'image/png',
    'json',
    '/',
    ';',
    'x'.repeat(500),
  ],
  ...['application/json; charset=latin1', 'application/json; charset=utf-7', 'application/json; charset=', '*/*'],
  ...['application/json; charset="utf-16"', 'application/vnd.api+json; charset=us-ascii', 'application/vnd.api+xml'],
  ...['application/cloudevents-batch+json; charset=utf-8', 'application/cloudevents+xml', 'application/cloudevents+'],
  ...[
    'application/cloudevents+json; charset=utf-32',
    'application/cloudevents+protobuf',
    'application/cloudevents+json2',
  ],
];
