import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startBuilt } from '../../../tools/control-plane/start-built.ts';

/** What the control plane is started with, by a program in its place that keeps it. */
async function argumentsFor(context: TestContext, { node }: { node: boolean }): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'knudge-start-'));
  context.after(() => rmSync(dir, { recursive: true }));
  const kubestack = join(dir, 'kubestack');
  writeFileSync(kubestack, '#!/bin/sh\nprintf "%s\\n" "$@" >asked && touch kubeconfig\n', { mode: 0o755 });
  const launch = { dir, port: 0, audit: undefined, apiserverArgs: ['--v=4'], onProcess: () => undefined };
  const options = { ...launch, node, exitWithParent: false, checkAlive: () => undefined };
  await startBuilt({ kubestack, kwok: '/kwok' }, options);
  return readFileSync(join(dir, 'asked'), 'utf8').trimEnd().split('\n');
}

const jwks = '--apiserver-arg=--service-account-jwks-uri=https://kubernetes.default.svc.cluster.local/openid/v1/jwks';

test('with a real node the API server names an address at which Pods can check its tokens, and no fake kubelet runs', async (context) => {
  const all = await argumentsFor(context, { node: true });
  assert.ok(all.includes(jwks), all.join('\n'));
  assert.deepEqual(
    all.filter((argument) => argument.startsWith('--kwok')),
    [],
  );
  assert.equal(all.at(-1), '--apiserver-arg=--v=4', 'what a person asks for comes last, and so wins');
});

test('with the fake node, where no Pod asks, it keeps its own', async (context) => {
  const all = await argumentsFor(context, { node: false });
  assert.deepEqual(
    all.filter((argument) => /jwks/.test(argument)),
    [],
  );
  assert.ok(all.includes('--kwok=/kwok'));
});
