import { type Found, ok, problem, unchecked, warning } from '../../../packages/controller/doctor/finding.ts';
import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import { secondsOf } from '../../../packages/controller/domain/time.ts';
import { kubectl } from '../mend.ts';
import { at, conditionOf, isMesh, nameOf, type Seen, type Wanted, wantedOf } from '../seen.ts';
import { isAdapterOf, selectorOf } from './adapters.ts';

const why = 'without it the objects of this kind cannot be made, and a source that starts before it never watches them';

/** Checks that the CRDs are there and established, and were before the source began to watch. */
export function judgeDefinitions(seen: Seen, wanted: Wanted): readonly Found[] {
  const { definitions } = seen;
  if ('why' in definitions) return [unchecked(`the CRDs (${definitions.why})`)];
  return wantedOf(wanted, 'apiextensions.k8s.io', 'CustomResourceDefinition').flatMap((one) => {
    const name = `CustomResourceDefinition ${one.metadata.name}`;
    const live = definitions.value.find(({ metadata }) => metadata.name === one.metadata.name);
    if (live === undefined)
      return [
        problem(
          `${name} is not there`,
          why,
          making(one, isMesh(seen) ? [] : wantedOf(wanted, 'sources.knative.dev', 'ApiServerSource')),
        ),
      ];
    const established = conditionOf(live, 'Established');
    if (established?.status !== 'True') {
      return [problem(`${name} is not established`, why, `kubectl describe crd ${one.metadata.name} says why`)];
    }
    const since = established.lastTransitionTime ?? live.metadata.creationTimestamp;
    return [ok(`${name} is established`), ...(since === undefined ? [] : judgeOrder(live, secondsOf(since), seen))];
  });
}

/** The adapter gives up a watch of a kind that is not there yet, and does not look again; the source of a mesh does. */
function judgeOrder(definition: Thing, since: number, seen: Seen): readonly Found[] {
  const { sources, adapters } = seen;
  if ('why' in sources || isMesh(seen)) return [];
  const name = `CustomResourceDefinition ${definition.metadata.name}`;
  const blind = 'what was not there when the source began is not watched: only the resync finds such changes';
  return sources.value.filter(watches(definition)).flatMap((source) => {
    const pods = 'why' in adapters ? [] : adapters.value.filter((pod) => isAdapterOf(pod, source));
    const early = pods.filter((pod) => begunBefore(pod.status?.['startTime'], since));
    const todo = restarting(source);
    if (early.length > 0) return [problem(`${nameOf(source)} began before ${name} was established`, blind, todo)];
    // If Pods can be read and there is no Pod of an adapter, judgeSources reports it.
    const isOlder = 'why' in adapters && begunBefore(source.metadata.creationTimestamp, since);
    return isOlder
      ? [
          warning(
            `${nameOf(source)} is older than ${name}, and whether a Pod of it began later cannot be read`,
            blind,
            todo,
          ),
        ]
      : [];
  });
}

/** The commands that make the CRD and then restart the sources of its kind: they look for it only when they start. */
function making(definition: Thing, sources: readonly Thing[]): string {
  const { name } = definition.metadata;
  const established = `kubectl wait --for=condition=Established --timeout=60s crd/${name}`;
  return ['kubectl apply -k crds', established, ...sources.filter(watches(definition)).map(restarting)].join(' && ');
}

function restarting(source: Thing): string {
  return `${kubectl(source.metadata.namespace)} delete pod ${selectorOf(source)}`;
}

function watches({ spec }: Thing): (source: Thing) => boolean {
  const [group, kind] = [at(spec, 'group'), at(spec, 'names', 'kind')];
  return (source) => {
    const resources = at(source.spec, 'resources');
    return (
      Array.isArray(resources) &&
      resources.some((one) => at(one, 'kind') === kind && String(at(one, 'apiVersion')).startsWith(`${group}/`))
    );
  };
}

function begunBefore(time: unknown, since: number): boolean {
  return typeof time === 'string' && secondsOf(time) < since;
}
