import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stringify } from 'yaml';
import { kustomized } from '../../tools/chart/kustomize.ts';
import { type GitOpsObject, gitOpsFiles, gitOpsObjects } from '../house/gitops.ts';
import { rendered } from './helm.ts';

describe('the examples for GitOps', () => {
  for (const path of gitOpsFiles) {
    for (const { kind, spec } of gitOpsObjects(path)) {
      const patches = patchesOf(spec);
      if (patches !== undefined) {
        it(`${path}: the patches of the ${kind} fit what they change`, async () => {
          const text = stringify({ resources: ['../deploy'], patches });
          const [plain = [], patched = []] = await kustomized(['deploy', { name: 'patched', text }]);
          const changed = patched.filter((object, index) => JSON.stringify(object) !== JSON.stringify(plain[index]));
          assert.deepEqual(
            changed.map((object) => `${object.kind} ${Object.keys(object.metadata.annotations ?? {}).join()}`).sort(),
            kind === 'Application' ? byArgo : byFlux,
          );
        });
      }
      if (spec.values !== undefined) {
        it(`${path}: the chart takes the values of the ${kind}`, async () => {
          assert.ok((await rendered(spec.values as Record<string, unknown>)).length > 70);
        });
      }
    }
  }
});

const crd = 'CustomResourceDefinition';
const each = (annotations: string): readonly string[] => Array.from({ length: 3 }, () => `${crd} ${annotations}`);
const byArgo = [
  ...each('argocd.argoproj.io/sync-options'),
  'Job argocd.argoproj.io/hook,argocd.argoproj.io/hook-delete-policy',
];
const byFlux = [...each('kustomize.toolkit.fluxcd.io/prune'), 'Job kustomize.toolkit.fluxcd.io/force'];

function patchesOf(spec: GitOpsObject['spec']) {
  return spec.source?.kustomize.patches ?? spec.patches;
}
