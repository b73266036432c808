import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { at, type Case, core, get, group, kubectl, mergePatch, post, until } from '../case.ts';
import { definitions } from './served.ts';

const root = join(import.meta.dirname, '../../../..');
const read = (file: string): unknown => parse(readFileSync(join(root, file), 'utf8'));
const crds = ['distributedservices', 'messages'].map((name) => read(`crds/${name}.yaml`));
const examples = [
  'http-auto',
  'http-selector-expressions',
  'message-any-text',
  'message-hello',
  'mtls-generated',
  'mtls-own-secret',
  'server-profile',
  'tcp-manual-weights',
  'udp-selector-health-check',
  'workload-scaling',
];
const services = group('frp.io/v1', 'distributedservices');
const messages = group('myorg.dev/v1', 'messages');
const distributedService = { apiVersion: 'frp.io/v1', kind: 'DistributedService' };
const message = { apiVersion: 'myorg.dev/v1', kind: 'Message' };
const table = { headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' } };
/** Other cases may have made them already: there is one of each in a cluster. */
const defined = [
  ...crds.map((crd) => ({ ...post(definitions, crd), mayFail: true })),
  ...[services, messages].map((path) => until(path, (_, code) => code === 200)),
];

/** The definitions in crds/, and what is in examples/. */
export const ownCases: readonly Case[] = [
  ...examples.map((file): Case => {
    const object = read(`examples/${file}.yaml`);
    return {
      name: `examples/${file}.yaml is taken as it is`,
      given: defined,
      steps: [post(`${pathOf(object)}?fieldValidation=Strict`, inCase(object))],
    };
  }),
  {
    name: 'a DistributedService gets its defaults, and its versions are one',
    given: defined,
    steps: [
      post(services, {
        ...distributedService,
        metadata: { name: 'web' },
        spec: { serviceType: 'http', backends: { port: 8080 } },
      }),
      get(`${group('frp.io/v1beta1', 'distributedservices')}/web`),
      get(services, table),
      mergePatch(`${services}/web/scale`, { spec: { replicas: 3 } }),
      mergePatch(`${services}/web/status`, { status: { state: 'Running', activeEndpoints: 2 } }),
    ],
  },
  {
    name: 'DistributedServices are selected by their profile and by their Secret',
    given: [
      ...defined,
      ...[
        ['a', {}],
        ['b', { serverProfile: 'frankfurt' }],
        ['c', { security: { mtls: { enabled: true, autoGenerate: false, secretName: 'own' } } }],
      ].map(([name, more]) =>
        post(services, {
          ...distributedService,
          metadata: { name },
          spec: { serviceType: 'tcp', backends: { port: 8080 }, ...(more as object) },
        }),
      ),
    ],
    steps: [
      ...['v1', 'v1beta1'].flatMap((version) =>
        ['serverProfile=default', 'serverProfile!=default', 'security.mtls.secretName=own', 'serviceType=tcp'].map(
          (term) =>
            get(`${group(`frp.io/${version}`, 'distributedservices')}?fieldSelector=spec.${encodeURIComponent(term)}`, {
              view: namesOrError,
            }),
        ),
      ),
      kubectl('get distributedservices --field-selector spec.serverProfile=default -o name'),
    ],
  },
  {
    name: 'a DistributedService that breaks its rules is told each of them',
    given: defined,
    steps: [
      post(services, { ...distributedService, metadata: { name: 'web' }, spec: {} }),
      post(services, {
        ...distributedService,
        metadata: { name: 'web' },
        spec: { serviceType: 'udp', backends: { port: 0 }, loadBalancing: { algorithm: 'LEAST_REQUEST' } },
      }),
      post(services, {
        ...distributedService,
        metadata: { name: 'web' },
        spec: { serviceType: 'http', backends: { discovery: 'manual', port: 80 } },
      }),
      post(services, {
        ...distributedService,
        metadata: { name: 'a'.repeat(64) },
        spec: { serviceType: 'http', backends: { port: 80 } },
      }),
      post(services, {
        ...distributedService,
        metadata: { name: 'web' },
        spec: {
          serviceType: 'tcp',
          backends: { discovery: 'manual', port: 80, endpoints: [{ host: '300.1.1.1' }, { host: '127.0.0.1' }] },
        },
      }),
    ],
  },
  {
    name: 'a Message gets its defaults and refuses what it must',
    given: defined,
    steps: [
      post(messages, { ...message, metadata: { name: 'web' }, spec: {} }),
      post(messages, { ...message, metadata: { name: 'web' } }),
      post(messages, { ...message, metadata: { name: 'two' }, spec: { text: '' } }),
      post(messages, { ...message, metadata: { name: 'two' }, spec: { text: 'x'.repeat(4097) } }),
    ],
  },
  {
    name: 'kubectl knows them by their names',
    given: [...defined, post(messages, { ...message, metadata: { name: 'web' }, spec: { text: 'hello' } })],
    steps: [kubectl('get msg'), kubectl('get messages.myorg.dev -o wide'), kubectl('delete msg web')],
  },
];

function namesOrError(body: unknown): unknown {
  const items = at(body, 'items');
  return Array.isArray(items) ? items.map((item) => at(item, 'metadata.name')) : body;
}

function pathOf(object: unknown): string {
  const plural = `${String(at(object, 'kind')).toLowerCase()}s`;
  const apiVersion = String(at(object, 'apiVersion'));
  return apiVersion === 'v1' ? core(plural) : group(apiVersion, plural);
}

function inCase(object: unknown): unknown {
  return { ...(object as object), metadata: { ...(at(object, 'metadata') as object), namespace: undefined } };
}
