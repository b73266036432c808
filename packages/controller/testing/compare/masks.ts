import { controllerOf, type KubeObject } from '../../domain/kube-object.ts';
import { annotations, labels, manager } from '../../domain/names.ts';
import { pick } from '../trace-words.ts';
import type { Mask } from './mask.ts';

const uid = /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/g;

/** What two honest runs may differ in, whatever is reconciled; `isParent` says what is. */
export function generalMasks(isParent: (ref: Pick<KubeObject, 'apiVersion' | 'kind'>) => boolean): readonly Mask[] {
  return [...ofObjects(isParent), ...fields, ...texts];
}

type IsParent = Parameters<typeof generalMasks>[0];

/** What hangs on whether an object is reconciled. */
const ofObjects = (isParent: IsParent): readonly Mask[] => [
  {
    hides: 'what the cluster makes of what is compared',
    why: 'ReplicaSets, their Pods and EndpointSlices have random names, and old ones stay',
    object: (object) => {
      const controller = controllerOf(object);
      return object.kind === 'Endpoints' || (controller !== undefined && !isParent(controller));
    },
  },
  {
    hides: 'what the controllers of the cluster write on objects that are not parents',
    why: 'counts of rollouts, addresses of Pods and the like; a parent says what of it matters',
    only: (object) => !isParent(object),
    paths: [['status'], ['metadata', 'annotations', 'deployment.kubernetes.io/revision']],
  },
];

const fields: readonly Mask[] = [
  {
    hides: 'Events',
    why: 'they record the way, and the way differs where something went wrong on it',
    object: ({ kind }) => kind === 'Event',
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
    hides: 'the node of a Pod and the name of its volume for the API server',
    why: 'a scheduler chooses, and the API server draws',
    only: ({ kind }) => kind === 'Pod',
    paths: [['spec', 'nodeName']],
    text: (text) => text.replace(/^kube-api-access-[a-z0-9]{5}$/, 'kube-api-access'),
  },
  {
    hides: 'the bytes of our Secrets',
    why: 'keys and tokens are random; what each is, and how long a token, is not hidden',
    only: ({ kind, metadata }) => kind === 'Secret' && metadata.labels?.[labels.managedBy] === manager,
    paths: [['data']],
    shown: sortsOf,
  },
];

const texts: readonly Mask[] = [
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
    // A name that is a hash may go on with a shorter one: of the uid that it is made for.
    text: (text) =>
      text.replace(/\b[\da-f]{32}\b(-[\da-z]{1,13}(?=\}|$))?/g, (_, waits) =>
        waits === undefined ? '{hash}' : '{hash}-{hash}',
      ),
  },
  {
    hides: 'namespaces of the parents',
    why: 'on a real API server each run has one of its own',
    text: (text, { nameNamespaces }) => nameNamespaces(text),
  },
];
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
