import { requestedType, resyncTypes } from '../../controller/domain/change.ts';
import { isDefinition, storedVersion } from '../../controller/domain/custom-resource.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { rightsOf } from '../../controller/domain/rights.ts';
import { eventOf } from '../../source/event-of.ts';
import { wants } from '../broker/trigger-filter.ts';
import type { CloudEvent, Destination } from '../cloud-event.ts';
import type { MeshSpec, PingSpec, SourceSpec, TriggerSpec } from '../mesh-spec.ts';

/** One way from a source into the Broker, and where its events go from there. */
export interface Way {
  /** `ApiServerSource knudge/cluster-objects`. */
  readonly source: string;
  /** What it reports: a kind with its selectors, a schedule. */
  readonly about: string;
  readonly types: readonly string[];
  readonly to: readonly Stop[];
}

/** A Trigger that wants these events, and the function it wakes. */
export interface Stop {
  readonly trigger: string;
  /** The Service, with the path if it serves several functions. */
  readonly function: string;
  /** The plurals that its Roles let that function make. */
  readonly makes: readonly string[];
}

/** Where events go that a Broker or a Trigger gives up. */
export interface DeadEnd {
  readonly sink: string;
  readonly from: readonly string[];
}

export interface EventMap {
  readonly ways: readonly Way[];
  readonly deadLetters: readonly DeadEnd[];
}

type Parts = Pick<MeshSpec, 'sources' | 'pings' | 'triggers' | 'channels' | 'brokers' | 'objects'>;

/** Follows every event that the manifests can cause, by the same filters that the Broker uses. */
export function traceEvents(spec: Parts): EventMap {
  const ways = [
    ...spec.sources.flatMap((source) => watched(source, spec)),
    ...spec.pings.map((ping) => ticked(ping, spec)),
    ...own(spec),
  ];
  const givers = [
    ...spec.brokers.map((broker) => ({ name: `Broker ${broker.name}`, sink: broker.delivery.deadLetterSink })),
    ...spec.triggers.map((trigger) => ({ name: `Trigger ${trigger.name}`, sink: trigger.delivery.deadLetterSink })),
  ];
  const sinks = new Set(givers.map(({ sink }) => nameOf(sink)));
  return {
    ways,
    deadLetters: [...sinks].map((sink) => ({
      sink,
      from: givers.filter((giver) => nameOf(giver.sink) === sink).map(({ name }) => name),
    })),
  };
}

/** A kind that has two selectors is two watches, and one way. */
function watched(source: SourceSpec, spec: Parts): readonly Way[] {
  const kinds = Map.groupBy(source.resources, ({ apiVersion, kind }) => `${apiVersion}/${kind}`);
  return [...kinds.values()].map((resources) => {
    const [{ apiVersion, kind } = { apiVersion: '', kind: '' }] = resources;
    const selectors = resources.map(({ selector }) => selector).filter((selector) => selector !== '');
    const events = (['add', 'update', 'delete'] as const).map((verb) =>
      eventOf(
        { verb, object: { apiVersion, kind, metadata: { namespace: 'any', name: 'any' } } },
        { ...source, source: 'https://any', id: 'any', time: 'any' },
      ),
    );
    return {
      source: `${source.keepsTrack === true ? 'ContainerSource' : 'ApiServerSource'} ${source.namespace}/${source.name}`,
      about: selectors.length === 0 ? kind : `${kind} with ${selectors.join(' or ')}`,
      ...follow(events, spec),
    };
  });
}

function ticked({ namespace, name, schedule, overrides }: PingSpec, spec: Parts): Way {
  const source = `/apis/v1/namespaces/${namespace}/pingsources/${name}`;
  const event = withAttributes({ type: resyncTypes.tick, source, ...overrides });
  return { source: `PingSource ${namespace}/${name}`, about: `schedule ${schedule}`, ...follow([event], spec) };
}

/** The events that Knudge itself, an installation or a person sends. */
function own(spec: Parts): readonly Way[] {
  const kinds = spec.objects.filter(isDefinition).map((definition) => ({
    kind: definition.spec.names.kind,
    apiversion: storedVersion(definition),
  }));
  const due = withAttributes({ type: resyncTypes.due, source: 'any' });
  return [
    { source: 'resync-due, people', about: 'a resync continues or is requested', ...follow([due], spec) },
    ...kinds.map((kind) => ({
      source: 'resync-due, people',
      about: `${kind.kind} should be reconciled`,
      ...follow([withAttributes({ type: requestedType, source: 'any', namespace: 'any', name: 'any', ...kind })], spec),
    })),
  ];
}

function withAttributes(attributes: Readonly<Record<string, string>>): CloudEvent {
  return { attributes: { specversion: '1.0', id: 'any', time: 'any', ...attributes }, data: Buffer.alloc(0) };
}

function follow(events: readonly CloudEvent[], spec: Parts): Pick<Way, 'types' | 'to'> {
  const woken = spec.triggers.filter(({ filters }) => events.some((event) => wants(filters, event)));
  return {
    types: events.map(({ attributes }) => attributes['type'] ?? ''),
    to: woken.flatMap((trigger) => behind(trigger, spec).map((one) => stopOf(one, spec))),
  };
}

/** The Triggers that an event reaches in the end: through a channel those that subscribe to it. */
function behind(trigger: TriggerSpec, { channels }: Parts): readonly TriggerSpec[] {
  const { kind } = trigger.subscriber;
  if (kind !== 'channel') return [trigger];
  const { namespace, name } = trigger.subscriber;
  const channel = channels.find((one) => one.namespace === namespace && one.name === name);
  return (channel?.subscriptions ?? []).map(({ subscriber }) => ({ ...trigger, subscriber }));
}

function stopOf({ name, subscriber }: TriggerSpec, { objects }: Parts): Stop {
  const isFunction = subscriber.kind === 'function';
  const account = isFunction ? accountOf(subscriber, objects) : undefined;
  const rights = account === undefined ? [] : rightsOf(account, objects);
  const made = rights.filter(({ verb, resource }) => verb === 'create' && resource !== 'events');
  return { trigger: name, function: nameOf(subscriber), makes: made.map(({ resource }) => resource).sort() };
}

interface Service extends KubeObject {
  readonly spec?: { readonly template?: { readonly spec?: { readonly serviceAccountName?: string } } };
}

function accountOf(at: { readonly namespace: string; readonly name: string }, objects: readonly KubeObject[]) {
  const found = objects.find(
    ({ apiVersion, kind, metadata }) =>
      apiVersion.startsWith('serving.knative.dev/') &&
      kind === 'Service' &&
      metadata.namespace === at.namespace &&
      metadata.name === at.name,
  ) as Service | undefined;
  const name = found?.spec?.template?.spec?.serviceAccountName;
  return name === undefined ? undefined : { namespace: at.namespace, name };
}

function nameOf(to: Destination | undefined): string {
  if (to === undefined) return 'nowhere: they are lost';
  switch (to.kind) {
    case 'uri':
      return to.uri;
    case 'broker':
    case 'channel':
      return to.name;
    case 'function':
      return `${to.name}${to.path ?? ''}`;
  }
}
