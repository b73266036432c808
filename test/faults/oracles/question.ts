import type { Observed } from '../../../packages/controller/domain/plan.ts';
import { questionOf } from '../../../resources/distributed-service/certificates/certificates.ts';
import type { CertificateQuestion } from '../../../resources/distributed-service/certificates/question.ts';
import type { DistributedService } from '../../../resources/distributed-service/types.ts';

/** Which certificates a decision about this parent hangs on; undefined for a parent of another kind. */
export function questionIn({ owner, ...seen }: Observed): CertificateQuestion | undefined {
  return owner.kind === 'DistributedService' ? questionOf({ ...seen, owner: owner as DistributedService }) : undefined;
}
