import { stringify } from 'yaml';
import type { Plan } from '../plan.ts';

/** A plan as the file that parsePlan reads: why it is kept first, then what it does. */
export function printPlan(plan: Plan): string {
  const { kind, about, ...rest } = plan;
  // Every text that YAML 1.1 takes for something else (`on`, `yes`) must stand in quotes.
  return stringify({ kind, ...(about !== undefined && { about }), ...rest }, { version: '1.1', lineWidth: 120 });
}
