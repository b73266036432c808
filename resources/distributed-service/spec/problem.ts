import { isLabelKey, isLabelValue } from '../../../packages/controller/domain/labels.ts';
import { manager } from '../../../packages/controller/domain/names.ts';
import { refuseAddress } from '../discovery/addresses.ts';
import { labels } from '../names.ts';
import type { DistributedServiceSpec } from '../types.ts';
import { shapeProblemOf } from './shape.ts';

/**
 * A sentence that says what is wrong with a spec; undefined if nothing is. The API server refuses such a spec by the CRD, but an object
 * that was stored under an older schema may still have one.
 */
export function problemOf(spec: DistributedServiceSpec): string | undefined {
  // This check is the first, because the others read parts that it requires.
  return shapeProblemOf(spec) ?? checks.map((check) => check(spec)).find((problem) => problem !== undefined);
}

type Check = (spec: DistributedServiceSpec) => string | undefined;

const balancing: Check = ({ serviceType, backends, loadBalancing: { algorithm } }) => {
  if (!['random', 'round-robin', 'least-conn'].includes(algorithm))
    return `there is no algorithm ${algorithm}: use round-robin`;
  if (serviceType === 'udp' && algorithm === 'least-conn')
    return 'udp has no connections to count: use round-robin or random';
  const weighted = (backends.endpoints ?? []).some(({ weight }) => weight !== 1);
  return algorithm === 'random' && weighted ? 'random ignores weights: leave them out, or use round-robin' : undefined;
};

const healthCheck: Check = ({ serviceType, loadBalancing: { healthCheck: check } }) => {
  if (check === undefined) return undefined;
  if (serviceType === 'udp' && (check.type !== 'tcp' || check.port === undefined)) {
    return 'the health of a udp service is checked at a TCP port: set healthCheck.type to tcp and healthCheck.port';
  }
  return check.path !== undefined && check.type !== 'http'
    ? 'healthCheck.path goes with healthCheck.type http'
    : undefined;
};

const discovery: Check = ({ backends }) => {
  const { discovery: how, endpoints = [], selector, port } = backends;
  const { matchLabels = {}, matchExpressions = [] } = selector ?? {};
  switch (how) {
    case 'manual':
      if (endpoints.length === 0) return 'manual discovery needs backends.endpoints';
      return endpoints.every((one) => one.port !== undefined) || typeof port === 'number'
        ? endpoints.map(({ host }) => refusedHost(host)).find((refused) => refused !== undefined)
        : 'each endpoint needs a port, or backends.port must be a number';
    case 'selector':
      if (Object.keys(matchLabels).length + matchExpressions.length === 0)
        return 'selector discovery needs backends.selector';
      if (port === undefined) return 'selector discovery needs backends.port';
      return ofKnudge(matchLabels) ?? selectorProblem(labelsIn(backends));
    case 'auto':
      return port === undefined ? 'auto discovery needs backends.port' : undefined;
  }
};

/** The problem of a selector that finds Pods of tunnels: such a tunnel would lead to itself, or round a circle of tunnels. */
function ofKnudge(matchLabels: Readonly<Record<string, string>>): string | undefined {
  const own = [
    labels.tunnel,
    labels.ownerUid,
    ...(matchLabels[labels.managedBy] === manager ? [labels.managedBy] : []),
  ];
  const key = own.find((one) => Object.hasOwn(matchLabels, one));
  return key && `${key} in backends.selector finds the Pods of tunnels: select the backends by labels of their own`;
}

function refusedHost(host: string): string | undefined {
  const refused = refuseAddress(host);
  return refused === undefined ? undefined : `${host}: ${refused}`;
}

/** In a query to the API server a comma or a parenthesis would begin another condition. */
function selectorProblem({
  keys,
  values,
}: {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}): string | undefined {
  const key = keys.find((one) => !isLabelKey(one));
  if (key !== undefined) return `${JSON.stringify(key)} in backends.selector is not the key of a label`;
  const value = values.find((one) => !isLabelValue(one));
  return value === undefined ? undefined : `${JSON.stringify(value)} in backends.selector is not the value of a label`;
}

function labelsIn({ selector = {} }: DistributedServiceSpec['backends']): {
  readonly keys: readonly string[];
  readonly values: readonly string[];
} {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return {
    keys: [...Object.keys(matchLabels), ...matchExpressions.map(({ key }) => key)],
    values: [...Object.values(matchLabels), ...matchExpressions.flatMap(({ values = [] }) => values)],
  };
}

const exposure: Check = ({ serviceType, expose = {} }) => {
  const byName = [expose.domains, expose.subdomain, expose.locations].some((part) => part !== undefined);
  if (serviceType !== 'http' && byName) return 'domains, subdomain and locations go with serviceType http';
  return serviceType === 'http' && expose.remotePort !== undefined
    ? 'remotePort goes with serviceType tcp or udp'
    : undefined;
};

const certificate: Check = ({ security: { mtls } }) =>
  mtls.enabled && !mtls.autoGenerate && mtls.secretName === undefined
    ? 'without autoGenerate mutual TLS needs security.mtls.secretName'
    : undefined;

const checks: readonly Check[] = [balancing, healthCheck, discovery, exposure, certificate];
