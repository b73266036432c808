import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json.ts';
import { objectAt } from '../json.ts';
import type { Tried } from './handle.ts';
import { configMap, configMaps, crds, definition, merge, thing, things, tryApi } from './handle.ts';

interface Owned {
  readonly name: string;
  readonly owners: readonly string[];
  readonly finalizers?: readonly string[];
  readonly blocks?: boolean;
}

/** A ConfigMap with owners, by name. */
function own({ call }: Tried, { name, owners, finalizers = [], blocks = true }: Owned): void {
  const ownerReferences = owners.map((owner) => {
    const { uid = 'nobody' } = objectAt(call(`GET ${configMaps}/${owner}`).body, 'metadata');
    return { apiVersion: 'v1', kind: 'ConfigMap', name: owner, uid, blockOwnerDeletion: blocks };
  });
  call(`POST ${configMaps}`, configMap(name, { metadata: { ownerReferences, finalizers } }));
}

function family(): Tried {
  const tried = tryApi();
  own(tried, { name: 'parent', owners: [] });
  own(tried, { name: 'child', owners: ['parent'] });
  own(tried, { name: 'grandchild', owners: ['child'] });
  tried.settle();
  return tried;
}

function metadataOf({ call }: Tried, name: string): JsonObject | undefined {
  const { status, body } = call(`GET ${configMaps}/${name}`);
  return status === 404 ? undefined : objectAt(body, 'metadata');
}

function living(tried: Tried): readonly string[] {
  return ['parent', 'other', 'child', 'grandchild'].filter((name) => metadataOf(tried, name) !== undefined);
}

describe('the garbage collector', () => {
  it('is not in the way of the request, and takes what has no owner any more', () => {
    const tried = family();
    tried.call(`DELETE ${configMaps}/parent`);
    assert.deepEqual(living(tried), ['child', 'grandchild']);
    tried.settle();
    assert.deepEqual(living(tried), []);
  });

  it('takes what names an owner that never was', () => {
    const tried = tryApi();
    own(tried, { name: 'child', owners: ['nobody'] });
    tried.settle();
    assert.deepEqual(living(tried), []);
  });

  it('leaves what has another owner, and takes the lost one off its list', () => {
    const tried = tryApi();
    own(tried, { name: 'parent', owners: [] });
    own(tried, { name: 'other', owners: [] });
    own(tried, { name: 'child', owners: ['parent', 'other'] });
    tried.call(`DELETE ${configMaps}/parent`);
    tried.settle();
    const { ownerReferences } = metadataOf(tried, 'child') ?? {};
    assert.deepEqual(
      (ownerReferences as readonly JsonObject[]).map(({ name }) => name),
      ['other'],
    );
    tried.call(`DELETE ${configMaps}/other`);
    tried.settle();
    assert.deepEqual(living(tried), []);
  });

  it('in the foreground takes the dependents first', () => {
    const tried = family();
    tried.call(`PATCH ${configMaps}/grandchild`, { metadata: { finalizers: ['a.b/c'] } }, merge);
    tried.call(`DELETE ${configMaps}/parent?propagationPolicy=Foreground`);
    tried.settle();
    assert.deepEqual(living(tried), ['parent', 'child', 'grandchild']);
    assert.deepEqual(metadataOf(tried, 'child')?.['finalizers'], ['foregroundDeletion']);
    tried.call(`PATCH ${configMaps}/grandchild`, { metadata: { finalizers: null } }, merge);
    tried.settle();
    assert.deepEqual(living(tried), []);
  });

  it('in the foreground waits for those that block only', () => {
    const tried = tryApi();
    own(tried, { name: 'parent', owners: [] });
    own(tried, { name: 'child', owners: ['parent'], finalizers: ['a.b/c'], blocks: false });
    tried.call(`DELETE ${configMaps}/parent?propagationPolicy=Foreground`);
    tried.settle();
    assert.deepEqual(living(tried), ['child']);
    assert.notEqual(metadataOf(tried, 'child')?.['deletionTimestamp'], undefined);
  });

  it('lets go of orphans', () => {
    const tried = family();
    tried.call(`DELETE ${configMaps}/parent`, { propagationPolicy: 'Orphan' });
    tried.settle();
    assert.deepEqual(living(tried), ['child', 'grandchild']);
    assert.equal(metadataOf(tried, 'child')?.['ownerReferences'], undefined);
  });

  it('hears of an owner that is taken off a list', () => {
    const tried = family();
    tried.call(`PATCH ${configMaps}/child`, { metadata: { ownerReferences: null } }, merge);
    tried.call(`DELETE ${configMaps}/parent`);
    tried.settle();
    assert.deepEqual(living(tried), ['child', 'grandchild']);
  });

  it('leaves what the API does not let it change', () => {
    const tried = tryApi();
    const { call, settle } = tried;
    call(`POST ${crds}`, definition());
    own(tried, { name: 'parent', owners: [] });
    own(tried, { name: 'other', owners: [] });
    const ownerReferences = ['parent', 'other'].map((name) => {
      const { uid = '' } = metadataOf(tried, name) ?? {};
      return { apiVersion: 'v1', kind: 'ConfigMap', name, uid };
    });
    call(`POST ${things}`, { ...thing('a', { spec: { size: 1 } }), metadata: { name: 'a', ownerReferences } });
    const rule = [{ rule: 'self.spec.size > 7' }];
    const size = { type: 'object', properties: { size: { type: 'integer' } } };
    const openAPIV3Schema = { type: 'object', 'x-kubernetes-validations': rule, properties: { spec: size } };
    const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
    assert.equal(call(`PATCH ${crds}/things.example.org`, { spec: { versions } }, merge).status, 200);
    call(`DELETE ${configMaps}/parent`);
    settle();
    const owners = objectAt(call(`GET ${things}/a`).body, 'metadata')['ownerReferences'];
    assert.deepEqual(owners, ownerReferences);
  });
});
