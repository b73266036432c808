import { type Case, core, del, get, mergePatch, post } from '../case.ts';
import { configMap } from './bodies.ts';
import {
  as,
  bindings,
  denied,
  dry,
  given,
  inNamespace,
  kindOf,
  maps,
  metadata,
  policies,
  rule,
  untilRefused,
} from './policy-steps.ts';

/** ValidatingAdmissionPolicies: what is stored, what is denied and in which words. */
export const policiesCases: readonly Case[] = [
  {
    name: 'a policy and its binding get their defaults',
    steps: [
      post(`${policies}?dryRun=All`, {
        metadata,
        spec: {
          matchConstraints: { resourceRules: [rule(['configmaps'])] },
          validations: [{ expression: 'true' }],
        },
      }),
      post(`${bindings}?dryRun=All`, {
        metadata,
        spec: {
          policyName: 'web',
          validationActions: ['Deny', 'Audit'],
          matchResources: { namespaceSelector: inNamespace },
        },
      }),
    ],
  },
  {
    name: 'a policy needs rules and validations that can be compiled',
    steps: [
      post(policies, { metadata, spec: { matchConstraints: {}, validations: [{ expression: 'true' }] } }),
      post(policies, { metadata, spec: { matchConstraints: { resourceRules: [rule(['pods'])] } } }),
      post(policies, {
        metadata,
        spec: {
          matchConstraints: { resourceRules: [rule(['pods'])] },
          validations: [{ expression: "request.nothing == ''" }, { expression: "'a'" }],
        },
      }),
      post(bindings, { metadata, spec: { policyName: 'web', validationActions: [] } }),
    ],
  },
  {
    name: 'a denial says the expression that failed',
    given: given({ validations: [{ expression: "object.data.color != 'blue'" }] }),
    steps: [denied(), post(dry, configMap({ color: 'red' }), { view: kindOf })],
  },
  {
    name: 'a denial says the message, with its reason',
    given: given({ validations: [{ expression: 'false', message: 'no more of these', reason: 'Forbidden' }] }),
    steps: [denied(), post(`${core('secrets')}?dryRun=All`, { metadata: { name: 'web' } }, { view: kindOf })],
  },
  {
    name: 'a message may be computed, from variables too',
    given: given({
      variables: [
        { name: 'color', expression: "object.?data[?'color'].orValue('none')" },
        { name: 'loud', expression: "variables.color + '!'" },
      ],
      validations: [
        {
          expression: "variables.color == 'red'",
          messageExpression: "'not ' + variables.loud",
          message: 'wrong color',
        },
      ],
    }),
    steps: [
      denied(),
      post(dry, configMap({ color: 'green' })),
      post(dry, { metadata: { name: 'web' } }),
      post(dry, configMap({ color: 'red' }), { view: kindOf }),
    ],
  },
  {
    name: 'conditions decide to whom and to what a policy applies',
    given: given({
      matchConditions: [
        { name: 'the-masters', expression: "'system:masters' in request.userInfo.groups" },
        { name: 'only-ann', expression: "request.userInfo.username == 'ann'" },
      ],
      validations: [{ expression: 'false', message: 'ann may not' }],
    }),
    steps: [
      untilRefused('POST', dry, { body: configMap(), ...as('ann', 'system:masters') }),
      post(dry, configMap(), { ...as('bob', 'system:masters'), view: kindOf }),
      post(dry, configMap(), { view: kindOf }),
    ],
  },
  {
    name: 'changes and deletions are judged with the object before',
    given: [
      post(maps, configMap()),
      ...given({
        validations: [
          {
            expression:
              "request.operation == 'CREATE' || oldObject.data.color != 'blue' || (object != null && object.data.color == 'blue')",
            messageExpression: "request.operation + ' of ' + request.name + ' in ' + request.namespace",
          },
        ],
      }),
    ],
    steps: [
      untilRefused('DELETE', `${maps}/web?dryRun=All`),
      mergePatch(`${maps}/web`, { data: { color: 'red' } }),
      mergePatch(`${maps}/web`, { data: { size: 'big' } }, { view: kindOf }),
      del(`${maps}/web`),
      get(`${maps}/web`, { view: kindOf }),
    ],
  },
];
