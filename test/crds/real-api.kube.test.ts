import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from '../kube/api.ts';
import { apiFrom, testKubeconfig } from '../kube/api.ts';
import { message, service } from './case.ts';
import { cases } from './cases.ts';
import { readCrd, readExamples } from './read.ts';
import { statusCases } from './status-cases.ts';

const request = apiFrom(testKubeconfig());
const namespace = `crds-${process.pid}`;
const crds = [readCrd('distributedservices'), readCrd('messages')];
const dryRun = { dryRun: 'All' };
const applying = { fieldManager: 'crds-test', force: 'true' };

before(async () => {
  for (const crd of crds) {
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd.metadata.name}`;
    const call = { body: crd, query: applying, contentType: 'application/apply-patch+yaml' };
    const { status, body } = await request('PATCH', path, call);
    assert.ok(status < 300, JSON.stringify(body));
  }
  await request('POST', '/api/v1/namespaces', { body: { metadata: { name: namespace } } });
  await eventually(async () => {
    const answers = await Promise.all([service(), message({})].map((object) => create(object, dryRun)));
    return answers.every(({ status }) => status === 201);
  });
});

after(() => request('DELETE', `/api/v1/namespaces/${namespace}`));

for (const { name, object, expected, spec } of cases) {
  test(`${String(object['kind'])}: ${name}`, async () => {
    const answer = await create(object, dryRun);
    hold(answer, expected);
    if (spec !== undefined) assert.deepEqual(partOf(answer, 'spec'), spec);
  });
}

for (const { file, object } of readExamples()) {
  test(`examples/${file} is accepted without a warning about unknown fields`, async () => {
    hold(await create({ ...object }, { ...dryRun, fieldValidation: 'Strict' }), 'accepted');
  });
}

for (const { name, of, status, expected } of statusCases) {
  test(`status of a ${of}: ${name}`, async () => {
    const object = of === 'Message' ? message({}, { name: 'seen' }) : service({}, { name: 'seen' });
    await create(object);
    const call = { body: { status }, query: dryRun, contentType: 'application/merge-patch+json' };
    const answer = await request('PATCH', `${pathOf(object)}/status`, call);
    hold(answer, expected);
    if (expected === 'accepted') assert.deepEqual(partOf(answer, 'status'), status);
  });
}

test('status cannot be written beside the spec, and writing it changes no generation', async () => {
  const object = service({}, { name: 'apart' });
  const made = await create({ ...object, status: { state: 'Running' } });
  assert.equal(partOf(made, 'status'), undefined);
  const call = {
    body: { status: { state: 'Running' }, spec: { serviceType: 'udp' } },
    contentType: 'application/merge-patch+json',
  };
  const written = await request('PATCH', `${pathOf(object)}/status`, call);
  assert.deepEqual(partOf(written, 'spec'), partOf(made, 'spec'));
  assert.equal((partOf(written, 'metadata') as { generation: number }).generation, 1);
});

test('the scale subresource reads and writes the replicas, and shows what is active and by which selector', async () => {
  const object = service({}, { name: 'scaled' });
  await create(object);
  const contentType = 'application/merge-patch+json';
  const seen = { activeEndpoints: 2, selector: 'app=web' };
  await request('PATCH', `${pathOf(object)}/status`, { body: { status: seen }, contentType });
  const scaled = await request('PATCH', `${pathOf(object)}/scale`, { body: { spec: { replicas: 7 } }, contentType });
  assert.deepEqual(partOf(scaled, 'spec'), { replicas: 7 });
  assert.deepEqual(partOf(scaled, 'status'), { replicas: 2, selector: 'app=web' });
  const tooMany = await request('PATCH', `${pathOf(object)}/scale`, {
    body: { spec: { replicas: 1001 } },
    contentType,
  });
  hold(tooMany, 'spec.backends.replicas');
});

test('what was stored as v1beta1 reads as v1, and the other way round', async () => {
  for (const [stored, read] of [
    ['v1beta1', 'v1'],
    ['v1', 'v1beta1'],
  ] as const) {
    const object = { ...service({}, { name: `from-${stored}` }), apiVersion: `frp.io/${stored}` };
    const made = await create(object);
    const got = await request('GET', pathOf({ ...object, apiVersion: `frp.io/${read}` }));
    assert.equal((got.body as { apiVersion: string }).apiVersion, `frp.io/${read}`);
    assert.deepEqual(partOf(got, 'spec'), partOf(made, 'spec'));
  }
});

test('the API server finds nothing to complain about in the CRDs, and takes their names', async () => {
  for (const { metadata } of crds) {
    const { body } = await request('GET', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`);
    const { conditions } = (body as { status: { conditions: { type: string; status: string }[] } }).status;
    const statuses = Object.fromEntries(conditions.map(({ type, status }) => [type, status]));
    assert.equal(statuses['Established'], 'True');
    assert.equal(statuses['NamesAccepted'], 'True');
    assert.notEqual(statuses['NonStructuralSchema'], 'True');
  }
});

function create(
  object: Readonly<Record<string, unknown>>,
  query: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return request('POST', collectionOf(object), { body: object, query });
}

function collectionOf({ apiVersion, kind }: Readonly<Record<string, unknown>>): string {
  const version = String(apiVersion);
  return `/${version.includes('/') ? 'apis' : 'api'}/${version}/namespaces/${namespace}/${String(kind).toLowerCase()}s`;
}

function pathOf(object: Readonly<Record<string, unknown>>): string {
  return `${collectionOf(object)}/${(object['metadata'] as { name: string }).name}`;
}

function partOf({ body }: Answer, part: 'metadata' | 'spec' | 'status'): unknown {
  return (body as Readonly<Record<string, unknown>>)[part];
}

/** The answer is a success, or a refusal of the object (422, for a wrong type 400) that says what is expected. */
function hold({ status, body }: Answer, expected: string): void {
  const said = String((body as { message?: unknown }).message ?? '');
  if (expected === 'accepted') {
    assert.ok(status === 200 || status === 201, `${status}: ${said}`);
    return;
  }
  assert.ok(status === 422 || status === 400, `${status}: ${said}`);
  assert.ok(said.includes(expected), said);
  assert.doesNotMatch(said, /rule evaluation|runtime error|no such overload/, 'a rule must decide, not break');
}

async function eventually(done: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(100)) if (await done()) return;
  assert.fail('the custom resources were not served within 20 s');
}
