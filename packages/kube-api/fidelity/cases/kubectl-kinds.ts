import { type Case, core, group, kubectl, post, until } from '../case.ts';
import { configMap, crd, deployment, image, pod, shop } from './bodies.ts';
import { served, shops } from './served.ts';

const made = [
  post(core('configmaps'), configMap({ color: 'blue' }, { labels: { app: 'web' }, annotations: { note: 'x' } })),
];
const columns = [
  { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
  { name: 'Color', type: 'string', jsonPath: '.spec.color', priority: 1 },
];
const ofShops = crd(
  {
    description: 'What it sells.',
    properties: { size: { type: 'integer', description: 'How big it is.' }, color: { type: 'string' } },
  },
  { additionalPrinterColumns: columns, subresources: { status: {} } },
);

/** kubectl learns what kinds there are, and waits. */
export const kubectlKindsCases: readonly Case[] = [
  {
    name: 'kubectl explain tells of built-in kinds',
    steps: [
      kubectl('explain configmap'),
      kubectl('explain deployment.spec.strategy'),
      kubectl('explain pod.spec.containers.ports'),
      kubectl('explain pod.spec.nothing'),
      kubectl('explain chair'),
    ],
  },
  {
    name: 'kubectl explains, lists and describes custom resources',
    given: [
      ...served(ofShops),
      until('/openapi/v3/apis/{group}/v1', (body) => JSON.stringify(body).includes('How big')),
      post(shops, shop({ size: 3, color: 'red' })),
    ],
    steps: [
      kubectl('explain shops.{group} --api-version={group}/v1'),
      kubectl('explain shops.spec --api-version={group}/v1'),
      kubectl('get shops.{group}'),
      kubectl('get shops.{group} -o wide'),
      kubectl('get shops.{group} web -o yaml'),
      kubectl('describe shops.{group} web'),
      kubectl('get crd shops.{group}'),
      kubectl('delete shops.{group} web'),
    ],
  },
  {
    name: 'kubectl api-resources and api-versions show what there is',
    given: served(ofShops),
    steps: [
      kubectl('api-resources --api-group={group}'),
      kubectl('api-resources --api-group=rbac.authorization.k8s.io'),
      kubectl('api-resources --api-group=discovery.k8s.io -o wide'),
      kubectl('api-resources --api-group=events.k8s.io --namespaced=true -o name'),
    ],
  },
  {
    name: 'kubectl wait waits for conditions, values, creation and deletion',
    given: [...made, post(core('pods'), pod())],
    steps: [
      kubectl('wait --for=jsonpath={.status.phase}=Pending pod/web --timeout=20s'),
      kubectl('wait --for=condition=Ready pod/web --timeout=1s'),
      kubectl('wait --for=create cm/web --timeout=5s'),
      kubectl('delete pod web --wait=false'),
      kubectl('wait --for=delete pod/web --timeout=20s'),
      kubectl('wait --for=delete cm/none --timeout=5s'),
    ],
  },
  {
    name: 'kubectl rollout tells how far a Deployment is',
    given: [
      post(
        group('apps/v1', 'deployments'),
        deployment({
          replicas: 1,
          template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
        }),
      ),
    ],
    steps: [
      kubectl('rollout status deployment/web --timeout=40s', { view: lastLine }),
      kubectl('rollout history deployment/web'),
      kubectl('wait --for=condition=Available deploy/web --timeout=20s'),
      kubectl('get deploy web -o wide'),
    ],
  },
];

/** How many lines there are before depends on how fast it goes. */
function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
