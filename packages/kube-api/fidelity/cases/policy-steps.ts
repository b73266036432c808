import { core, type Options, post, type Until, until } from '../case.ts';
import { configMap } from './bodies.ts';

export const policies = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies';
export const bindings = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
export const metadata = { name: '{ns}' };
export const inNamespace = { matchLabels: { 'kubernetes.io/metadata.name': '{ns}' } };
export const rule = (resources: readonly string[], operations: readonly string[] = ['CREATE', 'UPDATE', 'DELETE']) => ({
  apiGroups: ['', 'apps'],
  apiVersions: ['v1'],
  operations,
  resources,
});
export type Fields = Readonly<Record<string, unknown>>;

/** A policy of this namespace alone, and its binding. */
export const given = (
  spec: Fields,
  { rules = [rule(['configmaps'])], binding = {} }: { rules?: unknown; binding?: Fields } = {},
) => [
  post(policies, {
    metadata,
    spec: { matchConstraints: { resourceRules: rules, namespaceSelector: inNamespace }, ...spec },
  }),
  post(bindings, { metadata, spec: { policyName: '{ns}', validationActions: ['Deny'], ...binding } }),
];
export const strict = { objectSelector: { matchLabels: { strict: 'true' } } };
export const maps = core('configmaps');
export const dry = `${maps}?dryRun=All`;
const refused = (_: unknown, code: number) => code === 403 || code === 422;
/** The API server takes a policy into account a moment after it was made. */
export const untilRefused = (
  method: string,
  path: string,
  { body, ...options }: Options & { body?: unknown } = {},
): Until => ({
  ...until(path, refused, options),
  method,
  ...(body !== undefined && { body }),
});
export const denied = (body: unknown = configMap(), path = dry) => untilRefused('POST', path, { body });
export const as = (user: string, groups = '') => ({
  headers: { 'impersonate-user': user, ...(groups !== '' && { 'impersonate-group': groups }) },
});

/** Whether it was taken: the object itself is what other cases are about. */
export function kindOf(body: unknown): unknown {
  return (body as { kind?: unknown }).kind;
}
