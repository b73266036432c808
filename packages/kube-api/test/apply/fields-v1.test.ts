import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setOf } from '../../apply/field-set.ts';
import { parseFields, printFields } from '../../apply/fields-v1.ts';

const spec = [
  ['f:spec', 'f:nodeName'],
  ['f:spec', 'f:containers', 'k:{"name":"web"}'],
  ['f:spec', 'f:containers', 'k:{"name":"web"}', 'f:image'],
];

describe('the fields of an owner, printed', () => {
  it('are what they were parsed from', () => {
    const printed = printFields(setOf(spec));
    const container = { '.': {}, 'f:image': {} };
    assert.deepEqual(printed, { 'f:spec': { 'f:containers': { 'k:{"name":"web"}': container }, 'f:nodeName': {} } });
    assert.deepEqual(printFields(parseFields(structuredClone(printed))), printed);
  });

  it('are held once for all objects that have the same', () => {
    assert.equal(printFields(setOf(spec)), printFields(setOf(spec)));
  });

  it('share what they have in common where another part differs', () => {
    const of = (ip: string) => printFields(setOf([...spec, ['f:status', 'f:podIPs', `k:{"ip":"${ip}"}`]]));
    const [one, other] = [of('10.0.0.1'), of('10.0.0.2')];
    assert.equal(one['f:spec'], other['f:spec']);
    assert.notDeepEqual(one['f:status'], other['f:status']);
  });

  it('stay shared, however many others come between that share them too', () => {
    const first = printFields(setOf(spec));
    for (let at = 0; at < 3000; at += 1) printFields(setOf([...spec, ['f:status', `f:${String(at)}`]]));
    assert.equal(printFields(setOf(spec))['f:spec'], first['f:spec']);
  });

  it('cannot be changed, since they are those of other objects too', () => {
    const [printed] = Object.values(printFields(setOf(spec)));
    assert.throws(() => Object.assign(printed as object, { 'f:more': {} }), TypeError);
  });
});
