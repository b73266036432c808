import type { ChangeStem } from '../../../functions/table.ts';
import type { KubeObject } from '../../../packages/controller/domain/kube-object.ts';
import { home, type Site } from '../../../test/knative/site.ts';
import { until } from '../../../test/kube/until.ts';
import { type Cut, stems } from './cuts.ts';

interface Trigger extends KubeObject {
  readonly spec: { readonly subscriber: object };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly subscriberUri?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const path = (name: string): string => `/apis/eventing.knative.dev/v1/namespaces/${home}/triggers/${name}`;

/** Leads each function's events to its Service of this cut, and waits until the Broker uses the new addresses. */
export async function leadTo(site: Site, cut: Cut): Promise<void> {
  for (const stem of stems) {
    const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name: cut.serviceOf(stem), namespace: home };
    await change(site, stem, { ref, uri: `/${stem}` });
  }
  await untilTheyLead(site, (stem) => `http://${cut.serviceOf(stem)}.${home}.svc.cluster.local/${stem}`);
}

/** Waits until the Triggers are Ready as they are now, and each leads to its address. */
async function untilTheyLead(site: Site, uriOf: (stem: ChangeStem) => string | undefined): Promise<void> {
  await until('each Trigger leads to its Service', async () => {
    const all = await Promise.all(stems.map(async (stem) => ({ stem, trigger: await read(site, stem) })));
    const left = all.filter(({ stem, trigger }) => !leads(trigger, uriOf(stem)));
    return left.length === 0 || left.map(({ stem, trigger }) => [stem, trigger.status?.subscriberUri]);
  });
}

function leads({ metadata, status = {} }: Trigger, uri: string | undefined): boolean {
  const isReady = status.conditions?.some((one) => one.type === 'Ready' && one.status === 'True') === true;
  return status.observedGeneration === metadata.generation && isReady && status.subscriberUri === uri;
}

/** Remembers where the Triggers lead; the returned function leads them there again. */
export async function keepTriggers(site: Site): Promise<() => Promise<void>> {
  const before = new Map<ChangeStem, Trigger>();
  for (const stem of stems) before.set(stem, await read(site, stem));
  return async () => {
    for (const [stem, { spec }] of before) await change(site, stem, spec.subscriber);
    await untilTheyLead(site, (stem) => before.get(stem)?.status?.subscriberUri);
  };
}

async function read(site: Site, stem: string): Promise<Trigger> {
  const { status, body } = await site.api('GET', path(stem));
  if (status !== 200) throw new Error(`there is no Trigger ${stem}`);
  return body as Trigger;
}

async function change(site: Site, stem: string, subscriber: object): Promise<void> {
  const body = [{ op: 'replace', path: '/spec/subscriber', value: subscriber }];
  const { status, body: told } = await site.api('PATCH', path(stem), {
    body,
    contentType: 'application/json-patch+json',
  });
  if (status !== 200) throw new Error(`Trigger ${stem}: ${JSON.stringify(told)}`);
}
