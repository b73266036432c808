import type { KubeObject } from '../../domain/kube-object.ts';
import { type Children, planChildren } from '../children.ts';
import { notHeld } from '../not-held.ts';
import { paceApplies } from '../overridden.ts';
import type { Given } from '../resource.ts';
import type { Finding } from './finding.ts';
import type { Work } from './replaced.ts';

/** The work on children that are changed in place, and on all that should not be there. */
export function planMended(owner: KubeObject, children: Children, given: Given): Work {
  const { foreign, leaving, writes: planned } = planChildren(owner, children);
  const { writes: paced, overridden } = paceApplies(planned, given);
  const writes = given.refusal === undefined ? notHeld(paced, owner, given) : [];
  const finding = ((): Finding => {
    const { refusal, held } = given;
    if (refusal !== undefined) return { is: 'refused', refusal };
    if (held !== undefined) return { is: 'held', message: held.message };
    if (foreign.length > 0) return { is: 'foreign', kind: 'Child', names: foreign };
    if (leaving.length > 0) return { is: 'leaving', kind: 'Child', names: leaving };
    return overridden === undefined ? { is: 'there' } : { is: 'overridden', message: overridden };
  })();
  return { finding, writes, notices: [] };
}
