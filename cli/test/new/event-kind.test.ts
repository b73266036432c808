import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { builtinKindNamed } from '../../../packages/controller/domain/known-kinds.ts';
import { eventKind, type Naming } from '../../new/event-kind.ts';

const kindOf = (word: string, naming: Naming = {}) => eventKind(word, naming, builtinKindNamed);

describe('the kind of knudge new event', () => {
  for (const [word, apiVersion, plural, namespaced] of [
    ['Secret', 'v1', 'secrets', true],
    ['Job', 'batch/v1', 'jobs', true],
    ['CronJob', 'batch/v1', 'cronjobs', true],
    ['StatefulSet', 'apps/v1', 'statefulsets', true],
    ['DaemonSet', 'apps/v1', 'daemonsets', true],
    ['Ingress', 'networking.k8s.io/v1', 'ingresses', true],
    ['NetworkPolicy', 'networking.k8s.io/v1', 'networkpolicies', true],
    ['HorizontalPodAutoscaler', 'autoscaling/v2', 'horizontalpodautoscalers', true],
    ['PersistentVolumeClaim', 'v1', 'persistentvolumeclaims', true],
    ['Node', 'v1', 'nodes', false],
  ] as const) {
    it(`is built in for ${word}`, () => {
      assert.deepEqual(kindOf(word), { apiVersion, kind: word, plural, namespaced, isBuiltin: true });
    });
  }

  const certificate = { apiVersion: 'cert-manager.io/v1', kind: 'Certificate', plural: 'certificates' };
  for (const [word, naming] of [
    ['cert-manager.io/v1/Certificate', {}],
    ['Certificate', { group: 'cert-manager.io', version: 'v1' }],
    ['Certificate', { group: 'cert-manager.io', version: 'v1', plural: 'certificates' }],
  ] as const) {
    it(`is described by ${word} and ${JSON.stringify(naming)}`, () => {
      assert.deepEqual(kindOf(word, naming), { ...certificate, namespaced: true, isBuiltin: false });
    });
  }

  it('takes a plural that nobody would guess, and a kind of no namespace', () => {
    const { plural, namespaced } = kindOf('example.org/v1/Ox', { plural: 'oxen', clusterScoped: true });
    assert.deepEqual([plural, namespaced], ['oxen', false]);
  });

  for (const plural of ['Oxen', "ox'en", '$&', ''])
    it(`has no plural ${plural}`, () => {
      const message = /^".*" is not a plural: /;
      assert.throws(() => kindOf('example.org/v1/Ox', { plural }), { code: 'misuse', message });
    });

  for (const word of ['Thing', 'secret', 'a/b/c/D', '/v1/Thing', 'example.org/v1/thing']) {
    it(`is not ${word}, and says what to write`, () => {
      assert.throws(() => kindOf(word), {
        code: 'misuse',
        message: /^".*" is not a built-in kind that Knudge knows: .* group\/version\/Kind, such as /,
      });
    });
  }
});
