import { type Found, problem, unchecked } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { kubectl } from '../mend.ts';
import { conditionOf, nameOf, runsHere, type Seen } from '../seen.ts';
import { reviving, shortOf } from './deployments.ts';

const label = 'eventing.knative.dev/sourceName';

/** Whether a Pod belongs to the adapter of a source. */
export function isAdapterOf({ metadata }: Thing, source: Thing): boolean {
  return metadata.namespace === source.metadata.namespace && metadata.labels?.[label] === source.metadata.name;
}

export function selectorOf({ metadata }: Thing): string {
  return `--selector ${label}=${metadata.name}`;
}

/** Checks that an ApiServerSource watches. Its conditions do not show that: only the Pod of its adapter watches. */
export function judgeAdapter(source: Thing, why: string, { adapters, adapterDeployments }: Seen): Found | undefined {
  const name = nameOf(source);
  if (runsHere(source)) return undefined;
  if ('why' in adapters) return unchecked(`whether a Pod of ${name} is ready (${adapters.why})`);
  if (adapters.value.some((pod) => isAdapterOf(pod, source) && isReady(pod))) return undefined;
  const what = `${name} has no Pod that is ready, whatever its conditions say`;
  return problem(what, why, revivingAdapter(source, adapterDeployments));
}

function isReady(pod: Thing): boolean {
  return pod.metadata.deletionTimestamp === undefined && conditionOf(pod, 'Ready')?.status === 'True';
}

function revivingAdapter(source: Thing, deployments: Seen['adapterDeployments']): string {
  const own = kubectl(source.metadata.namespace);
  if ('why' in deployments) return `${own} describe pods ${selectorOf(source)}`;
  const deployment = deployments.value.find((one) => isAdapterOf(one, source));
  // Knative's controller makes a missing Deployment again only when it starts.
  if (deployment === undefined)
    return 'kubectl --namespace knative-eventing rollout restart deployment eventing-controller';
  return deployment.spec?.['replicas'] === 0 ? reviving(deployment) : `${own} describe pods ${selectorOf(source)}`;
}

/** Checks that a PingSource ticks, beyond its own conditions. One adapter serves the whole cluster and sleeps without a PingSource. */
export function judgeTicker(ping: Thing, why: string, { eventingDeployments: seen }: Seen): Found | undefined {
  const name = nameOf(ping);
  if (runsHere(ping)) return undefined;
  if ('why' in seen) return unchecked(`whether anything ticks for ${name} (${seen.why})`);
  if (seen.value.length === 0)
    return unchecked(`whether anything ticks for ${name}: there is no Deployment in knative-eventing`);
  const adapter = seen.value.find(({ metadata }) => metadata.name === 'pingsource-mt-adapter');
  const short = adapter === undefined ? 'is not there' : shortOf(adapter);
  if (short === undefined) return undefined;
  const what = `${name} has nothing that ticks, whatever its conditions say: Deployment knative-eventing/pingsource-mt-adapter ${short}`;
  return problem(what, why, adapter === undefined ? 'install Knative Eventing again' : reviving(adapter));
}
