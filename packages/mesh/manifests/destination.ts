import type { Destination } from '../cloud-event.ts';
import type { Field } from './field.ts';

/** The targets that exist, as `namespace/name`. */
export interface Known {
  readonly functions: ReadonlySet<string>;
  readonly brokers: ReadonlySet<string>;
  readonly channels: ReadonlySet<string>;
}

interface Home {
  /** The namespace of the object that names the destination: the default for its ref. */
  readonly namespace: string;
  readonly known: Known;
}

const nowhere: Destination = { kind: 'uri', uri: '' };

/** Knative's `Destination`: a Knative Service, also with a path below it, a Broker, a channel, or an absolute address over HTTP. */
export function readDestination(field: Field, home: Home): Destination {
  field.allow(['ref', 'uri', 'CACerts', 'audience']);
  const [ref, uri] = [field.at('ref'), field.at('uri')];
  if (!ref.isSet && !uri.isSet) {
    field.refuse('expected at least one, got none: ref, uri');
    return nowhere;
  }
  if (!ref.isSet) return readUri(uri);
  const found = readRef(ref, home);
  return uri.isSet ? withPath(found, uri) : found;
}

/** An address below a ref is resolved against that of the ref: here only a path is allowed. */
function withPath(found: Destination, uri: Field): Destination {
  const path = uri.text();
  if (found.kind !== 'function')
    uri.refuse(`an address below a ${found.kind === 'broker' ? 'Broker' : 'channel'} is not run locally: leave it out`);
  else if (!/^\/[\w./-]*$/.test(path))
    uri.refuse(`invalid value: ${JSON.stringify(path)}, must be a path such as /events below a ref`);
  return found.kind === 'function' && path !== '/' ? { ...found, path } : found;
}

function readUri(uri: Field): Destination {
  const text = uri.text();
  const protocol = URL.canParse(text) ? new URL(text).protocol : '';
  if (protocol !== 'http:' && protocol !== 'https:') {
    uri.refuse(`invalid value: ${JSON.stringify(text)}, must be an absolute address over http or https`);
  }
  return { kind: 'uri', uri: text };
}

function readRef(ref: Field, { namespace: own, known }: Home): Destination {
  ref.allow(['apiVersion', 'kind', 'name', 'namespace', 'group', 'address']);
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((key) => {
    const field = ref.at(key);
    if (field.text() === '') field.refuse('missing field');
    return field.text();
  });
  const namespace = ref.at('namespace').text(own);
  const at = { namespace, name: name ?? '' };
  const key = `${namespace}/${name}`;
  const target = targets[`${apiVersion} ${kind}`];
  if (target === undefined) {
    ref.refuse(
      `${apiVersion} ${kind} is not run locally: name a Service of serving.knative.dev/v1, a Broker of eventing.knative.dev/v1 or an InMemoryChannel of messaging.knative.dev/v1`,
    );
    return nowhere;
  }
  if (!known[target.among].has(key)) ref.at('name').refuse(`there is no ${target.called} ${key}`);
  return { kind: target.kind, ...at };
}

const targets: Readonly<
  Record<
    string,
    { readonly kind: 'function' | 'broker' | 'channel'; readonly among: keyof Known; readonly called: string }
  >
> = {
  'serving.knative.dev/v1 Service': { kind: 'function', among: 'functions', called: 'Knative Service' },
  'eventing.knative.dev/v1 Broker': { kind: 'broker', among: 'brokers', called: 'Broker' },
  'messaging.knative.dev/v1 InMemoryChannel': { kind: 'channel', among: 'channels', called: 'InMemoryChannel' },
};
