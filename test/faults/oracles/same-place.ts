import type { Trace } from '../../../packages/controller/testing/trace.ts';

/** A key that is the same in two runs of a scenario, whatever the namespaces of their parents are called. */
export function inNamespaces({ parents }: Trace, key: string): string {
  const namespaces = [...new Set(parents.map(({ namespace }) => namespace))];
  const index = namespaces.findIndex((namespace) => key.includes(`/${namespace}/`));
  return index < 0 ? key : key.replace(`/${namespaces[index] ?? ''}/`, `/{namespace ${String(index + 1)}}/`);
}
