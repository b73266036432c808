import { type Case, core, group, mergePatch, post } from '../case.ts';
import { configMap, deployment, pod } from './bodies.ts';
import { bindings, denied, dry, given, kindOf, rule, strict } from './policy-steps.ts';

/** What a policy applies to, and what becomes of errors and warnings. */
export const policyBoundsCases: readonly Case[] = [
  {
    name: 'an error denies unless it is to be ignored',
    given: given({ validations: [{ expression: 'object.data.size == object.data.color' }] }),
    steps: [denied()],
  },
  {
    name: 'a policy that ignores its errors denies nothing by them',
    given: given({
      failurePolicy: 'Ignore',
      validations: [
        { expression: 'object.data.size == object.data.color' },
        { expression: "object.data.color == 'red'", message: 'not red' },
      ],
    }),
    steps: [denied(), post(dry, configMap({ color: 'red' }), { view: kindOf })],
  },
  {
    name: 'a binding may warn and not deny',
    given: [
      ...given(
        { validations: [{ expression: 'false', message: 'rather not' }] },
        { binding: { validationActions: ['Warn', 'Audit'] } },
      ),
      // By its denial it shows that the API server knows of the bindings.
      post(bindings, {
        metadata: { name: '{ns}-strict' },
        spec: { policyName: '{ns}', validationActions: ['Deny'], matchResources: strict },
      }),
    ],
    steps: [denied(configMap({}, { labels: { strict: 'true' } })), post(dry, configMap(), { view: kindOf })],
  },
  {
    name: 'a binding narrows what a policy applies to',
    given: given({ validations: [{ expression: 'false' }] }, { binding: { matchResources: strict } }),
    steps: [denied(configMap({}, { labels: { strict: 'true' } })), post(dry, configMap(), { view: kindOf })],
  },
  {
    name: 'a subresource is another resource',
    given: [
      post(group('apps/v1', 'deployments'), deployment({ paused: true })),
      ...given({ validations: [{ expression: 'false' }] }, { rules: [rule(['deployments', 'pods/status'])] }),
    ],
    steps: [
      denied(deployment({}, { name: 'other' }), `${group('apps/v1', 'deployments')}?dryRun=All`),
      mergePatch(
        `${group('apps/v1', 'deployments', 'web')}/status`,
        { status: { observedGeneration: 1 } },
        { view: kindOf },
      ),
      post(`${core('pods')}?dryRun=All`, pod(), { view: kindOf }),
    ],
  },
  {
    name: 'a policy sees the namespace of an object and the numbers in it',
    given: given(
      {
        validations: [
          {
            expression: 'object.spec.replicas <= 2 && namespaceObject.metadata.name == object.metadata.namespace',
            messageExpression:
              "'at most 2 and not ' + string(object.spec.replicas) + ' in ' + namespaceObject.metadata.name",
          },
        ],
      },
      { rules: [rule(['deployments'])] },
    ),
    steps: [
      denied(deployment({ replicas: 3 }), `${group('apps/v1', 'deployments')}?dryRun=All`),
      post(`${group('apps/v1', 'deployments')}?dryRun=All`, deployment({ replicas: 2 }), { view: kindOf }),
    ],
  },
];
