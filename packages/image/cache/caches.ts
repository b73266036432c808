import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { controllerIn } from '../../start/controller-in.ts';
import { repeatable } from './compile.ts';

const program = fileURLToPath(new URL('make.ts', import.meta.url));

/**
 * Makes V8's code cache of each Service of a project, beside its bundle in this folder, which is `/app` in the image: the Node.js of the
 * image is the one that runs this. A Service whose process does not start without its cluster gets none, and starts slower.
 */
export function makeCaches(project: string, folder: string, log: (line: string) => void): void {
  mkdirSync(join(folder, 'caches'));
  for (const service of controllerIn(project).serviceNames) {
    const cache = join(folder, 'caches', `${service}.cache`);
    const args = [...repeatable, program, project, join(folder, 'functions.cjs'), cache, '/app/functions.cjs', service];
    const env = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '/tmp' };
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: project,
      env,
      encoding: 'utf8',
      timeout: 60_000,
    });
    if (status === 0) continue;
    log(`${service} gets no code cache, so it starts slower: ${stderr.trim() || 'its process did not end'}`);
  }
}
