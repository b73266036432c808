import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KnudgeError } from '../../../../packages/controller/domain/errors.ts';
import { parsePluginRequest, pluginAnswer } from '../../gate/plugin.ts';
import { question, type RecordedQuestion, recordings } from './question.ts';

const isInvalid = (what: RegExp) => (error: unknown) =>
  error instanceof KnudgeError && error.code === 'invalid-request' && what.test(error.message);

describe('a request of the HTTP plugin of frps', () => {
  it('is understood as it was recorded', () => {
    assert.equal(recordings.length, 3);
    const claim = { namespace: 'shop', name: 'web', uid: 'uid-1' };
    const login = question('login');
    assert.deepEqual(parsePluginRequest(login.path, login.body).question, {
      op: 'login',
      server: 'knudge/frps',
      claim,
      token: 'token-of-shop-web',
      user: '',
      clientId: '',
    });
    const { question: proxy } = parsePluginRequest(login.path, question('new-proxy').body);
    assert.deepEqual(proxy.claim, { ...claim, identity: 'digest-1' });
    assert.deepEqual(proxy.op === 'new-proxy' && [...proxy.proxy], [
      ['proxy_name', 'shop.web'],
      ['proxy_type', 'tcp'],
      ['remote_port', 7001],
    ]);
    assert.equal(parsePluginRequest(login.path, question('ping').body).question.op, 'ping');
  });

  for (const path of ['/', '/frps', '/knudge/frps/more', '/Knudge/frps', '/knudge/..', '/knudge/', '//frps']) {
    it(`must name a server profile in its path: ${path} is refused`, () => {
      assert.throws(
        () => parsePluginRequest(path, question('login').body),
        isInvalid(/set the path of the httpPlugin/),
      );
    });
  }

  const bodies: readonly [sentence: string, change: unknown, what: RegExp][] = [
    ['a body that is no object', [], /the body must be a JSON object/],
    ['no content', { op: 'Login' }, /^content must be/],
    ['no user after the login', { op: 'Ping', content: {} }, /^content.user must be/],
    ['another operation', { op: 'NewUserConn', content: { user: {} } }, /ask for no other operation/],
    ['no operation', { content: { user: {} } }, /ask for no other operation/],
  ];
  for (const [sentence, body, what] of bodies) {
    it(`is refused with ${sentence}`, () => {
      assert.throws(() => parsePluginRequest('/knudge/frps', body), isInvalid(what));
    });
  }

  it('keeps what the client says of itself, but for the proof', () => {
    const metas = { service: 'shop/web', uid: 'uid-1', identity: 'forged', colour: 'blue' };
    const answer = contentOf(question('login', { metas, timestamp: undefined }));
    assert.deepEqual(answer['metas'], { ...metas, identity: 'digest-1' });
    assert.equal(answer['privilege_key'], 'md5 of 0');
    assert.deepEqual(contentOf(question('login', { metas: null }))['metas'], { identity: 'digest-1' });
  });

  it('is refused with a time that is no whole number', () => {
    assert.throws(() => contentOf(question('login', { timestamp: '1' })), isInvalid(/timestamp/));
  });
});

function contentOf({ path, body }: RecordedQuestion): Readonly<Record<string, unknown>> {
  const request = parsePluginRequest(path, body);
  const answer = pluginAnswer(request, { is: 'in', identity: 'digest-1' }, (text) => `md5 of ${text}`);
  return (answer as { content: Readonly<Record<string, unknown>> }).content;
}
