import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CustomResourceDefinition } from '../controller/domain/custom-resource.ts';
import { addKinds, kindsDefinedBy } from '../controller/domain/known-kinds.ts';
import type { ObjectRef } from '../controller/domain/kube-object.ts';
import { type Child, childKindsOf } from '../controller/functions/child-kinds.ts';
import type { Controller } from '../controller/functions/define-controller.ts';
import type { JsonObject } from '../kube-api/json.ts';
import { controllerIn } from '../start/controller-in.ts';
import { imageNameIn } from '../start/image.ts';
import { version } from '../start/version.ts';

/** What can be generated. */
export type Part = 'types' | 'manifests';

/** The definition of a custom resource. */
export interface Crd {
  /** From the root. */
  readonly path: string;
  readonly text: string;
  readonly definition: CustomResourceDefinition & JsonObject;
}

/** What the folder of a project says, whatever its controller is. */
export interface Folder {
  readonly root: string;
  /** Those in crds/, sorted by their files. */
  readonly crds: readonly Crd[];
  /** Whether the engine is in the project itself, as in the repository of Knudge: else it is a package. */
  readonly hasEngine: boolean;
  /** What people type to have a part generated. */
  readonly commands: Readonly<Record<Part, string>>;
  /** Whether a file or a folder is there, by its path from the root. */
  readonly has: (path: string) => boolean;
  /** The text of a file; undefined where the file is missing. */
  readonly textOf: (path: string) => string | undefined;
}

/** A project with its controller: all that is generated follows from it. */
export interface Project extends Folder {
  readonly controller: Controller;
  /** The image of its functions, as manifests name it. */
  readonly image: string;
  /** The resources, in the version that is stored. */
  readonly parentKinds: readonly Pick<ObjectRef, 'apiVersion' | 'kind'>[];
  /** Each kind of which the controller makes children, and for which resources. */
  readonly childKinds: readonly Child[];
  /** Accounts that functions of older versions had: an upgrade leaves them, so the policies name them too. */
  readonly formerAccounts: readonly string[];
}

/** Reads what a project's folder says before its controller is loaded. */
export function folderAt(root: string): Folder {
  const has = (path: string): boolean => existsSync(join(root, path));
  const textOf = (path: string): string | undefined => (has(path) ? readFileSync(join(root, path), 'utf8') : undefined);
  return {
    root,
    has,
    textOf,
    crds: crdsIn(root),
    hasEngine: has('packages/controller'),
    commands: commandsIn(textOf('package.json')),
  };
}

/**
 * Loads the controller of a project. The kinds of crds/ are known from then on, so a row of a function may name a resource that is
 * generated into no file yet.
 */
export function projectIn(folder: Folder, formerAccounts: readonly string[] = []): Project {
  addKinds(kindsDefinedBy(folder.crds.map(({ definition }) => definition)));
  const controller = controllerIn(folder.root);
  const { resources } = controller;
  const parentKinds = resources.map(({ apiVersion, kind }) => ({ apiVersion, kind }));
  // No other project had functions before they shared accounts.
  const former = folder.hasEngine ? formerAccounts : [];
  return {
    ...folder,
    controller,
    parentKinds,
    childKinds: childKindsOf(resources),
    image: imageOf(folder),
    formerAccounts: former,
  };
}

/** That of Knudge itself is called as it is published. */
function imageOf({ root, hasEngine }: Folder): string {
  if (hasEngine) return `knudge/knudge:${version}`;
  const name = imageNameIn(root);
  return `${name.repository}:${name.version}`;
}

function crdsIn(root: string): readonly Crd[] {
  const folder = join(root, 'crds');
  const files = existsSync(folder) ? readdirSync(folder).sort() : [];
  return files
    .filter((file) => file.endsWith('.yaml') && file !== 'kustomization.yaml')
    .map((file) => {
      const text = readFileSync(join(folder, file), 'utf8');
      return { path: `crds/${file}`, text, definition: parse(text) as Crd['definition'] };
    });
}

/** A script of the project's package.json that is called as the part is, else the command itself. */
function commandsIn(manifest = '{}'): Readonly<Record<Part, string>> {
  const { scripts = {} } = JSON.parse(manifest) as {
    readonly scripts?: Readonly<Record<string, string>>;
  };
  const commandOf = (part: Part): string =>
    scripts[part]?.includes(`generate ${part}`) === true ? `npm run ${part}` : 'npx knudge generate';
  return { types: commandOf('types'), manifests: commandOf('manifests') };
}
