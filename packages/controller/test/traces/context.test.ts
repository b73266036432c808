import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { contextIn, contextOfEvent, traceparentOf } from '../../traces/context.ts';

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const good = `00-${traceId}-${spanId}-01`;

suite('a traceparent is read', () => {
  const readable: readonly (readonly [what: string, text: string, isSampled: boolean])[] = [
    ['that is sampled', good, true],
    ['that is not sampled', `00-${traceId}-${spanId}-00`, false],
    ['with flags that nobody knows, of which the first counts', `00-${traceId}-${spanId}-ff`, true],
    ['with the flag of random ids alone', `00-${traceId}-${spanId}-02`, false],
    ['of a later version', `01-${traceId}-${spanId}-01`, true],
    ['of a later version that has more', `cc-${traceId}-${spanId}-01-what-the-future-will-be-like`, true],
  ];
  for (const [what, text, isSampled] of readable) {
    test(what, () => assert.deepEqual(contextIn(text), { traceId, spanId, isSampled }));
  }
});

suite('a new trace begins where a traceparent', () => {
  const broken: readonly (readonly [what: string, text: string | undefined])[] = [
    ['is missing', undefined],
    ['is empty', ''],
    ['has the forbidden version', `ff-${traceId}-${spanId}-01`],
    ['has a version of one digit', `0-${traceId}-${spanId}-01`],
    ['has a version of three digits', `000-${traceId}-${spanId}-01`],
    ['has a version that is no number', `.0-${traceId}-${spanId}-01`],
    ['has a trace of zeros', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['has a span of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['has a trace that is too short', `00-${traceId.slice(1)}-${spanId}-01`],
    ['has a trace that is too long', `00-${traceId}1-${spanId}-01`],
    ['has a span that is too short', `00-${traceId}-${spanId.slice(1)}-01`],
    ['has a span that is too long', `00-${traceId}-${spanId}1-01`],
    ['has a trace in upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['has a span in upper case', `00-${traceId}-${spanId.toUpperCase()}-01`],
    ['has a version in upper case', `FF-${traceId}-${spanId}-01`],
    ['has letters that are no digits', `00-${traceId.replace('0', 'g')}-${spanId}-01`],
    ['has flags of one digit', `00-${traceId}-${spanId}-1`],
    ['has flags of three digits', `00-${traceId}-${spanId}-001`],
    ['has flags that are no number', `00-${traceId}-${spanId}-0x`],
    ['lacks its flags', `00-${traceId}-${spanId}`],
    ['has more than its version knows', `${good}-01`],
    ['has more of a later version, without a dash', `cc-${traceId}-${spanId}-01.what`],
    ['has other dashes', good.replaceAll('-', '_')],
    ['is there twice', `${good}, ${good}`],
  ];
  for (const [what, text] of broken) test(what, () => assert.equal(contextIn(text), undefined));
});

test('a traceparent is written as it is read', () => {
  for (const text of [good, `00-${traceId}-${spanId}-00`]) {
    const context = contextIn(text);
    assert.ok(context);
    assert.equal(traceparentOf(context), text);
  }
});

suite('an event belongs', () => {
  const start = `00-${traceId}-00f067aa0ba902b7-01`;
  test('below the hop in the header, linked with the start in the extension', () => {
    const { parent, links } = contextOfEvent({ traceparent: good }, new Map([['traceparent', start]]));
    assert.deepEqual([parent, links], [contextIn(good), [contextIn(start)]]);
  });
  test('below the start in the extension, where the header is missing or broken', () => {
    for (const headers of [{}, { traceparent: 'x' }, { traceparent: [good, good] }]) {
      const { parent, links } = contextOfEvent(headers, new Map([['traceparent', start]]));
      assert.deepEqual([parent, links], [contextIn(start), []]);
    }
  });
  test('below the header alone, where both say the same', () =>
    assert.deepEqual(contextOfEvent({ traceparent: good }, new Map([['traceparent', good]])).links, []));
  test('nowhere, where neither says anything', () =>
    assert.deepEqual(contextOfEvent({}, new Map()), { parent: undefined, links: [] }));
});
