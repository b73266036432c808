import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AuthorizationV1Api, CoreV1Api, KubeConfig, makeInformer, type V1ConfigMap } from '@kubernetes/client-node';
import { startEmbedded } from '../../packages/kube-api/fidelity/embedded.ts';

test('client-node lists, creates, hears and asks with the kubeconfig of a mesh', {
  timeout: 30_000,
}, async (context) => {
  const { server, close } = await startEmbedded();
  context.after(close);
  const config = new KubeConfig();
  config.loadFromFile(server.kubeconfig);
  const api = config.makeApiClient(CoreV1Api);
  const namespace = 'default';
  const list = () => api.listNamespacedConfigMap({ namespace });
  const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, list);
  const heard = Promise.withResolvers<V1ConfigMap>();
  informer.on('add', (object) => {
    if (object.metadata?.name === 'web') heard.resolve(object);
  });
  await informer.start();
  context.after(() => informer.stop());
  await api.createNamespacedConfigMap({ namespace, body: { metadata: { name: 'web' }, data: { color: 'blue' } } });
  assert.deepEqual((await heard.promise).data, { color: 'blue' });
  assert.ok((await list()).items.some(({ metadata }) => metadata?.name === 'web'));
  await api.deleteNamespacedConfigMap({ namespace, name: 'web', body: { propagationPolicy: 'Foreground' } });

  const review = { spec: { resourceAttributes: { verb: 'create', resource: 'pods' } } };
  const { status } = await config.makeApiClient(AuthorizationV1Api).createSelfSubjectAccessReview({ body: review });
  assert.equal(status?.allowed, true);
});
