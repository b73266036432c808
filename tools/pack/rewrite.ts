import { posix } from 'node:path';
import { BuildError } from '../build/errors.ts';
import { packageOf } from './packages.ts';
import { replaceReferences, survivingIn, targetOf } from './references.ts';

/**
 * Compiled code or declarations as a package has them: files of the same package by their paths, those of another one as
 * `@knudge/<name>/-/<path>`, and JavaScript in place of TypeScript. `path` is that of the source, from the root.
 */
export function rewritten(path: string, text: string): string {
  const own = packageOf(path);
  const result = replaceReferences(text, (reference) => {
    const target = targetOf(path, reference);
    const other = target === undefined ? undefined : packageOf(target);
    if (target === undefined || other === undefined || other === own) return compiled(reference.specifier);
    return `@knudge/${other.name}/-/${compiled(posix.relative(other.folder, target))}`;
  });
  const [surviving] = survivingIn(result);
  if (surviving === undefined) return result;
  throw new BuildError(`${path} names ${surviving} in a way that tools/pack cannot change: import it by a plain text.`);
}

function compiled(specifier: string): string {
  return specifier.replace(/(?<!\.d)\.ts$/, '.js');
}
