import assert from 'node:assert/strict';
import { it } from 'node:test';
import { filesOf, textOf } from '../../../../test/house/files.ts';
import { KnudgeError } from '../../domain/errors.ts';
import { toRequest } from '../../wire/recorded-request.ts';

it('every recorded event and question can be sent', () => {
  for (const path of [...filesOf('test/fixtures/events', '.json'), ...filesOf('test/fixtures/questions', '.json')]) {
    const { headers, path: at } = toRequest(textOf(path));
    assert.equal(headers['content-type'], 'application/json', path);
    assert.match(at, /^\//);
  }
});

it('what belongs to the delivery that was recorded is left out', () => {
  const text = '{"headers":{"Host":"a","content-length":"9","ce-id":"1"},"body":{"a":1}}';
  assert.deepEqual(toRequest(text), { headers: { 'ce-id': '1' }, body: '{"a":1}', path: '/' });
});

it('a recording without a body has an empty one', () => {
  assert.equal(toRequest('{"headers":{"ce-id":"1"}}').body, '');
});

const refused = [
  { name: 'no JSON', text: '{', says: /^it is not JSON, as line 1 and column 2 show$/ },
  { name: 'no JSON in line 2', text: '{"a":1,\n}', says: /^it is not JSON, as line 2 and column 1 show$/ },
  { name: 'a text', text: '# Knudge\n\nmore', says: /^it is not JSON$/ },
  { name: 'no object', text: '[]', says: /^it is not a recorded event/ },
  { name: 'no headers', text: '{"body":{}}', says: /^it is not a recorded event/ },
  { name: 'empty headers', text: '{"headers":{}}', says: /^it is not a recorded event/ },
  { name: 'a header that is no text', text: '{"headers":{"ce-id":1}}', says: /^it is not a recorded event/ },
  {
    name: 'an address for a path',
    text: '{"headers":{"ce-id":"1"},"path":"http://a"}',
    says: /^it is not a recorded event/,
  },
];
for (const { name, text, says } of refused) {
  it(`is refused: ${name}`, () => {
    assert.throws(
      () => toRequest(text),
      (error) => error instanceof KnudgeError && says.test(error.message),
    );
  });
}
