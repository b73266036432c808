import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { KnudgeError } from '../../../packages/controller/domain/errors.ts';
import { askAll } from '../../replay/ask-all.ts';
import { openFunctions } from '../../replay/functions.ts';
import { writeKubeconfig } from '../kubeconfig.ts';
import { newFolder } from '../log-folder.ts';

test('a function that could not start is started anew for the next plan', async (context) => {
  const kubeconfig = join(newFolder(context), 'kubeconfig');
  writeFileSync(kubeconfig, 'no kubeconfig: [');
  const functions = openFunctions({ dir: '.', kubeconfig, namespace: 'knudge' });
  context.after(() => functions.close());
  await assert.rejects(functions.urlOf('message-changed'), /^KnudgeError: message-changed does not start here: /);
  writeKubeconfig(kubeconfig, 'http://127.0.0.1:1025');
  assert.match(await functions.urlOf('message-changed'), /^http:\/\/127\.0\.0\.1:\d+$/);
});

test('of a function that does not start the plan says so', async () => {
  const about = { kind: 'Message', namespace: 'shop', name: 'hello', extensions: { apiversion: 'myorg.dev/v1' } };
  const time = '2026-03-01T12:00:00Z';
  const event = { seq: 1, recorded: time, time, id: 'e', source: '/s', type: 'dev.knudge.resync.requested', ...about };
  const failing = (error: Error) => ({
    plannersFor: async () => ['message-changed'],
    urlOf: () => Promise.reject(error),
    close: async () => {},
  });
  const asked = await askAll(event, failing(new KnudgeError('unavailable', 'it does not start here: why')), 1);
  const planned = { kind: 'failed', why: 'it does not start here: why' };
  assert.deepEqual(asked, [{ function: 'message-changed', planned }]);
  await assert.rejects(askAll(event, failing(new Error('a fault')), 1), /a fault/);
});
