/** What a project outside of this repository says, as files: a resource, its faults, a cluster to look at, and the rest. */
export const strangerCode = {
  'greeting.ts': `
import { defineResource, type KubeObject, notYet, yes } from '@knudge/controller';

export interface Greeting extends KubeObject {
  readonly spec: { readonly person: string };
}

export const greeting = defineResource<Greeting>()({
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  children: ({ name }) => ({ hello: { apiVersion: 'v1', kind: 'ConfigMap', name: \`\${name}-hello\` } }),
  desired: ({ owner }) => ({ hello: { data: { text: \`Hello, \${owner.spec.person}\` } } }),
  ready: ({ children }) => (children.hello ? yes('Greeted', 'There it is') : notYet('Greeting', 'It is being made')),
});
`,
  'faults.ts': `
import type { KubeObject } from '@knudge/controller';
import { apply, everySingleFault } from '@knudge/controller/testing';
import { type Greeting, greeting } from './greeting.ts';

const schema = {
  type: 'object',
  properties: {
    spec: { type: 'object', properties: { person: { type: 'string' } } },
    status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
};
const versions = [
  { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, subresources: { status: {} } },
];
const crd: KubeObject & { readonly spec: unknown } = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'greetings.example.org' },
  spec: { group: 'example.org', scope: 'Namespaced', names: { plural: 'greetings', kind: 'Greeting' }, versions },
};
const ada: Greeting = {
  apiVersion: 'example.org/v1',
  kind: 'Greeting',
  metadata: { name: 'ada', namespace: 'shop' },
  spec: { person: 'Ada' },
};
const { plans, failures } = await everySingleFault({
  resources: [greeting],
  crds: [crd],
  scenarios: [{ name: 'create', steps: [apply(ada)] }],
});
console.log(plans > 50, JSON.stringify(failures));
`,
  'console.ts': `
import { consoleAssets } from '@knudge/console';

console.log([...(await consoleAssets()).keys()].sort().join(' '));
`,
  'cluster.ts': `
import { createApi, serveApi } from '@knudge/kube-api';

const api = createApi();
api.client.create({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'settings', namespace: 'default' } });
const { url, close } = await serveApi(api, { port: 0, token: 'secret' });
const path = \`\${url}/api/v1/namespaces/default/configmaps/settings\`;
const answer = await fetch(path, { headers: { authorization: 'Bearer secret' } });
console.log(answer.status);
await close();
api.close();
`,
  'events.ts': `
import { openEventLog } from '@knudge/event-log';
import { type WatchWish, watchedOf } from '@knudge/source';

const log = await openEventLog({ databaseUrl: '', file: 'events.db' });
await log.append({ id: '1', type: 'greeted', source: '/door', extensions: new Map(), data: { person: 'Ada' } });
const [newest] = await log.events({ type: 'greeted' }, { order: 'newest-first', limit: 1 });
console.log(newest?.data);
await log.close();
const wishes: readonly WatchWish[] = [{ mode: 'Resource', resources: [{ apiVersion: 'v1', kind: 'ConfigMap', selector: '' }] }];
console.log(typeof watchedOf, wishes.length);
`,
};
