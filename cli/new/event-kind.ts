import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import type { KnownKind } from '../../packages/controller/domain/known-kinds.ts';
import type { ObjectRef } from '../../packages/controller/domain/kube-object.ts';
import { guessedPlural } from '../../packages/controller/domain/plural.ts';

type Kind = Pick<ObjectRef, 'apiVersion' | 'kind'>;

/** How a person describes a kind that is not built in. */
export interface Naming {
  readonly group?: string;
  readonly version?: string;
  readonly plural?: string;
  /** Its objects are in no namespace. */
  readonly clusterScoped?: boolean;
}

/** A kind whose changes wake a function. */
export interface EventKind extends Kind, KnownKind {
  readonly isBuiltin: boolean;
}

/**
 * The kind that a word means: a built-in one by its name, any other as `group/version/Kind` or with its group and version. Throws `misuse`
 * with what to write.
 */
export function eventKind(
  word: string,
  naming: Naming,
  builtin: (kind: string) => (Kind & KnownKind) | undefined,
): EventKind {
  const parts = word.split('/');
  const [kind = '', version = naming.version, group = naming.group] = parts.toReversed();
  const known = parts.length === 1 && group === undefined ? builtin(kind) : undefined;
  if (known !== undefined) return { ...known, isBuiltin: true };
  const isWhole =
    parts.length < 4 && [group, version].every((one) => /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(one ?? ''));
  if (!isWhole || !/^[A-Z][A-Za-z0-9]*$/.test(kind)) {
    throw new KnudgeError(
      'misuse',
      `"${word}" is not a built-in kind that Knudge knows: write Secret or Deployment, or describe another one as group/version/Kind, such as cert-manager.io/v1/Certificate`,
    );
  }
  const { plural = guessedPlural(kind), clusterScoped = false } = naming;
  if (!/^[a-z]([a-z0-9-]*[a-z0-9])?$/.test(plural))
    throw new KnudgeError('misuse', `"${plural}" is not a plural: take a-z, 0-9 and -, such as certificates`);
  return { apiVersion: `${group}/${version}`, kind, plural, namespaced: !clusterScoped, isBuiltin: false };
}
