import { describe, type KubeObject, refOf } from '../../controller/domain/kube-object.ts';
import type { TriggerSpec } from '../mesh-spec.ts';
import type { Fault } from './documents.ts';
import { type Field, openFields } from './field.ts';
import { readFilters } from './filters.ts';

/** Which events a Trigger lets pass, and what it wakes with them. */
export type Waking = Pick<TriggerSpec, 'broker' | 'filters' | 'subscriber'>;

/**
 * The same of the Triggers of a cluster, whatever class their Broker is and whatever namespace they are in. One that cannot be read is left
 * out, with its faults.
 */
export function wakingsOf(triggers: readonly KubeObject[]): {
  readonly wakings: readonly Waking[];
  readonly faults: readonly Fault[];
} {
  const faults: Fault[] = [];
  const wakings = triggers.flatMap((object) => {
    const own: Fault[] = [];
    const home = object.metadata.namespace ?? '';
    const file = describe(refOf(object));
    const spec = openFields({ object, placeOf: () => ({ file, line: 0 }) }, own).at('spec');
    const filters = readFilters(spec);
    faults.push(...own.map((fault) => fault.replace(':0: ', ': ')));
    if (own.length > 0) return [];
    return [{ broker: spec.at('broker').text(), filters, subscriber: subscriberIn(spec.at('subscriber'), home) }];
  });
  return { wakings, faults };
}

/** A Knative Service; anything else wakes no function. */
function subscriberIn(subscriber: Field, home: string): Waking['subscriber'] {
  const [ref, path] = [subscriber.at('ref'), subscriber.at('uri').text()];
  if (ref.at('kind').text() !== 'Service') return { kind: 'uri', uri: path };
  const found = { kind: 'function', namespace: ref.at('namespace').text(home), name: ref.at('name').text() } as const;
  return path === '' || path === '/' ? found : { ...found, path };
}
