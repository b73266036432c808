import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { structOfKind } from '../controller/decide/builtin-kinds.ts';
import { structs } from '../controller/decide/builtin-shapes.ts';
import type { ObjectRef } from '../controller/domain/kube-object.ts';
import type { Fields, Shape } from '../controller/domain/shape.ts';

/** Packages that no function ever calls, with a stand-in for each that can be imported: a text in CommonJS. */
export const standIns: Readonly<Record<string, string>> = {
  // pino's worker threads, which write to other places than the standard output, and their end.
  'thread-stream': `module.exports = class { constructor() { throw new Error('a function logs to its standard output only'); } };`,
  'on-exit-leak-free': `module.exports = { register: () => { throw new Error('a function logs to its standard output only'); } };`,
  // pino's own redaction: the log takes secrets out before pino sees them.
  '@pinojs/redact': `module.exports = () => { throw new Error('the log has taken secrets out before'); };`,
  // For what JSON.stringify refuses: pino then logs that it is unable to serialize the field.
  'safe-stable-stringify': `exports.configure = () => () => { throw new Error('it has a cycle'); };`,
};

/**
 * For Knudge's own functions alone, since a resource of somebody else may use these packages itself. The formats of texts that cloudevents
 * asks for, uri and date-time, are functions there; all others are regular expressions.
 */
export const ownStandIns: typeof standIns = {
  ...standIns,
  'ajv-formats/dist/formats': withoutPatterns(textFor('cloudevents', 'ajv-formats/dist/formats')),
};

/** The text of a module as a package loads it. */
function textFor(name: string, module: string): string {
  const from = createRequire(createRequire(import.meta.url).resolve(name));
  return readFileSync(from.resolve(module), 'utf8');
}

/** Without the lines of an object that name a regular expression. */
function withoutPatterns(text: string): string {
  return text.replace(/^ +(?:"[\w-]+"|\w+): \/.*\/[a-z]*,?\n/gm, '');
}

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** The files of the engine with the shapes of built-in kinds, by the ends of their names, with those of these kinds of children alone. */
export function shapesOfChildren(kinds: readonly Kind[]): Readonly<Record<'builtin-kinds' | 'builtin-shapes', string>> {
  const names = kinds.map(({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  const own = Object.entries(structOfKind).filter(([name]) => names.includes(name));
  const reached = new Set(['ObjectMeta', ...own.map(([, struct]) => struct)]);
  for (const struct of reached) for (const one of structsIn(structs[struct] ?? {})) reached.add(one);
  const left = Object.entries(structs).filter(([name]) => reached.has(name));
  return {
    'builtin-kinds': `export const structOfKind = ${JSON.stringify(Object.fromEntries(own))};`,
    'builtin-shapes': `export const structs = ${JSON.stringify(Object.fromEntries(left))};`,
  };
}

/** The structs that these fields name. A set that grows while it is walked reaches theirs too. */
function structsIn(fields: Fields): readonly string[] {
  return Object.values(fields).flatMap((field) => (typeof field === 'string' ? [field] : namedBy(field)));
}

function namedBy({ of }: Shape): readonly string[] {
  if (of === undefined) return [];
  return typeof of === 'string' ? [of] : structsIn(of);
}
