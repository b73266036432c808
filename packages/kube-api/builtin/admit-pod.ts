import type { Json, JsonObject } from '../json.ts';
import { isArray, objectAt } from '../json.ts';
import type { Given } from './given.ts';

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const priorities: Readonly<Record<string, number>> = {
  'system-cluster-critical': 2_000_000_000,
  'system-node-critical': 2_000_001_000,
};

/** A new Pod with its ServiceAccount and token, tolerations, priority and first status (kube-apiserver 1.35, its default plugins). */
export function admittedPod(pod: JsonObject, { current, random }: Given): JsonObject {
  if (current !== undefined) {
    const { qosClass } = objectAt(current, 'status');
    return { ...pod, status: { ...objectAt(pod, 'status'), ...(qosClass !== undefined && { qosClass }) } };
  }
  const spec = withPriority(withTolerations(withAccount(objectAt(pod, 'spec'), random)));
  return { ...pod, spec, status: { ...heldBack(pod), phase: 'Pending', qosClass: rankOf(spec) } };
}

/** The conditions of a Pod with gates from the start. */
function heldBack(pod: JsonObject): JsonObject {
  if (listOf(objectAt(pod, 'spec')['schedulingGates']).length === 0) return {};
  const { creationTimestamp = null } = objectAt(pod, 'metadata');
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const condition = { type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message };
  return { conditions: [{ ...condition, lastProbeTime: null, lastTransitionTime: creationTimestamp }] };
}

function withAccount(spec: JsonObject, random: () => number): JsonObject {
  const account = spec['serviceAccountName'] ?? 'default';
  const named = { ...spec, serviceAccountName: account, serviceAccount: account };
  if (spec['automountServiceAccountToken'] === false) return named;
  const name = `kube-api-access-${Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('')}`;
  const mount = (container: Json): Json => {
    const mounts = listOf(objectAt(container)['volumeMounts']);
    if (mounts.some((own) => objectAt(own)['mountPath'] === tokenPath)) return container;
    return { ...objectAt(container), volumeMounts: [...mounts, { name, readOnly: true, mountPath: tokenPath }] };
  };
  return {
    ...named,
    volumes: [...listOf(spec['volumes']), tokenVolume(name)],
    containers: listOf(spec['containers']).map(mount),
    ...(spec['initContainers'] !== undefined && { initContainers: listOf(spec['initContainers']).map(mount) }),
  };
}

function tokenVolume(name: string): JsonObject {
  const sources = [
    { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ];
  return { name, projected: { sources, defaultMode: 0o644 } };
}

function withTolerations(spec: JsonObject): JsonObject {
  const given = listOf(spec['tolerations']).map((toleration) => objectAt(toleration));
  const missing = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'].filter(
    (key) => !given.some((own) => tolerates(own, key)),
  );
  const added = missing.map((key) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }));
  return added.length === 0 ? spec : { ...spec, tolerations: [...given, ...added] };
}

function tolerates({ key, effect }: JsonObject, taint: string): boolean {
  return (key === undefined || key === taint) && (effect === undefined || effect === 'NoExecute');
}

function withPriority(spec: JsonObject): JsonObject {
  const priority = priorities[String(spec['priorityClassName'] ?? '')] ?? 0;
  return { preemptionPolicy: 'PreemptLowerPriority', priority, ...spec };
}

/** The Pod's class for the kubelet: by requests and limits of cpu and memory. */
function rankOf(spec: JsonObject): string {
  const containers = [...listOf(spec['initContainers']), ...listOf(spec['containers'])];
  const resources = containers.map((container) => objectAt(container, 'resources'));
  const amounts = resources.flatMap(({ limits, requests }) => [objectAt(limits), objectAt(requests)]);
  const counted = ['cpu', 'memory'];
  if (!amounts.some((amount) => counted.some((name) => amount[name] !== undefined))) return 'BestEffort';
  const guaranteed = resources.every(({ limits, requests }) =>
    counted.every(
      (name) => objectAt(limits)[name] !== undefined && objectAt(limits)[name] === objectAt(requests)[name],
    ),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function listOf(value: Json | undefined): readonly Json[] {
  return isArray(value) ? value : [];
}
