import type { Asked, QuestionContext, Reply } from '../../../packages/controller/domain/ports.ts';
import { claimRef } from '../claims/claim-objects.ts';
import { holds } from '../claims/claim-queries.ts';
import { wantsOf } from '../claims/wants.ts';
import { shapeProblemOf } from '../spec/shape.ts';
import type { DistributedService } from '../types.ts';
import { admit, type Known, type Lacking } from './admit.ts';
import { parsePluginRequest, pluginAnswer } from './plugin.ts';
import type { GateQuestion } from './types.ts';

/**
 * Answers one question of an FRP server. The gate reads the service by name for each question and keeps nothing. It needs no Secret,
 * because the status of the service has a digest of the token.
 */
export async function askGate({ path, body }: Asked, context: QuestionContext): Promise<Reply> {
  const request = parsePluginRequest(path, body);
  const { question } = request;
  const verdict = admit(question, await lookUp(question, context), context);
  const { claim, op, server } = question;
  const fields = { op, server, namespace: claim?.namespace, name: claim?.name };
  const outcome = verdict.is === 'in' ? 'in' : verdict.code;
  return { outcome, fields, json: pluginAnswer(request, verdict, context.md5) };
}

async function lookUp({ claim, op, server }: GateQuestion, context: QuestionContext): Promise<Known> {
  if (claim === undefined) return { service: undefined };
  const { namespace, name } = claim;
  const ref = { apiVersion: 'frp.io/v1beta1', kind: 'DistributedService', namespace, name };
  const service = (await context.reader.get(ref)) as DistributedService | undefined;
  if (op !== 'new-proxy' || service === undefined || shapeProblemOf(service.spec) !== undefined) return { service };
  return { service, lacking: await lackingOf(service, server, context) };
}

/**
 * The hosts and ports that a service wants and does not hold. If the profile names the domain of subdomains, the Claim of a subdomain has
 * the whole host, which the gate cannot know without the profile. So it does not count a subdomain without a Claim as lacking: the digest
 * in the status says whether the service holds it.
 */
async function lackingOf(
  service: DistributedService,
  server: string,
  { reader, controllerNamespace, hash }: QuestionContext,
): Promise<readonly Lacking[]> {
  const place = { server: `${server.split('/')[0] ?? ''}/${service.spec.serverProfile}`, controllerNamespace, hash };
  const found = await Promise.all(
    wantsOf(service.spec, {}).map(async (want) => ({ want, claim: await reader.get(claimRef(want, place)) })),
  );
  return found.flatMap(({ want, claim }) => {
    const isOther = claim === undefined && want.kind === 'Subdomain';
    return isOther || holds(service, want, claim) ? [] : [{ want, isTaken: claim !== undefined }];
  });
}
