import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import type { Trace, TracedCall } from '../../../packages/controller/testing/trace.ts';
import { childName, claimPrefix } from '../../../resources/distributed-service/names.ts';
import { resourceOf } from './managed.ts';
import { lastRead, passesOf } from './passes.ts';

const kind = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' } as const;
const parent = (name: string): ObjectRef => ({ ...kind, namespace: 'shop', name });
type Call = Pick<TracedCall, 'verb' | 'resource' | 'ref' | 'query' | 'seen'>;

function get(ref: ObjectRef, status: number, resourceVersion = '1'): Call {
  const body = { metadata: { name: ref.name, namespace: ref.namespace, resourceVersion } };
  return { verb: 'get', resource: 'any', ref, query: {}, seen: { status, body: status === 200 ? body : {} } };
}

const owner = (name: string, version: string, status = 200): Call => get(parent(name), status, version);

/** Of children that are not there. */
function children(name: string): readonly Call[] {
  return [...(resourceOf(kind)?.children(parent(name)).values() ?? [])].map((ref) => get(ref, 404));
}

/** The list that shows who wants the same. */
function claimsOf(...names: readonly string[]): Call {
  const items = names.map((name) => ({
    metadata: {
      name: childName(name, 'balanced'),
      namespace: 'shop',
      ownerReferences: [{ ...kind, name, uid: name, controller: true }],
    },
  })) as unknown as readonly KubeObject[];
  const ref = { apiVersion: 'v1', kind: 'Service', namespace: '', name: '' };
  const query = { labelSelector: `${claimPrefix}abc` };
  return { verb: 'list', resource: 'services', ref, query, seen: { status: 200, body: { items } } };
}

function passesOfWeb(calls: readonly Call[]) {
  const told = calls.map((call, at) => ({ ...call, at, run: 1, body: undefined, done: call.seen }));
  const trace = { calls: told, changes: [], objects: [], resting: [], parents: [parent('web'), parent('web2')] };
  return passesOf(trace as unknown as Trace).filter((pass) => pass.parent.name === 'web');
}

const versions = (calls: readonly Call[]): readonly (string | undefined)[] =>
  passesOfWeb(calls).map((pass) => lastRead(pass, 'owner').object?.metadata.resourceVersion);

const other = [...children('web2'), owner('web2', '5'), claimsOf('web', 'web2')];

test('a parent that another one reads because it wants the same has no pass by that', () => {
  assert.deepEqual(passesOfWeb([...other, owner('web', '6')]), []);
});

test('such a read in the midst of its own pass does not end it', () => {
  const own = children('web');
  assert.deepEqual(versions([...other, ...own.slice(0, 3), owner('web', '6'), ...own.slice(3), owner('web', '7')]), [
    '7',
  ]);
});

test('nor does one that comes after its own', () => {
  const own = [...children('web'), owner('web', '6'), claimsOf('web', 'web2')];
  assert.deepEqual(versions([...own, owner('web', '8')]), ['6']);
});

test('a read that failed is none: the next one is its own', () => {
  const own = [claimsOf('web'), ...children('web'), owner('web', '', 500), owner('web', '7')];
  assert.deepEqual(versions(own), ['7']);
});

test('who is alone in a run is read by itself, also where it has left out a child', () => {
  assert.deepEqual(versions([claimsOf('web'), ...children('web').slice(1), owner('web', '7')]), ['7']);
});

test('without a list of claims every read of a parent is its own', () => {
  const own = children('web');
  const calls = [
    ...children('web2'),
    owner('web2', '5'),
    ...own.slice(1),
    owner('web', '6'),
    ...own,
    owner('web', '7'),
  ];
  assert.deepEqual(versions(calls), ['6', '7']);
});
