import fc from 'fast-check';

/** What nobody means well with, and what merely looks so: some of it a field allows, the rest it must refuse. */
const nasty = [
  '{{ .Envs.PATH }}',
  '{{',
  '}}',
  '{{- ',
  '{',
  '"',
  '\\',
  '\\u007b',
  '\n',
  '\r\n',
  '\t',
  '\0',
  '\u2028',
  '\u202e',
  'é',
  '안',
  '💥',
  'ａ',
  '$(id)',
  `$${'{PATH}'}`,
  '%00',
  '%0d%0a',
  '%7B%7B',
  '%REQ(:path)%',
  '../',
  '//',
  '/./',
  '*',
  '*.',
  '-',
  '.',
  "'",
  '`',
  ';',
  ':',
  '@',
  '&',
  '=',
  '[proxies]',
  '#',
  ' ',
  '?a=b',
];

const plain = [...'abz09', 'xn--', '.com', '.example', '/api', '/v1'];

/** What a field refuses, but for a stroke of luck. */
function wild(begin: string): fc.Arbitrary<string> {
  const some = fc.array(fc.constantFrom(...plain, ...nasty), { minLength: 1, maxLength: 6 });
  const long = fc.integer({ min: 50, max: 300 }).map((length) => ['a'.repeat(length)]);
  return fc.oneof({ weight: 5, arbitrary: some }, long).map((pieces) => `${begin}${pieces.join('')}`);
}

const label = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);
const location = fc.stringMatching(/^\/[A-Za-z0-9._~!$&()*+,;=:@%/-]{0,30}$/);

/** By field: what it allows, as strange as that may be, and how what is wild begins. */
const allowed = {
  name: [label, 'w'],
  domain: [fc.tuple(fc.constantFrom('', '*.'), label, label).map(([star, ...two]) => `${star}${two.join('.')}`), ''],
  subdomain: [label, ''],
  location: [location, '/'],
  path: [fc.tuple(location, fc.constantFrom('', '?', '?a=%00&b={', '/%7B%7B')).map((two) => two.join('')), '/'],
} as const satisfies Record<string, readonly [fc.Arbitrary<string>, string]>;

type Field = keyof typeof allowed;
const fields = Object.keys(allowed) as readonly Field[];

/** What a user writes into the fields of an http service that reach frpc or Envoy as text: at most one of them wild. */
export const hostileFields = fc.option(fc.constantFrom(...fields), { freq: 2 }).chain((wildOne) => {
  const one = (field: Field): fc.Arbitrary<string> => (field === wildOne ? wild(allowed[field][1]) : allowed[field][0]);
  return fc.record({
    name: one('name'),
    domain: one('domain'),
    subdomain: one('subdomain'),
    location: one('location'),
    path: one('path'),
  });
});

export type HostileFields = typeof hostileFields extends fc.Arbitrary<infer Fields> ? Fields : never;

/** Forms of addresses that reach no other machine, cloud metadata, or nothing that a host can be. */
export const hostileHosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '0', '0.0.0.0', '127.0.0.1.', '127.000.000.001'],
  ...['::1', '[::1]', '::', '::ffff:127.0.0.1', '::ffff:7f00:1', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'],
  ...['169.254.169.254', '::ffff:169.254.169.254', 'fe80::1', 'fe80::1%eth0', 'fd00:ec2::254', '100.100.100.200'],
  ...['168.63.129.16', '192.0.0.192', '224.0.0.1', '255.255.255.255', 'ff02::1', 'localhost', 'LOCALHOST'],
  ...['metadata.google.internal', 'example.com', 'http://10.0.0.1', '10.0.0.1:80', '10.0.0.1/8', '10.0.0.256', '10.1'],
  ...[
    '0xa.0.0.1',
    '167772161',
    '{{ .Envs.PATH }}',
    '"',
    'a b',
    'a\n',
    'a\0',
    'ａ',
    '１２７.0.0.1',
    '127。0。0。1',
    '',
    ' 10.0.0.1',
  ],
] as const;
