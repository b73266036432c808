import { groupOf } from './kube-object.ts';

/** The plural as Knative guesses it (apimachinery `meta.UnsafeGuessKindToResource`): a resource named otherwise is not found. */
export function guessedPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}

/** `/api/v1` or `/apis/apps/v1`: the API server says there what a version serves. */
export function versionPath(apiVersion: string): string {
  return groupOf(apiVersion) === '' ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
}
