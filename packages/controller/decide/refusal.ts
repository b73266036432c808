import { describe } from '../domain/kube-object.ts';
import type { Refusal } from '../domain/plan.ts';

const reasons: Readonly<Record<string, string>> = {
  'admission-denied': 'AdmissionDenied',
  'quota-exceeded': 'QuotaExceeded',
  'namespace-terminating': 'NamespaceTerminating',
  'invalid-object': 'InvalidObject',
  'stored-broken': 'StoredObjectBroken',
};

/** A write that the API server refused for good, as the reason and message of a condition. */
export function refusalReason({ code, ref, message }: Refusal): { readonly reason: string; readonly message: string } {
  return { reason: reasons[code] ?? 'Refused', message: `${describe(ref)} was refused: ${message}` };
}
