import type { Api, ApiOptions } from '../api.ts';
import { createApi } from '../api.ts';
import type { ApiAnswer } from '../http/request.ts';
import type { Json, JsonObject } from '../json.ts';
import { isObject } from '../json.ts';
import { textOf } from '../text.ts';

export interface Called {
  readonly status: number;
  readonly body: JsonObject;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}

export interface Tried {
  readonly api: Api;
  /** `POST /api/v1/namespaces/default/configmaps?dryRun=All`, then a body and headers. */
  call(line: string, body?: Json, headers?: Readonly<Record<string, string>>): Called;
  /** Starts a watch; gives the events so far, and the way to stop. */
  watch(path: string, headers?: Readonly<Record<string, string>>): Watching;
  /** Lets the collector and its like do what is due, until there is nothing more. */
  settle(): void;
  /** Moves the clock on, and does what it was set for. */
  pass(milliseconds: number): void;
}

export interface Watching {
  readonly events: JsonObject[];
  isEnded(): boolean;
  stop(): void;
}

/** An API with a clock that stands still and tasks that wait until they are let. */
export function tryApi(options: ApiOptions = {}): Tried {
  let now = Date.parse('2026-11-21T08:00:00Z');
  let uids = 0;
  const tasks: (() => void)[] = [];
  const timers: { at: number; task: () => void }[] = [];
  const api = createApi({
    now: () => now,
    newUid: () => `00000000-0000-4000-8000-${String(++uids).padStart(12, '0')}`,
    random: () => 0.5,
    schedule: (task) => void tasks.push(task),
    after: (milliseconds, task) => {
      const timer = { at: now + milliseconds, task };
      timers.push(timer);
      return () => void timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0);
    },
    ...options,
  });
  const ask = (line: string, body?: Json, headers: Readonly<Record<string, string>> = {}): ApiAnswer => {
    const [method = '', url = ''] = line.split(' ');
    const [path = '', query = ''] = url.split('?');
    const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body);
    return api.handle({
      method,
      path,
      query: new URLSearchParams(query),
      headers: { 'user-agent': 'test/1', ...headers },
      body: text,
    });
  };
  return {
    api,
    call: (line, body, headers) => {
      const answer = ask(line, body, headers);
      if ('watch' in answer) throw new Error(`${line} is answered with a watch`);
      const isJson = typeof answer.body !== 'string';
      const text = typeof answer.body === 'string' ? answer.body : textOf(answer.body);
      const parsed = isJson ? (JSON.parse(text) as Json) : {};
      return { status: answer.status, headers: answer.headers, text, body: isObject(parsed) ? parsed : {} };
    },
    watch: (path, headers) => {
      const answer = ask(`GET ${path}`, undefined, headers);
      if (!('watch' in answer)) throw new Error(`${path} is not answered with a watch: ${JSON.stringify(answer.body)}`);
      const events: JsonObject[] = [];
      let ended = false;
      const stop = answer.watch(
        (line) => void events.push(JSON.parse(line) as JsonObject),
        () => {
          ended = true;
        },
      );
      return { events, isEnded: () => ended, stop };
    },
    settle: () => {
      for (let task = tasks.shift(); task !== undefined; task = tasks.shift()) task();
    },
    pass: (milliseconds) => {
      now += milliseconds;
      for (const timer of timers.splice(0).sort((one, other) => one.at - other.at)) {
        if (timer.at <= now) timer.task();
        else timers.push(timer);
      }
    },
  };
}

export function configMap(name: string, more: JsonObject = {}): JsonObject {
  const { metadata, ...rest } = more;
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...(isObject(metadata) ? metadata : {}) }, ...rest };
}

export const configMaps = '/api/v1/namespaces/default/configmaps';
export const merge = { 'content-type': 'application/merge-patch+json' } as const;
export const asTable = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } as const;

/** A definition of Things with all subresources. */
export function definition(plural = 'things', more: JsonObject = {}): JsonObject {
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.example.org` },
    spec: {
      group: 'example.org',
      scope: 'Namespaced',
      names: { plural, singular: plural.slice(0, -1), kind: 'Thing', listKind: 'ThingList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.replicas',
              statusReplicasPath: '.status.replicas',
              labelSelectorPath: '.status.selector',
            },
          },
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size' },
            { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
            { name: 'Since', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
            { name: 'Share', type: 'number', jsonPath: '.spec.share' },
            { name: 'Label', type: 'string', jsonPath: ".metadata.labels['a.b/c']" },
            { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
            { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
          ],
        },
      ],
      ...more,
    },
  };
}

export const things = '/apis/example.org/v1/namespaces/default/things';
export const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export function thing(name: string, more: JsonObject = {}): JsonObject {
  return { apiVersion: 'example.org/v1', kind: 'Thing', metadata: { name }, ...more };
}

/** The sentence of a Status. */
export function said({ body }: Called): string {
  return String(body['message']);
}
