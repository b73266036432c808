import { setTimeout as sleep } from 'node:timers/promises';
import { ClusterError } from '../control-plane/errors.ts';
import type { Kubectl } from './kubectl.ts';

const timeoutMs = 240_000;
const reportEveryMs = 5_000;

interface Listed {
  readonly items: readonly Told[];
}

/** The parts of an object that show whether it is ready. */
interface Told {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly generation?: number };
  readonly spec?: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly availableReplicas?: number;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

/** Waits until each Deployment of these namespaces is Available. Throws ClusterError and names those that are not. */
export function waitForDeployments(kubectl: Kubectl, namespaces: readonly string[], log: Log): Promise<void> {
  return waitFor(
    async () => {
      const lists = namespaces.map((namespace) => listed(kubectl, ['deployments', '--namespace', namespace]));
      return (await Promise.all(lists))
        .flat()
        .filter((each) => !isAvailable(each))
        .map(nameOf);
    },
    { what: `Deployments of ${namespaces.join(', ')}`, log },
  );
}

/** Waits until each object of these kinds in a namespace is Ready. Throws ClusterError and names those that are not. */
export function waitForReady(
  kubectl: Kubectl,
  { namespace, kinds }: { readonly namespace: string; readonly kinds: readonly string[] },
  log: Log,
): Promise<void> {
  const args = [kinds.join(','), '--namespace', namespace];
  return waitFor(async () => (await listed(kubectl, args)).filter((each) => !isReady(each)).map(nameOf), {
    what: `objects of namespace ${namespace}`,
    log,
  });
}

type Log = (line: string) => void;

async function waitFor(
  missing: () => Promise<readonly string[]>,
  { what, log }: { what: string; log: Log },
): Promise<void> {
  const began = Date.now();
  let said = began;
  for (;;) {
    const left = await missing();
    if (left.length === 0) return;
    if (Date.now() - began > timeoutMs)
      throw new ClusterError(`After ${timeoutMs / 1000} seconds not all ${what} are ready: ${left.join(', ')}.`);
    if (Date.now() - said > reportEveryMs) {
      said = Date.now();
      log(`Waiting for ${left.join(', ')}.`);
    }
    await sleep(500);
  }
}

async function listed(kubectl: Kubectl, args: readonly string[]): Promise<readonly Told[]> {
  return (JSON.parse(await kubectl(['get', ...args, '--output', 'json'])) as Listed).items;
}

const nameOf = ({ kind, metadata }: Told): string => `${kind} ${metadata.name}`;

function isAvailable({ metadata, spec, status }: Told): boolean {
  return (
    status?.observedGeneration === metadata.generation && (status?.availableReplicas ?? 0) >= (spec?.replicas ?? 1)
  );
}

function isReady({ metadata, status }: Told): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return ready?.status === 'True' && (status?.observedGeneration ?? metadata.generation) === metadata.generation;
}
