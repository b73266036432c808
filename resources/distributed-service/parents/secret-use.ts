import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../../../packages/controller/domain/names.ts';

/** The reasons of conditions of a service that may not use a Secret that it names, or that its profile names. */
export const notForUse = { certificate: 'SecretNotForUse', token: 'TokenSecretNotForUse' } as const;

/** The reason where the Secret that the profile names is not there. */
export const noToken = 'TokenSecretNotFound';

type Named = Pick<ObjectRef, 'namespace' | 'name'>;

/**
 * Whether a Secret is for our use, which whoever may write it says with a label: who names it in a spec or in a profile may be
 * somebody who could not have read it.
 */
export function isForUse({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.use] === 'true';
}

/** What is wrong with one that is not, and what to do. */
export function sentenceOfUse(secret: Named): string {
  const begins = `Secret ${secret.namespace}/${secret.name}`;
  return `${begins} is not marked as one that services may use: let whoever it belongs to run ${markCommand(secret)}`;
}

/** The Secret that such a sentence begins with; undefined where it begins otherwise. */
export function secretOfSentence(sentence: string): Named | undefined {
  const [, namespace, name] = /^Secret ([^/ ]+)\/([^/ ]+) /.exec(sentence) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** For a shell. */
export function markCommand({ namespace, name }: Named): string {
  return `kubectl label secret ${name} --namespace ${namespace} ${labels.use}=true`;
}
