import type { Case } from '../case.ts';
import { accepted, refused, withExpose } from '../case.ts';

const label = 'a'.repeat(63);
/** Four labels, as long as a DNS name can be. */
const longest = `${label}.${label}.${label}.${'b'.repeat(61)}`;
const many = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, index) => item(index));
const domains = (...names: readonly unknown[]) => withExpose({ domains: names });
const locations = (...paths: readonly unknown[]) => withExpose({ subdomain: 'web', locations: paths });

const pairs: readonly Case[] = [
  ...accepted({
    'http with a domain is accepted': domains('web.example.com'),
    'http with a subdomain is accepted': withExpose({ subdomain: 'web' }),
    'http with domains, a subdomain and locations is accepted': withExpose({
      domains: ['web.example.com'],
      subdomain: 'web',
      locations: ['/v1'],
    }),
    'tcp with a port is accepted': withExpose({ remotePort: 15_432 }, 'tcp'),
    'udp with a port is accepted': withExpose({ remotePort: 10_053 }, 'udp'),
    'tcp that leaves the port to the server is accepted': withExpose({}, 'tcp'),
    'remote port 1 is accepted': withExpose({ remotePort: 1 }, 'tcp'),
    'remote port 65535 is accepted': withExpose({ remotePort: 65_535 }, 'udp'),
  }),
  ...refused('domains, subdomain and locations are for http services only', {
    'tcp with domains is refused': withExpose({ domains: ['web.example.com'] }, 'tcp'),
    'udp with a subdomain is refused': withExpose({ subdomain: 'web' }, 'udp'),
    'tcp with locations is refused': withExpose({ locations: ['/'] }, 'tcp'),
  }),
  ...refused('remotePort is for tcp and udp services only', {
    'http with a remote port is refused': withExpose({ subdomain: 'web', remotePort: 8080 }),
  }),
  ...refused('set expose.domains or expose.subdomain', {
    'http that is exposed without a name is refused': withExpose({}),
    'http with locations alone is refused': withExpose({ locations: ['/v1'] }),
  }),
  ...refused('spec.expose.remotePort', {
    'remote port 0 is refused': withExpose({ remotePort: 0 }, 'tcp'),
    'remote port 65536 is refused': withExpose({ remotePort: 65_536 }, 'tcp'),
    'a remote port in quotes is refused': withExpose({ remotePort: '8080' }, 'tcp'),
  }),
];

const names: readonly Case[] = [
  ...accepted({
    'a domain with a leading wildcard is accepted': domains('*.example.com'),
    'a domain in another script is accepted in its ASCII form': domains('xn--e1afmkfd.xn--p1ai'),
    'a domain of 253 characters is accepted': domains(longest),
    '32 domains are accepted': domains(...many(32, (index) => `web-${index}.example.com`)),
    'a subdomain of 63 characters is accepted': withExpose({ subdomain: label }),
  }),
  ...refused('spec.expose.domains[0]', {
    'a domain of one label is refused': domains('localhost'),
    'a wildcard for a whole top-level domain is refused': domains('*.com'),
    'a wildcard alone is refused': domains('*'),
    'a wildcard in the middle is refused': domains('a.*.example.com'),
    'a wildcard as part of a label is refused': domains('web*.example.com'),
    'a domain in capital letters is refused': domains('Web.example.com'),
    'a domain in another script is refused': domains('пример.рф'),
    'a domain with a dot at its end is refused': domains('web.example.com.'),
    'a domain with an empty label is refused': domains('web..example.com'),
    'a domain with a label of 64 characters is refused': domains(`${label}a.example.com`),
    'a domain of 254 characters is refused': domains(`${longest}b`),
    'an IP address is no domain, so it is refused': domains('10.0.0.1'),
    'an IP address with a hexadecimal part is refused': domains('127.0.0.0x1'),
    'a domain with a port is refused': domains('web.example.com:80'),
    'a URL is refused': domains('https://web.example.com'),
    'a domain that is a template is refused': domains('{{ .Envs.TOKEN }}.example.com'),
    'a domain with a quote is refused': domains('web".example.com'),
    'a domain with a newline at its end is refused': domains('web.example.com\n'),
    'a domain with NUL is refused': domains('web\u0000.example.com'),
    'an empty domain is refused': domains(''),
  }),
  ...refused('Duplicate value', { 'the same domain twice is refused': domains('a.example.com', 'a.example.com') }),
  ...refused('should have at least 1 items', { 'an empty list of domains is refused': domains() }),
  ...refused('Too many', { '33 domains are refused': domains(...many(33, (index) => `web-${index}.example.com`)) }),
  ...refused('spec.expose.subdomain', {
    'a subdomain of two labels is refused': withExpose({ subdomain: 'a.b' }),
    'a wildcard subdomain is refused': withExpose({ subdomain: '*' }),
    'an empty subdomain is refused': withExpose({ subdomain: '' }),
    'a subdomain of 64 characters is refused': withExpose({ subdomain: `${label}a` }),
    'a subdomain with a newline is refused': withExpose({ subdomain: 'web\n' }),
  }),
];

const paths: readonly Case[] = [
  ...accepted({
    'the root is accepted as a location': locations('/'),
    'a location with every safe character is accepted': locations('/A-z_0.9~!$&()*+,;=:@%20/'),
    'a location of 256 characters is accepted': locations(`/${'a'.repeat(255)}`),
    '32 locations are accepted': locations(...many(32, (index) => `/v${index}`)),
  }),
  ...refused('spec.expose.locations[0]', {
    'a location without a slash is refused': locations('v1'),
    'an empty location is refused': locations(''),
    'a location with a query is refused': locations('/v1?a=b'),
    'a location with a space is refused': locations('/a b'),
    'a location with a quote is refused': locations('/"'),
    'a location that is a template is refused': locations('/{{ .A }}'),
    'a location with a newline is refused': locations('/v1\n'),
    'a location with NUL is refused': locations('/\u0000'),
    'a location in another script is refused': locations('/путь'),
    'a location of 257 characters is refused': locations(`/${'a'.repeat(256)}`),
  }),
  ...refused('Duplicate value', { 'the same location twice is refused': locations('/v1', '/v1') }),
  ...refused('should have at least 1 items', { 'an empty list of locations is refused': locations() }),
  ...refused('Too many', { '33 locations are refused': locations(...many(33, (index) => `/v${index}`)) }),
];

/** How a service appears at the FRP server. */
export const exposeCases: readonly Case[] = [...pairs, ...names, ...paths];
