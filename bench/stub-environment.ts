import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiStub } from '../tools/build/api-stub.ts';

/** The environment of a Pod whose API server is this stub; the mount of its ServiceAccount is written into `folder`. */
export function environmentFor(
  api: Pick<ApiStub, 'authority' | 'port'>,
  folder: string,
): Readonly<Record<string, string>> {
  const mount = join(folder, 'service-account');
  mkdirSync(mount, { recursive: true });
  writeFileSync(join(mount, 'token'), 'token');
  writeFileSync(join(mount, 'ca.crt'), api.authority);
  return { BENCH_MOUNT: mount, KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: String(api.port) };
}
