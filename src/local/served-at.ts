import type { Destination } from './cloud-event.ts';
import type { MeshSpec } from './mesh-spec.ts';

/** Which Knative Service serves a function, and at which path: that of its name, unless a Trigger or a dead-letter sink says so. */
export function servedAt(
  stem: string,
  { triggers, brokers, channels }: Pick<MeshSpec, 'triggers' | 'brokers' | 'channels'>,
): { readonly service: string; readonly path: string } {
  const woken = [...triggers, ...channels.flatMap(({ subscriptions }) => subscriptions)];
  const sinks = [...brokers, ...triggers].map(({ delivery }) => delivery.deadLetterSink);
  const all: readonly (Destination | undefined)[] = [...woken.map(({ subscriber }) => subscriber), ...sinks];
  const path = `/${stem}`;
  for (const one of all) if (one?.kind === 'function' && one.path === path) return { service: one.name, path };
  return { service: stem, path: '/' };
}
