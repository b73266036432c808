import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { apiFrom, testKubeconfig } from '../../kube/api.ts';
import { install } from '../../kube/install.ts';
import { withEnv } from '../mesh/project-copy.ts';
import { type PlainApi, servePlainly } from './plain-api.ts';

/** What the stage of a mesh needs to be on the real API server instead of the embedded one. */
export interface RealMesh {
  readonly api: ReturnType<typeof apiFrom>;
  /** Reaches that API server without TLS and credentials. */
  readonly kubeconfig: string;
  readonly args: readonly string[];
  readonly edit: (object: KubeObject) => KubeObject;
  /** Another way to the API server, which may be away by itself; writes a kubeconfig for it. */
  apart(file: string): Promise<PlainApi>;
}

export async function prepareRealMesh(context: TestContext): Promise<RealMesh> {
  const api = apiFrom(testKubeconfig());
  await install(api);
  const dir = mkdtempSync(join(tmpdir(), 'knudge-real-'));
  context.after(() => rmSync(dir, { recursive: true, force: true }));
  const kubeconfig = join(dir, 'kubeconfig');
  await servePlainly(context, testKubeconfig(), kubeconfig);
  return {
    api,
    kubeconfig,
    args: ['--kubeconfig', kubeconfig],
    // Its Pods have addresses that nobody answers at.
    edit: (object) => withEnv(object, { TUNNEL_TIMEOUT_MS: '0' }),
    apart: (file) => servePlainly(context, testKubeconfig(), file),
  };
}
