import type { ObjectRef } from '../domain/kube-object.ts';
import type { Finding } from './trace.ts';

/** A value somewhere in JSON; undefined where nothing stands there. */
export function pick(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
}

/** How a finding names an object: `Deployment shop/web`. */
export function nameOf({ kind, namespace, name }: ObjectRef): string {
  return namespace === '' ? `${kind} ${name}` : `${kind} ${namespace}/${name}`;
}

/** Makes the findings of one oracle. */
export function findings(oracle: string) {
  const found: Finding[] = [];
  return {
    found,
    say: (what: string, at?: number): void => {
      found.push({ oracle, what, ...(at !== undefined && { at }) });
    },
  };
}
