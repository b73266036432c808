import assert from 'node:assert/strict';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { openWebhook, type Step } from '../webhook.ts';
import { assertFewTries, helloFails, type Scenario } from './stage.ts';

const mirror = 'mirror.example.com/';
const ours = { matchLabels: { 'app.kubernetes.io/managed-by': 'knudge' } };

interface WithContainers {
  readonly containers: readonly { readonly image: string }[];
}

/** As a policy that takes all images from a mirror does it. */
function mirrored(at: string, { containers }: WithContainers): readonly Step[] {
  return containers.flatMap(({ image }, index) =>
    image.startsWith(mirror)
      ? []
      : [{ op: 'add', path: `${at}/containers/${String(index)}/image`, value: mirror + image }],
  );
}

/** Something that the webhook is asked about before anything else is made. */
function labelled(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, labels: ours.matchLabels } };
}

const tunnelPod = (tunnel: KubeObject): WithContainers =>
  (tunnel as unknown as { readonly spec: { readonly template: { readonly spec: WithContainers } } }).spec.template.spec;

/** An administrator's webhook changes what Knudge writes, on its way. */
export const webhooks: readonly Scenario[] = [
  {
    name: 'a webhook gives every Pod another image: few Pods are made, it is told, and without it the next resync makes it right',
    play: async (stage) => {
      const end = await openWebhook(stage.arena.api, `pods-${stage.namespace}`, {
        namespace: stage.namespace,
        resource: 'pods',
        operations: ['CREATE', 'UPDATE'],
        selector: ours,
        change: async (pod) => mirrored('/spec', (pod as unknown as { readonly spec: WithContainers }).spec),
        probe: labelled(cast.pod(stage.place, 'probe', {})),
      });
      stage.begin(end);
      await stage.put(cast.hello(stage.place));
      const words = /containers\[message\]\.image is "mirror\.example\.com\/.*no field manager is named for it/;
      await helloFails(stage, 'Overridden', words);
      await stage.knock(cast.helloRef(stage.place));
    },
    writesAtRest: 2,
    afterwards: async (stage) => {
      assertFewTries(stage, { resource: 'pods', verbs: ['create'] });
      await stage.end();
      await stage.resync(cast.helloRef(stage.place));
      await stage.arena.processed(stage.namespace, 'hello');
      const pod = await stage.get(cast.refIn(stage.place, 'Pod', 'msg-hello'));
      assert.ok(!JSON.stringify(pod.spec).includes(mirror));
    },
  },
  {
    name: 'a webhook gives every Deployment other images: it is sent few times, it is told, and without it the next resync makes it right',
    play: async (stage) => {
      const end = await openWebhook(stage.arena.api, `deployments-${stage.namespace}`, {
        namespace: stage.namespace,
        resource: 'deployments',
        operations: ['CREATE', 'UPDATE'],
        selector: ours,
        change: async (deployment) => mirrored('/spec/template/spec', tunnelPod(deployment)),
        probe: labelled(cast.workload(stage.place, 1, { name: 'probe' })),
      });
      stage.begin(end);
      await stage.put(...cast.running(stage.place));
      await stage.tells({ state: 'Failed', ConfigurationValid: 'Overridden', Ready: 'Overridden' });
      assert.match(await stage.words('Ready'), /image is "mirror\.example\.com\/.*no field manager is named for it/);
      await stage.knock(cast.webRef(stage.place));
    },
    writesAtRest: 2,
    afterwards: async (stage) => {
      // Once what was posted is made one that was applied, by a request before the second try.
      assertFewTries(stage, { resource: 'deployments', verbs: ['create', 'patch'], more: 1 });
      await stage.end();
      await stage.resync(cast.webRef(stage.place));
      await stage.runs();
      assert.ok(!JSON.stringify((await stage.child('tunnel')).spec).includes(mirror));
    },
  },
];
