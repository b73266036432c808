import type { ErrorObject, ValidateFunction } from 'ajv';
import { Ajv } from 'ajv';
import type { Cause } from '../http/problem.ts';
import type { Json } from '../json.ts';
import { isArray } from '../json.ts';
import { formats } from './formats.ts';
import type { Path } from './path.ts';
import { isUnchanged, pathText, valueAt } from './path.ts';
import { combinedProblem, problemOf } from './problem-of.ts';
import type { Schema } from './schema.ts';
import { toAjv } from './to-ajv.ts';

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  strict: false,
  unicodeRegExp: false,
  logger: false,
  addUsedSchema: false,
  formats,
});
const compiled = new WeakMap<Schema, ValidateFunction>();

const textFaults = new Set(['maxLength', 'minLength', 'pattern']);

/** The value to check, the one it replaces, and the path above both: `status` for a write of only the status. */
interface Update {
  readonly next: Json;
  readonly old: Json | undefined;
  readonly above?: string;
}

/** What a schema forbids of a value, in the words of kube-apiserver 1.35; unchanged faults are tolerated. */
export function schemaCauses(schema: Schema, { next, old, above = '' }: Update): readonly Cause[] {
  const validate = compiled.get(schema) ?? ajv.compile(toAjv(schema));
  compiled.set(schema, validate);
  if (validate(next) === true) return [];
  return inServersOrder(validate.errors ?? [])
    .filter((error) => !isUnchanged(schema, placeOf(error, next), { next, old }))
    .flatMap((error) => {
      const at = { path: pathText(placeOf(error, next)), above };
      const isOfAll = /\/allOf\/\d+\/[^/]+$/.test(error.schemaPath);
      return isOfAll ? [problemOf(error, at), combinedProblem('allOf', at.path)] : [problemOf(error, at)];
    });
}

/**
 * Only the first fault of a text is reported; missing fields come last; a choice of schemas first says that it failed, then why
 * its best branch did.
 */
function inServersOrder(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const ordered: ErrorObject[] = [];
  for (const error of errors) {
    const parent = error.schemaPath.slice(0, error.schemaPath.lastIndexOf('/'));
    const before = ordered.at(-1);
    const again =
      textFaults.has(error.keyword) && before?.instancePath === error.instancePath && textFaults.has(before.keyword);
    if (again && before.schemaPath.startsWith(`${parent}/`)) continue;
    const isChoice = error.keyword === 'anyOf' || error.keyword === 'oneOf';
    const first = isChoice ? ordered.findIndex(({ schemaPath }) => schemaPath.startsWith(`${error.schemaPath}/`)) : -1;
    const inside = first < 0 ? [] : ordered.splice(first);
    ordered.push(error, ...bestBranch(inside, error.schemaPath));
  }
  return ordered.toSorted((a, b) => rankOf(a) - rankOf(b));
}

function rankOf({ keyword, schemaPath }: ErrorObject): number {
  if (keyword === 'multipleOf') return -1;
  return Number(keyword === 'required' && !/\/(any|one)Of\//.test(schemaPath));
}

/** The branch with the deepest fault, or the first such branch. */
function bestBranch(errors: readonly ErrorObject[], above: string): readonly ErrorObject[] {
  const deepest = errors.toSorted((a, b) => b.instancePath.split('/').length - a.instancePath.split('/').length)[0];
  const branch = /^\/\d+\//.exec(deepest?.schemaPath.slice(above.length) ?? '')?.[0] ?? '';
  return errors.filter(({ schemaPath }) => schemaPath.startsWith(`${above}${branch}`));
}

function placeOf({ instancePath }: ErrorObject, root: Json): Path {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path: (string | number)[] = [];
  for (const step of steps) path.push(isArray(valueAt(root, path)) ? Number(step) : step);
  return path;
}
