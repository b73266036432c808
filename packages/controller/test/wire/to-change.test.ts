import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { event, readRecorded, recorded, recordedNames } from '../../../../test/build/event.ts';
import { eventTypes, inputSource } from '../../domain/change.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { refOf } from '../../domain/kube-object.ts';
import { decode } from '../../wire/decode.ts';
import { toChange } from '../../wire/to-change.ts';

suite('a recorded event is the change it tells of', () => {
  for (const name of recordedNames.filter((candidate) => !candidate.startsWith('resync-due/'))) {
    test(name, () => {
      const { headers, body } = readRecorded(name);
      const change = toChange(decode(recorded(name)));
      if (headers['ce-type'] === undefined || eventTypes[headers['ce-type']] === undefined) {
        assert.equal(change, undefined);
        return;
      }
      assert.equal(change?.id, headers['ce-id']);
      assert.equal(change?.verb, eventTypes[headers['ce-type']]);
      const {
        'ce-apiversion': apiVersion,
        'ce-kind': kind,
        'ce-namespace': namespace,
        'ce-name': objectName,
      } = headers;
      assert.deepEqual(change?.ref, { apiVersion, kind, namespace, name: objectName });
      if (headers['ce-type'].includes('.ref.')) {
        assert.ok(change !== undefined && !('hint' in change));
        return;
      }
      assert.deepEqual(change?.hint, body);
      assert.ok(change?.hint !== undefined);
      assert.deepEqual(refOf(change.hint), change.ref);
    });
  }
});

suite('what an event says', () => {
  const rows: readonly [name: string, attributes: Record<string, string | undefined>, verb: string | undefined][] = [
    ['an added object', { type: 'dev.knative.apiserver.resource.add' }, 'added'],
    ['an updated object', { type: 'dev.knative.apiserver.resource.update' }, 'updated'],
    ['a deleted object', { type: 'dev.knative.apiserver.resource.delete' }, 'deleted'],
    ['an added reference', { type: 'dev.knative.apiserver.ref.add' }, 'added'],
    ['an updated reference', { type: 'dev.knative.apiserver.ref.update' }, 'updated'],
    ['a deleted reference', { type: 'dev.knative.apiserver.ref.delete' }, 'deleted'],
    ['a resync of one object', { type: 'dev.knudge.resync.requested' }, 'requested'],
    ['a tick', { type: 'dev.knative.sources.ping' }, undefined],
    ['an event of somebody else', { type: 'com.example.x' }, undefined],
    ['a type that is a property of every object', { type: 'constructor' }, undefined],
    ['a type that is nearly ours', { type: 'dev.knative.apiserver.resource.added' }, undefined],
  ];
  for (const [name, attributes, verb] of rows) {
    test(`${name}: ${verb ?? 'none of ours'}`, () => assert.equal(toChange(decode(event({ attributes })))?.verb, verb));
  }
});

test('only what the resync itself sends is told to be by it', () => {
  const by = (type: string, source: string) => toChange(decode(event({ attributes: { type, source } })))?.byResync;
  assert.equal(by('dev.knudge.resync.requested', '/knudge/resync-due'), true);
  assert.equal(by('dev.knudge.resync.requested', '/knudge/cli'), undefined);
  assert.equal(by('dev.knative.apiserver.resource.update', '/knudge/resync-due'), undefined);
});

test('only what a function sends that has learned of a change elsewhere is told to be by it', () => {
  const by = (type: string, source: string) => toChange(decode(event({ attributes: { type, source } })))?.byInput;
  assert.equal(by('dev.knudge.resync.requested', inputSource), true);
  assert.equal(by('dev.knudge.resync.requested', '/knudge/resync-due'), undefined);
  assert.equal(by('dev.knative.apiserver.resource.update', inputSource), undefined);
});

test('the subject decides nothing', () => {
  const change = toChange(decode(event({ attributes: { subject: '/apis/v1/namespaces/kube-system/secrets/other' } })));
  assert.deepEqual(change?.ref, { apiVersion: 'myorg.dev/v1', kind: 'Message', namespace: 'shop', name: 'hello' });
});

test('no namespace and an empty one are the same: cluster-scoped', () => {
  const attributes = { type: 'dev.knative.apiserver.ref.add', kind: 'Namespace', apiversion: 'v1', name: 'shop' };
  const without = toChange(decode(event({ attributes: { ...attributes, namespace: undefined }, data: '' })));
  const empty = toChange(decode(event({ attributes: { ...attributes, namespace: '' }, data: '' })));
  assert.equal(without?.ref.namespace, '');
  assert.deepEqual(empty, without);
});

test('whatever the extensions hold, what comes out stays inside its path segment', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('.', '..', 'a/b', '%2e', 'a', 'v1', 'Pod', 'system:node', ''),
  );
  fc.assert(
    fc.property(fc.constantFrom('apiversion', 'kind', 'namespace', 'name'), part, (changed, value) => {
      const extensions = new Map(
        Object.entries({ apiversion: 'v1', kind: 'Pod', namespace: 'shop', name: 'a', [changed]: value }),
      );
      try {
        const change = toChange({
          id: '1',
          type: 'dev.knative.apiserver.ref.add',
          source: '/',
          extensions,
          data: undefined,
        });
        assert.ok(change !== undefined);
        const { ref } = change;
        const path = `/apis/${ref.apiVersion}/namespaces/${ref.namespace}/things/${ref.name}`;
        assert.equal(new URL(path, 'https://api').pathname, path);
      } catch (thrown) {
        assert.ok(thrown instanceof KnudgeError && thrown.code === 'invalid-event', String(thrown));
      }
    }),
    { numRuns: 2000 },
  );
});
