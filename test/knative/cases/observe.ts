import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request } from '../../../packages/kube-api/fidelity/case.ts';
import { filled, filledText, type Values } from '../../../packages/kube-api/fidelity/placeholders.ts';
import { type Server, send, textOf } from '../../../packages/kube-api/fidelity/server.ts';
import type { Answers, BrokerCase, PingCase, Post, SourceCase } from './case.ts';
import { caseLabel, configMaps, valuesOf } from './manifests.ts';
import { classOf, createNormal } from './normal.ts';
import type { Got, Receiver } from './receiver.ts';
import { isBrokerRow, isPingRow, isSourceRow, type Row, type Scene } from './table.ts';

/** Where cases run: their manifests are applied there, and what they are about is up. */
export interface Target {
  readonly name: 'embedded' | 'knative';
  readonly namespace: string;
  /** Of the ingress, without a path. */
  readonly ingress: string;
  readonly api: Server;
  readonly receiver: Receiver;
  readonly scenes: ReadonlyMap<Row, Scene>;
  /** Waits until every event of a case that a source has begun with is taken; if absent, its last event is the last to be taken. */
  settled?(row: Row<SourceCase>): Promise<void>;
  close(): Promise<void>;
}

/** What a case shows, without what is another one each time: it is compared and recorded. */
export type Observation = Readonly<Record<string, unknown>>;

const patienceMs = 60_000;
/** An answer that takes longer has waited for a subscriber that is slow on purpose. */
const heldBackMs = 1000;

/** Runs one case; rejects where what it waits for does not come. */
export async function observe(row: Row, target: Target): Promise<Observation> {
  const { receiver, namespace } = target;
  const values = valuesOf(row, { namespace, receiver: receiver.url, nobody: receiver.nobody }, target.scenes.get(row));
  if (isBrokerRow(row)) return observeBroker(row, values, target);
  if (isSourceRow(row)) return observeSource(row, values, target);
  if (isPingRow(row)) return observePing(row, values, target);
  throw new Error(`case ${row.one.name} is of no kind`);
}

async function observeBroker({ id, one }: Row<BrokerCase>, values: Values, target: Target): Promise<Observation> {
  answer(id, one.answers, { values, target });
  const [ingress, heldBack]: [number[], boolean[]] = [[], []];
  const post = async (each: Post, index: number): Promise<void> => {
    const began = performance.now();
    ingress[index] = await statusOf(each, { values, target });
    heldBack[index] = performance.now() - began > heldBackMs;
  };
  if (one.atOnce) await Promise.all(one.posts.map(post));
  else for (const [index, each] of one.posts.entries()) await post(each, index);
  const got = target.receiver.got(id);
  const normal = createNormal(values);
  const shown = ({ name, headers }: Got): string => normal.text(`${name} ${headers['ce-id']}`);
  return {
    ingress,
    ...(one.heldBack && { heldBack }),
    got: byName(got, one, normal),
    ...(one.ordered && { order: got.map(shown) }),
  };
}

interface Context {
  readonly values: Values;
  readonly target: Target;
}

/** Texts of the answers may name the place; bytes are sent as they are. */
function answer(id: string, answers: Answers = {}, { values, target }: Context): void {
  target.receiver.expect(id, ({ name }, before) => {
    const script = answers[name] ?? [];
    const { headers, body, ...rest } = script[before] ?? script.at(-1) ?? { status: 202 };
    return {
      ...rest,
      ...(headers && { headers: filled(headers, values) as Record<string, string> }),
      ...(body !== undefined && { body: typeof body === 'string' ? filledText(body, values) : body }),
    };
  });
}

async function statusOf(post: Post, { values, target }: Context): Promise<number> {
  const { method = 'POST', path = '/{ns}/{broker}', body } = post;
  const data = typeof body === 'string' ? Buffer.from(filledText(body, values)) : (body ?? Buffer.alloc(0));
  const headers = {
    ...(filled(post.headers, values) as Record<string, string>),
    'content-length': String(data.length),
  };
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const options = { method, path: filledText(path, values), headers, agent: false, timeout: patienceMs };
  const request = http.request(target.ingress, options, (response) => {
    response.resume().on('close', () => resolve(response.statusCode ?? 0));
  });
  request.on('timeout', () => request.destroy(new Error(`the ingress had no answer within ${patienceMs / 1000} s`)));
  request.on('error', reject);
  request.end(data);
  return promise;
}

type Shown = Readonly<Record<string, unknown>>;

/** The requests of each name; those that are the same one after the other are one with its number. */
function byName(
  got: readonly Got[],
  { timed, whole }: { readonly timed?: boolean; readonly whole?: readonly string[] },
  { request, text }: ReturnType<typeof createNormal>,
): Shown {
  const names = [...new Set(got.map(({ name }) => name))].sort();
  return Object.fromEntries(
    names.map((name) => {
      const own = got.filter((one) => one.name === name);
      const isWhole = whole === undefined || whole.includes(name);
      const seen = merged(own.map((one) => (isWhole ? request(one) : { id: text(String(one.headers['ce-id'])) })));
      const waits = own.slice(1).map((one, index) => classOf(one.at - (own[index]?.at ?? 0)));
      return [name, { seen, ...(timed && waits.length > 0 && { waits }) }];
    }),
  );
}

function merged(all: readonly Shown[]): readonly Shown[] {
  const groups: { readonly one: Shown; times: number }[] = [];
  for (const one of all) {
    const last = groups.at(-1);
    if (last !== undefined && JSON.stringify(last.one) === JSON.stringify(one)) last.times += 1;
    else groups.push({ one, times: 1 });
  }
  return groups.map(({ one, times }) => (times === 1 ? one : { times, ...one }));
}

/** The events about the objects of the case, up to that about an object that is made at the end: a source keeps the order. */
async function observeSource(row: Row<SourceCase>, values: Values, target: Target): Promise<Observation> {
  const { id, one } = row;
  answer(id, one.answers, { values, target });
  for (const step of one.steps) await change(step, { values, target });
  const { apiVersion, kind } = one.resource ?? configMaps;
  const last = { apiVersion, kind, metadata: { name: `${id}-end`, labels: { [caseLabel]: id } } };
  await change({ kind: 'request', method: 'POST', path: collectionOf(one), body: last }, { values, target });
  const { receiver } = target;
  await eventually(`the event about ${id}-end`, () => receiver.got(id).some(({ name }) => name === 'end'));
  await target.settled?.(row);
  const got = receiver.got(id).filter(({ name }) => name !== 'end' && !name.startsWith('probe'));
  return { events: byName(got, one, createNormal(values)), order: got.map(shortly) };
}

function shortly({ headers, name }: Got): string {
  return `${String(headers['ce-type']).replace('dev.knative.apiserver.', '')} ${name}`;
}

/** Where the objects of a case of a source are made. */
export function collectionOf({ resource = configMaps }: Pick<SourceCase, 'resource'>): string {
  const { apiVersion, kind } = resource;
  const group = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return `${group}${kind === 'ClusterRole' ? '' : '/namespaces/{ns}'}/${kind.toLowerCase()}s`;
}

/** Does one request to the API server, which must succeed. */
export async function change({ method, path, headers, body }: Request, { values, target }: Context): Promise<void> {
  const sent = JSON.stringify(filled(body, values));
  const response = await send(target.api, {
    method,
    path: filledText(path, values),
    headers: { accept: 'application/json', 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: sent }),
  });
  const text = await textOf(response);
  if ((response.statusCode ?? 0) > 299)
    throw new Error(`${method} ${path} was answered ${response.statusCode}: ${text}`);
}

async function observePing({ id }: Row<PingCase>, values: Values, target: Target): Promise<Observation> {
  answer(id, {}, { values, target });
  await eventually('a tick of the PingSource', () => target.receiver.got(id).length > 0);
  const [first] = target.receiver.got(id);
  return first === undefined ? {} : createNormal(values).request(first);
}

/** Looks often, and not for ever. */
export async function eventually(
  what: string,
  isSo: () => boolean | Promise<boolean>,
  ms: number = patienceMs,
): Promise<void> {
  for (const end = performance.now() + ms; !(await isSo()); await sleep(30)) {
    if (performance.now() > end) throw new Error(`not within ${ms / 1000} s: ${what}`);
  }
}
