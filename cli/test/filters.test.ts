import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Command, CommanderError } from 'commander';
import type { EventFilter } from '../../packages/controller/domain/event-log.ts';
import { type FilterOptions, filterOf, listedType, shortType, withFilters } from '../filters.ts';
import { strict } from '../leaf.ts';

function parsed(...args: readonly string[]): EventFilter {
  const command = withFilters(strict(new Command('x'))).action(() => undefined);
  return filterOf(command.parse(args, { from: 'user' }).opts<FilterOptions>());
}

suite('filters', () => {
  const rows: readonly [sentence: string, args: readonly string[], wanted: EventFilter][] = [
    ['nothing', [], {}],
    ['a time', ['--since', '2026-03-01T12:00:00+02:00'], { since: '2026-03-01T12:00:00+02:00' }],
    ['a kind as kubectl calls it', ['--kind', 'deploy'], { kind: 'Deployment' }],
    ['a kind in any case', ['--kind', 'EndpointSlices'], { kind: 'EndpointSlice' }],
    ['a custom resource by its short name', ['--kind', 'dsvc'], { kind: 'DistributedService' }],
    ['an object', ['--object', 'shop/web-1'], { namespace: 'shop', name: 'web-1' }],
    ['a namespace', ['--in-namespace', 'shop'], { namespace: 'shop' }],
    ['the namespace of the object again', ['--object', 'a/b', '--in-namespace', 'a'], { namespace: 'a', name: 'b' }],
    ['a type as the list shows it', ['--type', 'ref.add'], { type: 'dev.knative.apiserver.ref.add' }],
    ["the resync's", ['--type', 'resync.requested'], { type: 'dev.knudge.resync.requested' }],
    ['any other type', ['--type', 'org.example.made'], { type: 'org.example.made' }],
    ['an id', ['--id', 'e-1'], { id: 'e-1' }],
  ];
  for (const [sentence, args, wanted] of rows) {
    test(sentence, () => assert.deepEqual(parsed(...args), wanted));
  }

  for (const [age, ms] of [
    ['90s', 90_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['2w', 1_209_600_000],
  ] as const) {
    test(`an age of ${age}`, () => {
      const until = Date.parse(parsed('--until', age).until ?? '');
      const off = Date.now() - ms - until;
      assert.ok(off >= 0 && off < 60_000, `it is off by ${off} ms`);
    });
  }

  for (const [args, says] of [
    [['--since', 'yesterday'], /Give a time such as 2026-03-01T12:00:00Z, or an age such as /],
    [['--since', '2026-03-01'], /Give a time such as/],
    [['--until', '2026-13-01T00:00:00Z'], /Give a time such as/],
    [['--until', '5y'], /Give a time such as/],
    [['--since', '1h', '--until', '2h'], /give --since the earlier one/],
    [
      ['--kind', 'pood'],
      /No source watches a kind pood: Claim, ConfigMap or cm, Deployment or deploy, DistributedService or dsvc,/,
    ],
    [['--object', 'web-1'], /Give its namespace and its name, such as default\/hello/],
    [['--object', 'a/b', '--in-namespace', 'c'], /--object is in namespace a: leave out --in-namespace c/],
  ] as const) {
    test(`${args.join(' ')} is wrong usage`, () => {
      assert.throws(
        () => parsed(...args),
        (error) => error instanceof CommanderError && says.test(error.message),
      );
    });
  }

  test('types are shown without what all of their sort begin with', () => {
    const types = ['dev.knative.apiserver.resource.add', 'dev.knative.sources.ping', 'dev.knudge.resync.due', 'a.b'];
    assert.deepEqual(types.map(shortType), ['resource.add', 'sources.ping', 'resync.due', 'a.b']);
    assert.deepEqual(types.map(listedType), ['add', 'sources.ping', 'resync.due', 'a.b']);
    assert.equal(parsed('--type', 'add').type, types[0]);
  });
});
