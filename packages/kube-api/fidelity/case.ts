/**
 * One behaviour of an API server, as a sentence. Each case has a namespace of its own; `{ns}` stands for its name and
 * `{group}` for an API group that no other case uses, in every path, header, body and argument.
 */
export interface Case {
  readonly name: string;
  /** What must succeed before, but is not compared. */
  readonly given?: readonly Step[];
  /** The whole answer of each is compared. */
  readonly steps: readonly Step[];
  /** What the real one does besides, at times, so that what a step waits for never comes: then it is tried anew, and that is reported. */
  readonly chance?: string;
}

export type Step = Request | Until | Watch | Kubectl;

export interface Request extends Options {
  readonly kind: 'request';
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** A text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** A request, a GET unless it says otherwise, that is repeated until `holds`, at most a minute; the last answer is compared. */
export interface Until extends Options {
  readonly kind: 'until';
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
  readonly holds: (body: unknown, code: number) => boolean;
}

/** Opens a watch, does the steps (which must succeed, and are not compared), reads this many events and closes it. */
export interface Watch extends Options {
  readonly kind: 'watch';
  /** Without `watch=true`. */
  readonly path: string;
  readonly events: number;
  readonly during: readonly Step[];
}

/** kubectl with this command line, in the namespace of the case. */
export interface Kubectl {
  readonly kind: 'kubectl';
  /** Words, or 'several words' in single quotes. */
  readonly line: string;
  /** A text as it is, anything else as JSON. */
  readonly stdin?: unknown;
  readonly editor?: string;
  /** For what never ends by itself: it is ended after this many lines. */
  readonly lines?: number;
  /** Done after the first line. */
  readonly during?: readonly Step[];
  readonly view?: (text: string) => string;
}

export interface Options {
  /** Among the preparations: it may have been done by another case already. */
  readonly mayFail?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Names for values of the answer: `{ uid: 'metadata.uid' }` makes `{uid}` stand for it in the steps after. */
  readonly save?: Readonly<Record<string, string>>;
  /** The part of the body that is compared, where the whole is not ours to promise. */
  readonly view?: (body: unknown) => unknown;
}

export function get(path: string, options: Options = {}): Request {
  return { kind: 'request', method: 'GET', path, ...options };
}

export function post(path: string, body: unknown, options: Options = {}): Request {
  return { kind: 'request', method: 'POST', path, body, ...options };
}

export function put(path: string, body: unknown, options: Options = {}): Request {
  return { kind: 'request', method: 'PUT', path, body, ...options };
}

/** With DeleteOptions as body, or none. */
export function del(path: string, body?: unknown, options: Options = {}): Request {
  return { kind: 'request', method: 'DELETE', path, ...(body !== undefined && { body }), ...options };
}

export function mergePatch(path: string, body: unknown, options: Options = {}): Request {
  return patch(path, body, typed('application/merge-patch+json', options));
}

export function jsonPatch(path: string, body: unknown, options: Options = {}): Request {
  return patch(path, body, typed('application/json-patch+json', options));
}

export function strategicPatch(path: string, body: unknown, options: Options = {}): Request {
  return patch(path, body, typed('application/strategic-merge-patch+json', options));
}

/** Server-side apply; the path must have `?fieldManager=`. */
export function apply(path: string, body: unknown, options: Options = {}): Request {
  return patch(path, body, typed('application/apply-patch+yaml', options));
}

/** A PATCH whose content type is in the options. */
export function patch(path: string, body: unknown, options: Options = {}): Request {
  return { kind: 'request', method: 'PATCH', path, body, ...options };
}

export function until(path: string, holds: Until['holds'], options: Options = {}): Until {
  return { kind: 'until', path, holds, ...options };
}

export function watch(path: string, events: number, during: readonly Step[] = []): Watch {
  return { kind: 'watch', path, events, during };
}

export function kubectl(line: string, options: Omit<Kubectl, 'kind' | 'line'> = {}): Kubectl {
  return { kind: 'kubectl', line, ...options };
}

/** `core('pods', 'web')`: the path of an object or, without a name, of the collection in the namespace of the case. */
export function core(plural: string, name?: string): string {
  return pathIn('/api/v1', plural, name);
}

/** `group('apps/v1', 'deployments', 'web')`. */
export function group(apiVersion: string, plural: string, name?: string): string {
  return pathIn(`/apis/${apiVersion}`, plural, name);
}

/** The value at `a.b.0.c`; undefined where nothing stands there. */
export function at(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (found, key) =>
        typeof found === 'object' && found !== null ? new Map(Object.entries(found)).get(key) : undefined,
      value,
    );
}

function pathIn(root: string, plural: string, name?: string): string {
  return `${root}/namespaces/{ns}/${plural}${name === undefined ? '' : `/${name}`}`;
}

function typed(type: string, options: Options): Options {
  return { ...options, headers: { 'content-type': type, ...options.headers } };
}
