import { parseIp } from './ip-address.ts';

interface Range {
  readonly bytes: readonly number[];
  /** How many leading bits of an address must be those of `bytes`. */
  readonly bits: number;
  readonly what: string;
}

const refusedIpv4: readonly Range[] = [
  { bytes: [0, 0, 0, 0], bits: 8, what: 'is an unspecified address' },
  { bytes: [127, 0, 0, 0], bits: 8, what: 'is a loopback address' },
  { bytes: [169, 254, 0, 0], bits: 16, what: 'is a link-local address, where clouds keep metadata and credentials' },
  { bytes: [100, 100, 100, 200], bits: 32, what: 'is the metadata address of a cloud' },
  { bytes: [168, 63, 129, 16], bits: 32, what: 'is the metadata address of a cloud' },
  { bytes: [192, 0, 0, 192], bits: 32, what: 'is the metadata address of a cloud' },
  { bytes: [224, 0, 0, 0], bits: 4, what: 'is a multicast address' },
  { bytes: [240, 0, 0, 0], bits: 4, what: 'is a broadcast or reserved address' },
];

const zeros = (count: number): readonly number[] => new Array<number>(count).fill(0);

/** The order matters: the first range that fits gives the reason. */
const refusedIpv6: readonly Range[] = [
  { bytes: zeros(16), bits: 128, what: 'is the unspecified address' },
  { bytes: [...zeros(15), 1], bits: 128, what: 'is the loopback address' },
  { bytes: zeros(12), bits: 96, what: 'is an IPv4 address in disguise' },
  { bytes: [...zeros(10), 0xff, 0xff], bits: 96, what: 'is an IPv4 address in disguise' },
  { bytes: [...zeros(8), 0xff, 0xff, 0, 0], bits: 96, what: 'is an IPv4 address in disguise' },
  { bytes: [0x20, 0x01, 0, 0], bits: 32, what: 'is a Teredo tunnel to an IPv4 address' },
  { bytes: [0xfe, 0x80], bits: 10, what: 'is a link-local address' },
  { bytes: [0xfe, 0xc0], bits: 10, what: 'is a site-local address, which no longer exist' },
  { bytes: [0xff], bits: 8, what: 'is a multicast address' },
  { bytes: [0xfd, 0, 0x0e, 0xc2, ...zeros(10), 0x02, 0x54], bits: 128, what: 'is the metadata address of a cloud' },
  // EKS Pod Identity, of which 169.254.170.23 is the other address.
  { bytes: [0xfd, 0, 0x0e, 0xc2, ...zeros(11), 0x23], bits: 128, what: 'is where a cloud gives out credentials' },
  { bytes: [0xfd, 0x20, 0, 0xce, ...zeros(10), 0x02, 0x54], bits: 128, what: 'is the metadata address of a cloud' },
];

/** Prefixes through which an IPv4 address is reached, and where in the address it stands: RFC 6052, 8215, 3056. */
const embeddings: readonly (Range & { readonly at: number })[] = [
  { bytes: [0, 0x64, 0xff, 0x9b, ...zeros(8)], bits: 96, at: 12, what: 'leads through NAT64 to' },
  { bytes: [0, 0x64, 0xff, 0x9b, 0, 1], bits: 48, at: 12, what: 'leads through NAT64 to' },
  { bytes: [0x20, 0x02], bits: 16, at: 2, what: 'leads through 6to4 to' },
];

const refusedNames: ReadonlySet<string> = new Set([
  'localhost',
  'ip6-localhost',
  'ip6-loopback',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
]);

/** The Service `kubernetes` of the namespace `default`, in every form in which a Pod may write it. */
const apiServerNames = /^kubernetes(\.default(\.svc(\..+)?)?)?$/;

/**
 * A sentence that says why no tunnel may reach a host; undefined if it may. It refuses addresses of the machine itself, of its link, of
 * cloud metadata and of groups, in every form in which programs accept them. A host is an IP address or a DNS name, which is not looked up.
 * @param apiServer the host of the API server, if it is known: an IP address or a DNS name too
 */
export function refuseAddress(host: string, apiServer?: string): string | undefined {
  const bytes = parseIp(host);
  const fault = isSameHost(host, apiServer)
    ? 'is the API server'
    : bytes === undefined
      ? faultOfName(host)
      : faultOfIp(bytes);
  return fault === undefined
    ? undefined
    : `this ${fault}: give the address of a Pod or of another machine, or the name of a Service`;
}

/** Whether two hosts are the same: the same bytes or, for names, the same letters in any case. */
function isSameHost(host: string, other: string | undefined): boolean {
  if (other === undefined) return false;
  const [left, right] = [parseIp(host), parseIp(other)];
  if (left === undefined || right === undefined) return host.toLowerCase() === other.toLowerCase();
  return left.join() === right.join();
}

function faultOfName(host: string): string | undefined {
  const name = host.toLowerCase();
  const parts = name.split('.');
  const isName = name.length <= 253 && parts.every((part) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(part));
  if (!isName) return 'is neither an IP address in its usual form nor a name';
  // Resolvers read 127.1, 0177.0.0.1, 2130706433 and 0x7f.1 as addresses: https://url.spec.whatwg.org, "ends in a number".
  if (/^([0-9]+|0x[0-9a-f]*)$/.test(parts.at(-1) ?? '')) return 'is an IP address in an unusual form';
  if (refusedNames.has(name) || name.endsWith('.localhost'))
    return 'is a name for the machine itself or for cloud metadata';
  if (apiServerNames.test(name)) return 'is a name of the API server';
  return undefined;
}

function faultOfIp(bytes: readonly number[]): string | undefined {
  if (bytes.length === 4) return refusedIpv4.find((range) => isWithin(bytes, range))?.what;
  const refused = refusedIpv6.find((range) => isWithin(bytes, range));
  if (refused !== undefined) return refused.what;
  for (const embedding of embeddings.filter((range) => isWithin(bytes, range))) {
    const ipv4 = bytes.slice(embedding.at, embedding.at + 4);
    const fault = faultOfIp(ipv4);
    if (fault !== undefined) return `${embedding.what} ${ipv4.join('.')}, which ${fault}`;
  }
  return undefined;
}

function isWithin(bytes: readonly number[], range: Range): boolean {
  for (let bit = 0; bit < range.bits; bit += 8) {
    const mask = 0xff << Math.max(0, 8 - (range.bits - bit));
    if (((bytes[bit / 8] ?? 0) & mask) !== ((range.bytes[bit / 8] ?? 0) & mask)) return false;
  }
  return true;
}
