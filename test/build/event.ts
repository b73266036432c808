import { readdirSync, readFileSync } from 'node:fs';

const fixtures = new URL('../fixtures/events/', import.meta.url);

/** A request that carries an event: what `decode` takes, and what a test can post. */
export interface BuiltEvent {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

export interface RecordedEvent {
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** The names of all recorded events, such as `pod-changed/pod-add`. */
export const recordedNames: readonly string[] = readdirSync(fixtures, { recursive: true })
  .map(String)
  .filter((path) => path.endsWith('.json'))
  .map((path) => path.replace(/\.json$/, ''))
  .sort();

/** A recorded event as its file has it. */
export function readRecorded(name: string): RecordedEvent {
  return JSON.parse(readFileSync(new URL(`${name}.json`, fixtures), 'utf8')) as RecordedEvent;
}

/** A recorded event as a request; headers given here win, and those that belong to one delivery are left out. */
export function recorded(name: string, headers: Readonly<Record<string, string | undefined>> = {}): BuiltEvent {
  const { headers: all, body } = readRecorded(name);
  const kept = Object.entries(all).filter(([name]) => !ofOneDelivery.has(name));
  return { headers: merged(Object.fromEntries(kept), headers), body: Buffer.from(JSON.stringify(body)) };
}

const ofOneDelivery = new Set(['host', 'accept-encoding', 'content-length', 'user-agent']);

export interface EventParts {
  /** Each as `ce-<name>`; undefined takes a default away. */
  readonly attributes?: Readonly<Record<string, string | undefined>>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** JSON, unless it is text or bytes already. */
  readonly data?: unknown;
}

/** An event of a Message in binary mode, with what a test wants to be different. */
export function event({ attributes = {}, headers = {}, data = messageObject }: EventParts = {}): BuiltEvent {
  const given = Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]));
  return { headers: merged(defaults, { ...given, ...headers }), body: bytesOf(data) };
}

/** The same event in structured mode; `envelope` adds attributes or takes them away. */
export function structured(
  { headers, body }: BuiltEvent,
  envelope: Readonly<Record<string, unknown>> = {},
): BuiltEvent {
  const attributes: Record<string, unknown> = { datacontenttype: headers['content-type'] };
  for (const [name, value] of Object.entries(headers)) {
    if (name.startsWith('ce-')) attributes[name.slice(3)] = value;
  }
  const data = body.length === 0 ? {} : { data: JSON.parse(body.toString('utf8')) as unknown };
  return {
    headers: { 'content-type': 'application/cloudevents+json' },
    body: Buffer.from(JSON.stringify({ ...attributes, ...data, ...envelope })),
  };
}

const messageObject = {
  apiVersion: 'myorg.dev/v1',
  kind: 'Message',
  metadata: {
    name: 'hello',
    namespace: 'shop',
    uid: 'c7a3a2a0-5f0a-4f4c-8a0e-6f1b7f4f6a01',
    resourceVersion: '7',
    labels: {},
  },
  spec: { text: 'hi' },
};

const defaults: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'ce-specversion': '1.0',
  'ce-id': 'event-1',
  'ce-source': 'https://10.96.0.1:443',
  'ce-type': 'dev.knative.apiserver.resource.update',
  'ce-kind': 'Message',
  'ce-apiversion': 'myorg.dev/v1',
  'ce-name': 'hello',
  'ce-namespace': 'shop',
};

function merged(
  base: Readonly<Record<string, string>>,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const all = Object.entries({ ...base, ...changes });
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function bytesOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  return Buffer.from(typeof data === 'string' ? data : JSON.stringify(data));
}
