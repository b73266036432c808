import { type Package, packageOf } from './packages.ts';
import { type Reference, referencesIn, targetOf } from './references.ts';
import type { Sources } from './sources.ts';

/** Why a package cannot be packed: a sentence for each reason. */
export function refusalsOf(
  { folder }: Package,
  sources: Sources,
  manifest: { readonly bin?: unknown },
): readonly string[] {
  const entry = `${folder}/index.ts`;
  const hasEntry = manifest.bin !== undefined || sources.code.has(entry);
  const own = [...sources.code].filter((path) => packageOf(path)?.folder === folder);
  return [
    ...(hasEntry ? [] : [`${folder} has no index.ts, which says what others may import: write one.`]),
    ...own.flatMap((path) =>
      referencesIn(sources.text(path)).flatMap((reference) => refusalOf(path, reference, sources) ?? []),
    ),
  ];
}

function refusalOf(path: string, reference: Reference, { code, others }: Sources): string | undefined {
  const target = targetOf(path, reference);
  if (target === undefined) return undefined;
  const isOwn = packageOf(target) === packageOf(path);
  const isManifest = target === `${packageOf(path)?.folder}/package.json`;
  const isPacked = code.has(target) || (reference.kind === 'file' && (others.has(target) || isManifest));
  if (isPacked && (isOwn || reference.kind === 'import')) return undefined;
  const { specifier } = reference;
  if (isPacked) return `${path} reads ${specifier}, which is in another package: have that package read it.`;
  const verb = reference.kind === 'import' ? 'imports' : 'reads';
  return packageOf(target) === undefined
    ? `${path} ${verb} ${specifier}, which is in no package: take it as an argument, or move it into a package.`
    : `${path} ${verb} ${specifier}, which is not there, or is for tests and not packed.`;
}
