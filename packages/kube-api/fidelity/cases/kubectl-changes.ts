import { type Case, core, get, group, kubectl, post, until } from '../case.ts';
import { configMap, crd, job, pod, replicaSet, service } from './bodies.ts';
import { definitions, served } from './served.ts';

const made = [post(core('configmaps'), configMap())];
const yaml = (color: string, more = '') =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\n  labels:\n    app: web\ndata:\n  color: ${color}\n${more}`;
const two = `${yaml('blue')}---\napiVersion: v1\nkind: Service\nmetadata:\n  name: web\nspec:\n  ports:\n  - port: 80\n`;
const live = get(core('configmaps', 'web'));

/** kubectl changes a part of an object, and deletes. */
export const kubectlChangesCases: readonly Case[] = [
  {
    name: 'kubectl label and annotate set, overwrite and remove',
    given: made,
    steps: [
      kubectl('label cm web tier=front'),
      kubectl('label cm web tier=back'),
      kubectl('label cm web tier=back --overwrite'),
      kubectl('label cm web tier-'),
      kubectl("label cm web 'a b=c'"),
      kubectl('annotate cm web note=x'),
      kubectl('annotate cm web note-'),
      live,
    ],
  },
  {
    name: 'kubectl scale scales, under a condition or not',
    given: [post(group('apps/v1', 'replicasets'), replicaSet()), post(group('batch/v1', 'jobs'), job())],
    steps: [
      kubectl('scale rs web --replicas=2'),
      kubectl('scale rs web --current-replicas=5 --replicas=3'),
      kubectl('scale rs web --replicas=0'),
      kubectl('get rs web -o jsonpath={.spec.replicas}'),
      kubectl('scale cm web --replicas=1'),
      kubectl('scale rs none --replicas=1'),
    ],
  },
  {
    name: 'kubectl scale knows the scale of a custom resource',
    given: [
      ...served(
        crd(
          { properties: { replicas: { type: 'integer' } } },
          { subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } } },
        ),
      ),
      until('/apis/{group}/v1', (body) => JSON.stringify(body).includes('shops/scale')),
      post('/apis/{group}/v1/namespaces/{ns}/shops', {
        apiVersion: '{group}/v1',
        kind: 'Shop',
        metadata: { name: 'web' },
        spec: { replicas: 1 },
      }),
    ],
    steps: [
      kubectl('scale shops.{group} web --replicas=3'),
      kubectl('get shops.{group} web -o jsonpath={.spec.replicas}'),
    ],
  },
  {
    name: 'kubectl delete deletes by name, by label, by file, and says what is not there',
    given: [
      ...['a', 'b'].map((name) => post(core('configmaps'), configMap({}, { name, labels: { app: 'web' } }))),
      ...made,
      post(core('services'), service()),
    ],
    steps: [
      kubectl('delete cm -l app=web'),
      kubectl('delete -f -', { stdin: two }),
      kubectl('delete cm web'),
      kubectl('delete cm web --ignore-not-found'),
      kubectl('delete cm --all --dry-run=server'),
    ],
  },
  {
    name: 'kubectl delete cascades as asked',
    given: [
      post(group('apps/v1', 'replicasets'), {
        ...replicaSet({
          replicas: 1,
          template: {
            metadata: { labels: { app: 'web' } },
            spec: { schedulerName: 'nobody', containers: [{ name: 'web', image: 'a' }] },
          },
        }),
      }),
      until(core('pods'), (body) => JSON.stringify(body).includes('"ReplicaSet"')),
    ],
    steps: [
      kubectl('delete rs web --cascade=orphan'),
      kubectl('get pods -o name'),
      kubectl('delete pods --all --cascade=foreground --now'),
      kubectl('get pods'),
    ],
  },
  {
    name: 'kubectl --dry-run=server changes nothing',
    given: made,
    steps: [
      kubectl('apply --dry-run=server -f -', { stdin: two }),
      kubectl('label cm web a=b --dry-run=server'),
      kubectl('delete cm web --dry-run=server'),
      kubectl('create ns {ns}-new --dry-run=server -o yaml'),
      kubectl('create cm web --dry-run=server'),
      live,
    ],
  },
  {
    name: 'kubectl writes a status with --subresource',
    given: [post(core('pods'), pod())],
    steps: [
      kubectl('patch pod web --subresource=status --type=merge -p \'{"status":{"message":"hello"}}\''),
      kubectl('get pod web -o jsonpath={.status.message}'),
      kubectl('get pod web --subresource=status -o name'),
    ],
  },
  {
    name: 'kubectl makes and deletes a definition',
    steps: [
      kubectl('apply -f -', { stdin: crd({ properties: { size: { type: 'integer' } } }) }),
      kubectl('wait --for=condition=Established crd/shops.{group} --timeout=20s'),
      until(`${definitions}/shops.{group}`, (_, code) => code === 200, { view: () => 'there' }),
      kubectl('delete crd shops.{group}'),
    ],
  },
  {
    name: 'kubectl makes and deletes a namespace',
    steps: [
      kubectl('create ns {ns}-new'),
      kubectl('get ns {ns}-new'),
      kubectl('delete ns {ns}-new --timeout=50s'),
      kubectl('get ns {ns}-new'),
    ],
  },
];

/** The rest names files and times. */
