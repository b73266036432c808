import assert from 'node:assert/strict';
import { Agent } from 'node:http';
import { test } from 'node:test';
import { serve } from '../../controller/test/cluster/loopback.ts';
import { watchEvents } from './watch-events.ts';

const bookmark = (annotations?: object) => ({ type: 'BOOKMARK', object: { metadata: { annotations } } });
const end = bookmark({ 'k8s.io/initial-events-end': 'true' });
const [added, modified] = ['ADDED', 'MODIFIED'].map((type) => ({ type, object: {} }));

test('a bookmark that comes when the API server likes is not compared, that of the initial events is', async (context) => {
  const lines = [added, bookmark(), end, bookmark(), modified].map((event) => `${JSON.stringify(event)}\n`);
  const { url } = await serve(context, () => ({ body: lines.join('') }));
  const wanted = { path: '/', headers: {}, events: 3, during: async () => {} };
  const agent = new Agent();
  context.after(() => agent.destroy());
  const server = { name: 'real', url, kubeconfig: '', home: '', agent, secure: false, authorization: {} } as const;
  const { code, events } = await watchEvents(server, wanted);
  assert.deepEqual({ code, events }, { code: 200, events: [added, end, modified] });
});
