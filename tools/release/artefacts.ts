import type { KeyObject } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { tarOptions } from '../../packages/image/layer.ts';
import { output, run } from '../debian/commands.ts';
import { helmProgram } from '../helm/install.ts';
import { keyVariable } from '../image/signing.ts';
import { writeSums } from './sums.ts';

interface Making {
  /** A tree of the commit that is released, with its packages. */
  readonly tree: string;
  /** The folder of the artefacts; what was there before is deleted. */
  readonly folder: string;
  readonly version: string;
  readonly key: KeyObject;
  readonly log: (line: string) => void;
}

/** Makes all artefacts of a release, and signs the list of them. Returns the names of the files. */
export async function makeArtefacts(making: Making): Promise<readonly string[]> {
  const { tree, folder, version, key, log } = making;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await packAs(`knudge-npm-${version}.tgz`, making, (to) => ({
    what: 'Packing the package (npm pack)',
    command: 'npm',
    args: ['pack', '--silent', '--pack-destination', to],
  }));
  const packages = ['run', '--silent', 'pack', '--', '--out', folder];
  await run({ what: 'Packing the packages (npm run pack)', command: 'npm', args: packages, cwd: tree }, log);
  const helm = await helmProgram();
  await packAs(`knudge-chart-${version}.tgz`, making, (to) => ({
    what: 'Packing the chart (helm package)',
    command: helm,
    args: ['package', 'charts/knudge', '--destination', to],
  }));
  log('Packing the bundle (tar).');
  const time = Number(output('git', '-C', tree, 'log', '-1', '--format=%ct'));
  const bundle = join(folder, `knudge-bundle-${version}.tar`);
  output('tar', ...tarOptions(time), '--mode=u=rwX,go=rX', `--directory=${tree}`, `--file=${bundle}`, 'bundle');
  const manifests = join(folder, `knudge-deploy-${version}.yaml`);
  const args = ['kustomize', 'deploy', '--output', manifests];
  await run({ what: 'Rendering deploy (kubectl kustomize)', command: 'kubectl', args, cwd: tree }, log);
  const env = { [keyVariable]: key.export({ format: 'pem', type: 'pkcs8' }).toString() };
  const image = ['run', '--silent', 'image', '--', '--out', folder];
  await run({ what: 'Building the image (npm run image)', command: 'npm', args: image, cwd: tree, env }, log);
  writeSums(folder, key);
  return readdirSync(folder).sort();
}

type Pack = (to: string) => { readonly what: string; readonly command: string; readonly args: readonly string[] };

/** npm and Helm name their files alike, so each packs into a folder of its own. */
async function packAs(name: string, { tree, folder, log }: Making, pack: Pack): Promise<void> {
  const draft = mkdtempSync(join(tmpdir(), 'knudge-pack-'));
  try {
    await run({ ...pack(draft), cwd: tree }, log);
    const [file = ''] = readdirSync(draft);
    copyFileSync(join(draft, file), join(folder, name));
  } finally {
    rmSync(draft, { recursive: true });
  }
}
