import { randomUUID } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiFrom, testKubeconfig } from './api.ts';
import { kubeconfigOf } from './functions.ts';

/** Requests to the test's API server with a real token of a ServiceAccount, good for an hour. */
export async function apiOf(account: {
  readonly namespace: string;
  readonly name: string;
}): Promise<ReturnType<typeof apiFrom>> {
  const file = join(tmpdir(), `knudge-${randomUUID()}.kubeconfig`);
  writeFileSync(file, await kubeconfigOf(testKubeconfig(), account), { mode: 0o600 });
  try {
    return apiFrom(file);
  } finally {
    rmSync(file);
  }
}
