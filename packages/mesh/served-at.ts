import type { Destination } from './cloud-event.ts';
import type { MeshSpec } from './mesh-spec.ts';

type Served = Pick<MeshSpec, 'triggers' | 'brokers' | 'channels'>;

/** The Knative Service and the path of a function: the Service of its name, unless a Trigger or a dead-letter sink says otherwise. */
export function servedAt(
  stem: string,
  { triggers, brokers, channels }: Served,
): { readonly service: string; readonly path: string } {
  const woken = [...triggers, ...channels.flatMap(({ subscriptions }) => subscriptions)];
  const sinks = [...brokers, ...triggers].map(({ delivery }) => delivery.deadLetterSink);
  const all: readonly (Destination | undefined)[] = [...woken.map(({ subscriber }) => subscriber), ...sinks];
  const path = `/${stem}`;
  for (const one of all) if (one?.kind === 'function' && one.path === path) return { service: one.name, path };
  return { service: stem, path: '/' };
}

/**
 * The address of a function among those of Knative Services: at its path if one serves several functions, or its own, as in a mesh
 * with deploy/overlays/per-function. Undefined if there is no such address.
 */
export function addressAmong(
  services: Readonly<Record<string, string>>,
  stem: string,
  spec: Served,
): { readonly url: string; readonly path: string } | undefined {
  const { service, path } = servedAt(stem, spec);
  const found = [
    { name: service, path },
    { name: stem, path: '/' },
  ].find(({ name }) => Object.hasOwn(services, name));
  return found && { url: services[found.name] ?? '', path: found.path };
}
