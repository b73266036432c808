import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../names.ts';

/** The reasons of conditions of a service that may not use a Secret that it names, or that its profile names. */
export const notForUse = { certificate: 'SecretNotForUse', token: 'TokenSecretNotForUse' } as const;

/** The reason where the Secret that the profile names is not there. */
export const noToken = 'TokenSecretNotFound';

type Named = Pick<ObjectRef, 'namespace' | 'name'>;

/**
 * Whether a Secret is for our use, which a person who may write it says with a label: the author of a spec or a profile that names
 * it may lack the right to read it.
 */
export function isForUse({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.use] === 'true';
}

/** What is wrong with one that is not, and what to do. */
export function sentenceOfUse(secret: Named): string {
  const begins = `Secret ${secret.namespace}/${secret.name}`;
  return `${begins} is not marked as one that services may use: its owner can mark it with ${markCommand(secret)}`;
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
