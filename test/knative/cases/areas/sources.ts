import { del, mergePatch, post } from '../../../../packages/kube-api/fidelity/case.ts';
import type { Answer, Case, SourceCase } from '../case.ts';

const path = '/api/v1/namespaces/{ns}/configmaps';
const labels = { 'knudge.dev/case': '{case}' };

function configMap(name: string, data: object, more: object = {}): object {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `{case}-${name}`, namespace: '{ns}', labels, ...more },
    data,
  };
}

function made(name: string, data: object = { color: 'red' }) {
  return post(path, configMap(name, data));
}

function painted(name: string, color: string) {
  return mergePatch(`${path}/{case}-${name}`, { data: { color } });
}

const gone = (name: string) => del(`${path}/{case}-${name}`);

function whole(name: string, ...steps: SourceCase['steps']): SourceCase {
  return { kind: 'source', name, mode: 'Resource', steps };
}

/** How often an event is sent whose sink answers so. */
function answered(name: string, script: readonly Answer[], timed = false): SourceCase {
  return { ...whole(name, made('a')), whole: [], answers: { a: script }, ...(timed && { timed }) };
}

const retried = [404, 413, 425, 429, 502, 503, 504];
const lost = [300, 304, 400, 401, 403, 408, 409, 410, 422, 500, 501, 505];
const leases = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease' };
const roles = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole' };

export const sources: readonly Case[] = [
  whole('an object that is made, changed and deleted', made('a'), painted('a', 'green'), gone('a')),
  { ...whole('the same in Reference mode', made('a'), painted('a', 'green'), gone('a')), mode: 'Reference' },
  whole('a change that changes nothing is none', made('a'), painted('a', 'red')),
  {
    ...whole(
      'an object that leaves the selector',
      made('a'),
      mergePatch(`${path}/{case}-a`, { metadata: { labels: { 'knudge.dev/case': 'none' } }, data: { color: 'green' } }),
    ),
  },
  whole(
    'an object that enters the selector',
    post(path, configMap('a', { color: 'red' }, { labels: {} })),
    mergePatch(`${path}/{case}-a`, { metadata: { labels } }),
  ),
  {
    ...whole('what was there before the source is not told of', painted('old', 'green')),
    before: [configMap('old', { color: 'red' })],
  },
  whole('deleted and made again with one name', made('a'), gone('a'), made('a', { color: 'blue' })),
  whole(
    'an object with a finalizer is updated first, then deleted',
    post(path, configMap('a', { color: 'red' }, { finalizers: ['knudge.dev/case'] })),
    gone('a'),
    mergePatch(`${path}/{case}-a`, { metadata: { finalizers: null } }),
  ),
  whole(
    'ten changes in their order',
    made('a'),
    ...Array.from({ length: 9 }, (_, index) => painted('a', `shade ${index}`)),
  ),
  { ...whole('a ConfigMap of 900 kB', made('a', { text: 'x'.repeat(900_000) }), gone('a')), whole: ['a'] },
  {
    ...whole(
      'a kind of a group',
      post('/apis/coordination.k8s.io/v1/namespaces/{ns}/leases', {
        ...leases,
        metadata: { name: '{case}-a', labels },
        spec: { holderIdentity: 'me' },
      }),
    ),
    resource: leases,
  },
  {
    ...whole(
      'a kind without namespaces',
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        ...roles,
        metadata: { name: '{case}-a', labels },
        rules: [],
      }),
    ),
    resource: roles,
  },
  {
    ...whole(
      'a kind without namespaces in Reference mode',
      post('/apis/rbac.authorization.k8s.io/v1/clusterroles', {
        ...roles,
        metadata: { name: '{case}-a', labels },
        rules: [],
      }),
    ),
    mode: 'Reference',
    resource: roles,
  },
  ...retried.map((code) => answered(`the sink answers ${code}: six tries, then it is lost`, [{ status: code }], true)),
  ...lost.map((code) => answered(`the sink answers ${code}: lost at once`, [{ status: code }])),
  answered('the sink answers 503 twice, then 202', [{ status: 503 }, { status: 503 }, { status: 202 }]),
  answered('the sink answers 503 with Retry-After', [
    { status: 503, headers: { 'retry-after': '20' } },
    { status: 202 },
  ]),
  answered('the sink cuts the connection twice, then takes it', [
    { status: 0, instead: 'cut' },
    { status: 0, instead: 'cut' },
    { status: 202 },
  ]),
  answered('the sink answers with an event', [
    { status: 200, headers: { 'ce-specversion': '1.0', 'ce-id': 'r-1', 'ce-type': 'reply', 'ce-source': '/sink' } },
  ]),
  {
    ...whole('a later change waits for the tries of the first', made('a'), made('b')),
    whole: [],
    answers: { a: [{ status: 503 }, { status: 503 }, { status: 202 }] },
  },
];
