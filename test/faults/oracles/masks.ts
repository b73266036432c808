import type { Mask } from '../../../packages/controller/testing/compare/mask.ts';
import { generalMasks } from '../../../packages/controller/testing/compare/masks.ts';
import { claimantPrefix, claimPrefix, labels, underPrefix } from '../../../resources/distributed-service/names.ts';
import { isParent } from './accessors.ts';

/** All that two runs may differ in: the whole list, at most fifteen. masks.test.ts shows that each is needed. */
export const masks: readonly Mask[] = [
  ...generalMasks(isParent),
  {
    hides: 'addresses of Pods and Services',
    why: 'they are given out from ranges, and endpoints are sorted by them; whose it is, and that a Service has none, is not hidden',
    lists: ['endpoints', 'lb_endpoints', 'eds.json'],
    text: (text, { nameAddresses }) => nameAddresses(text),
  },
  {
    hides: 'the marks of those who meddle, claims that are let go, and what a claim is the hash of',
    why: 'somebody else’s write may be the fault; a claim says that it is over until the next change, and is of a namespace',
    paths: [
      ['metadata', 'labels'],
      ['metadata', 'annotations'],
    ],
    shown: withoutMarks,
  },
];

/** Of persons in tests: a mark of theirs on a child also goes with it. */
const marks = 'example.com/';

const hashed: readonly string[] = [claimPrefix, claimantPrefix, underPrefix];

function withoutMarks(map: unknown): unknown {
  const entries = Object.entries(typeof map === 'object' && map !== null ? map : {});
  const isHash = (key: string): boolean => hashed.some((prefix) => key.startsWith(prefix));
  const others = entries.filter(([key]) => !key.startsWith(marks) && !isHash(key));
  // That each is the hash of something wanted is what O1 finds out; how many there are is not hidden.
  const held = entries.filter(([key, value]) => isHash(key) && value !== 'released');
  const claims = held.map(([key, value], index) => [`${key.split('/')[0] ?? ''}/{${String(index)}}`, value] as const);
  return Object.fromEntries([
    ...others.map(([key, value]) => [key, key === labels.wildcard ? '{hash}' : value]),
    ...claims,
  ]);
}
