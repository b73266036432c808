import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { thisArchitecture } from '../../packages/image/architecture.ts';
import { BuildError } from '../../packages/image/errors.ts';
import { originOf } from '../../packages/image/origin.ts';
import { type BuiltImage, buildImage } from './build.ts';
import { craneProgram, push } from './crane.ts';
import { layRoot } from './root.ts';
import { keyVariable, readSigningKey } from './signing.ts';

const usage = `The image of all functions, without Docker.

  npm run image -- [--out FOLDER] [--key FILE] [--push NAME]
  npm run image -- --root FOLDER

--out FOLDER     where its archive, the list of its parts and its provenance go; default dist
--key FILE       signs the last two: a private key in PEM, ECDSA on P-256; default what IMAGE_SIGNING_KEY holds
--push NAME      also to a registry, such as registry.example/knudge:0.1.0, as whom ~/.docker/config.json says
--root FOLDER    its file system alone, for the Dockerfile`;

const log = (line: string): void => console.error(line);

try {
  await main();
} catch (error) {
  if (!(error instanceof BuildError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    options: { out: text, key: text, push: text, root: text, help: { type: 'boolean' } },
  });
  if (values.help === true) return console.log(usage);
  const origin = originOf(process.cwd(), process.env);
  if (values.root !== undefined) {
    await layRoot(resolve(values.root), { arch: thisArchitecture(), origin, log });
    return;
  }
  const key = readSigningKey(values.key, process.env);
  // Programs that this one runs must not get the key.
  delete process.env[keyVariable];
  const name = values.push;
  if (name !== undefined) await craneProgram(log);
  const use = name === undefined ? {} : { use: (layout: string) => push(layout, name, log) };
  print(await buildImage(resolve(values.out ?? 'dist'), { origin, log, key, ...use }));
}

function print({ layers, archive, sbom, provenance, signed, digest }: BuiltImage): void {
  const megabytes = (bytes: number): number => Math.round(bytes / 100_000) / 10;
  console.table(
    layers.map(({ name, size, unpacked }) => ({
      layer: name,
      MB: megabytes(size),
      'unpacked MB': megabytes(unpacked),
    })),
  );
  if (signed.length === 0) log('Nothing is signed: there was no key, by --key or in IMAGE_SIGNING_KEY.');
  console.log([archive, sbom, provenance, ...signed, digest].join('\n'));
}
