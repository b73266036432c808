import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectsIn } from '../kube/install.ts';
import { filesOf } from './files.ts';
import { typeFault } from './knative-types.ts';

/** What overlays hold are patches: test/kube/knative-webhooks.kube.test.ts looks at what kustomize makes of them. */
const files = ['eventing', 'deploy']
  .flatMap((folder) => filesOf(folder, '.yaml'))
  .filter((path) => !path.startsWith('deploy/overlays/') && !/\/(no-(channel|subscription)|marks)\.yaml$/.test(path));
const wrong: readonly [what: string, spec: unknown, message: RegExp][] = [
  ['a number in quotes', { broker: 'knudge', delivery: { retry: '4' } }, /retry/],
  ['a filter that is no list', { broker: 'knudge', filters: { exact: { kind: 'Pod' } } }, /filters/],
];

describe("Knative's types", () => {
  for (const path of files) {
    it(`agree with ${path}`, () => {
      const faults = objectsIn(path).map(typeFault);
      assert.deepEqual(
        faults.filter((fault) => fault !== undefined),
        [],
      );
    });
  }

  for (const [what, spec, message] of wrong) {
    it(`refuse ${what}`, () => {
      const trigger = { apiVersion: 'eventing.knative.dev/v1', kind: 'Trigger', metadata: { name: 'a' }, spec };
      assert.match(typeFault(trigger) ?? 'it is right', message);
    });
  }
});
