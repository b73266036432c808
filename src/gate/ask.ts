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
export async function askGate({ path, body }: Asked, { reader, isSame, md5 }: QuestionContext): Promise<Reply> {
  const request = parsePluginRequest(path, body);
  const { question } = request;
  const verdict = admit(question, await lookUp(question, reader), isSame);
  const { claim, op, server } = question;
  const fields = { op, server, namespace: claim?.namespace, name: claim?.name };
  const outcome = verdict.is === 'in' ? 'in' : verdict.code;
  return { outcome, fields, json: pluginAnswer(request, verdict, md5) };
}

async function lookUp({ claim, op }: GateQuestion, reader: QuestionContext['reader']): Promise<Known> {
  if (claim === undefined) return { service: undefined, secret: undefined };
  const secretRef = refTo(claim, { apiVersion: 'v1', kind: 'Secret' }, childName(claim.name, 'identity'));
  const [service, secret] = await Promise.all([
    reader.get(refTo(claim, { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService' }, claim.name)),
    op === 'login' ? reader.get(secretRef) : reader.getMetadata(secretRef),
  ]);
  return { service: service as DistributedService | undefined, secret };
}

function refTo({ namespace }: Claim, kind: { readonly apiVersion: string; readonly kind: string }, name: string) {
  return { ...kind, namespace, name };
}
