// One Broker with one Trigger as a process of its own, for tests that kill it: <class> <folder> <address> <ordered?>
import { createBroker } from '../../broker/ingress.ts';
import { serveIngress } from '../../broker/ingress-server.ts';
import { aBroker, aTrigger, overHttp } from './build.ts';

const [kind, dir = '', subscriber = '', ordered] = process.argv.slice(2);
const delivery = { retry: 1000, backoff: 'linear', backoffDelayMs: 1 } as const;
const broker = createBroker(aBroker(kind === 'Kafka' ? kind : 'MTChannelBasedBroker'), {
  dir,
  triggers: [aTrigger(subscriber, { ordered: ordered === 'ordered', delivery })],
  deliver: overHttp,
  report: () => {},
});
const { url } = await serveIngress(new Map([['kn-demo/default', broker]]), { port: 0 });
process.send?.(`${url}/kn-demo/default`);
