import assert from 'node:assert/strict';
import { test } from 'node:test';
import { functions } from '../../../functions/table.ts';
import { root } from '../../../test/house/files.ts';
import { readManifests } from '../manifests/read-manifests.ts';
import { plannersOf } from '../planners.ts';

const seen = (apiversion: string, kind: string) => ({
  attributes: { type: 'dev.knative.apiserver.resource.update', apiversion, kind },
  data: Buffer.alloc(0),
});

for (const overlay of [undefined, 'per-function']) {
  const manifests = readManifests({ root, ...(overlay !== undefined && { overlay }) });
  for (const [apiversion, kind, wanted] of [
    ['v1', 'Pod', ['pod-changed']],
    ['frp.io/v1beta1', 'DistributedService', ['distributed-service-changed']],
    ['myorg.dev/v1', 'Message', ['message-changed']],
    ['v1', 'Node', []],
  ] as const) {
    test(`a ${kind} is asked of ${wanted.join() || 'nobody'} with ${overlay ?? 'deploy'}, by the stem and not by its Service`, () => {
      assert.deepEqual(plannersOf(manifests, seen(apiversion, kind), functions), wanted);
    });
  }
}
