import { kubectl } from '../mend.ts';
import { at, type Thing } from '../seen.ts';

/** Why a Deployment that should run does not, or not with all its Pods; undefined where it does. */
export function shortOf(deployment: Thing): string | undefined {
  const [wanted, available] = [
    numberOf(deployment.spec, 'replicas') ?? 1,
    numberOf(deployment.status, 'availableReplicas') ?? 0,
  ];
  if (wanted === 0) return 'has 0 replicas';
  return available < wanted ? `has ${available} of ${wanted} replicas available` : undefined;
}

/** The command that gives such a Deployment a Pod, or shows why it has none. */
export function reviving({ spec, metadata: { namespace, name } }: Thing): string {
  return numberOf(spec, 'replicas') === 0
    ? `${kubectl(namespace)} scale deployment ${name} --replicas=1`
    : `${kubectl(namespace)} describe deployment ${name}`;
}

function numberOf(value: unknown, key: string): number | undefined {
  const found = at(value, key);
  return typeof found === 'number' ? found : undefined;
}
