import { claimRef } from '../decide/distributed-service/claim-objects.ts';
import { holds } from '../decide/distributed-service/claim-queries.ts';
import { shapeProblemOf } from '../decide/distributed-service/spec-shape.ts';
import { type Want, wantsOf } from '../decide/distributed-service/wants.ts';
import { admit, type Known } from '../decide/gate/admit.ts';
import type { DistributedService } from '../domain/distributed-service.ts';
import type { Claim, GateQuestion } from '../domain/gate.ts';
import { childName } from '../domain/names.ts';
import type { Asked, QuestionContext, Reply } from '../domain/ports.ts';
import { parsePluginRequest, pluginAnswer } from './plugin.ts';

/**
 * Answers one question of an FRP server from what is true now: the service and its Secret are read for each, by name, and
 * nothing of them is kept. The Secret's data is asked for at a login only.
 */
export async function askGate({ path, body }: Asked, context: QuestionContext): Promise<Reply> {
  const { isSame, md5 } = context;
  const request = parsePluginRequest(path, body);
  const { question } = request;
  const verdict = admit(question, await lookUp(question, context), isSame);
  const { claim, op, server } = question;
  const fields = { op, server, namespace: claim?.namespace, name: claim?.name };
  const outcome = verdict.is === 'in' ? 'in' : verdict.code;
  return { outcome, fields, json: pluginAnswer(request, verdict, md5) };
}

async function lookUp(question: GateQuestion, context: QuestionContext): Promise<Known> {
  const { claim, op } = question;
  const { reader } = context;
  if (claim === undefined) return { service: undefined, secret: undefined };
  const secretRef = refTo(claim, { apiVersion: 'v1', kind: 'Secret' }, childName(claim.name, 'identity'));
  const [service, secret] = await Promise.all([
    reader.get(refTo(claim, { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' }, claim.name)),
    op === 'login' ? reader.get(secretRef) : reader.getMetadata(secretRef),
  ]);
  const known = { service: service as DistributedService | undefined, secret };
  if (op !== 'new-proxy' || known.service === undefined || shapeProblemOf(known.service.spec) !== undefined)
    return known;
  return { ...known, taken: await takenFrom(known.service, question.server, context) };
}

/** What a service wants and another holds. What nobody holds yet its status tells of. */
async function takenFrom(
  service: DistributedService,
  server: string,
  { reader, controllerNamespace, hash }: QuestionContext,
): Promise<readonly Want[]> {
  const place = { server: `${server.split('/')[0] ?? ''}/${service.spec.serverProfile}`, controllerNamespace, hash };
  const found = await Promise.all(
    wantsOf(service.spec, {}).map(async (want) => ({ want, claim: await reader.get(claimRef(want, place)) })),
  );
  return found.flatMap(({ want, claim }) => (claim === undefined || holds(service, want, claim) ? [] : [want]));
}

function refTo({ namespace }: Claim, kind: { readonly apiVersion: string; readonly kind: string }, name: string) {
  return { ...kind, namespace, name };
}
