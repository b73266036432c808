// Asks for a resync when all that the first one needs is ready, and goes on asking until one that began after that is through.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const { K_SINK = '', K_SINK_TOKEN_FILE, NAMESPACE = 'knudge', TRIGGERS = '', SOURCES = '' } = process.env;
const { RETRY_MS = '1000', SETTLE_MS = '6000', GIVE_UP_MS = '870000' } = process.env;
const account = '/var/run/secrets/kubernetes.io/serviceaccount';
const [began, mostPause] = [Date.now(), 60_000];
let waitsFor = '';

// A Broker that is not ready is answered 500; one whose Triggers are not subscribed 202, and what it was sent is gone. So the answer
// says nothing, and what is asked is whether the Triggers are ready: then their subscriptions are in the channel's dispatcher.
await untilReady();

// A source is ready before it watches: its adapter starts the server of its probe and then asks which kinds there are, and lists
// them in the background (Knative Eventing 0.50, pkg/adapter/v2/main.go and pkg/adapter/apiserver/adapter.go). No event
// reports what is made in between. So the first resync begins at once, and wakes the functions, and one more must begin when the watches stand.
const settled = Date.now() + Number(SETTLE_MS);
const rounds = new Set();
for (let pause = 2000; ; ) {
  const [round, isLate] = [randomUUID(), Date.now() >= settled];
  if (isLate) rounds.add(round);
  const told = await send(round);
  tell({ sink: K_SINK, event: round, told });
  if (/^[345]/.test(told)) {
    await goOn(`the Broker, which answers ${told}`, Number(RETRY_MS));
    continue;
  }
  // No answer in time may be a long round behind a Broker that waits for all of it, and behind the class Kafka a round begins when
  // Kafka delivers it. What was swallowed all the same is sent again.
  const isThrough = await seen(isLate ? rounds : new Set([round]), isLate ? pause : Math.min(pause, until(settled)));
  if (isThrough && isLate) break;
  if (isLate) pause = Math.min(pause * 2, mostPause);
  else await sleepUntil(settled);
}
tell({ msg: 'the first resync is through' });

/** Waits until the Triggers and the sources are ready, and says for what whenever that changes. */
async function untilReady() {
  const [triggers, sources] = [TRIGGERS, SOURCES].map((names) => names.split(' ').filter((name) => name !== ''));
  const wanted = [
    ...triggers.map((name) => ['eventing.knative.dev/v1', 'triggers', name]),
    ...sources.map((name) => ['sources.knative.dev/v1', 'apiserversources', name]),
  ];
  for (;;) {
    const lacking = (await Promise.all(wanted.map((one) => lackOf(...one)))).filter((why) => why !== undefined);
    if (lacking.length === 0) return;
    await goOn(lacking.join(', '), Number(RETRY_MS));
  }
}

/** Why an object is not ready; undefined where it is. */
async function lackOf(group, plural, name) {
  const { status, body, why } = await get(`/apis/${group}/namespaces/${NAMESPACE}/${plural}/${name}`);
  const ready = body?.status?.conditions?.find(({ type }) => type === 'Ready');
  const isOfNow = (body?.status?.observedGeneration ?? 0) >= (body?.metadata?.generation ?? 0);
  if (status === 200 && ready?.status === 'True' && isOfNow) return undefined;
  return `${plural}/${name} (${why ?? (status === 200 ? (ready?.reason ?? 'not ready') : `answered ${status}`)})`;
}

/** Whether the Lease shows within this many milliseconds that one of these rounds is through. */
async function seen(ids, ms) {
  const end = Date.now() + ms;
  for (;;) {
    const lease = `/apis/coordination.k8s.io/v1/namespaces/${NAMESPACE}/leases/knudge-resync`;
    const { status, body, why } = await get(lease);
    if (ids.has(body?.metadata?.annotations?.['knudge.dev/round'])) return true;
    const answered = why ?? (status === 200 ? 'names another' : `answered ${status}`);
    await goOn(`the Lease knudge-resync to name this resync (it ${answered})`, Math.min(Number(RETRY_MS), ms));
    if (Date.now() >= end) return false;
  }
}

function until(time) {
  return Math.max(0, time - Date.now());
}

/** A timer may be over a millisecond before its time by the clock, and the round that then began would not be one of those that count. */
async function sleepUntil(time) {
  while (until(time) > 0) await sleep(until(time));
}

/** Says what is waited for, once, and waits; ends the process when it has been long enough. */
async function goOn(what, ms) {
  if (what !== waitsFor) tell({ msg: `waiting for ${what}` });
  waitsFor = what;
  await sleep(ms);
  if (Date.now() - began < Number(GIVE_UP_MS)) return;
  tell({
    msg: `gave up after ${Math.round((Date.now() - began) / 1000)} s, waiting for ${what}. The PingSource asks every five minutes`,
  });
  process.exit(1);
}

/** The status, or why there is none. */
async function send(id) {
  try {
    const token = K_SINK_TOKEN_FILE && (await readFile(K_SINK_TOKEN_FILE, 'utf8')).trim();
    const headers = {
      'ce-specversion': '1.0',
      'ce-id': id,
      'ce-source': '/knudge/first-resync',
      'ce-type': 'dev.knudge.resync.due',
      ...(token && { authorization: `Bearer ${token}` }),
    };
    const { status } = await fetch(K_SINK, { method: 'POST', headers, signal: AbortSignal.timeout(60_000) });
    return String(status);
  } catch (error) {
    return error.cause?.message ?? error.message;
  }
}

/** What the API server says, by the account of this Pod; `API_SERVER_URL` is one on loopback that asks for none. */
async function get(path) {
  const { API_SERVER_URL, KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = process.env;
  try {
    const server = API_SERVER_URL ?? `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const [token, ca] = API_SERVER_URL
      ? []
      : await Promise.all(['token', 'ca.crt'].map((file) => readFile(`${account}/${file}`, 'utf8')));
    return await ask(new URL(path, server), { ca, headers: token ? { authorization: `Bearer ${token.trim()}` } : {} });
  } catch (error) {
    return { status: 0, why: error.message };
  }
}

function ask(url, options) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const request = url.protocol === 'http:' ? plain : secure;
  const asked = request(url, { ...options, signal: AbortSignal.timeout(10_000) }, async (answer) => {
    try {
      const text = (await answer.toArray()).join('');
      resolve({ status: answer.statusCode, body: answer.statusCode === 200 ? JSON.parse(text) : undefined });
    } catch (error) {
      reject(error);
    }
  });
  asked.on('error', reject);
  asked.end();
  return promise;
}

function tell(line) {
  console.log(JSON.stringify({ time: new Date().toISOString(), ...line }));
}
