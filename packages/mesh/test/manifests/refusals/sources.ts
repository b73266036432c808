import { ping, source } from '../folder.ts';
import { at, type Refusal } from './refusal.ts';

export const sources: readonly Refusal[] = [
  [
    'a mode that there is not',
    source('  mode: Ref'),
    at('source', 7, 'mode: invalid value: "Ref", must be Resource or Reference'),
  ],
  [
    'a selector at the wrong place',
    source('  selector: {}'),
    at('source', 7, 'selector: unknown field: each of spec.resources has a selector of its own'),
  ],
  [
    'filters at a source',
    source('  filters: [{ exact: { kind: Pod } }]'),
    at(
      'source',
      7,
      'filters: the flag new-apiserversource-filters is off, as Knative ships it: filter in the Triggers',
    ),
  ],
  ['an owner without a kind', source('  owner: { apiVersion: apps/v1 }'), at('source', 7, 'owner.kind: missing field')],
  [
    'a version that is none',
    source('  owner: { apiVersion: a/b/c, kind: K }'),
    at('source', 7, 'owner.apiVersion: invalid value: "a/b/c", must be such as v1 or apps/v1'),
  ],
  [
    'an operator that there is not',
    source('  namespaceSelector:\n    matchExpressions: [{ key: a, operator: Like }]'),
    at(
      'source',
      8,
      'namespaceSelector.matchExpressions[0].operator: invalid value: "Like", must be In, NotIn, Exists or DoesNotExist',
    ),
  ],
  [
    'In without values',
    source('  namespaceSelector: { matchExpressions: [{ key: a, operator: In }] }'),
    at('source', 7, "namespaceSelector.matchExpressions[0].values: must be specified when operator is 'In' or 'NotIn'"),
  ],
  [
    'Exists with values',
    source('  namespaceSelector: { matchExpressions: [{ key: a, operator: Exists, values: [b] }] }'),
    at(
      'source',
      7,
      "namespaceSelector.matchExpressions[0].values: may not be specified when operator is 'Exists' or 'DoesNotExist'",
    ),
  ],
  [
    'a label that cannot be one',
    source('  namespaceSelector: { matchLabels: { a b: c } }'),
    at('source', 7, 'namespaceSelector.matchLabels[a b]: invalid value: "a b" is not the key of a label'),
  ],
  [
    'a label whose prefix is no DNS name',
    source('  namespaceSelector: { matchLabels: { a..b/x: c } }'),
    at('source', 7, 'namespaceSelector.matchLabels[a..b/x]: invalid value: "a..b/x" is not the key of a label'),
  ],
  [
    'a value that cannot be one',
    source('  namespaceSelector: { matchLabels: { a: b c } }'),
    at('source', 7, 'namespaceSelector.matchLabels.a: invalid value: "b c" is not the value of a label'),
  ],
  [
    'an extension that cannot be one',
    source('  ceOverrides: { extensions: { A: b } }'),
    at('source', 7, 'ceOverrides.extensions.A: invalid key name, an extension has lowercase letters and digits only'),
  ],
  ['@every', ping('  schedule: "@every 5m"'), at('ping', 6, 'schedule: invalid value: unsupported descriptor @every')],
  [
    'a time zone that there is not',
    ping('  timezone: Mars/Olympus'),
    at('ping', 6, 'timezone: invalid value: unknown time zone Mars/Olympus'),
  ],
  [
    'data twice',
    ping('  data: a\n  dataBase64: YQ=='),
    at('ping', 7, 'dataBase64: expected exactly one, got both: data, dataBase64'),
  ],
  ['what is not base64', ping('  dataBase64: "?"'), at('ping', 6, 'dataBase64: invalid value: is not base64')],
  [
    'JSON that is no object',
    ping("  contentType: application/json\n  data: '[1]'"),
    at('ping', 7, 'data: invalid value: with contentType application/json it must be a JSON object'),
  ],
  [
    'the same in base64',
    ping('  contentType: application/json\n  dataBase64: e30x'),
    at('ping', 7, 'dataBase64: invalid value: with contentType application/json it must be a JSON object'),
  ],
];
