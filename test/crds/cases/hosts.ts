import type { Case } from '../case.ts';
import { withEndpoint } from '../case.ts';

const good: Readonly<Record<string, string>> = {
  'an IPv4 address': '192.168.1.10',
  'a public IPv4 address': '203.0.113.7',
  'an IPv6 address': 'fd00:10:244::7',
  'a Service in the same namespace': 'postgres-standby',
  'a Service with a name of 63 characters': 's'.repeat(63),
};

/** Not an address that CEL's ip() reads, and not a label that begins with a letter. */
const unreadable: Readonly<Record<string, string>> = {
  'a domain name from outside': 'example.com',
  'a Service of another namespace': 'postgres.other',
  'a name with a dot at its end': 'postgres.',
  'a URL': 'http://10.0.0.1',
  'an address with a port': '10.0.0.1:80',
  'an address with a path': '10.0.0.1/admin',
  'an IPv6 address in brackets': '[fd00::1]',
  'an IPv6 address with a zone': 'fe80::1%eth0',
  'loopback as one decimal number': '2130706433',
  'loopback as one hexadecimal number': '0x7f000001',
  'loopback with octal parts': '0177.0.0.1',
  'loopback with leading zeros': '127.000.000.001',
  'loopback in two parts': '127.1',
  'loopback as IPv4-mapped IPv6': '::ffff:127.0.0.1',
  'loopback as IPv4-mapped IPv6 in hexadecimal': '::ffff:7f00:1',
  'a private address as IPv4-mapped IPv6': '::ffff:10.0.0.1',
  'a network': '10.0.0.0/8',
  'a label of digits only': '12345',
  'a template of frp': '{{ .Envs.TOKEN }}',
  'a name in capital letters': 'Postgres',
  'a name in another script': 'пример',
  'a name in full-width letters': 'ｗｅｂ',
  'a name with a quote': 'web"',
  'a name with a newline at its end': 'web\n',
  'an address with a newline at its end': '10.0.0.1\n',
  'a name with NUL in it': 'web\u0000',
  'a name with a space before it': ' web',
  'a name that ends with a hyphen': 'web-',
  'a name with an underscore': 'my_web',
};

/** Read as an address, but one that no other machine answers on, or that stands for many. */
const unreachable: Readonly<Record<string, string>> = {
  loopback: '127.0.0.1',
  'another address of the loopback network': '127.8.8.8',
  'IPv6 loopback': '::1',
  'IPv6 loopback written out': '0:0:0:0:0:0:0:1',
  'the name localhost': 'localhost',
  'link-local, where clouds keep their metadata': '169.254.169.254',
  'IPv6 link-local': 'fe80::1',
  multicast: '239.1.2.3',
  'link-local multicast': '224.0.0.1',
  'IPv6 multicast': 'ff0e::1',
  'IPv6 link-local multicast': 'ff02::1',
  broadcast: '255.255.255.255',
  'the unspecified address': '0.0.0.0',
  'an address of this network': '0.1.2.3',
  'the unspecified IPv6 address': '::',
  'loopback as IPv4-compatible IPv6': '::127.0.0.1',
};

/** Where a manual endpoint may point. */
export const hostCases: readonly Case[] = [
  ...hosts(good, 'accepted'),
  ...hosts(unreadable, 'host must be an IP address in its usual form, or the name of a Service in the same namespace'),
  ...hosts(unreachable, 'host must not be a loopback, link-local, multicast, broadcast or unspecified address'),
  { name: 'no host is refused', object: withEndpoint({ host: undefined }), expected: 'Required value' },
  { name: 'an empty host is refused', object: withEndpoint({ host: '' }), expected: 'at least 1 chars long' },
  { name: 'a host of 64 characters is refused', object: withEndpoint({ host: 's'.repeat(64) }), expected: 'Too long' },
  {
    name: 'a host of 253 characters is refused',
    object: withEndpoint({ host: 's'.repeat(253) }),
    expected: 'Too long',
  },
];

function hosts(table: Readonly<Record<string, string>>, expected: string): readonly Case[] {
  const verb = expected === 'accepted' ? 'accepted' : 'refused';
  return Object.entries(table).map(([what, host]) => ({
    name: `${what} (${JSON.stringify(host)}) is ${verb} as a host`,
    object: withEndpoint({ host }),
    expected,
  }));
}
