import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryApi } from './handle.ts';

const pods = '/api/v1/namespaces/default/pods';
const container = (name: string) => ({ name, image: 'example.com/web:1' });

/** An API with a Pod of one container and one of two, which have the same log. */
function opened(text: string | undefined) {
  const { call } = tryApi({ logOf: () => text });
  const pod = (name: string, containers: readonly string[], more = {}) => {
    const spec = { containers: containers.map(container), ...more };
    assert.equal(call(`POST ${pods}`, { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec }).status, 201);
  };
  pod('one', ['web']);
  pod('two', ['web', 'side']);
  pod('three', ['web', 'side'], { initContainers: [container('first'), container('second')] });
  return (path: string) => {
    const { status, body, text: said } = call(`GET ${pods}/${path}`);
    return { status, said: status === 200 ? said : String(body['message']) };
  };
}

test('a log is that of a container which the Pod has, and of the only one without a name', () => {
  const log = opened('one\ntwo\n');
  for (const path of ['one/log', 'one/log?container=web', 'two/log?container=side', 'three/log?container=first'])
    assert.deepEqual(log(path), { status: 200, said: 'one\ntwo\n' }, path);
  const choose = 'choose one of: [web side]';
  assert.deepEqual(['one/log?container=x', 'two/log', 'three/log', 'nobody/log'].map(log), [
    { status: 400, said: 'container x is not valid for pod one' },
    { status: 400, said: `a container name must be specified for pod two, ${choose}` },
    {
      status: 400,
      said: `a container name must be specified for pod three, choose one of: [first second web side]`,
    },
    { status: 404, said: 'pods "nobody" not found' },
  ]);
});

test('a log is cut at its lines and then at its bytes, and a number that is none is refused', () => {
  const log = opened('one\ntwo\n');
  const parts = ['tailLines=1', 'tailLines=0', 'limitBytes=2', 'tailLines=1&limitBytes=2', 'previous=false'];
  assert.deepEqual(
    parts.map((query) => log(`one/log?${query}`).said),
    ['two\n', '', 'on', 'tw', 'one\ntwo\n'],
  );
  const wrong = 'PodLogOptions "one" is invalid: ';
  for (const [query, status, said] of [
    ['tailLines=x', 400, 'strconv.ParseInt: parsing "x": invalid syntax'],
    ['tailLines=-1', 422, `${wrong}tailLines: Invalid value: -1: must be greater than or equal to 0`],
    ['limitBytes=0', 422, `${wrong}limitBytes: Invalid value: 0: must be greater than 0`],
    ['sinceSeconds=0', 422, `${wrong}sinceSeconds: Invalid value: 0: must be greater than 0`],
    [
      'sinceSeconds=1&sinceTime=2026-11-21T08:00:00Z',
      422,
      `${wrong}[]: Forbidden: at most one of \`sinceTime\` or \`sinceSeconds\` may be specified`,
    ],
  ] as const)
    assert.deepEqual(log(`one/log?${query}`), { status, said }, query);
});

test('what the text of a log does not say is refused in a sentence, and a Pod without a process has no log', () => {
  const log = opened('one\n');
  for (const query of ['sinceSeconds=1', 'sinceTime=2026-11-21T08:00:00Z', 'timestamps=true', 'previous']) {
    const { status, said } = log(`one/log?${query}`);
    assert.equal(status, 501, query);
    assert.match(said, new RegExp(`^${query.replace(/=.*/, '')} does not work here: `));
  }
  assert.match(opened(undefined)('one/log').said, /runs no process$/);
});
