import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const folder = 'deploy/frps/server';

/** A certificate where deploy/frps reads one, as its README has people make it; one that is there already stays. */
export function frpServer(): { remove(): void } {
  if (existsSync(folder)) return { remove: () => undefined };
  mkdirSync(folder);
  const [key, certificate] = [join(folder, 'tls.key'), join(folder, 'tls.crt')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=frps'];
  for (const [keyFile, file] of [
    [key, certificate],
    [join(folder, 'ca.key'), join(folder, 'ca.crt')],
  ] as const) {
    execFileSync('openssl', [...args, '-keyout', keyFile, '-out', file], { stdio: 'pipe' });
  }
  return { remove: () => rmSync(folder, { recursive: true }) };
}
