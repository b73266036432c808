import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { definition } from '../builtin/definitions.ts';
import { unwrittenZero } from '../builtin/normal.ts';

describe('zero in a field of a built-in struct', () => {
  for (const [struct, field, zero, why] of [
    ['core.v1.PodSpec', 'hostNetwork', false, 'a switch'],
    ['core.v1.EphemeralContainer', 'stdin', false, 'a switch of a struct that Go writes inline'],
    ['core.v1.Probe', 'timeoutSeconds', 0, 'a number'],
    ['core.v1.ISCSIVolumeSource', 'chapAuthSession', false, 'a switch'],
    ['networking.v1.ServiceBackendPort', 'number', 0, 'a number'],
    ['core.v1.AzureDiskVolumeSource', 'readOnly', undefined, 'a pointer, unlike readOnly in most volumes'],
    ['core.v1.CSIVolumeSource', 'readOnly', undefined, 'a pointer'],
    ['core.v1.ClientIPConfig', 'timeoutSeconds', undefined, 'a pointer'],
    ['apps.v1.RollingUpdateStatefulSetStrategy', 'partition', undefined, 'a pointer'],
    ['apps.v1.DeploymentSpec', 'replicas', undefined, 'a pointer'],
    ['apps.v1.StatefulSetOrdinals', 'start', undefined, 'a number that Go always writes'],
    ['core.v1.ContainerPort', 'containerPort', undefined, 'a number that must be there'],
    [
      'apiextensions.v1.CustomResourceDefinitionStatus',
      'observedGeneration',
      0,
      'a number of a struct without a message',
    ],
  ] as const) {
    it(`is ${zero === undefined ? 'kept' : 'the same as none'}: ${struct}.${field}, ${why}`, () => {
      assert.equal(unwrittenZero(definition(struct), field), zero);
    });
  }
});
