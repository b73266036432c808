import { type Stem, serviceOf as servedBy } from '../../functions/table.ts';
import { accountOf } from '../../test/build/accounts.ts';
import { untilAsleep } from '../../test/knative/asleep.ts';
import { home, type Site } from '../../test/knative/site.ts';
import { kubectl } from '../../test/kube/kubectl.ts';
import { until } from '../../test/kube/until.ts';
import { knudgeImage } from '../../tools/knative/knudge.ts';

/** A Knative Service of the bench: a server with only `node:http`, or a copy of a function, with settings of its own. */
export interface Variant {
  readonly name: string;
  /** The function it is a copy of; the bare server if absent. */
  readonly stem?: Stem;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly containerConcurrency?: number;
  readonly resources?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/** The label of everything that the bench makes. */
export const label = 'knudge.dev/bench';
const apiVersion = 'serving.knative.dev/v1';

/** Answers 204 to everything, from the same image and the same base as a function. */
const script =
  "require('node:http').createServer((q, a) => { q.resume(); q.on('end', () => a.writeHead(204).end()); }).listen(8080)";

/** The resources of functions in deploy/functions. */
const usual = { requests: { cpu: '50m', memory: '96Mi' }, limits: { memory: '256Mi' } };

const livenessProbe = {
  httpGet: { path: '/health/liveness', port: 8080 },
  periodSeconds: 10,
  timeoutSeconds: 5,
  failureThreshold: 3,
};

/** Makes them in Knudge's namespace, because a new namespace would restart the sources, and waits until they are Ready. */
export async function makeServices(site: Site, variants: readonly Variant[]): Promise<void> {
  for (const variant of variants) {
    const path = `/apis/${apiVersion}/namespaces/${home}/services`;
    const { status, body } = await site.api('POST', path, { body: serviceOf(variant) });
    if (status !== 201 && status !== 409) throw new Error(`Service ${variant.name}: ${JSON.stringify(body)}`);
  }
  await kubectl('--namespace', home, 'wait', 'ksvc', '--selector', label, '--for=condition=Ready', '--timeout=180s');
}

export async function removeServices(): Promise<void> {
  await kubectl('--namespace', home, 'delete', 'ksvc', '--selector', label, '--ignore-not-found');
}

function serviceOf({ name, stem, annotations, containerConcurrency = 50, resources = usual }: Variant): object {
  const container = {
    name: 'user-container',
    livenessProbe,
    image: `${knudgeImage.name}:${knudgeImage.tag}`,
    ...(stem === undefined ? { command: ['/usr/local/bin/node', '-e', script] } : { args: [stem] }),
    ...(stem !== undefined && { env: [{ name: 'CONTROLLER_NAMESPACE', value: home }] }),
    resources,
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 65532,
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
  const scale = { 'autoscaling.knative.dev/min-scale': '0', 'autoscaling.knative.dev/max-scale': '5', ...annotations };
  return {
    apiVersion,
    kind: 'Service',
    metadata: {
      name,
      namespace: home,
      labels: { [label]: 'yes', 'networking.knative.dev/visibility': 'cluster-local' },
    },
    spec: {
      template: {
        metadata: { annotations: scale },
        spec: {
          containerConcurrency,
          timeoutSeconds: 40,
          ...(stem !== undefined && { serviceAccountName: accountOf(servedBy(stem)) }),
          containers: [container],
        },
      },
    },
  };
}

/** Waits until none of these has a process that takes requests; their windows are six seconds. */
export async function untilAtZero(site: Site, names: readonly string[]): Promise<void> {
  await until(
    `${names.join(', ')} at zero`,
    async () => {
      const all = await site.list('apps/v1', 'Deployment', home);
      const left = all.filter(({ metadata }) => names.includes(metadata.labels?.['serving.knative.dev/service'] ?? ''));
      const awake = left.filter(
        (one) => (one as unknown as { readonly spec: { readonly replicas?: number } }).spec.replicas !== 0,
      );
      return awake.length === 0 || awake.map(({ metadata }) => metadata.name);
    },
    longestAwake,
  );
}

/** Waits until all functions sleep and none of their Pods is on its way out any more; that takes half a minute. */
export async function untilNobodyIsLeft(site: Site): Promise<void> {
  await untilAsleep(site, undefined, longestAwake);
  await until(
    'the Pods of functions are gone',
    async () => {
      const left = [...(await podsOfFunctions(site)).keys()];
      return left.length === 0 || left;
    },
    90,
  );
}

/** Seconds: if a resync comes in between, all functions wake again. */
const longestAwake = 140;

/** The Pods of functions, also those on their way out, and the function of each. The event log always has one. */
export async function podsOfFunctions(site: Site): Promise<ReadonlyMap<string, string>> {
  const pods = (await site.list('v1', 'Pod', home)).map(
    ({ metadata }) => [metadata.name, metadata.labels?.['serving.knative.dev/service']] as const,
  );
  return new Map(
    pods.filter((pair): pair is readonly [string, string] => pair[1] !== undefined && pair[1] !== 'event-log'),
  );
}
