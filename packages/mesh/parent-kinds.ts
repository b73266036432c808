import { type CustomResourceDefinition, isDefinition, storedVersion } from '../controller/domain/custom-resource.ts';
import { KnudgeError } from '../controller/domain/errors.ts';
import type { KubeObject, ObjectRef } from '../controller/domain/kube-object.ts';
import { guessedPlural } from '../controller/domain/plural.ts';
import type { MeshSpec } from './mesh-spec.ts';

/**
 * The custom resource of Knudge's that a word names, as kubectl accepts it: kind, plural, singular or short name, with or without its
 * group, in any case. Throws `misuse` with all names.
 */
export function kindNamed(word: string, objects: readonly KubeObject[]): Pick<ObjectRef, 'apiVersion' | 'kind'> {
  const found = definitionNamed(word, objects);
  if (found === undefined || !isParent(found)) {
    const all = objects
      .filter(isDefinition)
      .filter(isParent)
      .map(({ spec: { names } }) => orShort(names.kind, names.shortNames));
    throw new KnudgeError('misuse', `Knudge has no resource ${word}: ${all.join(', ')}`);
  }
  return { apiVersion: storedVersion(found), kind: found.spec.names.kind };
}

/** Every custom resource that Knudge reconciles, by its kind: each has a status. */
export function parentKinds(objects: readonly KubeObject[]): readonly string[] {
  return objects
    .filter(isDefinition)
    .filter(isParent)
    .map(({ spec: { names } }) => names.kind);
}

/** kubectl's short names of kinds that are not custom resources. */
const shortNames: Readonly<Record<string, readonly string[]>> = {
  ConfigMap: ['cm'],
  Deployment: ['deploy'],
  Pod: ['po'],
  Service: ['svc'],
};

/** The kind that a word names, of those that the sources watch. Throws `misuse` with all names. */
export function watchedKind(word: string, { objects, sources }: Pick<MeshSpec, 'objects' | 'sources'>): string {
  const own = definitionNamed(word, objects)?.spec.names.kind;
  if (own !== undefined) return own;
  const kinds = [...new Set(sources.flatMap(({ resources }) => resources.map(({ kind }) => kind)))].sort();
  const found = kinds.find((kind) =>
    [kind.toLowerCase(), guessedPlural(kind), ...(shortNames[kind] ?? [])].includes(word.toLowerCase()),
  );
  if (found !== undefined) return found;
  const all = kinds.map((kind) => {
    const names = definitionNamed(kind, objects)?.spec.names;
    return orShort(kind, names === undefined ? shortNames[kind] : names.shortNames);
  });
  throw new KnudgeError('misuse', `No source watches a kind ${word}: ${all.join(', ')}`);
}

function orShort(kind: string, short: readonly string[] = []): string {
  return [kind, ...short].join(' or ');
}

function definitionNamed(word: string, objects: readonly KubeObject[]): CustomResourceDefinition | undefined {
  return objects.filter(isDefinition).find((one) => namesOf(one).includes(word.toLowerCase()));
}

function isParent({ spec }: CustomResourceDefinition): boolean {
  return spec.versions.some(({ subresources }) => subresources?.status !== undefined);
}

function namesOf({ spec: { group, names } }: CustomResourceDefinition): readonly string[] {
  const { kind, plural, singular = '', shortNames = [] } = names;
  return [kind, plural, singular, ...shortNames].flatMap((name) =>
    [name, `${name}.${group}`].map((one) => one.toLowerCase()),
  );
}
