import type { Finding } from '../../packages/controller/doctor/finding.ts';
import { kubectl } from '../kube/kubectl.ts';
import { jsonOf, runKnudge } from './command-line.ts';

/** What doctor finds that is not well. */
export async function unwell(): Promise<readonly string[]> {
  const { out } = await runKnudge('doctor', '--json');
  const { findings } = JSON.parse(out) as { readonly findings: readonly Finding[] };
  return findings.filter(({ level }) => level === 'problem').map(({ what }) => what);
}

/** All that doctor says, at every level. */
export async function findings(): Promise<readonly string[]> {
  const { out } = await runKnudge('doctor', '--json');
  const found = (JSON.parse(out) as { readonly findings: readonly Finding[] }).findings;
  return found.map(({ level, what }) => `${level}: ${what}`);
}

export interface DeadLetter {
  readonly seq: number;
  readonly name?: string;
  readonly kind?: string;
  readonly status?: number;
  readonly said?: string;
  /** When it was listed. */
  readonly last: string;
  readonly state: string;
}

/** The open dead letters about objects of a namespace. */
export async function openLetters(namespace: string): Promise<readonly DeadLetter[]> {
  const [page] = (await jsonOf(['dead-letters', 'list', '--in-namespace', namespace])) as readonly {
    readonly deadLetters: readonly DeadLetter[];
  }[];
  return page?.deadLetters ?? [];
}

/**
 * An event is tried for a minute (docs/decisions/0030): a deletion that meets a Pod on its way out may take that long. One that does not end
 * is reported with what is there.
 */
export async function deleteService(namespace: string, name: string): Promise<void> {
  try {
    await kubectl('--namespace', namespace, 'delete', 'dsvc', name, '--timeout=60s');
  } catch (cause) {
    const { stdout } = await kubectl('--namespace', namespace, 'get', 'dsvc,deployments,pods', '--output=yaml');
    const letters = JSON.stringify(await openLetters(namespace));
    throw new Error(`${name} does not go; open dead letters: ${letters}; what is there:\n${stdout}`, { cause });
  }
}

export interface Gap {
  readonly from: string;
  readonly to: string;
  readonly events?: number;
  readonly reason: string;
}

export async function gaps(): Promise<readonly Gap[]> {
  const [page] = (await jsonOf(['events', 'list', '--limit', '1'])) as readonly { readonly gaps: readonly Gap[] }[];
  return page?.gaps ?? [];
}

/** One figure of what a process serves at /metrics; undefined where it does not export it. */
export async function metricOf(podIP: string, name: string, labels = '{}'): Promise<number | undefined> {
  const text = await (await fetch(`http://${podIP}:8080/metrics`, { signal: AbortSignal.timeout(10_000) })).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}${labels} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}
