import { buildConsole } from '../../packages/console/build/build.ts';

/** A package of this repository, `@knudge/<name>`. */
export interface Package {
  readonly name: string;
  /** From the root. */
  readonly folder: string;
  /** Under this name it is packed once more, with those of these packages in it that it needs: so npm can run it from a file where no registry has them. */
  readonly alone?: string;
  /** A folder of this repository that its tarball has as it is, as `template`: what the package copies for a new project. */
  readonly brings?: string;
  /** Makes files that its tarball has in `dist`, by their names. */
  readonly makes?: () => ReadonlyMap<string, Buffer>;
}

/** The packages, as `workspaces` of the root's package.json has them. */
export const packages: readonly Package[] = [
  { name: 'console', folder: 'packages/console', makes: buildConsole },
  { name: 'controller', folder: 'packages/controller' },
  { name: 'event-log', folder: 'packages/event-log' },
  { name: 'generate', folder: 'packages/generate' },
  { name: 'image', folder: 'packages/image' },
  { name: 'issuing', folder: 'packages/issuing' },
  { name: 'kube-api', folder: 'packages/kube-api' },
  { name: 'mesh', folder: 'packages/mesh' },
  { name: 'source', folder: 'packages/source' },
  { name: 'start', folder: 'packages/start' },
  { name: 'cli', folder: 'cli', alone: 'knudge', brings: 'examples/controller' },
];

/** The package that a file is in, by its path from the root. */
export function packageOf(path: string): Package | undefined {
  return packages.find(({ folder }) => path.startsWith(`${folder}/`));
}
