import { Readable } from 'node:stream';
import type { RecordedEvent } from '../../../controller/domain/event-log.ts';
import { controllerOf, type KubeObject, type ObjectRef, refOf } from '../../../controller/domain/kube-object.ts';
import { lastObjects } from '../../store/last-objects.ts';

/**
 * Every object that nobody made for another one, in its last state in the log, and as somebody would make it again: parents,
 * server profiles and backends. What was deleted last is not among them. Of what is no parent the log keeps the name alone:
 * `list` gives those of a kind whole, as a back-up does.
 */
export async function lastTold(
  events: readonly RecordedEvent[],
  namespace: string,
  list: (of: ObjectRef) => Promise<readonly KubeObject[]>,
): Promise<readonly KubeObject[]> {
  const own = events.filter(
    ({ type, data, namespace: home }) =>
      home === namespace &&
      type.startsWith('dev.knative.apiserver.resource.') &&
      controllerOf(data as KubeObject) === undefined,
  );
  const { objects, incomplete } = await lastObjects(Readable.from(own));
  const isParent = ({ kind }: { readonly kind: string }): boolean =>
    kind === 'Message' || kind === 'DistributedService';
  const named = [...objects.map(refOf), ...incomplete].filter((ref) => !isParent(ref));
  const inputs = await Promise.all(
    named.map(async (ref) => (await list(ref)).filter(({ metadata }) => metadata.name === ref.name)),
  );
  return [...inputs.flat(), ...objects.filter(isParent)].map(anew);
}

function anew(object: KubeObject): KubeObject {
  const { metadata, apiVersion, kind } = object;
  const { name, namespace, labels, annotations } = metadata;
  const { spec, data } = object as { spec?: Readonly<Record<string, unknown>>; data?: unknown };
  // What the API server and its controllers add to the spec of a Pod, nobody writes.
  const { nodeName: _, serviceAccountName: __, serviceAccount: ___, ...own } = spec ?? {};
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace && { namespace }), ...(labels && { labels }), ...(annotations && { annotations }) },
    ...(spec && { spec: kind === 'Pod' ? withoutToken(own) : own }),
    ...(data !== undefined && { data }),
  } as KubeObject;
}

function withoutToken(spec: Readonly<Record<string, unknown>>): object {
  const named = (list: unknown) =>
    ((list ?? []) as { name: string }[]).filter(({ name }) => !name.startsWith('kube-api-access'));
  const containers = ((spec['containers'] ?? []) as { volumeMounts?: unknown }[]).map((container) => ({
    ...container,
    volumeMounts: named(container.volumeMounts),
  }));
  return { ...spec, containers, volumes: named(spec['volumes']) };
}
