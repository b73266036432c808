import { isLeaving } from '../../../packages/controller/decide/children.ts';
import { conflictReason, notAllowedReason } from '../claims/reasons.ts';
import { tellWant, type Want } from '../claims/wants.ts';
import { exposureDigest } from '../frp/exposed-proxy.ts';
import { problemOf } from '../spec/problem.ts';
import type { DistributedService } from '../types.ts';
import { strangenessOf } from './strangeness.ts';
import type { GateQuestion, GateVerdict } from './types.ts';

/** The objects that were read for a question: the service that the client claims to belong to, and what that lacks. */
export interface Known {
  readonly service: DistributedService | undefined;
  /** The hosts and ports that it wants and does not hold; read only if the client wants a proxy. */
  readonly lacking?: readonly Lacking[];
}

export interface Lacking {
  readonly want: Want;
  /** Whether there is a Claim of it that is not this service's. If false, nobody has claimed it. */
  readonly isTaken: boolean;
}

type Out = Extract<GateVerdict, { is: 'out' }>;

export interface Comparing {
  /** Compares two secrets, in a time that reveals nothing of either. */
  readonly isSame: (one: string, other: string) => boolean;
  /** The hash that made the digest in the status. */
  readonly hash: (text: string) => string;
}

/**
 * Whether an FRP server may let this client do what it asks for. The order matters: the client must prove its identity first, and until
 * then every refusal has the same words, so that nobody learns from the gate which services exist.
 */
export function admit(
  question: GateQuestion,
  { service, lacking = [] }: Known,
  { isSame, hash }: Comparing,
): GateVerdict {
  const { claim, op } = question;
  if (claim === undefined) return unknown('names-no-service');
  if (service === undefined) return unknown('no-such-service');
  if (service.metadata.uid !== claim.uid) return unknown('another-uid');
  const identity = service.status?.identityDigest ?? '';
  if (identity === '') return unknown('no-identity');
  if (op === 'login' ? !isSame(hash(question.token), identity) : claim.identity !== identity)
    return unknown(op === 'login' ? 'wrong-token' : 'another-identity');
  return (
    faultOfService(service, question) ?? faultOfQuestion(service, { question, lacking, hash }) ?? { is: 'in', identity }
  );
}

/** The reason to refuse every question of a client that has proven its identity; undefined if the client is admitted. */
function faultOfService(service: DistributedService, { server }: GateQuestion): Out | undefined {
  const { metadata, spec, status } = service;
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  if (isLeaving(service)) return out('being-deleted', `${name} is being deleted`);
  const problem = problemOf(spec);
  if (problem !== undefined) return out('invalid-spec', `the spec of ${name} makes no sense: ${problem}`);
  if (status?.serverProfile === server) return undefined;
  return out(
    'another-server',
    `${name} does not use this server: its profile is ${status?.serverProfile ?? 'not found'}`,
  );
}

interface Asked extends Pick<Comparing, 'hash'> {
  readonly question: GateQuestion;
  readonly lacking: readonly Lacking[];
}

function faultOfQuestion(service: DistributedService, { question, lacking, hash }: Asked): Out | undefined {
  switch (question.op) {
    case 'ping':
      return undefined;
    case 'login':
      // A user would stand before the name of each proxy, and a client id that is another's ends that one's session.
      return question.user === '' && question.clientId === ''
        ? undefined
        : out('foreign-name', 'a service logs in without user and clientID');
    case 'new-proxy':
      return faultOfProxy(service, question, { lacking, hash });
  }
}

/** The reason to refuse a proxy; undefined if it is admitted. A server asks only once for each, so a host or port in doubt is refused. */
function faultOfProxy(
  service: DistributedService,
  { proxy, server }: Extract<GateQuestion, { op: 'new-proxy' }>,
  { lacking, hash }: Pick<Asked, 'lacking' | 'hash'>,
): Out | undefined {
  const { metadata, spec, status } = service;
  const { name, namespace = '' } = metadata;
  const conflict = status?.conditions?.find(({ reason }) => reason === conflictReason || reason === notAllowedReason);
  if (conflict !== undefined) return out('conflict', conflict.message);
  const taken = lacking.find(({ isTaken }) => isTaken);
  if (taken !== undefined)
    return out('conflict', `the ${tellWant(taken.want)} of the FRP server belongs to somebody else`);
  // The conditions may speak of an older spec. The digest stands for the proxy of the spec that was found to be held.
  if (lacking.length > 0 || status?.exposureDigest !== exposureDigest(service, { server, hash }))
    return out(
      'not-held',
      `${namespace}/${name} does not hold all of this at the FRP server yet: try again in a moment`,
    );
  const strange = strangenessOf(proxy, { namespace, name, spec });
  return strange === undefined ? undefined : out('not-its-own', strange);
}

function unknown(code: string): Out {
  return out(code, 'no living service has this identity');
}

function out(code: string, reason: string): Out {
  return { is: 'out', code, reason };
}
