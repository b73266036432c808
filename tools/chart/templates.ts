import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import { guarded, template } from './emit.ts';
import { annotationsOf, conditionOf, fileOf, identityOf, isLeftOut } from './layout.ts';
import { all, type Branch, either, marker, merge } from './merge.ts';
import { withPlaces } from './places.ts';

/** A variant or a pair, with the output of kustomize for it; the usual one comes first. */
export interface Made {
  readonly when: string;
  /** The conditions of a pair. */
  readonly parts?: readonly string[];
  readonly objects: readonly KubeObject[];
}

const head = '# Made by `npm run chart` from the kustomizations in deploy/: change them, not this file.\n';

/** The chart's templates by their paths below templates/. */
export function templatesOf(variants: readonly Made[]): ReadonlyMap<string, string> {
  const first = new Map<string, KubeObject>();
  for (const object of variants.flatMap(({ objects }) => objects)) {
    if (!isLeftOut(object) && !first.has(identityOf(object))) first.set(identityOf(object), object);
  }
  const files = new Map<string, string[]>();
  for (const [identity, object] of first) {
    const file = fileOf(object);
    files.set(file, [...(files.get(file) ?? []), documentOf(identity, object, variants)]);
  }
  return new Map([...files].map(([file, documents]) => [file, `${head}${documents.join('')}`]));
}

function documentOf(identity: string, object: KubeObject, variants: readonly Made[]): string {
  const versions = variants.map(({ objects, ...variant }) => {
    const found = objects.find((one) => identityOf(one) === identity);
    return { ...variant, value: found === undefined ? undefined : withPlaces(withHelm(found)) };
  });
  const { node, when } = presence(merge(versions));
  const conditions = [conditionOf(object), when].filter((one) => one !== undefined);
  const condition = conditions.length === 0 ? undefined : all(conditions);
  return `${guarded(['---', template(node).trimEnd()], condition).join('\n')}\n`;
}

/** An object is in the usual variant and in all others but some, or only in some. */
function presence({ cases, otherwise }: Branch) {
  const [only] = cases;
  if (otherwise !== undefined) {
    return { node: otherwise, when: cases.length === 0 ? undefined : `not (${either(cases.map(({ when }) => when))})` };
  }
  if (only?.node === undefined || cases.length > 1)
    throw new Error('two overlays add the same object, each in its own way');
  return { node: only.node, when: only.when };
}

/** The labels that Helm's own tools look for, and the annotations for Helm. */
function withHelm(object: KubeObject): KubeObject {
  const { labels, annotations, ...metadata } = object.metadata;
  const told = annotationsOf(object);
  return {
    ...object,
    metadata: {
      ...metadata,
      ...((annotations || told) && { annotations: { ...annotations, ...told } }),
      labels: { ...labels, $labels: { [marker]: { as: 'include', text: 'knudge.labels' } } },
    },
  } as unknown as KubeObject;
}
