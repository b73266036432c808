import type { DistributedService } from '../../domain/distributed-service.ts';
import type { GateQuestion, GateVerdict } from '../../domain/gate.ts';
import type { KubeObject } from '../../domain/kube-object.ts';
import { isLeaving } from '../children.ts';
import { conflictReason, notAllowedReason } from '../distributed-service/claims.ts';
import { tokenKey } from '../distributed-service/identity-secret.ts';
import { textOf } from '../distributed-service/key-pair.ts';
import { problemOf } from '../distributed-service/spec-problem.ts';
import { tellWant, type Want } from '../distributed-service/wants.ts';
import { belongsTo } from '../owned.ts';
import { strangenessOf } from './strangeness.ts';

/** What was read for a question: the service that the client says it is, and the Secret with that service's token. */
export interface Known {
  readonly service: DistributedService | undefined;
  readonly secret: KubeObject | undefined;
  /** What it wants that somebody else holds; asked where it wants a proxy. */
  readonly taken?: readonly Want[];
}

type Out = Extract<GateVerdict, { is: 'out' }>;

/**
 * Whether an FRP server may let this client do what it asks for. The order is the rule: who it is comes first, and until
 * that is proven every refusal says the same, so that nobody learns from the gate which services there are.
 * @param isSame compares two secrets in a time that tells nothing of either
 */
export function admit(
  question: GateQuestion,
  { service, secret, taken = [] }: Known,
  isSame: (one: string, other: string) => boolean,
): GateVerdict {
  const { claim, op } = question;
  if (claim === undefined) return unknown('names-no-service');
  if (service === undefined) return unknown('no-such-service');
  if (service.metadata.uid !== claim.uid) return unknown('another-uid');
  if (secret === undefined) return unknown('no-identity');
  if (belongsTo(secret, service) !== 'ours') return unknown('foreign-identity');
  const identity = secret.metadata.uid ?? '';
  if (op === 'login' ? !hasToken(question.token, secret, isSame) : claim.identity !== identity || identity === '') {
    return unknown(op === 'login' ? 'wrong-token' : 'another-identity');
  }
  return (
    faultOfService(service, secret, question) ?? faultOfQuestion(service, { question, taken }) ?? { is: 'in', identity }
  );
}

function hasToken(shown: string, secret: KubeObject, isSame: (one: string, other: string) => boolean): boolean {
  const token = textOf(secret, tokenKey);
  return token !== undefined && isSame(shown, token);
}

/** What holds for every question of a client that is who it says it is. */
function faultOfService(service: DistributedService, secret: KubeObject, { server }: GateQuestion): Out | undefined {
  const { metadata, spec, status } = service;
  const name = `${metadata.namespace ?? ''}/${metadata.name}`;
  if (isLeaving(service)) return out('being-deleted', `${name} is being deleted`);
  if (isLeaving(secret)) return out('identity-being-deleted', `the identity of ${name} is being deleted`);
  const problem = problemOf(spec);
  if (problem !== undefined) return out('invalid-spec', `the spec of ${name} makes no sense: ${problem}`);
  if (status?.serverProfile === server) return undefined;
  return out(
    'another-server',
    `${name} does not use this server: its profile is ${status?.serverProfile ?? 'not found'}`,
  );
}

interface Asked {
  readonly question: GateQuestion;
  readonly taken: readonly Want[];
}

function faultOfQuestion(service: DistributedService, { question, taken }: Asked): Out | undefined {
  switch (question.op) {
    case 'ping':
      return undefined;
    case 'login':
      // A user would stand before the name of each proxy, and a client id that is another's ends that one's session.
      return question.user === '' && question.clientId === ''
        ? undefined
        : out('foreign-name', 'a service logs in without user and clientID');
    case 'new-proxy':
      return faultOfProxy(service, question.proxy, taken);
  }
}

function faultOfProxy(
  service: DistributedService,
  proxy: ReadonlyMap<string, unknown>,
  [taken]: readonly Want[],
): Out | undefined {
  const { metadata, spec, status } = service;
  const { name, namespace = '' } = metadata;
  const conflict = status?.conditions?.find(({ reason }) => reason === conflictReason || reason === notAllowedReason);
  if (conflict !== undefined) return out('conflict', conflict.message);
  if (taken !== undefined) return out('conflict', `the ${tellWant(taken)} of the FRP server belongs to somebody else`);
  const strange = strangenessOf(proxy, { namespace, name, spec });
  return strange === undefined ? undefined : out('not-its-own', strange);
}

function unknown(code: string): Out {
  return out(code, 'no living service has this identity');
}

function out(code: string, reason: string): Out {
  return { is: 'out', code, reason };
}
