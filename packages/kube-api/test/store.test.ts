import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { objectAt } from '../json.ts';
import type { Place } from '../objects/place.ts';
import { createStore } from '../store/store.ts';

function place(name: string, namespace = 'a'): Place {
  return { resource: 'things', namespace, name };
}

function thing({ name, namespace }: Place, size = 0) {
  return { kind: 'Thing', apiVersion: 'v1', metadata: { name, namespace }, size };
}

function namesOf(list: ReturnType<ReturnType<typeof createStore>['list']>) {
  return list?.map((object) => `${objectAt(object, 'metadata')['namespace']}/${objectAt(object, 'metadata')['name']}`);
}

describe('the store', () => {
  it('counts every change, and gives a deleted object the number of its deletion', () => {
    const store = createStore({ historySize: 10 });
    store.put(place('x'), thing(place('x')));
    assert.equal(objectAt(store.put(place('x'), thing(place('x'), 1)), 'metadata')['resourceVersion'], '2');
    assert.equal(objectAt(store.remove(place('x')), 'metadata')['resourceVersion'], '3');
    assert.equal(store.get(place('x')), undefined);
    assert.deepEqual(
      store.since(0)?.map(({ type, revision }) => [type, revision]),
      [
        ['ADDED', 1],
        ['MODIFIED', 2],
        ['DELETED', 3],
      ],
    );
  });

  it('lists in the order of the keys of etcd', () => {
    const store = createStore({ historySize: 10 });
    for (const [name, namespace] of [
      ['b', 'a'],
      ['a', 'a-b'],
      ['a', 'a'],
    ] as const) {
      store.put(place(name, namespace), thing(place(name, namespace)));
    }
    assert.deepEqual(namesOf(store.list('things', '')), ['a-b/a', 'a/a', 'a/b']);
    assert.deepEqual(namesOf(store.list('things', 'a')), ['a/a', 'a/b']);
    assert.deepEqual(namesOf(store.list('others', 'a')), []);
  });

  it('lists what there was', () => {
    const store = createStore({ historySize: 10 });
    store.put(place('x'), thing(place('x')));
    store.put(place('y', 'b'), thing(place('y', 'b')));
    store.put(place('x'), thing(place('x'), 1));
    store.remove(place('x'));
    assert.deepEqual(namesOf(store.list('things', '', 1)), ['a/x']);
    assert.equal(store.list('things', 'a', 2)?.[0]?.['size'], 0);
    assert.equal(store.list('things', 'a', 3)?.[0]?.['size'], 1);
    assert.deepEqual(namesOf(store.list('things', '', 4)), ['b/y']);
  });

  it('forgets all changes but the last', () => {
    const store = createStore({ historySize: 3 });
    for (let size = 0; size < 20; size++) store.put(place('x'), thing(place('x'), size));
    assert.equal(store.since(17)?.length, 3);
    assert.equal(store.since(16), undefined);
    assert.equal(store.list('things', '', 16), undefined);
  });

  it('tells everybody of all changes in their order, though a listener writes', () => {
    const store = createStore({ historySize: 10 });
    const heard: number[] = [];
    store.subscribe(({ revision }) => {
      if (revision < 3) store.put(place('x'), thing(place('x'), revision));
    });
    const stop = store.subscribe(({ revision }) => void heard.push(revision));
    store.put(place('x'), thing(place('x')));
    assert.deepEqual(heard, [1, 2, 3]);
    stop();
    store.remove(place('x'));
    assert.deepEqual(heard, [1, 2, 3]);
  });

  it('names all its objects', () => {
    const store = createStore({ historySize: 10 });
    store.put(place('x'), thing(place('x')));
    store.put(place('y', ''), thing(place('y', '')));
    assert.deepEqual(store.all(), [place('x'), place('y', '')]);
  });
});
