import type { Thing } from '../../../packages/controller/doctor/own-checks.ts';
import {
  type Account,
  type Binding,
  bindingsOf,
  isBinding,
  type Right,
  rightsBy,
  rightsOf,
  roleOf,
} from '../../../packages/controller/domain/rights.ts';
import { again, applying, binding, deleting, naming } from '../mend.ts';
import { nameOf, sameAs } from '../seen.ts';
import { without } from './covers.ts';

/** A right that a binding of the manifests gives to an account and the cluster does not. */
export interface Lack {
  readonly binding: Binding;
  readonly rights: readonly Right[];
  /** What prevents it. */
  readonly cause: string;
  /** The command that removes the cause and touches nothing else. */
  readonly todo: string;
}

/** The rights that an account has by the manifests but not by the roles and bindings of the cluster. */
export function lacksOf(who: Account, granted: readonly Thing[], seen: readonly Thing[]): readonly Lack[] {
  const has = rightsOf(who, seen);
  return bindingsOf(who, granted).flatMap((one) => {
    const rights = without(rightsBy(one, granted), has);
    return rights.length === 0 ? [] : [{ binding: one, rights, ...causeOf(one, who, { granted, seen }) }];
  });
}

interface Both {
  /** The roles and bindings of the manifests. */
  readonly granted: readonly Thing[];
  readonly seen: readonly Thing[];
}

function causeOf(wanted: Binding, who: Account, both: Both): Pick<Lack, 'cause' | 'todo'> {
  const { kind, name } = wanted.roleRef;
  const found = both.seen.filter(isBinding).find((one) => one.kind === wanted.kind && sameAs(wanted)(one));
  const role = judgeRole(wanted, both);
  const also = role.isWhole ? '' : ` && ${role.todo}`;
  if (found === undefined) return { cause: `${nameOf(wanted)} is not there`, todo: `${binding(wanted, who)}${also}` };
  if (kind !== found.roleRef.kind || name !== found.roleRef.name) {
    // The API server does not let the role of an existing binding change.
    const todo = `${deleting(wanted)} && ${binding(wanted, who)}${also}`;
    return { cause: `${nameOf(wanted)} grants ${found.roleRef.kind} ${found.roleRef.name}`, todo };
  }
  if (!bindingsOf(who, [found]).includes(found)) {
    const cause = `${nameOf(wanted)} does not name ServiceAccount ${who.namespace}/${who.name}`;
    return { cause, todo: `${naming(wanted, who)}${also}` };
  }
  return role;
}

/** Whether the role of a binding grants all that it does in the manifests. */
function judgeRole(wanted: Binding, { granted, seen }: Both): Pick<Lack, 'cause' | 'todo'> & { isWhole: boolean } {
  const [asked, found] = [roleOf(wanted, granted), roleOf(wanted, seen)];
  const { kind, name } = wanted.roleRef;
  return {
    isWhole: without(rightsBy(wanted, granted), rightsBy(wanted, seen)).length === 0,
    cause: found === undefined ? `there is no ${kind} ${name}` : `${nameOf(found)} does not grant that`,
    todo: asked === undefined ? again : applying(asked),
  };
}
