import type { Site } from '../../test/knative/site.ts';
import type { Row } from '../report.ts';
import { partsOf, residentByContainer } from './containers.ts';

/** Megabytes of resident memory, by the part of the installation. */
export type Memory = ReadonlyMap<string, { readonly MB: number; readonly containers: number }>;

/** The resident memory of every process of every container, by its part; this machine sees the node's processes. */
export async function memoryOf(site: Site): Promise<Memory> {
  const resident = residentByContainer();
  const all = new Map<string, { MB: number; containers: number }>();
  for (const [id, part] of await partsOf(site)) {
    const MB = resident.get(id);
    if (MB === undefined) continue;
    const known = all.get(part) ?? { MB: 0, containers: 0 };
    all.set(part, { MB: known.MB + MB, containers: known.containers + 1 });
  }
  return all;
}

export function memoryRows(rest: Memory, awake: Memory): readonly Row[] {
  const cells = (memory: Memory, part: string, title: string) => ({
    [`MB ${title}`]: memory.get(part)?.MB ?? 0,
    [`containers ${title}`]: memory.get(part)?.containers ?? 0,
  });
  const parts = [...new Set([...rest.keys(), ...awake.keys()])];
  const sum = (memory: Memory): number => [...memory.values()].reduce((all, { MB }) => all + MB, 0);
  return [
    ...parts.map((part) => ({
      name: `memory: ${part}`,
      figures: { ...cells(rest, part, 'at rest'), ...cells(awake, part, 'awake') },
    })),
    { name: 'memory: all of it', figures: { 'MB at rest': sum(rest), 'MB awake': sum(awake) } },
  ];
}
