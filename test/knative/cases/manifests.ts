import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { filled, type Values } from '../../../packages/kube-api/fidelity/placeholders.ts';
import type { SourceCase, TriggerCase } from './case.ts';
import { isPingRow, isSourceRow, type Row, type Scene, scenesOf } from './table.ts';

export interface Where {
  readonly namespace: string;
  readonly receiver: string;
  readonly nobody: string;
}

/** What a case may say and means the place where it runs. */
export function valuesOf({ id }: Row, { namespace, receiver, nobody }: Where, scene?: Scene): Values {
  const { id: sceneId = '', broker = '' } = scene ?? {};
  return new Map(Object.entries({ case: id, ns: namespace, receiver, nobody, scene: sceneId, broker }));
}

/** Brokers, Triggers and sources of all these cases, with what they need, in the order in which they can be made. */
export function manifestsOf(rows: readonly Row[], where: Where): readonly KubeObject[] {
  const { namespace } = where;
  const scenes = [...new Set(scenesOf(rows).values())];
  const brokers = new Map(scenes.map((scene) => [scene.broker, brokerFor(scene, where)]));
  const sourceRows = rows.filter(isSourceRow);
  const before = sourceRows.flatMap((row) =>
    (row.one.before ?? []).map((object) => filled(object, valuesOf(row, where))),
  );
  const pings = rows.filter(isPingRow).map((row) => ({
    apiVersion: 'sources.knative.dev/v1',
    kind: 'PingSource',
    metadata: { name: row.id, namespace },
    spec: { sink: { uri: `${where.receiver}/${row.id}/sink` }, ...row.one.spec },
  }));
  const all = [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...(sourceRows.length > 0 ? rightsIn(namespace) : []),
    ...before,
    ...(['Resource', 'Reference'] as const).flatMap((mode) => sourceFor(mode, sourceRows, where)),
    ...pings,
    ...brokers.values(),
    ...scenes.flatMap((scene) => triggersFor(scene, where)),
  ];
  return all as readonly KubeObject[];
}

function brokerFor({ first, broker }: Scene, where: Where): object {
  const { delivery } = first.one.own ?? {};
  const spec = { config: channels, ...(delivery && { delivery: filled(delivery, valuesOf(first, where)) }) };
  return {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: {
      name: broker,
      namespace: where.namespace,
      annotations: { 'eventing.knative.dev/broker.class': 'MTChannelBasedBroker' },
    },
    spec,
  };
}

/** In memory, as Knative ships it. */
const channels = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name: 'config-br-default-channel',
  namespace: 'knative-eventing',
};

function triggersFor(scene: Scene, where: Where): readonly object[] {
  const { one } = scene.first;
  return Object.entries(one.triggers ?? {}).map(([name, trigger]) => {
    const { delivery, subscriber = `{receiver}/scene/${name}` } = trigger;
    const spec = {
      broker: scene.broker,
      ...(one.own === undefined ? ofItsScene(trigger) : filtersOf(trigger)),
      subscriber: { uri: subscriber },
      ...(delivery && { delivery }),
    };
    const metadata = { name: `${scene.id}-${name}`, namespace: where.namespace };
    const object = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', metadata, spec };
    return filled(object, valuesOf(scene.first, where, scene)) as object;
  });
}

function filtersOf({ filter, filters }: TriggerCase): object {
  return { ...(filter && { filter: { attributes: filter } }), ...(filters && { filters }) };
}

/** On a shared Broker no Trigger may see the events of another scene. */
function ofItsScene({ filter, filters }: TriggerCase): object {
  const own = { scene: '{scene}' };
  const old = filter && { filter: { ...own, ...filter } };
  if (filter !== undefined && filters === undefined) return filtersOf({ ...old });
  return filtersOf({ ...old, filters: [{ exact: own }, ...(filters ?? [])] });
}

function sourceFor(mode: SourceCase['mode'], rows: readonly Row<SourceCase>[], where: Where): readonly object[] {
  const { namespace, receiver } = where;
  const resources = rows
    .filter(({ one }) => one.mode === mode)
    // An entry, and so a watch, for each: they do not wait for each other.
    .map(({ id, one }) => ({ ...(one.resource ?? configMaps), selector: { matchLabels: { [caseLabel]: id } } }));
  if (resources.length === 0) return [];
  const spec = {
    serviceAccountName: 'sources',
    mode,
    resources,
    sink: { uri: `${receiver}/objects` },
    ...(mode === 'Reference' && { ceOverrides: { extensions: { site: 'north' } } }),
  };
  const metadata = { name: mode.toLowerCase(), namespace };
  return [{ apiVersion: 'sources.knative.dev/v1', kind: 'ApiServerSource', metadata, spec }];
}

/** What a source of the cases watches by. */
export const caseLabel = 'knudge.dev/case';

export const configMaps = { apiVersion: 'v1', kind: 'ConfigMap' } as const;

/** An account of sources, which may read what the cases change. */
export function rightsIn(namespace: string): readonly object[] {
  const rbac = 'rbac.authorization.k8s.io';
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: namespace };
  const verbs = ['get', 'list', 'watch'];
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sources', namespace } },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name: namespace },
      rules: [
        { apiGroups: [''], resources: ['configmaps', 'secrets', 'namespaces'], verbs },
        { apiGroups: ['coordination.k8s.io'], resources: ['leases'], verbs },
        { apiGroups: [rbac], resources: ['clusterroles', 'roles'], verbs },
      ],
    },
    {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: namespace },
      roleRef,
      subjects: [{ kind: 'ServiceAccount', name: 'sources', namespace }],
    },
  ];
}
