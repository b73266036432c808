import { BlockList, isIP, SocketAddress } from 'node:net';
import type { Environment } from '@marcbachmann/cel-js';
import type { Register } from './cel-native.ts';
import { nativeType } from './cel-native.ts';
import { formats } from './formats.ts';

interface Ip {
  readonly address: string;
  readonly family: 'ipv4' | 'ipv6';
}

interface Cidr extends Ip {
  readonly bits: number;
}

/** The address ranges of CEL's address functions (RFC 6890 and the like, as Go's net/netip has them). */
const ranges: Readonly<Record<string, readonly string[]>> = {
  isUnspecified: ['0.0.0.0/32', '::/128'],
  isLoopback: ['127.0.0.0/8', '::1/128'],
  isLinkLocalMulticast: ['224.0.0.0/24', 'ff02::/16'],
  isLinkLocalUnicast: ['169.254.0.0/16', 'fe80::/10'],
};
const notGlobal = [
  ...['isUnspecified', 'isLoopback', 'isLinkLocalUnicast'].flatMap((name) => ranges[name] ?? []),
  '224.0.0.0/4',
  'ff00::/8',
  '255.255.255.255/32',
];

/** IPv4 addresses in the form of IPv6, which Kubernetes does not accept. */
const mapped = new BlockList();
mapped.addSubnet('::ffff:0:0', 96, 'ipv6');

/** ip() and cidr() with their methods. */
export function registerAddresses(env: Environment, register: Register): void {
  const makeIp = nativeType<Ip>(env, 'net.IP', {});
  const makeCidr = nativeType<Cidr>(env, 'net.CIDR', {});
  register('isIP(string): bool', (text: string) => isAddress(text));
  register('ip(string): net.IP', (text: string) => makeIp(parseIp(text)));
  register('string(net.IP): string', ({ address }: Ip) => address);
  register('net.IP.family(): int', ({ family }: Ip) => (family === 'ipv4' ? 4n : 6n));
  for (const [name, list] of Object.entries(ranges)) {
    register(`net.IP.${name}(): bool`, (ip: Ip) => list.some((range) => contains(parseCidr(range), ip)));
  }
  register('net.IP.isGlobalUnicast(): bool', (ip: Ip) => !notGlobal.some((range) => contains(parseCidr(range), ip)));
  register('isCIDR(string): bool', (text: string) => formats['cidr']?.(text) === true);
  register('cidr(string): net.CIDR', (text: string) => makeCidr(parseCidr(text)));
  register('string(net.CIDR): string', ({ address, bits }: Cidr) => `${address}/${bits}`);
  register('net.CIDR.ip(): net.IP', ({ address, family }: Cidr) => makeIp({ address, family }));
  register('net.CIDR.prefixLength(): int', ({ bits }: Cidr) => BigInt(bits));
  register('net.CIDR.containsIP(net.IP): bool', contains);
  register('net.CIDR.containsIP(string): bool', (cidr: Cidr, text: string) => contains(cidr, parseIp(text)));
  register('net.CIDR.containsCIDR(net.CIDR): bool', containsCidr);
  register('net.CIDR.containsCIDR(string): bool', (cidr: Cidr, text: string) => containsCidr(cidr, parseCidr(text)));
}

function isAddress(text: string): boolean {
  const version = isIP(text);
  return version === 4 || (version === 6 && !text.includes('%') && !mapped.check(text, 'ipv6'));
}

function parseIp(text: string): Ip {
  if (!isAddress(text)) throw new Error(`IP Address ${JSON.stringify(text)} parse error during conversion from string`);
  const family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
  return { address: new SocketAddress({ address: text, family }).address, family };
}

function parseCidr(text: string): Cidr {
  const [address = '', bits] = text.split('/');
  if (formats['cidr']?.(text) !== true)
    throw new Error(`network address parse error during conversion from string: ${text}`);
  return { ...parseIp(address), bits: Number(bits) };
}

function contains({ address, bits, family }: Cidr, ip: Ip): boolean {
  if (ip.family !== family) return false;
  const list = new BlockList();
  list.addSubnet(address, bits, family);
  return list.check(ip.address, ip.family);
}

function containsCidr(cidr: Cidr, other: Cidr): boolean {
  return other.bits >= cidr.bits && contains(cidr, other);
}
