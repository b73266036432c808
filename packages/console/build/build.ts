import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';

// Not packed, so tools/pack must not take it for a file that it has to bring.
const { dirname } = import.meta;
const pages: string = join(dirname, '../pages');

/** Makes the files of the console, by their names. */
export function buildConsole(): ReadonlyMap<string, Buffer> {
  return bundlePages().files;
}

/** The same with what is inside of each, for the image's list of parts. */
export function bundlePages(): { readonly files: ReadonlyMap<string, Buffer>; readonly metafile: Metafile } {
  const { outputFiles, metafile } = buildSync({
    absWorkingDir: join(dirname, '../../..'),
    metafile: true,
    entryPoints: [
      { in: join(pages, 'main.ts'), out: 'app' },
      { in: join(pages, 'style/app.css'), out: 'app' },
    ],
    outdir: pages,
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2023',
    legalComments: 'none',
    logLevel: 'error',
  });
  const files = new Map([
    ['index.html', readFileSync(join(pages, 'index.html'))],
    ['icon.svg', readFileSync(join(pages, 'icon.svg'))],
    ...outputFiles.map(({ path, contents }): [string, Buffer] => [basename(path), Buffer.from(contents)]),
  ]);
  return { files, metafile };
}
