import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Architecture } from '../../packages/image/architecture.ts';

/** Writes Node.js as its npm package has it. */
export function layNode(root: string, project: string, arch: Architecture): void {
  const from = join(project, 'node_modules', `node-linux-${arch.node}`);
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  mkdirSync(join(root, 'usr/local/share/doc/node'), { recursive: true });
  copyFileSync(join(from, 'bin/node'), join(root, 'usr/local/bin/node'));
  copyFileSync(join(from, 'LICENSE'), join(root, 'usr/local/share/doc/node/LICENSE'));
}
