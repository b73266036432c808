import type { KubeObject, ObjectRef } from '../../../packages/controller/domain/kube-object.ts';
import { labels } from '../names.ts';

/** The reasons of conditions of a service that may not use a Secret: the certificate that it names, or the token that its profile names. */
export const notForUse = { certificate: 'SecretNotForUse', token: 'TokenSecretNotForUse' } as const;

/** The reason if the Secret that the profile names does not exist. */
export const noToken = 'TokenSecretNotFound';

type Named = Pick<ObjectRef, 'namespace' | 'name'>;

/**
 * Whether a Secret has the label that allows services to use it. Only somebody who may write the Secret can set the label: the author
 * of a spec or a profile that names the Secret may lack the right to read it.
 */
export function isForUse({ metadata }: KubeObject): boolean {
  return metadata.labels?.[labels.use] === 'true';
}

/** The sentence for a Secret that is not marked: what is wrong, and what to do. */
export function sentenceOfUse(secret: Named): string {
  const begins = `Secret ${secret.namespace}/${secret.name}`;
  return `${begins} is not marked as one that services may use: its owner can mark it with ${markCommand(secret)}`;
}

/** The Secret that such a sentence begins with; undefined for another sentence. */
export function secretOfSentence(sentence: string): Named | undefined {
  const [, namespace, name] = /^Secret ([^/ ]+)\/([^/ ]+) /.exec(sentence) ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** The command, for a shell, that marks a Secret. */
export function markCommand({ namespace, name }: Named): string {
  return `kubectl label secret ${name} --namespace ${namespace} ${labels.use}=true`;
}
