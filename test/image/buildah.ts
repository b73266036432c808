import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { output, run } from '../../packages/image/debian/commands.ts';

/** An image that was built from a Dockerfile. */
export interface Built {
  /** A folder with its files. */
  readonly root: string;
  readonly config: ImageConfig;
}

/** What the Open Container Initiative's image specification calls `config`. */
interface ImageConfig {
  readonly User?: string;
  readonly ExposedPorts?: object;
  readonly Env?: readonly string[];
  readonly Entrypoint?: readonly string[];
  readonly Cmd?: readonly string[];
  readonly WorkingDir?: string;
  readonly Labels?: Readonly<Record<string, string>>;
}

interface Building {
  /** The folder of the Dockerfile. */
  readonly context: string;
  readonly tag: string;
  readonly args?: Readonly<Record<string, string>>;
  /** Files of this machine by where the commands of the Dockerfile see them. They get into no image. */
  readonly mounts?: Readonly<Record<string, string>>;
}

/** Debian's builder of images, which needs no daemon, with a storage of its own. */
export interface Buildah {
  /** For what is built from, and gone with the rest. */
  readonly folder: string;
  /** Runs one of its commands, at most eight minutes. Throws BuildError with the end of what it said. */
  readonly command: (what: string, ...args: readonly string[]) => Promise<void>;
  readonly build: (building: Building) => Promise<Built>;
  readonly remove: () => void;
}

const limitSeconds = 8 * 60;

/** Mounts and processes of its own, so that whatever it has begun ends with it, and it ends with this process. */
const alone = [
  ...['setpriv', '--pdeathsig=KILL'],
  ...['unshare', '--mount', '--propagation=private', '--pid', '--fork', '--kill-child', '--mount-proc'],
  ...['timeout', '--signal=KILL', String(limitSeconds)],
];

export function openBuildah(log: (line: string) => void): Buildah {
  const folder = mkdtempSync(join(tmpdir(), 'knudge-buildah-'));
  const storage = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs'];
  // Else the layers are written in /var/tmp first.
  const env = { TMPDIR: join(folder, 'tmp') };
  mkdirSync(env.TMPDIR);
  const command: Buildah['command'] = (what, ...args) => {
    const [program = '', ...rest] = [...alone, 'buildah', ...storage, ...args];
    return run({ what, command: program, args: rest, env }, log);
  };
  const said = (...args: readonly string[]): string => output('buildah', ...storage, ...args);
  const build: Buildah['build'] = async ({ context, tag, args = {}, mounts = {} }) => {
    const options = [
      ...Object.entries(args).map(([name, value]) => `--build-arg=${name}=${value}`),
      ...Object.entries(mounts).map(([to, from]) => `--volume=${from}:${to}:ro`),
    ];
    // The last one leaves out a label with the version of Buildah.
    const ways = ['--isolation=chroot', '--pull=never', '--identity-label=false'];
    await command(`Carrying out ${join(context, 'Dockerfile')}`, 'build', ...ways, ...options, `--tag=${tag}`, context);
    const { OCIv1 } = JSON.parse(said('inspect', '--type=image', tag)) as { OCIv1: { config: ImageConfig } };
    said('from', '--pull=never', `--name=of-${tag}`, tag);
    return { root: said('mount', `of-${tag}`).trim(), config: OCIv1.config };
  };
  return { folder, command, build, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
