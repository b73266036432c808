import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { version } from '../../packages/start/version.ts';
import { root, textOf } from './files.ts';
import { gitOpsFiles, gitOpsObjects, validate } from './gitops.ts';

describe('the examples for GitOps', () => {
  for (const path of gitOpsFiles) {
    for (const object of gitOpsObjects(path)) {
      it(`${path}: the ${object.kind} is as its CRD has it`, () => {
        validate(object);
      });

      it(`${path}: what the ${object.kind} names is there`, () => {
        const { source, path: folder, chart } = object.spec;
        const kustomization = source?.path ?? folder;
        if (kustomization !== undefined) assert.ok(existsSync(join(root, kustomization, 'kustomization.yaml')));
        if (chart !== undefined) assert.ok(existsSync(join(root, chart.spec.chart, 'Chart.yaml')));
      });
    }
  }

  it('are of this version', () => {
    const tags = gitOpsFiles.flatMap((path) => textOf(path).match(/(?<=(targetRevision|tag): v).+/g) ?? []);
    assert.deepEqual(tags, [version, version]);
  });

  it('would be told of a field that is not there, or of another type', () => {
    const [application] = gitOpsObjects('examples/gitops/argo-cd/application.yaml');
    assert.ok(application);
    const spec = { ...application.spec, syncPolicy: { syncOptions: 'ServerSideApply=true' } };
    assert.throws(() => validate({ ...application, spec }), /syncOptions/);
  });
});
