/** A package.json of this repository, as far as it differs from the one that is packed. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  /** TypeScript files by the names that others import. */
  readonly exports?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The package.json that is packed: it exports what was compiled, and for packages of the same version `./-/*`. What the
 * packages within need it asks for itself, because npm looks for nothing on their behalf.
 */
export function packedManifest({ devDependencies: _, ...manifest }: Manifest, within: readonly Manifest[]): object {
  if (within.length === 0) return { ...manifest, ...exportsOf(manifest) };
  const bundleDependencies = within.map(({ name }) => name);
  const all = [...within, manifest].flatMap(({ dependencies = {} }) => Object.entries(dependencies));
  const dependencies = Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  return { ...manifest, ...exportsOf(manifest), dependencies, bundleDependencies };
}

/** The packages that a package needs, and those that these need, sorted. */
export function neededBy(name: string, dependenciesOf: (name: string) => readonly string[]): readonly string[] {
  const needed = new Set<string>();
  const open = [name];
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const more = dependenciesOf(one).filter((other) => other !== name && !needed.has(other));
    for (const other of more) needed.add(other);
    open.push(...more);
  }
  return [...needed].sort();
}

function exportsOf({ exports }: Manifest): object {
  if (exports === undefined) return {};
  const entries = Object.entries(exports).map(([name, file]) => {
    const stem = file.replace(/\.ts$/, '');
    return [name, { types: `${stem}.d.ts`, default: `${stem}.js` }];
  });
  return { exports: { ...Object.fromEntries(entries), './-/*': './*' } };
}
