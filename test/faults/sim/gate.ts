import { hashOf } from '../../../packages/controller/react/hash.ts';
import { exposedProxy } from '../../../resources/distributed-service/frp/exposed-proxy.ts';
import { admit } from '../../../resources/distributed-service/gate/admit.ts';
import type { GateQuestion } from '../../../resources/distributed-service/gate/types.ts';
import { problemOf } from '../../../resources/distributed-service/spec/problem.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';

export type Asked = ReadonlyMap<string, unknown>;

/** What a client asks for that wants just what the spec says. */
export function askedBy({ metadata, spec }: DistributedService): Asked | undefined {
  if (problemOf(spec) !== undefined) return undefined;
  const { name, namespace = '' } = metadata;
  const own = exposedProxy({ name, namespace, spec });
  if (own === undefined) return undefined;
  return new Map<string, unknown>([
    ['proxy_name', own.name],
    ['proxy_type', own.type],
    ['remote_port', own.remotePort],
    ['custom_domains', own.customDomains],
    ['subdomain', own.subdomain],
    ['locations', own.locations],
  ]);
}

/** Whether the gate that is tried lets it in, as if every Claim were its own: those the gate reads, and here its word alone is asked for. */
export function isLetIn(service: DistributedService, proxy: Asked): boolean {
  const { metadata, status } = service;
  const { name, namespace = '', uid = '' } = metadata;
  const claim = { namespace, name, uid, identity: status?.identityDigest ?? '' };
  const question = { op: 'new-proxy', server: status?.serverProfile ?? '', claim, proxy } as const;
  return admit(question, { service }, { isSame: (one, other) => one === other, hash: hashOf }).is === 'in';
}

/** The questions of the server of before to which the gate said yes before, and says no now, to a tunnel that is still the same. */
export function turnedOut(before: DistributedService, now: DistributedService): readonly string[] {
  const { metadata, status } = before;
  const { name, namespace = '', uid = '' } = metadata;
  const identity = status?.identityDigest ?? '';
  const asking = { server: status?.serverProfile ?? '', claim: { namespace, name, uid, identity } };
  const proxy = askedBy(before);
  const questions: readonly GateQuestion[] = [
    { ...asking, op: 'login', token: identity, user: '', clientId: '' },
    { ...asking, op: 'ping' },
    ...(proxy === undefined ? [] : [{ ...asking, op: 'new-proxy', proxy } as const]),
  ];
  // The tunnel has the token that the digest is of: no run knows more of it.
  const hash = (text: string): string => (text === identity ? text : hashOf(text));
  const isIn = (service: DistributedService, question: GateQuestion): boolean =>
    admit(question, { service }, { isSame: (one, other) => one === other, hash }).is === 'in';
  return questions.filter((one) => isIn(before, one) && !isIn(now, one)).map(({ op }) => op);
}
