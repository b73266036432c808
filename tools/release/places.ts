import { packages } from '../pack/packages.ts';
import { ReleaseError } from './errors.ts';
import { minorOf } from './semver.ts';

interface Place {
  /** The file's path: its beginning, and an ending that selects files of a folder. */
  readonly file: RegExp;
  /** The texts that must be in it, with `{version}` for the version, or `{minor}` for its first two numbers. */
  readonly says: readonly string[];
}

const names = packages.map(({ name }) => `@knudge/${name}`);
/** Those that others depend on. */
const imported = names.filter((name) => name !== '@knudge/cli');

/**
 * The places where people have written the version. Generated files are not here: templates of the chart and the bundle are made anew.
 * test/tools/release/places.test.ts finds what is missing here.
 */
const places: readonly Place[] = [
  { file: /^package\.json$/, says: ['  "version": "{version}"'] },
  {
    file: /^package-lock\.json$/,
    says: [
      '"name": "knudge",\n  "version": "{version}"',
      '"name": "knudge",\n      "version": "{version}"',
      ...names.map((name) => `"name": "${name}",\n      "version": "{version}"`),
      ...imported.map((name) => `"${name}": "{version}"`),
    ],
  },
  {
    file: /^(packages\/[^/]+|cli)\/package\.json$/,
    says: [
      ...names.map((name) => `"name": "${name}",\n  "version": "{version}"`),
      ...imported.map((name) => `"${name}": "{version}"`),
    ],
  },
  { file: /^packages\/start\/version\.ts$/, says: ["version = '{version}'"] },
  { file: /^Dockerfile$/, says: ['knudge:{version}', 'image.version="{version}"'] },
  { file: /^charts\/knudge\/Chart\.yaml$/, says: ['\nversion: {version}\n', '\nappVersion: {version}\n'] },
  { file: /^(examples\/controller\/)?deploy\/.*\.yaml$/, says: ['image: knudge/knudge:{version}\n'] },
  {
    file: /^examples\/controller\/package\.json$/,
    says: ['"@knudge/controller": "{version}"', '"@knudge/cli": "{version}"'],
  },
  { file: /^docs\/tutorial\.md$/, says: ['knudge-{version}.tgz'] },
  { file: /^examples\/gitops\/argo-cd\/application\.yaml$/, says: ['targetRevision: v{version}\n'] },
  { file: /^examples\/gitops\/flux\/kustomization\.yaml$/, says: ['tag: v{version}\n'] },
  { file: /^(CONTRIBUTING\.md|docs\/install\.md|tools\/image\/image\.ts)$/, says: ['/knudge:{version}'] },
  { file: /^docs\/image\.md$/, says: ['knudge-{version}-amd64'] },
  { file: /^docs\/packages\.md$/, says: ['knudge-bundle:v{version}'] },
  { file: /^docs\/cli\.md$/, says: ['Knudge {version} on Node', '"knudge":"{version}"'] },
  { file: /^SECURITY\.md$/, says: ['| {minor}, the newest release of it |'] },
];

export interface Raise {
  readonly from: string;
  readonly to: string;
}

/** The files in which the version is raised, with their new texts. Throws ReleaseError if a place has no version. */
export function raised(texts: ReadonlyMap<string, string>, { from, to }: Raise): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const { file, says } of places) {
    const paths = [...texts.keys()].filter((path) => file.test(path));
    for (const one of says) {
      const found = paths.filter((path) => (changed.get(path) ?? texts.get(path) ?? '').includes(filled(one, from)));
      if (found.length === 0) throw new ReleaseError(missing(one, { file, from }));
      for (const path of found) {
        const text = changed.get(path) ?? texts.get(path) ?? '';
        changed.set(
          path,
          text.replaceAll(filled(one, from), () => filled(one, to)),
        );
      }
    }
  }
  return changed;
}

/** Whether a file of the project may name its version. */
export function isPlace(path: string): boolean {
  return places.some(({ file }) => file.test(path));
}

function filled(template: string, version: string): string {
  return template.replace('{version}', () => version).replace('{minor}', () => minorOf(version));
}

function missing(template: string, { file, from }: { readonly file: RegExp; readonly from: string }): string {
  const wanted = JSON.stringify(filled(template, from));
  return `No file ${file.source} has ${wanted}, where the version was: correct the file, or its row in tools/release/places.ts.`;
}
