/** What breaks parsers: put into bodies as it is. */
export const bodyTokens: readonly Buffer[] = [
  ...['"', '\\', '{', '}', '[', ']', ':', ',', '{{', '}}', '""', '\\"', '\\u', '\\ud800', '\\u0000', '\\u2028'],
  ...['null', 'true', '-', '1e999', '-0', '0x10', '01', '1.', 'NaN', '9'.repeat(400), '""'.repeat(50)],
  ...['"__proto__":', '"__proto__":{"polluted":true},', '"\\u005f_proto__":1,', '"constructor":', '"prototype":{},'],
  ...['"toString":1,', '"metadata":[],', '"data":{},', '"data_base64":"e30=",', '"specversion":"9",', '"id":null,'],
  ...['[[[[[[[[', '{"a":{"a":{"a":', '"kind":"Secret",', '"name":"../../x",', '/*', '//', '#', '<!--', '$(x)', '%00'],
  ...['\u0000', '\u0007', '\n', '\r\n', '\u2028', '\ufeff', '😀', 'é'],
]
  .map((text) => Buffer.from(text))
  .concat(
    ['ff', 'fe', 'c0a2', 'eda080', 'f8888080', 'f4908080', '80', 'e282'].map((bytes) => Buffer.from(bytes, 'hex')),
  );

/** Values that a header may hold as HTTP goes; each stands in for a whole value or inside of one. */
export const valueTokens: readonly string[] = [
  ...[
    '',
    ' ',
    '%',
    '%00',
    '%0A',
    '%0d%0aX: y',
    '%zz',
    '%ED%A0%80',
    '%C0%AF',
    '%2e%2e%2f',
    '%252e',
    '../',
    '//',
    '?a#b',
  ],
  ...['"', "'", '{{', '$(x)', ',', ';', ':', '\\', '<', '\t', '\xff', '\xc3\xa9', '\xe2\x80\xa8', '\xf0\x9f\x98\x80'],
  ...['1.0', '0.3', '9', '-1', '1e9', 'null', 'true', '__proto__', 'constructor', 'a'.repeat(300), 'A', '2026-02-30'],
  ...['application/json', 'application/cloudevents+json', 'application/cloudevents-batch+json', 'text/plain'],
  ...['charset=utf-16', 'dev.knative.apiserver.resource.delete', 'dev.knative.apiserver.ref.add', 'Secret', 'Message'],
];

/** Names of headers that an event may bring along, rightly or not. */
export const nameTokens: readonly string[] = [
  ...['ce-', 'ce-__proto__', 'ce-constructor', 'ce-data', 'ce-a-b', 'ce-A', 'ce-specversion', 'ce-type', 'ce-id'],
  ...['ce-kind', 'ce-name', 'ce-namespace', 'ce-apiversion', 'ce-time', 'ce-subject', 'ce-dataschema', 'ce-note'],
  ...['content-type', 'content-encoding', 'ce-datacontenttype', 'x-forwarded-for', 'cookie', 'traceparent'],
];

/** Bytes that HTTP lets no value hold: the server's parser gives up and closes. */
export const brokenValueTokens: readonly string[] = ['\u0000', '\u0001', '\r', '\n', '\r\n\r\n', '\u007f', '\u001b'];
