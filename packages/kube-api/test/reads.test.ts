import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../json.ts';
import { isArray, isObject, objectAt } from '../json.ts';
import type { Called, Tried } from './handle.ts';
import { configMap, configMaps, merge, said, tryApi } from './handle.ts';

function withConfigMaps(count: number, historySize = 100): Tried {
  const tried = tryApi({ historySize });
  for (let index = 0; index < count; index++) {
    tried.call(`POST ${configMaps}`, configMap(`c${index}`, { metadata: { labels: { n: String(index) } } }));
  }
  return tried;
}

function namesOf({ body }: Called): readonly unknown[] {
  return isArray(body['items']) ? body['items'].filter(isObject).map((item) => objectAt(item, 'metadata')['name']) : [];
}

describe('a list', () => {
  it('comes in pages of one revision', () => {
    const { call } = withConfigMaps(5);
    const first = call(`GET ${configMaps}?limit=2`);
    assert.deepEqual(namesOf(first), ['c0', 'c1']);
    assert.equal(objectAt(first.body, 'metadata')['remainingItemCount'], 3);
    call(`DELETE ${configMaps}/c3`);
    call(`POST ${configMaps}`, configMap('c9'));
    const rest = call(`GET ${configMaps}?limit=9&continue=${String(objectAt(first.body, 'metadata')['continue'])}`);
    assert.deepEqual(namesOf(rest), ['c2', 'c3', 'c4']);
    assert.equal(
      objectAt(rest.body, 'metadata')['resourceVersion'],
      objectAt(first.body, 'metadata')['resourceVersion'],
    );
  });

  it('is over when its revision is forgotten', () => {
    const { call } = withConfigMaps(5, 3);
    const token = String(objectAt(call(`GET ${configMaps}?limit=2`).body, 'metadata')['continue']);
    for (let index = 0; index < 5; index++) call(`POST ${configMaps}`, configMap(`d${index}`));
    const answer = call(`GET ${configMaps}?limit=2&continue=${token}`);
    assert.deepEqual([answer.status, answer.body['reason']], [410, 'Expired']);
    assert.equal(call(`GET ${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`).status, 410);
  });

  const selections: readonly (readonly [string, readonly string[]])[] = [
    ['labelSelector=n=1', ['c1']],
    ['labelSelector=n==1', ['c1']],
    ['labelSelector=n!=1', ['c0', 'c2']],
    ['labelSelector=n in (0, 2),n', ['c0', 'c2']],
    ['labelSelector=n notin (0,2)', ['c1']],
    ['labelSelector=!n', []],
    ['labelSelector=!m', ['c0', 'c1', 'c2']],
    ['labelSelector=n>0', ['c1', 'c2']],
    ['labelSelector=n<1', ['c0']],
    ['labelSelector=n in (,1)', ['c1']],
    ['labelSelector=n=', []],
    ['labelSelector= ', ['c0', 'c1', 'c2']],
    ['fieldSelector=metadata.name=c1', ['c1']],
    ['fieldSelector=metadata.name!=c1,metadata.namespace==default', ['c0', 'c2']],
    ['fieldSelector=metadata.name=c\\,1', []],
    ['resourceVersion=6&resourceVersionMatch=Exact', ['c0', 'c1']],
    ['resourceVersion=6&limit=9', ['c0', 'c1']],
    ['resourceVersion=6', ['c0', 'c1', 'c2']],
  ];
  for (const [query, names] of selections) {
    it(`?${query} gives ${names.join(' ') || 'nothing'}`, () => {
      const search = new URLSearchParams();
      for (const [, key = '', value = ''] of query.matchAll(/(\w+)=([^&]*)/g)) search.set(key, value);
      assert.deepEqual(namesOf(withConfigMaps(3).call(`GET ${configMaps}?${search}`)), names);
    });
  }

  const refusals: readonly (readonly [string, number, string])[] = [
    ['labelSelector=a%20b', 400, "found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['labelSelector=a%20in%20b', 400, "found 'b' expected: '('"],
    ['labelSelector=a%20in%20(b', 400, "found '', expected: ',' or ')'"],
    ['labelSelector=!!a', 400, "found '!', expected: identifier"],
    ['labelSelector=a=b=c', 400, "found '=', expected: ',' or 'end of string'"],
    ['labelSelector==', 400, "found '=', expected: !, identifier, or 'end of string'"],
    ['labelSelector=a,', 400, "found '', expected: identifier after ','"],
    ['labelSelector=a=!', 400, "found '!', expected: identifier"],
    ['labelSelector=a/b/c', 400, 'a valid label key must consist of'],
    ['labelSelector=a..b/c', 400, 'prefix part a lowercase RFC 1123 subdomain must consist of'],
    ['labelSelector=a=-', 400, 'a valid label must be an empty string or'],
    ['labelSelector=a%3Eb', 400, 'the value must be an integer'],
    ['fieldSelector=a', 400, "can't understand 'a'"],
    ['fieldSelector=a=b', 400, '"a" is not a known field selector'],
    ['fieldSelector=metadata.name=a=b', 400, 'unescaped character in value: 61'],
    ['limit=x', 400, 'strconv.ParseInt: parsing "x"'],
    ['continue=xx', 400, 'continue key is not valid: invalid character'],
    ['continue=eyJ2IjoidjAifQ', 400, 'does not recognize this encoded version v0'],
    ['continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIuLi94In0', 400, 'not valid: ../x'],
    ['continue=eyJ2IjoibWV0YS5rOHMuaW8vdjEifQ&resourceVersion=5', 400, 'resource version is not allowed'],
    ['resourceVersion=x', 400, 'invalid resource version'],
    ['resourceVersion=999&resourceVersionMatch=Exact', 504, 'Too large resource version: 999, current: 5'],
    ['resourceVersionMatch=Exact', 422, 'forbidden unless resourceVersion is provided'],
    ['resourceVersion=1&resourceVersionMatch=x', 422, 'Unsupported value: "x"'],
    ['resourceVersion=0&resourceVersionMatch=Exact', 422, 'forbidden for resourceVersion "0"'],
    ['continue=a&resourceVersionMatch=Exact', 422, 'forbidden when continue is provided'],
    ['sendInitialEvents=true', 422, 'sendInitialEvents is forbidden for list'],
    ['watch=1&sendInitialEvents=true', 422, 'requires setting resourceVersionMatch to NotOlderThan'],
    ['watch=1&resourceVersionMatch=Exact', 422, 'forbidden for watch unless sendInitialEvents'],
    ['watch=1&resourceVersion=x', 500, 'invalid syntax'],
  ];
  for (const [query, status, message] of refusals) {
    it(`?${query} is refused`, () => {
      const answer = withConfigMaps(1).call(`GET ${configMaps}?${query}`);
      assert.equal(answer.status, status);
      assert.ok(said(answer).includes(message), said(answer));
    });
  }

  it('of kinds with fields of their own can be selected by them', () => {
    const { call } = tryApi();
    assert.equal(call('GET /api/v1/pods?fieldSelector=spec.nodeName=a,status.phase!=Running').status, 200);
    assert.deepEqual(namesOf(call('GET /api/v1/namespaces?fieldSelector=status.phase=Active')).length, 4);
    assert.equal(said(call('GET /api/v1/pods?fieldSelector=a=b')), 'field label not supported: a');
    assert.equal(said(call('GET /apis/batch/v1/jobs?fieldSelector=a=b')), 'field label "a" not supported for Job');
    assert.equal(call('GET /api/v1/nodes?fieldSelector=spec.unschedulable=false').status, 200);
    assert.equal(call('GET /api/v1/events?fieldSelector=source=a').status, 200);
  });
});

function shortly(events: readonly JsonObject[]): readonly string[] {
  return events.map(({ type, object }) =>
    `${String(type)} ${String(objectAt(object, 'metadata')['name'] ?? '')}`.trim(),
  );
}

describe('a watch', () => {
  it('tells what is there and what changes, and stops', () => {
    const { call, watch } = withConfigMaps(1);
    const { events, stop } = watch(`${configMaps}?watch=true`);
    call(`PATCH ${configMaps}/c0`, { data: { a: 'b' } }, merge);
    call(`DELETE ${configMaps}/c0`);
    call('POST /api/v1/namespaces', { metadata: { name: 'n' } });
    stop();
    call(`POST ${configMaps}`, configMap('late'));
    assert.deepEqual(shortly(events), ['ADDED c0', 'MODIFIED c0', 'DELETED c0']);
  });

  it('starts after a version, and only knows what is remembered', () => {
    const { watch } = withConfigMaps(5, 3);
    assert.deepEqual(shortly(watch(`${configMaps}?watch=1&resourceVersion=7`).events), ['ADDED c3', 'ADDED c4']);
    const { events, isEnded } = watch(`${configMaps}?watch=1&resourceVersion=5`);
    assert.deepEqual([events[0]?.['type'], objectAt(events[0], 'object')['code'], isEnded()], ['ERROR', 410, true]);
  });

  it('shows what comes into a selection and what leaves it', () => {
    const { call, watch } = withConfigMaps(1);
    const { events } = watch(`${configMaps}?watch=1&resourceVersion=5&labelSelector=x=y`);
    for (const x of ['y', 'z', 'y', 'y'])
      call(`PATCH ${configMaps}/c0`, { metadata: { labels: { x } }, data: { x } }, merge);
    call(`PATCH ${configMaps}/c0`, { data: { more: 'y' } }, merge);
    call(`DELETE ${configMaps}/c0`);
    assert.deepEqual(shortly(events), ['ADDED c0', 'DELETED c0', 'ADDED c0', 'MODIFIED c0', 'DELETED c0']);
    assert.equal(objectAt(events[1], 'object', 'metadata')['resourceVersion'], '7');
  });

  it('marks the end of the state, and its place from time to time', () => {
    const { watch, pass } = withConfigMaps(1);
    const query = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const { events, stop } = watch(`${configMaps}?${query}`);
    assert.deepEqual(shortly(events), ['ADDED c0', 'BOOKMARK']);
    assert.deepEqual(objectAt(events[1], 'object', 'metadata', 'annotations'), { 'k8s.io/initial-events-end': 'true' });
    pass(60_000);
    pass(60_000);
    stop();
    pass(60_000);
    assert.deepEqual(shortly(events), ['ADDED c0', 'BOOKMARK', 'BOOKMARK', 'BOOKMARK']);
  });

  it('that a change sets off hears of this change once', () => {
    const { api, call, watch } = tryApi();
    let events: readonly JsonObject[] = [];
    const stop = api.client.subscribe(() => {
      stop();
      events = watch(`${configMaps}?watch=1`).events;
    });
    call(`POST ${configMaps}`, configMap('a'));
    assert.deepEqual(shortly(events), ['ADDED a']);
  });

  it('ends after its time', () => {
    const { watch, pass } = tryApi();
    const { isEnded } = watch(`${configMaps}?watch=1&timeoutSeconds=5`);
    pass(4_999);
    assert.equal(isEnded(), false);
    pass(1);
    assert.equal(isEnded(), true);
  });

  it('by the old path tells of one object', () => {
    const { watch } = withConfigMaps(2);
    assert.deepEqual(shortly(watch('/api/v1/watch/namespaces/default/configmaps/c1').events), ['ADDED c1']);
    assert.deepEqual(shortly(watch('/api/v1/watch/configmaps').events), ['ADDED c0', 'ADDED c1']);
  });
});
