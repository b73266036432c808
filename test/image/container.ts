import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { entrypoint, environment, userAndGroup } from '../../packages/image/config.ts';

export interface ContainerOptions {
  /** The folder with the image's files. */
  readonly root: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Folders of this machine by where they are mounted. Only that of the event log can be written to. */
  readonly mounts?: Readonly<Record<string, string>>;
  /** Instead of the image's own. */
  readonly command?: readonly string[];
}

export interface Container {
  readonly process: ChildProcess;
  /** What it wrote to its error output, when it has ended. */
  readonly complaints: Promise<string>;
}

export const writable = '/var/lib/knudge';

/**
 * Runs the image's entrypoint in its file system, which is read-only, as its user, who can gain no rights. Not as in a
 * cluster: the network and the processes are the machine's own. Needs root, for the mounts.
 */
export function startContainer({ root, env = {}, mounts = {}, command = entrypoint }: ContainerOptions): Container {
  const all = Object.entries({ '/proc': '/proc', '/dev': '/dev', ...mounts });
  for (const [to] of all) mkdirSync(join(root, to), { recursive: true });
  const script = [
    `mount --bind '${root}' '${root}'`,
    ...all.flatMap(([to, from]) => [
      `mount --bind '${from}' '${root}${to}'`,
      ...(to === writable ? [] : [`mount -o remount,bind,ro '${root}${to}'`]),
    ]),
    `mount -o remount,bind,ro '${root}'`,
    `exec setpriv --no-new-privs --pdeathsig=KILL chroot --userspec=${userAndGroup} --groups= '${root}' "$@"`,
  ].join('\n');
  const child = spawn('unshare', ['--mount', '--propagation=private', 'sh', '-ec', script, 'sh', ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment, PATH: `${environment['PATH'] ?? ''}:/usr/sbin:/sbin`, ...env },
  });
  return { process: child, complaints: text(child.stderr) };
}
