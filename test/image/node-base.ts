import { cpSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { thisArchitecture } from '../../packages/image/architecture.ts';
import { output, run } from '../../packages/image/debian/commands.ts';
import { sources } from '../../packages/image/debian/sources.ts';
import { BuildError } from '../../packages/image/errors.ts';
import { layNode } from '../../tools/image/program.ts';
import type { Buildah } from './buildah.ts';

type Log = (line: string) => void;

/**
 * Has the image of Node.js that a Dockerfile builds in: from a registry or, where none gives it, a stand-in of the same name. Returns a
 * sentence that says which of the two it is.
 */
export async function haveNodeBase(buildah: Buildah, name: string, log: Log): Promise<string> {
  try {
    await buildah.command(`Pulling ${name}`, 'pull', '--retry=1', name);
    return `${name} is that of a registry`;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    log(error.message);
  }
  await standIn(buildah, name, log);
  return `${name} cannot be pulled here: in its place stands a small Debian 12 with the Node.js of the lockfile and the npm of this machine`;
}

/** As in the real one Node.js and npm are in /usr/local, and apt has no lists. It has no more than apt needs, where the real one has much. */
async function standIn(buildah: Buildah, name: string, log: Log): Promise<void> {
  const context = join(buildah.folder, 'node');
  const files = join(context, 'files');
  mkdirSync(files, { recursive: true });
  const [mirrors = []] = sources();
  // As where packages for the image are fetched: neither the date nor the signature of a list counts.
  const options = ['--mode=root', '--variant=apt', '--aptopt=Acquire::Check-Valid-Until "false"'];
  const args = [...options, 'bookworm', join(context, 'debian.tar'), ...mirrors];
  await run({ what: 'Laying out a Debian 12', command: 'mmdebstrap', args }, log);
  layNode(files, process.cwd(), thisArchitecture());
  const npm = join('usr/local/lib/node_modules/npm');
  cpSync(dirname(dirname(realpathSync(output('which', 'npm').trim()))), join(files, npm), { recursive: true });
  for (const program of ['npm', 'npx'])
    symlinkSync(`/${npm}/bin/${program}-cli.js`, join(files, 'usr/local/bin', program));
  const lines = ['FROM scratch', 'ADD debian.tar /', 'COPY files /', 'ENV PATH=/usr/local/bin:/usr/sbin:/usr/bin', ''];
  writeFileSync(join(context, 'Dockerfile'), lines.join('\n'));
  await buildah.command(`Making ${name}`, 'build', '--isolation=chroot', `--tag=${name}`, context);
}
