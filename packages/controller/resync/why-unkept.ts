import { asKnudgeError } from '../domain/errors.ts';
import { resyncLease } from '../domain/names.ts';

/** Why the Lease of the resync could not be written; where its namespace is missing, what makes it. */
export function whyUnkept(thrown: unknown): string {
  const { message } = asKnudgeError(thrown);
  const [, namespace] = /namespaces "([^"]+)" not found/.exec(message) ?? [];
  if (namespace === undefined) return message;
  return `there is no namespace ${namespace} for Lease ${resyncLease}: kubectl create namespace ${namespace}`;
}
