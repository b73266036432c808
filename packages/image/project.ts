import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageNameIn } from '../start/image.ts';
import { thisArchitecture } from './architecture.ts';
import { layBase } from './base.ts';
import { bundleProject } from './bundle.ts';
import { makeCaches } from './cache/caches.ts';
import type { About } from './config.ts';
import { output } from './debian/commands.ts';
import { type LayerPlan, packLayout, type WrittenImage, writeLayout } from './layout.ts';
import { layThisNode } from './node.ts';
import { originOf } from './origin.ts';

type Log = (line: string) => void;

/** The image of a project, and where it is. */
export interface ProjectImage extends WrittenImage {
  /** As the manifests of the project name it. */
  readonly name: string;
  /** One file with all of it, an OCI archive. */
  readonly archive: string;
}

/** The layers, those that change least first. */
const plans: readonly LayerPlan[] = [
  { name: 'libraries of Debian 12', paths: ['etc', 'lib', 'lib64', 'tmp', 'usr/lib', 'usr/share', 'var'] },
  { name: 'Node.js', paths: ['usr/local'] },
  { name: 'functions', paths: ['app'] },
];

/** Builds the image of a project's functions into a folder, without Docker. Throws BuildError with a sentence if that fails. */
export async function buildProjectImage(project: string, folder: string, log: Log): Promise<ProjectImage> {
  const [arch, about] = [thisArchitecture(), aboutOf(project)];
  const isDated = existsSync(join(project, '.git')) || Boolean(process.env['SOURCE_DATE_EPOCH']);
  const origin = isDated ? originOf(project, process.env) : { createdAt: 0, revision: undefined };
  const draft = mkdtempSync(join(tmpdir(), 'knudge-image-'));
  try {
    const [root, layout] = [join(draft, 'root'), join(draft, 'layout')];
    await layProjectRoot(project, root, log);
    log('Packing it.');
    const written = await writeLayout(layout, root, { about, arch, origin, plans });
    mkdirSync(folder, { recursive: true });
    const archive = join(folder, `${about.title}-${about.version}-${arch.debian}.tar`);
    packLayout(layout, archive, origin);
    return { ...written, archive, name: `${about.repository}:${about.version}` };
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Writes the file system of that image into an empty folder. */
export async function layProjectRoot(project: string, root: string, log: Log): Promise<void> {
  const arch = thisArchitecture();
  mkdirSync(join(root, 'app'), { recursive: true });
  await layBase(root, arch, log);
  layThisNode(root, arch);
  log('Bundling the functions.');
  await bundleProject(project, join(root, 'app'));
  log('Making the code caches of its Services.');
  makeCaches(project, join(root, 'app'), log);
  // For every user, under any umask of the builder.
  output('chmod', '-R', 'u=rwX,go=rX', root);
  chmodSync(join(root, 'tmp'), 0o1777);
}

function aboutOf(project: string): About {
  const { description, license } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly description?: string;
    readonly license?: string;
  };
  const name = imageNameIn(project);
  return {
    ...name,
    license,
    madeBy: 'npx knudge image',
    title: name.repository.slice(name.repository.lastIndexOf('/') + 1),
    description: description ?? 'A Kubernetes controller that sleeps until it is nudged',
  };
}
