import { createHash } from 'node:crypto';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace } from '../../../packages/controller/testing/trace.ts';
import type { Place } from '../scenario.ts';

/** The trace as it would be had the run had those places. */
export function inPlace(trace: Trace, from: Place, to: Place): Trace {
  return renamed(trace, [
    [from.namespace, to.namespace],
    [from.controller, to.controller],
  ]);
}

/** Whether it is a matter of luck which backend has which address, or which of several comes first. */
export function hasDrawnAddresses({ resting }: Pick<Trace, 'resting'>): boolean {
  const lists = resting.map((object) => (object as Service).status?.endpoints ?? []);
  const services = new Set(resting.map((object) => (object as Service).spec?.clusterIP));
  return lists.some((endpoints) => endpoints.length > 1 || endpoints.some(({ address }) => services.has(address)));
}

/** The Pods whose addresses a DistributedService names, as they are at rest. */
function backendPods({ resting }: Pick<Trace, 'resting'>): readonly KubeObject[] {
  const addresses = resting
    .flatMap((object) => (object as Service).status?.endpoints ?? [])
    .map(({ address }) => address);
  return resting.filter((object) => object.kind === 'Pod' && addresses.includes((object as Pod).status?.podIP));
}

interface Service {
  readonly spec?: { readonly clusterIP?: string };
  readonly status?: { readonly endpoints?: readonly { readonly address?: string }[] };
}

interface Pod {
  readonly status?: { readonly podIP?: string };
}

/** The trace with those Pods numbered that Kubernetes has named: by random names two runs cannot be compared. */
export function withNumberedPods(trace: Trace): Trace {
  const generated = backendPods(trace).flatMap(({ metadata: { name } }) => {
    const [, base] = /^(.+)-[a-z0-9]{6,10}-[a-z0-9]{5}$/.exec(name) ?? [];
    return base === undefined ? [] : [{ name, base }];
  });
  return generated.length === 0
    ? trace
    : renamed(
        trace,
        generated.map(({ name, base }, index) => [name, `${base}-${String(index)}`]),
      );
}

/** The trace with uids of its own for what had gone before it began: no object in it shows whose they were. */
export function withNamedGone(trace: Trace, gone: readonly KubeObject[]): Trace {
  const left = gone.filter(({ metadata }) =>
    trace.resting.some((object) => JSON.stringify(object).includes(metadata.uid ?? '-')),
  );
  if (left.length === 0) return trace;
  return renamed(
    trace,
    left.map(({ kind, metadata }, index) => [metadata.uid ?? '', uidFor(`${kind} ${metadata.name} ${String(index)}`)]),
  );
}

function uidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

function renamed(trace: Trace, names: readonly (readonly [string, string])[]): Trace {
  const text = names.reduce((changed, [from, to]) => changed.replaceAll(from, to), JSON.stringify(trace));
  return JSON.parse(text) as Trace;
}
