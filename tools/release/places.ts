import { ReleaseError } from './errors.ts';
import { minorOf } from './semver.ts';

interface Place {
  /** Of the files' paths: a beginning, and an ending that says which of a folder. */
  readonly file: RegExp;
  /** What stands there, with `{version}` for it, or `{minor}` for its first two numbers. */
  readonly says: readonly string[];
}

/**
 * Where people have written the version. What programs write is missing: templates of the chart and the bundle are made anew.
 * test/tools/release/places.test.ts finds what is missing here.
 */
const places: readonly Place[] = [
  { file: /^package\.json$/, says: ['  "version": "{version}"'] },
  {
    file: /^package-lock\.json$/,
    says: ['"name": "knudge",\n  "version": "{version}"', '"name": "knudge",\n      "version": "{version}"'],
  },
  { file: /^packages\/controller\/version\.ts$/, says: ["version = '{version}'"] },
  { file: /^Dockerfile$/, says: ['knudge:{version}', 'image.version="{version}"'] },
  { file: /^charts\/knudge\/Chart\.yaml$/, says: ['\nversion: {version}\n', '\nappVersion: {version}\n'] },
  { file: /^deploy\/.*\.yaml$/, says: ['image: knudge/knudge:{version}\n'] },
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

/** The files in which the version is raised, with their new texts. Throws ReleaseError where a place names none. */
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

/** Of the files of a project those that may name its version. */
export function isPlace(path: string): boolean {
  return places.some(({ file }) => file.test(path));
}

function filled(template: string, version: string): string {
  return template.replace('{version}', () => version).replace('{minor}', () => minorOf(version));
}

function missing(template: string, { file, from }: { readonly file: RegExp; readonly from: string }): string {
  const wanted = JSON.stringify(filled(template, from));
  return `No file ${file.source} has ${wanted}, where the version was: mend the file, or its row in tools/release/places.ts.`;
}
