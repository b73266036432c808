import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';

/** What differs between two objects that were made alike: who made them when, and what the API server chose itself. */
const ofOneObject = new Set([
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'selfLink', 'deletionTimestamp'],
  ...['lastTransitionTime', 'lastReconciled', 'observedGeneration', 'clusterIP', 'clusterIPs', 'nodePort', 'nodeName'],
  ...['knudge.dev/spec-hash', 'knudge.dev/restart-hash', 'knudge.dev/identity', 'deployment.kubernetes.io/revision'],
  ...['recentWrites', 'attempts', 'lastAttempt', 'knudge.dev/tries', 'identityDigest', 'exposureDigest'],
]);

/** An object as a text that is the same for every object that was made alike, whatever its owner is called. */
export function masked(object: KubeObject | undefined, owner: KubeObject): string {
  if (object === undefined) return 'none';
  const { kind } = object;
  const text = JSON.stringify(object, (key, value: unknown) => {
    if (ofOneObject.has(key) || (kind !== owner.kind && key === 'status')) return undefined;
    // Keys, certificates and tokens are made anew for each: that they are there is what counts.
    if (kind === 'Secret' && key === 'data') return Object.keys(value as object).sort();
    return isFields(value) ? sorted(value) : value;
  });
  return (
    text
      .replaceAll(owner.metadata.uid ?? '', 'UID')
      .replaceAll(new RegExp(`\\b${owner.metadata.name}\\b`, 'g'), 'NAME')
      // That something was let go of stays written until the next change.
      .replaceAll(/"claim\.frp\.io\/\w+":"released",/g, '')
      // What the service wants has its name in it, and of that the annotation is a hash, as the name of the label is.
      .replaceAll(/"knudge\.dev\/claims":"[\da-f]{32}"/g, '"knudge.dev/claims":"CLAIMS"')
      .replaceAll(/\bclaim\.frp\.io\/\w+/g, 'claim.frp.io/CLAIM')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
  );
}

/** Throws where two states differ, with the words around the first place. */
export function insistOnSame(found: readonly string[], wanted: readonly string[], what: string): void {
  const [all, others] = [found.join('\n'), wanted.join('\n')];
  if (all === others) return;
  let at = 0;
  while (all[at] === others[at]) at += 1;
  const around = (text: string): string => text.slice(Math.max(0, at - 200), at + 100);
  throw new Error(`${what}: it is not as a fresh one:\n${around(all)}\n  and not\n${around(others)}`);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function sorted(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
