import type { Json } from '../json.ts';
import { isArray, isObject } from '../json.ts';

type Step =
  | { readonly key: string }
  | { readonly index: number }
  | { readonly where: string; readonly is: string }
  | 'all';

/** The values at a JSON path as CustomResourceDefinitions write them: `.spec.a`, `['a.b']`, `[0]`, `[*]`, `[?(@.type=="Ready")]`. */
export function findPath(value: Json, path: string): readonly Json[] {
  return stepsOf(path).reduce<readonly Json[]>((found, step) => found.flatMap((one) => take(one, step)), [value]);
}

const pattern =
  /\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]|\[(-?\d+)\]|\[(\*)\]|\[\?\(@\.([\w.]+)\s*==\s*["']?([^"')]*)["']?\)\]|\.((?:[^.[\\]|\\.)+)/g;

function stepsOf(path: string): readonly Step[] {
  return [...path.matchAll(pattern)].map(([, single, double, index, all, where, is = '', key = '']) => {
    if (index !== undefined) return { index: Number(index) };
    if (all !== undefined) return 'all';
    if (where !== undefined) return { where, is };
    return { key: (single ?? double ?? key).replace(/\\(.)/g, '$1') };
  });
}

function take(value: Json, step: Step): readonly Json[] {
  if (step === 'all') return isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  if ('key' in step)
    return isObject(value) ? present(Object.hasOwn(value, step.key) ? value[step.key] : undefined) : [];
  if (!isArray(value)) return [];
  if ('index' in step) return present(value.at(step.index));
  return value.filter((item) => findPath(item, `.${step.where}`).some((found) => String(found) === step.is));
}

function present(value: Json | undefined): readonly Json[] {
  return value === undefined ? [] : [value];
}
