import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isArray, isObject, objectAt } from '../json.ts';
import { configMap, configMaps, crds, definition, merge, said, thing, things, tryApi } from './handle.ts';

const pods = '/api/v1/namespaces/default/pods';
const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'a', image: 'b' }] } };

describe('a deletion', () => {
  it('is answered with a Status, or with the object', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a'));
    const { body } = call(`DELETE ${configMaps}/a`);
    assert.deepEqual(
      [body['kind'], body['status'], objectAt(body, 'details')['kind']],
      ['Status', 'Success', 'configmaps'],
    );
    call('POST /api/v1/namespaces/default/services', { metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } });
    assert.equal(call('DELETE /api/v1/namespaces/default/services/s').body['kind'], 'Service');
  });

  const refusals: readonly (readonly [string, number, string, string, ...(readonly unknown[])])[] = [
    ['of nothing', 404, 'not found', 'b'],
    ['of another object', 409, 'the UID in the precondition (x)', 'a', { preconditions: { uid: 'x' } }],
    [
      'of an old version',
      409,
      'the ResourceVersion in the precondition (1)',
      'a',
      { preconditions: { resourceVersion: '1' } },
    ],
    ['by a policy that is none', 422, 'propagationPolicy: Unsupported value', 'a', { propagationPolicy: 'X' }],
    ['by a policy that is none', 422, 'propagationPolicy: Unsupported value', 'a?propagationPolicy=X'],
    ['by two policies', 422, 'cannot be both set', 'a', { propagationPolicy: 'Orphan', orphanDependents: true }],
    ['by a bad dryRun', 422, 'dryRun: Unsupported value', 'a', { dryRun: ['x'] }],
    ['by other options', 400, 'no kind "Pod" is registered', 'a', { kind: 'Pod' }],
    ['by a bad grace', 400, 'cannot unmarshal string', 'a', { gracePeriodSeconds: 'x' }],
    ['by a bad grace', 400, 'invalid syntax', 'a?gracePeriodSeconds=x'],
    ['by no JSON', 400, 'json parse error', 'a', '{'],
  ];
  for (const [what, status, message, path, body] of refusals) {
    it(`is refused ${what}`, () => {
      const { call } = tryApi();
      call(`POST ${configMaps}`, configMap('a'));
      const answer = call(`DELETE ${configMaps}/${path}`, body as never);
      assert.equal(answer.status, status);
      assert.ok(said(answer).includes(message), said(answer));
      assert.equal(call(`GET ${configMaps}/a`).status, 200);
    });
  }

  it('waits for finalizers, and happens with the last of them', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a', { metadata: { finalizers: ['a.b/c'] } }));
    const { body } = call(`DELETE ${configMaps}/a`);
    assert.deepEqual(call(`DELETE ${configMaps}/a`).body, body);
    assert.equal(objectAt(body, 'metadata')['deletionTimestamp'], '2026-11-21T08:00:00Z');
    call(`PATCH ${configMaps}/a`, { metadata: { finalizers: null } }, merge);
    assert.equal(call(`GET ${configMaps}/a`).status, 404);
  });

  it('does nothing when it is dry', () => {
    const { call } = tryApi();
    call(`POST ${configMaps}`, configMap('a'));
    assert.equal(call(`DELETE ${configMaps}/a?dryRun=All`).body['status'], 'Success');
    assert.equal(call(`GET ${configMaps}/a`).status, 200);
  });

  it('gives a Pod on a node its grace, which may become shorter', () => {
    const { api, call } = tryApi();
    call(`POST ${pods}`, pod);
    api.client.bind({ apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: 'p' }, 'n');
    const grace = (line: string, body?: object) => {
      const metadata = objectAt(call(line, body as never).body, 'metadata');
      return [metadata['deletionGracePeriodSeconds'], metadata['deletionTimestamp'], metadata['generation']];
    };
    assert.deepEqual(grace(`DELETE ${pods}/p`), [30, '2026-11-21T08:00:30Z', 2]);
    assert.deepEqual(grace(`DELETE ${pods}/p`), [30, '2026-11-21T08:00:30Z', 2]);
    assert.deepEqual(grace(`DELETE ${pods}/p`, { gracePeriodSeconds: 60 }), [30, '2026-11-21T08:00:30Z', 2]);
    assert.deepEqual(grace(`DELETE ${pods}/p`, { gracePeriodSeconds: 5 }), [5, '2026-11-21T08:00:05Z', 2]);
    assert.deepEqual(grace(`DELETE ${pods}/p`, { gracePeriodSeconds: 0 }), [0, '2026-11-21T08:00:00Z', 2]);
    assert.equal(call(`GET ${pods}/p`).status, 404);
  });

  it('ends a Pod without a node at once', () => {
    const { call } = tryApi();
    call(`POST ${pods}`, pod);
    assert.equal(objectAt(call(`DELETE ${pods}/p`).body, 'metadata')['deletionGracePeriodSeconds'], 0);
    assert.equal(call(`GET ${pods}/p`).status, 404);
  });

  it('of a Job leaves its Pods, with a warning', () => {
    const { call } = tryApi();
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image: 'b' }] } };
    call('POST /apis/batch/v1/namespaces/default/jobs', { metadata: { name: 'j' }, spec: { template } });
    const { headers, body } = call('DELETE /apis/batch/v1/namespaces/default/jobs/j');
    assert.match(String(headers['warning']), /child pods are preserved/);
    assert.deepEqual(objectAt(body, 'metadata')['finalizers'], ['orphan']);
  });

  it('of all that are selected gives them as they were', () => {
    const { call } = tryApi();
    for (const name of ['a', 'b', 'c']) {
      call(`POST ${configMaps}`, configMap(name, { metadata: { labels: { x: name === 'c' ? 'z' : 'y' } } }));
    }
    const { body } = call(`DELETE ${configMaps}?labelSelector=x=y`);
    assert.ok(isArray(body['items']) && body['items'].length === 2);
    assert.equal(call(`GET ${configMaps}/a`).status, 404);
    assert.equal(call(`GET ${configMaps}/c`).status, 200);
    assert.equal(call('DELETE /api/v1/namespaces').status, 405);
  });
});

describe('a namespace', () => {
  it('takes nothing new while it goes, and goes when its finalizers are gone', () => {
    const { api, call } = tryApi();
    call('POST /api/v1/namespaces', { metadata: { name: 'n' } });
    assert.equal(objectAt(call('DELETE /api/v1/namespaces/n').body, 'status')['phase'], 'Terminating');
    assert.match(said(call('POST /api/v1/namespaces/n/configmaps', configMap('a'))), /because it is being terminated/);
    api.client.finalizeNamespace('n');
    assert.equal(call('GET /api/v1/namespaces/n').status, 404);
    assert.throws(() => api.client.finalizeNamespace('n'), /not found/);
  });

  it('of the system stays', () => {
    assert.match(said(tryApi().call('DELETE /api/v1/namespaces/default')), /this namespace may not be deleted/);
  });

  it('is known by its uid', () => {
    const { call } = tryApi();
    call('POST /api/v1/namespaces', { metadata: { name: 'n' } });
    const answer = call('DELETE /api/v1/namespaces/n', { preconditions: { uid: 'x' } });
    assert.match(said(answer), /namespaces "n": Precondition failed: UID in precondition: x/);
  });

  it('changes its finalizers by its subresource only', () => {
    const { call } = tryApi();
    call('POST /api/v1/namespaces', { metadata: { name: 'n' } });
    const put = (path: string) =>
      call(`PUT /api/v1/namespaces/${path}`, { metadata: { name: 'n' }, spec: { finalizers: [] } }).body['spec'];
    assert.deepEqual(put('n'), { finalizers: ['kubernetes'] });
    assert.notDeepEqual(put('n/finalize'), { finalizers: ['kubernetes'] });
  });
});

describe('a definition', () => {
  it('goes after its objects, and takes nothing new meanwhile', () => {
    const { call, settle } = tryApi();
    call(`POST ${crds}`, definition());
    call(`POST ${things}`, { ...thing('a'), metadata: { name: 'a', finalizers: ['a.b/c'] } });
    call(`POST ${things}`, thing('b'));
    const { conditions } = objectAt(call(`DELETE ${crds}/things.example.org`).body, 'status');
    assert.ok(isArray(conditions) && conditions.some((one) => isObject(one) && one['type'] === 'Terminating'));
    settle();
    assert.equal(call(`GET ${things}/b`).status, 404);
    assert.equal(call(`GET ${crds}/things.example.org`).status, 200);
    assert.match(said(call(`POST ${things}`, thing('c'))), /while custom resource definition is terminating/);
    call(`PATCH ${things}/a`, { metadata: { finalizers: null } }, merge);
    settle();
    assert.equal(call(`GET ${crds}/things.example.org`).status, 404);
    assert.equal(call(`GET ${things}`).status, 404);
  });
});
