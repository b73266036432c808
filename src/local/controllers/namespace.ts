import { refOf } from '../../domain/kube-object.ts';
import { type Controller, namespaces, type Parts } from './controller.ts';

/** Every namespace has its ServiceAccount `default`; one that is being deleted loses its content, then goes. */
export const namespaceController: Controller = {
  concerns: (changed) => {
    if (changed.kind === 'Namespace' && changed.apiVersion === 'v1') return [refOf(changed)];
    const { namespace = '' } = changed.metadata;
    return namespace === '' ? [] : [{ ...namespaces, namespace: '', name: namespace }];
  },
  reconcile: ({ name }, { client }) => {
    const namespace = client.get({ ...namespaces, namespace: '', name });
    if (namespace === undefined) return;
    if (namespace.metadata.deletionTimestamp === undefined) return furnish(name, client);
    const content = client.all(name);
    for (const object of content) {
      if (object.metadata.deletionTimestamp === undefined) client.delete(refOf(object), { propagation: 'Background' });
    }
    if (client.all(name).length === 0) client.finalizeNamespace(name);
  },
};

function furnish(namespace: string, client: Parts['client']): void {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', namespace, name: 'default' };
  if (client.get(account) === undefined) {
    client.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } });
  }
  const bundle = { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'kube-root-ca.crt' };
  if (client.get(bundle) === undefined) {
    client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: bundle.name } });
  }
}
