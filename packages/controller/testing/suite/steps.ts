import { type KubeObject, type ObjectRef, refOf } from '../../domain/kube-object.ts';
import type { User } from '../user.ts';

/** One thing that a person does. */
export type Step =
  | { readonly do: 'apply'; readonly object: KubeObject }
  | { readonly do: 'change'; readonly ref: ObjectRef; readonly patch: Readonly<Record<string, unknown>> }
  | { readonly do: 'remove'; readonly ref: ObjectRef };

/** A person creates the object; where there is one, its fields are merged over it. */
export function apply(object: KubeObject): Step {
  return { do: 'apply', object };
}

/** A person changes an object by a JSON merge patch; `null` takes a field away. A `status` in it goes to the status. */
export function change(ref: ObjectRef, patch: Readonly<Record<string, unknown>>): Step {
  return { do: 'change', ref, patch };
}

/** A person deletes an object: a parent, a child, or something that is read. */
export function remove(ref: ObjectRef): Step {
  return { do: 'remove', ref };
}

/** Takes one step. Fails where the API server refuses it. */
export async function take(step: Step, user: User): Promise<void> {
  switch (step.do) {
    case 'apply':
      return applied(step.object, user);
    case 'change':
      return void (await user.patch(step.ref, step.patch));
    case 'remove':
      return user.delete(step.ref);
  }
}

async function applied(object: KubeObject, user: User): Promise<void> {
  const ref = refOf(object);
  if ((await user.get(ref)) === undefined) await user.create(object);
  else await user.patch(ref, { ...object });
}
