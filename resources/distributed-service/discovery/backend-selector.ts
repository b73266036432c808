import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../names.ts';
import type { DistributedService } from '../types.ts';

/** Whether the Pods must be listed. A Service cannot select by matchExpressions, so no EndpointSlice has what they select. */
export function needsPodList(selector: { readonly matchExpressions?: readonly unknown[] }): boolean {
  return (selector.matchExpressions ?? []).length > 0;
}

/** The selector of the spec in the form of a query to the API server. */
export function selectorText({ backends }: DistributedService['spec']): string {
  const { matchLabels = {}, matchExpressions = [] } = backends.selector ?? {};
  const equal = Object.entries(matchLabels).map(([key, value]) => `${key}=${value}`);
  const conditions = matchExpressions.map(({ key, operator, values = [] }) => {
    switch (operator) {
      case 'In':
        return `${key} in (${[...values].sort().join(',')})`;
      case 'NotIn':
        return `${key} notin (${[...values].sort().join(',')})`;
      case 'Exists':
        return key;
      case 'DoesNotExist':
        return `!${key}`;
    }
  });
  return [...equal.sort(), ...conditions.sort()].join(',');
}

interface Selecting extends KubeObject {
  readonly spec?: { readonly selector?: { readonly matchLabels?: Readonly<Record<string, string>> } };
}

/** The longest selector that the CRD takes in a status. */
const longest = 2048;

/**
 * The selector of the Pods that are backends, for autoscalers, which read it from the status; absent with manual discovery. One that is too
 * long is left out: a part of it would select other Pods, and the API server would refuse the whole status.
 */
export function backendSelector(
  service: DistributedService,
  workload: Selecting | undefined,
): { readonly selector?: string } {
  const selector = textFor(service, workload);
  return selector === undefined || selector.length > longest ? {} : { selector };
}

function textFor({ metadata, spec }: DistributedService, workload: Selecting | undefined): string | undefined {
  const ofWorkload = workload?.spec?.selector?.matchLabels;
  if (ofWorkload !== undefined) {
    const pairs = Object.entries(ofWorkload).map(([key, value]) => `${key}=${value}`);
    return pairs.sort().join(',');
  }
  switch (spec.backends.discovery) {
    case 'manual':
      return undefined;
    case 'auto':
      return `${labels.service}=${metadata.name}`;
    case 'selector':
      return selectorText(spec);
  }
}
