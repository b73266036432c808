import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import type { compile } from './compile.ts';
import { type Manifest, packedManifest } from './manifest.ts';
import { type Package, packageOf } from './packages.ts';
import { withoutPaths } from './readme.ts';
import { rewritten } from './rewrite.ts';
import type { Sources } from './sources.ts';

/** What all packages are made from. */
interface Parts {
  readonly root: string;
  readonly sources: Sources;
  readonly manifestOf: (one: Package) => Manifest;
  readonly compiled: ReturnType<typeof compile>;
}

/** What a tarball is made of. */
export interface Content {
  readonly one: Package;
  /** The name in its package.json. */
  readonly name: string;
  /** The packages whose folders lie in its own. */
  readonly within: readonly Package[];
}

/** Writes what is in a package into a folder. */
export function layOut(
  folder: string,
  { one, within, name }: Content,
  { root, sources, manifestOf, compiled }: Parts,
): void {
  const write = (path: string, content: string | Buffer): void => {
    const file = join(folder, posix.relative(one.folder, path));
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  };
  const isOwn = (path: string): boolean => packageOf(path) === one;
  for (const path of [...sources.code].filter(isOwn)) {
    if (path.endsWith('.js')) write(path, rewritten(path, sources.text(path)));
    else {
      for (const ending of ['.js', '.d.ts'] as const) {
        write(path.replace(/\.ts$/, ending), rewritten(path, compiled(path, ending)));
      }
    }
  }
  for (const path of [...sources.others].filter(isOwn)) write(path, readFileSync(join(root, path)));
  if (one.brings !== undefined) {
    cpSync(join(root, one.brings), join(folder, 'template'), { recursive: true });
  }
  for (const [name, content] of one.makes?.() ?? []) write(`${one.folder}/dist/${name}`, content);
  const manifest = packedManifest({ ...manifestOf(one), name }, within.map(manifestOf));
  write(`${one.folder}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
  write(`${one.folder}/README.md`, withoutPaths(sources.text(`${one.folder}/README.md`)));
  copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}
