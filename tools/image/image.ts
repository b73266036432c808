import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BuildError } from '../build/errors.ts';
import { ClusterError } from '../control-plane/errors.ts';
import { thisArchitecture } from './architecture.ts';
import { type BuiltImage, buildImage } from './build.ts';
import { craneProgram, push } from './crane.ts';
import { originOf } from './origin.ts';
import { layRoot } from './root.ts';

const usage = `The image of all functions, without Docker.

  npm run image -- [--out FOLDER] [--push NAME]
  npm run image -- --root FOLDER

--out FOLDER     where its archive and the list of its parts go; default dist
--push NAME      also to a registry, such as registry.example/knudge:0.1.0, as whom ~/.docker/config.json says
--root FOLDER    its file system alone, for the Dockerfile`;

const log = (line: string): void => console.error(line);

try {
  await main();
} catch (error) {
  if (!(error instanceof BuildError || error instanceof ClusterError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ options: { out: text, push: text, root: text, help: { type: 'boolean' } } });
  if (values.help === true) return console.log(usage);
  const origin = originOf(process.cwd(), process.env);
  if (values.root !== undefined) {
    await layRoot(resolve(values.root), { arch: thisArchitecture(), origin, log });
    return;
  }
  const name = values.push;
  if (name !== undefined) await craneProgram(log);
  const use = name === undefined ? {} : { use: (layout: string) => push(layout, name, log) };
  print(await buildImage(resolve(values.out ?? 'dist'), { origin, log, ...use }));
}

function print({ layers, archive, sbom, digest }: BuiltImage): void {
  const megabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10;
  console.table(
    layers.map(({ name, size, unpacked }) => ({
      layer: name,
      MB: megabytes(size),
      'unpacked MB': megabytes(unpacked),
    })),
  );
  console.log(`${archive}\n${sbom}\n${digest}`);
}
