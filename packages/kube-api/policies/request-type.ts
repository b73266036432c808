import type { Environment } from '@marcbachmann/cel-js';
import type { Json, JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import { nativeType } from '../schema/cel-native.ts';
import { untyped } from '../schema/cel-types.ts';

const value = untyped({});
const text = 'string';
const groupVersion = { group: text, version: text };

/** Declares `request` in an environment: an AdmissionRequest. Returns the function that makes its value. */
export function declareRequest(env: Environment): (request: JsonObject) => unknown {
  const kind = nativeType(env, 'admission.Kind', { ...groupVersion, kind: text });
  const resource = nativeType(env, 'admission.Resource', { ...groupVersion, resource: text });
  const user = nativeType<Record<string, unknown>>(env, 'admission.UserInfo', {
    username: text,
    uid: text,
    groups: 'list<string>',
    extra: 'map<string, list<string>>',
  });
  const request = nativeType<Record<string, unknown>>(env, 'admission.Request', {
    kind: 'admission.Kind',
    resource: 'admission.Resource',
    subResource: text,
    requestKind: 'admission.Kind',
    requestResource: 'admission.Resource',
    requestSubResource: text,
    name: text,
    namespace: text,
    operation: text,
    userInfo: 'admission.UserInfo',
    dryRun: 'bool',
    options: 'dyn',
  });
  env.registerVariable('request', 'admission.Request');
  return (given) => {
    const at = (key: string): Json => given[key] ?? null;
    return request({
      ...given,
      kind: kind(objectAt(at('kind'))),
      resource: resource(objectAt(at('resource'))),
      requestKind: kind(objectAt(at('requestKind'))),
      requestResource: resource(objectAt(at('requestResource'))),
      userInfo: user({ ...objectAt(at('userInfo')), extra: value(objectAt(given, 'userInfo', 'extra')) }),
      options: value(at('options')),
    });
  };
}
