import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { asKnudgeError } from '../../../controller/domain/errors.ts';
import { answerAsked } from '../../api/answer.ts';
import type { LogRequest } from '../../api/request.ts';
import { select } from '../../store/query.ts';
import { memoryLog } from '../store/memory-log.ts';

const { log } = memoryLog(() => 'works');
/** Reads times as the stores do. */
const events: typeof log.events = async (filter, page) => {
  select('events', filter, page);
  return [];
};

async function ask(url: string) {
  const [path = '', query = ''] = url.split('?');
  const request: LogRequest = {
    ...{ method: 'GET', path, query: new URLSearchParams(query), accept: '*/*', contentType: 'application/json' },
    ...{ authorization: '', headers: { host: '127.0.0.1:8304' }, isLocal: true, body: async () => Buffer.alloc(0) },
  };
  return answerAsked(request, { log: { ...log, events }, send: async () => undefined });
}

suite('what is asked wrongly', () => {
  for (const [url, says] of [
    ['/events?limit=0', /limit must be a whole number from 1 to 1000/],
    ['/events?limit=1001', /limit must be/],
    ['/events?before=x', /before must be/],
    ['/events?after=-1', /after must be a whole number from 0/],
    ['/events?order=up', /order must be one of newest-first, oldest-first/],
    ['/events?total=yes', /total must be one of true, false/],
    ['/gaps?limit=0', /limit must be/],
    ['/events?since=yesterday', /"yesterday" is no time/],
    ['/events?colour=red', /colour is not known here: there are since,/],
    ['/events?state=open', /state is not known here/],
    ['/events?kind=a&kind=b', /kind is there more than once/],
    ['/events?format=xml', /format must be json or ndjson/],
    ['/dead-letters?state=shut', /state must be one of open,/],
    ['/nothing', /nothing at this path/],
    ['/', /nothing at this path/],
    ['/events/1/retry', /nothing at this path/],
    ['/gaps/1', /nothing at this path/],
    ['/dead-letters/1', /nothing at this path/],
    ['/dead-letters/1/discard/now', /nothing at this path/],
    ['/events/%zz', /not percent-encoded/],
  ] as const) {
    test(`${url} is refused`, async () => {
      const error = asKnudgeError(await ask(url).catch((thrown: unknown) => thrown));
      assert.equal(error.code, 'invalid-request');
      assert.match(error.message, says);
    });
  }
});
