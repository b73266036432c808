import { inputRounds } from '../../../packages/controller/decide/input-rounds.ts';
import type { AskingWith, Resource } from '../../../packages/controller/decide/resource.ts';
import { type KubeObject, refOf } from '../../../packages/controller/domain/kube-object.ts';
import { annotations } from '../../../packages/controller/domain/names.ts';
import type { Observed, Plan, Query } from '../../../packages/controller/domain/plan.ts';
import { timeOf } from '../../../packages/controller/domain/time.ts';
import type { Trace, TracedCall, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { signingOf } from '../../../resources/distributed-service/certificates/authority-turn.ts';
import { keyPairOf } from '../../../resources/distributed-service/certificates/key-pair.ts';
import { lifetimes } from '../../../resources/distributed-service/certificates/lifetimes.ts';
import type { Certificates } from '../../../resources/distributed-service/certificates/question.ts';
import { claimInputs } from '../../../resources/distributed-service/claims/claim-objects.ts';
import { asObject } from './accessors.ts';
import type { OraclesWith } from './inspection.ts';
import { isByList, leftOut } from './looks.ts';
import { resourceOf } from './managed.ts';
import { lastRead, type Pass, readsOf, type Step, writesOf } from './passes.ts';
import { questionIn } from './question.ts';
import { foundBy, isReadOf } from './reads.ts';

/**
 * What the product's `decide` makes of what a pass had read when it began to write: one plan for each time that it may have
 * been. Empty where that is unknown: something was not read, or several runs through one invocation read different
 * things. What came from outside, a token or a new certificate, is taken from what the pass then wrote.
 */
export function decidedBy(pass: Pass, trace: Trace, parts: OraclesWith): readonly Plan[] {
  const first = writesOf(pass)[0]?.call.at ?? Number.POSITIVE_INFINITY;
  const { hash, images, controllerNamespace, apiServer } = parts;
  const written = new Map(writesOf(pass).map(({ call, role }) => [role, asObject(call.body)]));
  const newToken = (): string => decoded(pick(written.get('identity'), 'data', 'token')) ?? 'a-new-token';
  const resource = resourceOf(pass.parent, { images, newToken });
  if (resource === undefined) return [];
  const fixed = { hash, controllerNamespace, apiServer };
  // Whether all was looked at stands nowhere: what a pass has read shows it, and where that shows neither, both may have been.
  const seen = [false, true].flatMap(
    (tries) => observedBy(pass, trace, { before: first, hash, controllerNamespace, tries }) ?? [],
  );
  const rounds = seen.flatMap((observed) => timesOf(pass, trace).map((now) => ({ observed, now })));
  return rounds.flatMap(({ observed, now }) => {
    try {
      const certificates = certificatesOf(observed, { now, written, inspect: parts.inspect });
      const decide = (byResync: boolean): Plan =>
        resource.decide(observed, { now, ...fixed, facts: { certificates }, ...(byResync && { byResync }) });
      // Who shared the run stands nowhere: what waits for its next try is tried now where the resync was among them.
      return hasWaiting(observed) ? [decide(false), decide(true)] : [decide(false)];
    } catch {
      return [];
    }
  });
}

/** Whether it may matter that the resync asks: a try that waits for its time, or a Claim that was let go and is kept a while. */
function hasWaiting({ owner, children, inputs }: Observed): boolean {
  if (inputs.get(claimInputs.own)?.some((claim) => pick(claim, 'spec', 'state') === 'Released')) return true;
  if (pick(owner, 'status', 'attempts') !== undefined || isHeldBack(owner)) return true;
  return [...children.values()].some((child) => child?.metadata.annotations?.[annotations.tries] !== undefined);
}

function isHeldBack(owner: KubeObject): boolean {
  const conditions = pick(owner, 'status', 'conditions');
  return Array.isArray(conditions) && conditions.some((one) => pick(one, 'reason') === 'Flapping');
}

interface Until extends Omit<AskingWith, 'children'> {
  readonly before: number;
}

function observedBy(pass: Pass, trace: Trace, { before, ...asking }: Until): Observed | undefined {
  const resource = resourceOf(pass.parent);
  const { object: owner } = lastRead(pass, 'owner', before);
  if (resource === undefined || owner === undefined) return undefined;
  const children = [...resource.children(pass.parent).keys()].map(
    (role) => [role, lastRead(pass, role, before)] as const,
  );
  const isAfterLook = pass.steps.some(({ call }) => isByList(call));
  if (children.some(([role, { read }]) => !read && !(isAfterLook && leftOut.has(role)))) return undefined;
  const reads = readsOf(pass, trace, before);
  const seen = new Map(children.map(([role, { object }]) => [role, object]));
  const inputs = inputsBy(resource, owner, { ...asking, children: seen, reads });
  return inputs && { owner, inputs, children: seen };
}

/** Round by round, as they are read; undefined where one of them was not, or not plainly. */
function inputsBy(
  resource: Resource,
  owner: KubeObject,
  { reads, ...asking }: AskingWith & { readonly reads: readonly TracedCall[] },
): Observed['inputs'] | undefined {
  const before = new Map<string, readonly KubeObject[]>();
  for (const { name, query } of resource.lists?.(refOf(owner), asking.controllerNamespace) ?? []) {
    const found = answerTo(query, reads);
    if (found === undefined) return undefined;
    before.set(name, found);
  }
  const rounds = inputRounds(resource, owner, { ...asking, before });
  let round = rounds.next();
  while (round.done !== true) {
    const answers = round.value.map(({ query }) => answerTo(query, reads));
    if (answers.includes(undefined)) return undefined;
    round = rounds.next(answers.map((objects) => objects ?? []));
  }
  return round.value;
}

function answerTo(query: Query, reads: readonly TracedCall[]): readonly KubeObject[] | undefined {
  return foundBy(
    query,
    reads.filter((read) => isReadOf(query, read)),
  );
}

interface At {
  readonly now: string;
  readonly written: ReadonlyMap<string, KubeObject | undefined>;
  readonly inspect: OraclesWith['inspect'];
}

/** As certify looks at them. A leaf was made if one was written; when one is due is not asked here. */
function certificatesOf(observed: Observed, { now, written, inspect }: At): Certificates {
  const question = questionIn(observed);
  if (question === undefined) return {};
  if (question.about === 'supplied') return given('suppliedFacts', inspect(question.pair));
  const { authority, next, leaf } = question;
  if (authority === undefined) return { authority: unknown };
  const facts = { authority: inspect(authority, authority.certificate), next: next && inspect(next, next.certificate) };
  const { signer, ...stored } = signingOf(question, facts, { now, lifetimes });
  // A successor is no part of a pass: that it is made is all that matters here.
  const known = { ...stored, ...(stored.turn?.kind === 'due' && { authority: unknown }) };
  if (signer === undefined) return known;
  const made = written.has('tls') ? (keyPairOf(written.get('tls')) ?? unknown) : undefined;
  return {
    ...known,
    ...given('leafFacts', leaf && inspect(leaf, signer.authority.certificate)),
    ...given('leaf', made?.certificate === leaf?.certificate ? undefined : made),
  };
}

/** Made, and never written: a write before its own had failed. */
const unknown = { certificate: 'a new certificate', key: 'a new key' };

function given<Name extends keyof Certificates>(name: Name, value: Certificates[Name] | undefined): Certificates {
  return value === undefined ? {} : { [name]: value };
}

function decoded(data: unknown): string | undefined {
  return typeof data === 'string' ? Buffer.from(data, 'base64').toString() : undefined;
}

/** The clock stands in no trace: by the pass's own status, by what was stored last before it or first after it, or at the end. */
function timesOf(pass: Pass, trace: Trace): readonly string[] {
  const own = writesOf(pass).flatMap(toldTime);
  const from = pass.steps[0]?.call.at ?? 0;
  const before = storedAt(trace.changes.findLast(({ at, type }) => at < from && type !== 'DELETED'));
  const after = storedAt(trace.changes.find(({ at, type }) => at > from && type !== 'DELETED'));
  const times = [...own, before, after, timeOf(trace.now / 1000)];
  return [...new Set(times.filter((time) => time !== undefined && time !== ''))] as readonly string[];
}

function storedAt(change: TracedChange | undefined): string | undefined {
  const entries = change?.object.metadata.managedFields ?? [];
  return entries
    .map((entry) => String(pick(entry, 'time') ?? ''))
    .toSorted()
    .at(-1);
}

function toldTime({ call }: Step): readonly string[] {
  const times = ['lastReconciled', 'lastAttempt'].map((field) => pick(call.body, 'status', field));
  return times.filter((time) => typeof time === 'string');
}
