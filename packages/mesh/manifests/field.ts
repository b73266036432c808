import type { FieldPath } from '../../controller/cluster/yaml.ts';
import type { Fault, Manifest } from './documents.ts';

/** One field of a manifest, present or not. Reading never throws: faults are noted, and a harmless value is returned. */
export interface Field {
  readonly value: unknown;
  /** Its path in the manifest. */
  readonly path: FieldPath;
  /** Whether it is present; null counts as absent, as for the API server. */
  readonly isSet: boolean;
  at(key: string | number): Field;
  /** The items of a list; empty if it is absent. */
  items(): readonly Field[];
  /** The keys of an object; empty if it is absent. */
  keys(): readonly string[];
  text(fallback?: string): string;
  /** A whole number of this range. */
  integer(range: { readonly least: number; readonly most: number; readonly fallback: number }): number;
  /** An object of texts: labels, annotations, extensions. */
  texts(): Readonly<Record<string, string>>;
  /** Notes a fault of it. */
  refuse(why: string): void;
  /** Refuses every other key, as `kubectl apply` does. */
  allow(known: readonly string[], advice?: Readonly<Record<string, string>>): void;
}

/** The fields of a manifest; faults are added to the list. */
export function openFields(manifest: Manifest, faults: Fault[]): Field {
  return fieldOf({ manifest, faults, path: [], value: manifest.object });
}

interface Place {
  readonly manifest: Manifest;
  readonly faults: Fault[];
  readonly path: FieldPath;
  readonly value: unknown;
}

function fieldOf(place: Place): Field {
  const { manifest, faults, path, value } = place;
  const isSet = value !== undefined && value !== null;
  const refuse = (why: string): void => {
    const { file, line } = manifest.placeOf(path);
    faults.push(`${file}:${line}: ${nameOf(path)}: ${why}`);
  };
  const at = (key: string | number): Field => fieldOf({ ...place, path: [...path, key], value: valueAt(value, key) });
  const keys = (): readonly string[] => {
    if (isSet && !isRecord(value)) refuse('must be an object');
    return isRecord(value) ? Object.keys(value) : [];
  };
  const text = (fallback = ''): string => {
    if (isSet && typeof value !== 'string') refuse(`must be a text${advise(value)}`);
    return typeof value === 'string' ? value : fallback;
  };
  return {
    value,
    path,
    isSet,
    at,
    refuse,
    keys,
    text,
    items: () => {
      if (isSet && !Array.isArray(value)) refuse('must be a list');
      return Array.isArray(value) ? value.map((_, index) => at(index)) : [];
    },
    integer: ({ least, most, fallback }) => {
      if (!isSet) return fallback;
      if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
      refuse(`invalid value: ${JSON.stringify(value)}, must be a whole number from ${least} to ${most}`);
      return fallback;
    },
    texts: () => Object.fromEntries(keys().map((key) => [key, at(key).text()])),
    allow: (known, advice = {}) => {
      for (const key of keys().filter((one) => !known.includes(one))) {
        at(key).refuse(Object.hasOwn(advice, key) ? `${advice[key]}` : 'unknown field');
      }
    },
  };
}

/** Advice for a frequent mistake: YAML reads 1 and true as a number and a boolean. */
function advise(value: unknown): string {
  return typeof value === 'number' || typeof value === 'boolean' ? `: write '${value}'` : '';
}

/** `spec.filters[0].exact`; the whole object is called `object`. */
function nameOf(path: FieldPath): string {
  const name = path.map((key) => {
    if (typeof key === 'number') return `[${key}]`;
    return /^[A-Za-z][\w-]*$/.test(key) ? `.${key}` : `[${key}]`;
  });
  return name.join('').replace(/^\./, '') || 'object';
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function valueAt(value: unknown, key: string | number): unknown {
  if (Array.isArray(value) && typeof key === 'number') return value[key];
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}
