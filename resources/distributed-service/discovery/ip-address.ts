/**
 * The bytes of an IP address, 4 or 16; undefined for a text in any but the usual form. Octets with leading zeros, other bases, fewer
 * parts and zone ids are refused, because other programs read them as other addresses.
 */
export function parseIp(text: string): readonly number[] | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/** Four decimal octets, as RFC 3986 has them. */
function parseIpv4(text: string): readonly number[] | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9][0-9]{0,2})$/.test(part))) return undefined;
  const octets = parts.map(Number);
  return octets.every((octet) => octet <= 255) ? octets : undefined;
}

/** RFC 4291, 2.2: eight groups, at most one `::`, the last two groups possibly as an IPv4 address. */
function parseIpv6(text: string): readonly number[] | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? parseGroups(halves[1] ?? '', true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return [...head, ...new Array<number>(missing).fill(0), ...tail];
}

/** The bytes of the groups between colons; only the end of an address may be written as IPv4. */
function parseGroups(text: string, isEnd: boolean): readonly number[] | undefined {
  if (text === '') return [];
  const groups = text.split(':');
  const bytes: number[] = [];
  for (const [index, group] of groups.entries()) {
    const embedded = isEnd && index === groups.length - 1 ? parseIpv4(group) : undefined;
    if (embedded !== undefined) bytes.push(...embedded);
    else if (/^[0-9a-fA-F]{1,4}$/.test(group)) bytes.push(...twoBytes(group));
    else return undefined;
  }
  return bytes;
}

function twoBytes(group: string): readonly number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 0xff];
}
