import { groupOf, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import { guessedPlural } from '../../controller/domain/plural.ts';
import { isEqual, type Json } from '../json.ts';
import { type Controller, conditionsOf, namespaces, type Parts, partOf, withPart } from './controller.ts';

/** Every namespace gets a ServiceAccount `default`; one that is being deleted loses its content, then goes. */
export const namespaceController: Controller = {
  concerns: (changed) => {
    if (changed.kind === 'Namespace' && changed.apiVersion === 'v1') return [refOf(changed)];
    const { namespace = '' } = changed.metadata;
    return namespace === '' ? [] : [{ ...namespaces, namespace: '', name: namespace }];
  },
  reconcile: ({ name }, { client, now }) => {
    const namespace = client.get({ ...namespaces, namespace: '', name });
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) return furnish(name, client);
    for (const object of client.all(name)) {
      if (object.metadata.deletionTimestamp === undefined) client.delete(refOf(object), { propagation: 'Background' });
    }
    const left = client.all(name);
    if (left.length === 0) return client.finalizeNamespace(name);
    const status = { ...partOf(namespace, 'status'), conditions: conditionsFor(namespace, left, now()) };
    if (!isEqual(status, partOf(namespace, 'status'))) client.updateStatus(withPart(namespace, 'status', status));
  },
};

/** The conditions of what a namespace waits for, in the words of the real controller. */
function conditionsFor(namespace: KubeObject, left: readonly KubeObject[], now: string): readonly Json[] {
  const remaining = counted(left.map(({ apiVersion, kind }) => `${guessedPlural(kind)}.${groupOf(apiVersion)}`));
  const finalizers = counted(left.flatMap(({ metadata }) => metadata.finalizers ?? []));
  const none = { type: 'NamespaceFinalizersRemaining', status: 'False', reason: 'ContentHasNoFinalizers' };
  const wanted = [
    ...fine,
    {
      type: 'NamespaceContentRemaining',
      status: 'True',
      reason: 'SomeResourcesRemain',
      message: `Some resources are remaining: ${remaining.map(([what, count]) => `${what} has ${count} resource instances`).join(', ')}`,
    },
    finalizers.length === 0
      ? { ...none, message: 'All content-preserving finalizers finished' }
      : {
          ...none,
          status: 'True',
          reason: 'SomeFinalizersRemain',
          message: `Some content in the namespace has finalizers remaining: ${finalizers.map(([what, count]) => `${what} in ${count} resource instances`).join(', ')}`,
        },
  ];
  return wanted.map((condition) => {
    const before = conditionsOf(namespace).find(({ type }) => type === condition.type);
    const since = before?.['status'] === condition.status ? (before['lastTransitionTime'] ?? now) : now;
    return { lastTransitionTime: since, ...condition };
  });
}

const fine = [
  ['NamespaceDeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'],
  ['NamespaceDeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
  [
    'NamespaceDeletionContentFailure',
    'ContentDeleted',
    'All content successfully deleted, may be waiting on finalization',
  ],
].map(([type = '', reason = '', message = '']) => ({ type, status: 'False', reason, message }));

/** Each different text with how often it occurs, sorted. */
function counted(texts: readonly string[]): readonly (readonly [string, number])[] {
  return [...new Set(texts)].sort().map((text) => [text, texts.filter((other) => other === text).length] as const);
}

function furnish(namespace: string, client: Parts['client']): void {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'default' };
  if (client.get(account) === undefined) {
    client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } });
  }
  const bundle = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kube-root-ca.crt' };
  if (client.get(bundle) === undefined) {
    // Plain HTTP: there is no authority whose certificate could be here.
    const metadata = { namespace, name: bundle.name };
    client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': '' } } as KubeObject);
  }
}
