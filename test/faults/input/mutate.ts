import { bombs } from './bombs.ts';
import type { Random } from './random.ts';
import { type Recording, requestOf } from './recordings.ts';
import { bodyTokens, brokenValueTokens, nameTokens, valueTokens } from './tokens.ts';

type Header = readonly [name: string, value: string];

/** How seldom what costs much is asked for: once in this many events. */
const rareness = { bomb: 2000, brokenHeader: 60, dryRun: 100 };

/** Gives one damaged event after the other, as the bytes of a request: binary or structured, in its headers or its body. */
export function mutator(random: Random, recordings: readonly Recording[]): () => Buffer {
  const bombed = bombs();
  return () => {
    const { headers, body, envelope } = random.oneOf(recordings);
    if (random.oncePer(rareness.bomb)) return requestOf(headers, random.oneOf(bombed)());
    const target = random.oncePer(rareness.dryRun) ? '/?dryRun=All' : '/';
    if (random.oncePer(3)) {
      return requestOf([['content-type', 'application/cloudevents+json']], damaged(envelope, random), target);
    }
    switch (random.below(3)) {
      case 0:
        return requestOf(damagedHeaders(headers, random), body, target);
      case 1:
        return requestOf(headers, damaged(body, random), target);
      default:
        return requestOf(damagedHeaders(headers, random), damaged(body, random), target);
    }
  };
}

/** One to four damages, one after the other. */
function damaged(body: Buffer, random: Random): Buffer {
  let bytes = body;
  for (let left = 1 + random.below(4); left > 0; left -= 1) bytes = damagedOnce(bytes, random);
  return bytes;
}

function damagedOnce(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + 1 + random.below(random.oncePer(4) ? 400 : 8));
  const with_ = (middle: Buffer, from = at): Buffer =>
    Buffer.concat([bytes.subarray(0, at), middle, bytes.subarray(from)]);
  switch (random.below(8)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return with_(Buffer.alloc(0), to);
    case 2:
      return with_(bytes.subarray(at, to));
    case 3:
      return with_(random.oneOf(bodyTokens));
    case 4:
      return with_(random.oneOf(bodyTokens), to);
    default:
      return flipped(bytes, random);
  }
}

function flipped(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  for (let left = 1 + random.below(6); left > 0 && copy.length > 0; left -= 1) {
    const at = random.below(copy.length);
    copy[at] = random.oncePer(2) ? (copy[at] ?? 0) ^ (1 << random.below(8)) : random.below(256);
  }
  return copy;
}

function damagedHeaders(headers: readonly Header[], random: Random): readonly Header[] {
  let all = headers;
  for (let left = 1 + random.below(2); left > 0; left -= 1) all = damagedHeader(all, random);
  return all;
}

function damagedHeader(headers: readonly Header[], random: Random): readonly Header[] {
  if (headers.length === 0) return headers;
  const at = random.below(headers.length);
  const [name, value] = headers[at] ?? ['', ''];
  const without = headers.filter((_, index) => index !== at);
  if (random.oncePer(rareness.brokenHeader)) return [...without, [name, `${value}${random.oneOf(brokenValueTokens)}x`]];
  const place = random.below(value.length + 1);
  switch (random.below(6)) {
    case 0:
      return without;
    case 1:
      return [...headers, [name, value]];
    case 2:
      return [...without, [name, random.oneOf(valueTokens)]];
    case 3:
      return [...without, [random.oneOf(nameTokens), value]];
    case 4:
      return [...headers, [random.oneOf(nameTokens), random.oneOf(valueTokens)]];
    default:
      return [...without, [name, `${value.slice(0, place)}${random.oneOf(valueTokens)}${value.slice(place + 1)}`]];
  }
}
