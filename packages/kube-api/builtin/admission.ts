import { storedVersions } from '../crd/establish.ts';
import type { JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Kind } from '../schema/kind.ts';
import { groupResource } from '../schema/kind.ts';
import { admittedPod } from './admit-pod.ts';
import { admittedService } from './admit-service.ts';
import type { Given } from './given.ts';
import { normal } from './normal.ts';

const byResource: Readonly<Record<string, (next: JsonObject, admission: Given) => JsonObject>> = {
  pods: admittedPod,
  services: admittedService,
  namespaces: (next, { current }) => ({
    ...next,
    spec: current === undefined ? { ...objectAt(next, 'spec'), finalizers: ['kubernetes'] } : objectAt(current, 'spec'),
    ...(current === undefined && { status: { phase: 'Active' } }),
  }),
  persistentvolumeclaims: (next, { current }) => (current === undefined ? pending(next, 'pvc') : next),
  persistentvolumes: (next, { current }) => {
    const { creationTimestamp = null } = objectAt(next, 'metadata');
    return current === undefined ? pending(next, 'pv', { lastPhaseTransitionTime: creationTimestamp }) : next;
  },
  nodes: (next, { current }) => (current === undefined ? withTaint(next) : next),
  'jobs.batch': (next, { current }) => (current === undefined ? admittedJob(next) : next),
  'customresourcedefinitions.apiextensions.k8s.io': (next, { current }) => {
    const before =
      current === undefined
        ? { conditions: null, acceptedNames: { plural: '', kind: '' } }
        : objectAt(current, 'status');
    return { ...next, status: { ...before, storedVersions: storedVersions({ ...next, status: before }) } };
  },
};

/** An object of a built-in kind with what the server and its admission plugins set by themselves. */
export function admitted(kind: Kind, next: JsonObject, admission: Given): JsonObject {
  const resource = groupResource(kind);
  const admit = Object.hasOwn(byResource, resource) ? byResource[resource] : undefined;
  const status = kind.schema.properties?.['status'];
  const whole =
    kind.hasStatus && status && next['status'] === undefined ? { ...next, status: normal(status, {}) } : next;
  const stored = withoutEmptyLists(whole);
  return admit?.(stored, admission) ?? stored;
}

/** Lists that are written even if they are empty come back from the store as null. */
function withoutEmptyLists(object: JsonObject): JsonObject {
  const entries = Object.entries(object).map(
    ([key, value]) => [key, isArray(value) && value.length === 0 ? null : value] as const,
  );
  return Object.fromEntries(entries);
}

/** Kept as long as a Pod uses it, which no Pod here does. */
function pending(next: JsonObject, short: string, status: JsonObject = {}): JsonObject {
  const metadata = objectAt(next, 'metadata');
  const { finalizers } = metadata;
  const own = `kubernetes.io/${short}-protection`;
  const others = isArray(finalizers) ? finalizers.filter((one) => one !== own) : [];
  return { ...next, metadata: { ...metadata, finalizers: [...others, own] }, status: { phase: 'Pending', ...status } };
}

/** A new node gets no Pods until a controller reports it ready. */
function withTaint(node: JsonObject): JsonObject {
  const spec = objectAt(node, 'spec');
  const taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
  const taints = isArray(spec['taints']) ? spec['taints'] : [];
  return { ...node, spec: { ...spec, taints: [...taints, taint] } };
}

/** The Pods of a Job are found by its uid, which its creator cannot know. */
function admittedJob(job: JsonObject): JsonObject {
  const spec = objectAt(job, 'spec');
  const { name = '', uid = '' } = objectAt(job, 'metadata');
  if (spec['manualSelector'] === true) return job;
  const own = {
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'job-name': name,
  };
  const template = objectAt(spec, 'template');
  const metadata = objectAt(template, 'metadata');
  const labels = { ...objectAt(metadata, 'labels'), ...own };
  const known = objectAt(job, 'metadata', 'labels');
  const selector = objectAt(spec, 'selector');
  return {
    ...job,
    metadata: { ...objectAt(job, 'metadata'), labels: Object.keys(known).length > 0 ? known : labels },
    spec: {
      ...spec,
      selector: {
        ...selector,
        matchLabels: { ...objectAt(selector, 'matchLabels'), 'batch.kubernetes.io/controller-uid': uid },
      },
      template: { ...template, metadata: { ...metadata, labels } },
    },
  };
}
