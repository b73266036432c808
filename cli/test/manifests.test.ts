import assert from 'node:assert/strict';
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../about.ts';
import { manifests } from '../manifests.ts';
import { newFolder } from './log-folder.ts';

test('manifests are read once until one of their files changes, comes or goes', (context) => {
  const project = newFolder(context);
  for (const folder of ['crds', 'deploy', 'eventing', 'functions'])
    cpSync(join(root, folder), join(project, folder), { recursive: true });
  const triggers = (): readonly string[] => manifests(project).triggers.map(({ name }) => name);
  const before = triggers();
  assert.equal(manifests(project), manifests(project));
  const another = join(project, 'eventing/another.yaml');
  writeFileSync(
    another,
    `apiVersion: eventing.knative.dev/v1
kind: Trigger
metadata:
  name: another
  namespace: knudge
spec:
  broker: knudge
  filter:
    attributes:
      type: dev.knudge.resync.requested
  subscriber:
    ref:
      apiVersion: serving.knative.dev/v1
      kind: Service
      name: message-changed
`,
  );
  assert.deepEqual(triggers().toSorted(), [...before, 'another'].toSorted());
  rmSync(another);
  assert.deepEqual(triggers(), before);
});
