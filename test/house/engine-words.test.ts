import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, textOf } from './files.ts';

/** What this repository's own resources are made of. The engine has heard of none of it. */
const ours = [
  /frp/i,
  /envoy/i,
  /distributed-?service/i,
  /myorg/i,
  /tunnel/i,
  /certificate/i,
  /claim/i,
  /profile/i,
  // The kind, not the text of an error: in a sentence, as a value, in a name.
  /(?<=[a-z,;:'"`=(] )Messages?\b|(?<=['"`=(/])Messages?\b|\bMessage's|MESSAGE_|\bmessage(?:Pod|Image)|\bmsg-/,
];

/** Words of the table that mean something else there. */
const others: readonly { readonly path: string; readonly text: RegExp; readonly why: string }[] = [
  { path: 'cluster/conclude.ts', text: /certificate authority/, why: 'of the TLS connection to the API server' },
  {
    path: 'cluster/connections.ts',
    text: /certificates or authorities/,
    why: 'of the TLS connection to the API server',
  },
  { path: 'cluster/access.ts', text: /Certificates and keys in PEM/, why: 'of the TLS connection to the API server' },
  { path: 'cluster/access.ts', text: /server's certificate/, why: 'of the TLS connection to the API server' },
  { path: 'cluster/outside.ts', text: /client certificates/, why: 'of the TLS connection to the API server' },
  { path: 'server/check-sender.ts', text: /\bclaims?\b|requiredClaims/, why: 'a field of a JSON web token' },
  {
    path: 'decide/builtin-shapes.ts',
    text: /\b(?:resourceC|c)laims: |(?:v|[pP]ersistentV)olumeClaim/,
    why: 'lists and structs in the spec of a Pod',
  },
  { path: 'decide/builtin-kinds.ts', text: /PersistentVolumeClaim/, why: 'a kind of Kubernetes' },
  { path: 'domain/known-kinds.ts', text: /(?:PersistentV|persistentv)olume(?:C|c)laim/, why: 'a kind of Kubernetes' },
  { path: 'testing/kinds/refusing.ts', text: /seccompProfile/, why: 'a field of a Pod, in what the API server says' },
];

const folder = 'packages/controller/';
const files = filesOf('packages/controller').filter((path) => !path.includes('/test/'));

/** `path:line: text` of each line of a file that has a word of ours. */
function found(path: string, text: string): readonly string[] {
  const theirs = others.filter((other) => folder + other.path === path).map((other) => new RegExp(other.text, 'g'));
  return text.split('\n').flatMap((line, index) => {
    const rest = theirs.reduce((left, other) => left.replace(other, ''), line);
    return ours.some((word) => word.test(rest)) ? [`${path}:${index + 1}: ${line.trim()}`] : [];
  });
}

describe('the engine', () => {
  const lines = [
    "case 'DistributedService':",
    'functions/distributed-service-changed.ts',
    'shop/frp-web',
    "FRPC_IMAGE: 'x'",
    'await askEnvoy(pod)',
    "apiVersion: 'myorg.dev/v1'",
    'labels.tunnel',
    '/** The certificate of a server. */',
    'claimPrefix',
    'serverProfile',
    'the Pod of a Message',
    "kind: 'Message'",
    'such as `kind="Message"`',
    "read('MESSAGE_IMAGE')",
    'messagePodName(name)',
  ];
  for (const line of lines) {
    it(`is seen to name ${line}`, () =>
      assert.deepEqual(found(`${folder}a.ts`, `\n${line}\n`), [`${folder}a.ts:2: ${line}`]));
  }

  for (const line of ['readonly message: string;', '/** Messages of the server. */', 'error.message', 'a message']) {
    it(`may write ${line}`, () => assert.deepEqual(found(`${folder}a.ts`, line), []));
  }

  it('names nothing of the resources of this repository', () => {
    assert.ok(files.length > 150);
    const named = files.flatMap((path) => found(path, textOf(path)));
    assert.deepEqual(named, [], 'give it from resources/, or say it without the word');
  });

  it('needs every exception', () => {
    const unused = others.filter(({ path, text }) => !text.test(textOf(folder + path)));
    assert.deepEqual(unused, []);
  });
});
