import { binary, type Case, type Post } from '../case.ts';

/** Events with these extensions beside the usual ones, by their id. */
const events: readonly Post[] = [
  binary({ id: 'pod', type: 'shop.sold', kind: 'Pod', namespace: 'till', objectname: 'web-1' }),
  binary({ id: 'node', type: 'shop.sold', kind: 'Node', namespace: '', objectname: 'node-1' }),
  binary({ id: 'plain', type: 'shop.paid' }),
];

/** Which of the events a Trigger with these filters wants. */
function wanted(name: string, ...filters: readonly object[]): Case {
  return { kind: 'broker', name, triggers: { fn: { filters } }, whole: [], posts: events };
}

function old(name: string, filter: object, filters?: readonly object[]): Case {
  const trigger = { filter, ...(filters && { filters }) };
  return { kind: 'broker', name, triggers: { fn: trigger }, whole: [], posts: events };
}

const pod = { exact: { kind: 'Pod' } };
const node = { exact: { kind: 'Node' } };

export const filters: readonly Case[] = [
  {
    kind: 'broker',
    name: 'a Trigger without filters wants everything',
    own: {},
    triggers: { fn: {} },
    whole: [],
    posts: events,
  },
  wanted('exact: a value', pod),
  wanted('exact: capitals count', { exact: { kind: 'pod' } }),
  wanted('exact: an empty value', { exact: { namespace: '' } }),
  wanted('exact: an extension that is not there', { exact: { missing: '1' } }),
  wanted('exact: several attributes of one filter', { exact: { kind: 'Pod', objectname: 'web-2' } }),
  wanted('exact: the type of the data', { exact: { datacontenttype: 'application/json' } }),
  wanted('exact: what is in the data is no attribute', { exact: { paid: 'true' } }),
  wanted('prefix', { prefix: { objectname: 'web-' } }),
  wanted('prefix: several attributes of one filter', { prefix: { objectname: 'web-', kind: 'N' } }),
  wanted('suffix', { suffix: { type: '.paid' } }),
  wanted('all', { all: [pod, { prefix: { objectname: 'web' } }] }),
  wanted('any', { any: [pod, node] }),
  wanted('any: none that fits', { any: [{ exact: { kind: 'Job' } }, { suffix: { kind: 'x' } }] }),
  wanted('not', { not: pod }),
  wanted('not: an extension that is not there', { not: { exact: { missing: '1' } } }),
  wanted('any of not and all', {
    any: [{ not: { prefix: { type: 'shop.' } } }, { all: [node, { exact: { namespace: '' } }] }],
  }),
  wanted('several filters: all of them', pod, { suffix: { objectname: '-1' } }),
  wanted('the time of arrival is an attribute', { prefix: { knativearrivaltime: '20' } }),
  wanted('the passes are an attribute', { exact: { knativebrokerttl: '255' } }),
  old('the old filter: a value', { kind: 'Pod' }),
  old('the old filter: an empty value wants the attribute to be there', { kind: '' }),
  old('the old filter: an attribute that is not there', { missing: '' }),
  old('the old filter counts for nothing beside the new ones', { kind: 'Pod' }, [node]),
  {
    kind: 'broker',
    name: 'an old filter without attributes wants everything',
    own: {},
    triggers: { fn: { filter: {} } },
    whole: [],
    posts: events,
  },
  {
    kind: 'broker',
    name: 'two Triggers share out the events',
    triggers: { pods: { filters: [pod] }, others: { filters: [{ not: pod }] } },
    whole: [],
    posts: events,
  },
  {
    kind: 'broker',
    name: 'a Trigger with cesql',
    triggers: { fn: { filters: [{ cesql: "kind = 'Pod' OR type LIKE '%.paid'" }] } },
    whole: [],
    posts: events,
  },
];
