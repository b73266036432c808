import { controllerOf, type KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import {
  annotations,
  claimantPrefix,
  claimPrefix,
  labels,
  manager,
  underPrefix,
} from '../../../packages/controller/domain/names.ts';
import { isParent, pick } from './accessors.ts';
import type { Names } from './names.ts';

/** Something that may differ between two honest runs of one scenario. What a mask hides is not compared. */
export interface Mask {
  readonly hides: string;
  readonly why: string;
  /** Whole objects. */
  readonly object?: (object: KubeObject) => boolean;
  /** What stands under this path, from the top of an object that fits; undefined takes it away. */
  readonly paths?: readonly (readonly string[])[];
  /** What stands under a key of this name, wherever it is. */
  readonly keys?: readonly string[];
  /** Lists whose order says nothing, by the key they stand under; a text under such a key is JSON with such lists in it. */
  readonly lists?: readonly string[];
  readonly only?: (object: KubeObject) => boolean;
  readonly shown?: (value: unknown) => unknown;
  /** Pieces of any text. */
  readonly text?: (text: string, names: Names) => string;
}

const uid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;

/** All that two runs may differ in: the whole list, at most fifteen. masks.test.ts shows that each is needed. */
export const masks: readonly Mask[] = [
  {
    hides: 'Events',
    why: 'they tell the way, and the way differs where something went wrong on it',
    object: ({ kind }) => kind === 'Event',
  },
  {
    hides: 'what the cluster makes of what is compared',
    why: 'ReplicaSets, their Pods and EndpointSlices have random names, and old ones stay',
    object: (object) => {
      const controller = controllerOf(object);
      return object.kind === 'Endpoints' || (controller !== undefined && !isParent(controller));
    },
  },
  {
    hides: 'resourceVersions',
    why: 'they number the writes of a whole cluster',
    paths: [['metadata', 'resourceVersion']],
  },
  {
    hides: 'field managers',
    why: 'a child that was made late was never applied over, and their times are times',
    paths: [['metadata', 'managedFields']],
  },
  {
    hides: 'generations',
    why: 'they count changes of a spec, also those that a fault made happen once more or not at all',
    keys: ['generation', 'observedGeneration'],
    shown: () => '{generation}',
  },
  {
    hides: 'how often and when something was tried, and what was written of late',
    why: 'what a fault made go wrong is tried once more; that it ends is what O1 and O11 find out',
    keys: ['attempts', 'lastAttempt', annotations.tries, 'recentWrites'],
  },
  {
    hides: 'what the controllers of the cluster write on objects that are no parents',
    why: 'counts of rollouts, addresses of Pods and the like; a parent says what of it matters',
    only: (object) => !isParent(object),
    paths: [['status'], ['metadata', 'annotations', 'deployment.kubernetes.io/revision']],
  },
  {
    hides: 'the node of a Pod and the name of its volume for the API server',
    why: 'a scheduler chooses, and the API server draws',
    only: ({ kind }) => kind === 'Pod',
    paths: [['spec', 'nodeName']],
    text: (text) => text.replace(/^kube-api-access-[a-z0-9]{5}$/, 'kube-api-access'),
  },
  {
    hides: 'uids',
    why: 'they are random; whose uid it is, and whether that object is gone, is not hidden',
    text: (text, { nameOfUid }) => text.replace(uid, nameOfUid),
  },
  {
    hides: 'times',
    why: 'faults take time',
    text: (text) => text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '{time}'),
  },
  {
    hides: 'hashes',
    why: 'they are of texts that hold uids; that they fit is what O1 finds out',
    // After the name of a Claim that waits comes the hash of the uid of whoever waits.
    text: (text) =>
      text.replace(/\b[\da-f]{32}\b(-[\da-z]{1,13}(?=\}|$))?/g, (_, waits) =>
        waits === undefined ? '{hash}' : '{hash}-{hash}',
      ),
  },
  {
    hides: 'the bytes of our Secrets',
    why: 'keys, certificates and tokens are random; what each is, and how long a token, is not hidden',
    only: ({ kind, metadata }) => kind === 'Secret' && metadata.labels?.[labels.managedBy] === manager,
    paths: [['data']],
    shown: sortsOf,
  },
  {
    hides: 'namespaces of the parents',
    why: 'on a real API server each run has one of its own',
    text: (text, { nameNamespaces }) => nameNamespaces(text),
  },
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

/** What the values of a Secret are, without what they say. */
function sortsOf(data: unknown): unknown {
  const keys = Object.keys(typeof data === 'object' && data !== null ? data : {});
  return Object.fromEntries(keys.map((key) => [key, sortOf(String(pick(data, key)))]));
}

function sortOf(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString();
  const label = /^-----BEGIN ([A-Z ]+)-----\n[\s\S]+-----END \1-----\n$/.exec(text)?.[1];
  return label === undefined ? `{${String(text.length)} bytes}` : `{${label}}`;
}
