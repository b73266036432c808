import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { filesOf, textOf } from '../../../test/house/files.ts';
import type { KubeObject } from '../../controller/domain/kube-object.ts';
import { guessedPlural } from '../../controller/domain/plural.ts';
import type { CloudEvent } from '../../mesh/cloud-event.ts';
import { pingOf } from '../../mesh/sources/ping-source.ts';
import { eventOf } from '../event-of.ts';
import type { Happening } from '../news.ts';

interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: KubeObject & { readonly name?: string; readonly namespace?: string };
}

/** What the Broker adds, and what belongs to one delivery. */
const notOfTheSource = /^(accept-encoding|host|user-agent|prefer|content-length)$|^ce-knative/;

const recorded = filesOf('test/fixtures/events', '.json').map((path) => {
  return { path, ...(JSON.parse(textOf(path)) as Recorded) };
});
const ofAdapter = recorded.filter(({ headers }) => headers['ce-type']?.startsWith('dev.knative.apiserver.'));

describe('the event that is sent of a change', () => {
  it('is compared with every event that the real adapter was recorded with', () => {
    const others = recorded.filter((one) => !ofAdapter.includes(one)).map(({ headers }) => headers['ce-type']);
    assert.equal(others.filter((type) => type?.includes('apiserver')).length, 0);
    assert.ok(ofAdapter.length >= 40, `${ofAdapter.length} are few`);
  });

  for (const { path, headers, body } of ofAdapter) {
    it(`is ${path}`, () => {
      // By ceOverrides of eventing/sources/source-adapters.yaml.
      const about = headers['ce-knudgeabout'];
      const event = eventOf(happeningOf({ headers, body }), {
        mode: headers['ce-type']?.includes('.ref.') ? 'Reference' : 'Resource',
        source: headers['ce-source'] ?? '',
        namespace: headers['kn-namespace'] ?? '',
        overrides: about === undefined ? {} : { knudgeabout: about },
        id: headers['ce-id'] ?? '',
        time: headers['ce-time'] ?? '',
      });
      const expected = Object.entries(headers).filter(([name]) => !notOfTheSource.test(name));
      assert.deepEqual(headersOf(event), Object.fromEntries(expected));
      assert.deepEqual(JSON.parse(event.data.toString()), body);
      assert.equal(lengthInGo(event.data), Number(headers['content-length']));
    });
  }

  it('carries the extensions of ceOverrides, over its own', () => {
    const pod: KubeObject = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'n' } };
    const stamp = { mode: 'Resource', source: 'https://api', namespace: 'home', id: '1', time: 't' } as const;
    const { attributes } = eventOf({ verb: 'add', object: pod }, { ...stamp, overrides: { site: 'a', name: 'other' } });
    assert.equal(attributes['site'], 'a');
    assert.equal(attributes['name'], 'other');
  });

  const plurals = [
    ['Pod', 'pods'],
    ['Ingress', 'ingresses'],
    ['NetworkPolicy', 'networkpolicies'],
    ['Endpoints', 'endpoints'],
    ['Gateway', 'gatewaies'],
  ] as const;
  for (const [kind, plural] of plurals) {
    it(`guesses ${plural} for ${kind}, right or wrong`, () => assert.equal(guessedPlural(kind), plural));
  }
});

describe('the tick of a PingSource', () => {
  it('is the recorded one, but for what the Broker added', () => {
    const { headers, body } =
      recorded.find(({ path }) => path.endsWith('pingsource-through-broker.json')) ?? assert.fail('none recorded');
    const event = pingOf(
      {
        namespace: 'ev',
        name: 'tick',
        schedule: '*/5 * * * * *',
        contentType: 'application/json',
        data: Buffer.from('{"resync":true}'),
        sink: { kind: 'uri', uri: '' },
        overrides: {},
      },
      { id: headers['ce-id'] ?? '', time: headers['ce-time'] ?? '' },
    );
    const expected = Object.entries(headers).filter(([name]) => !notOfTheSource.test(name));
    assert.deepEqual(headersOf(event), Object.fromEntries(expected));
    assert.deepEqual(JSON.parse(event.data.toString()), body);
    assert.equal(event.data.length, Number(headers['content-length']));
  });
});

/** The change behind a recorded event. Of a reference only the name is left. */
function happeningOf({ headers, body }: Recorded): Happening {
  const verb = headers['ce-type']?.split('.').at(-1) as Happening['verb'];
  if (body.name === undefined) return { verb, object: body };
  const { apiVersion, kind, name, namespace } = body;
  return { verb, object: { apiVersion, kind, metadata: { name, ...(namespace !== undefined && { namespace }) } } };
}

function headersOf({ attributes, contentType, headers }: CloudEvent): Readonly<Record<string, string>> {
  const extensions = Object.entries(attributes).map(([name, value]) => [`ce-${name}`, value]);
  return { ...Object.fromEntries(extensions), ...headers, ...(contentType && { 'content-type': contentType }) };
}

/** Go writes these as six characters. */
function lengthInGo(data: Buffer): number {
  return data.length + 5 * (data.toString().match(/[<>&]/g) ?? []).length;
}
