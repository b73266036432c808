import { describe } from 'node:test';
import { judgeSubscribers } from '../../doctor/checks/subscribers.ts';
import { empty, judged, thing, wanting } from './scene.ts';

const channel = (...uids: readonly string[]) =>
  thing('messaging.knative.dev/v1', 'InMemoryChannel', {
    metadata: { namespace: 'knudge', name: 'c', labels: { 'eventing.knative.dev/broker': 'knudge' } },
    spec: { subscribers: uids.map((uid) => ({ uid })) },
  });
const subscription = (uid: string) =>
  thing('messaging.knative.dev/v1', 'Subscription', { metadata: { namespace: 'knudge', name: uid, uid } });

describe('the channel of the Broker', () => {
  const has = (uids: readonly string[], ...wanted: readonly string[]) =>
    judgeSubscribers({ ...empty, channels: { value: [channel(...uids), ...wanted.map(subscription)] } }, wanting());
  judged({ name: 'that sends to each Trigger is well', found: has(['a', 'b'], 'a', 'b'), wanted: [] });
  judged({ name: 'that is not subscribed to yet is for the Triggers to tell', found: has([], 'a'), wanted: [] });
  judged({
    name: 'that has kept one who is gone is a problem',
    found: has(['a', 'b', 'c'], 'b'),
    wanted: ['problem InMemoryChannel knudge/c has 2 subscribers that belong to no Trigger'],
  });
});
