import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { kubectl } from '../mend.ts';
import { at } from '../seen.ts';

/** Why a Deployment that should run does not run with all its Pods; undefined if it does. */
export function shortOf(deployment: Thing): string | undefined {
  const [wanted, available] = [
    numberOf(deployment.spec, 'replicas') ?? 1,
    numberOf(deployment.status, 'availableReplicas') ?? 0,
  ];
  if (wanted === 0) return 'has 0 replicas';
  return available < wanted ? `has ${available} of ${wanted} replicas available` : undefined;
}

/** The command that gives a stopped Deployment a Pod, or shows why it has none. */
export function reviving({ spec, metadata: { namespace, name } }: Thing): string {
  return numberOf(spec, 'replicas') === 0
    ? `${kubectl(namespace)} scale deployment ${name} --replicas=1`
    : `${kubectl(namespace)} describe deployment ${name}`;
}

function numberOf(value: unknown, key: string): number | undefined {
  const found = at(value, key);
  return typeof found === 'number' ? found : undefined;
}
