import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { until } from '../kube/until.ts';
import { ask } from './ask.ts';
import { commandsIn } from './commands-in.ts';
import { logHas, openDatabase } from './database.ts';
import { encrypted } from './encrypted.ts';
import { allReady, apply, goBack, kubectl, noSubscriberIsLeft, type Parts } from './installed.ts';
import { home } from './site.ts';
import { aMessageIsProcessed, carryOut, doctorIsContent } from './works.ts';

const parts: Parts = { resources: ['deploy/overlays/secure'] };
const withDatabase: Parts = { ...parts, components: ['deploy/components/postgres'] };
const withSource: Parts = { ...parts, components: ['deploy/components/source'] };
const audience = 'eventing.knative.dev/broker/knudge/knudge';

/** The commands of the section of docs/install.md, in their order. */
const [flags = '', over = '', authority = '', afterwards = ''] = commandsIn('docs/install.md', 'Tokens for events');

describe('the overlay secure, with the settings of Knative that it is for', () => {
  const knative = encrypted();
  let closeDatabase: () => Promise<void> = async () => {};
  before(async () => {
    await knative.issue();
    await carryOut(flags);
    await carryOut(over);
    await apply(parts);
    await until('the Broker has an address by https', async () => (await brokerCa()) !== '', 60);
    // It leaves a file where one is.
    await carryOut(`cd "$(mktemp -d)"\n${authority}`);
    await carryOut(afterwards);
    await allReady();
  });
  after(async () => {
    await knative.remove();
    await carryOut(over);
    await kubectl(['--namespace', home, 'delete', 'configmap', 'broker-ca', '--ignore-not-found']);
    await goBack(withDatabase);
    await goBack(withSource);
    await noSubscriberIsLeft();
    await closeDatabase();
  });

  it('takes a Message through Knative, by https and with tokens', async () => {
    const [source = ''] = (await statusOf('apiserversources', '{.items[*].status.sinkUri}')).split(' ');
    assert.match(source, /^https:/);
    await aMessageIsProcessed('default');
    await noSubscriberIsLeft();
  });

  it('is what doctor expects', () => doctorIsContent('secure'));

  it('lets the first resync through', async () => {
    await kubectl(['--namespace', home, 'wait', '--for=condition=Complete', 'job', '--all', '--timeout=60s']);
  });

  it('lets nobody send to the Broker without a token, nor a sender that no policy names', async () => {
    const broker = { service: 'broker-ingress', namespace: 'knative-eventing', path: `/${home}/knudge` };
    assert.equal(await ask(broker), 401);
    assert.equal(await ask(broker, await tokenOf('frp-gate', audience)), 403);
    assert.equal(await ask(broker, await tokenOf('first-resync', 'somebody-else')), 401);
    assert.equal(await ask(broker, await tokenOf('first-resync', audience)), 202);
  });

  it('lets nobody ask a function who is not its Trigger', async () => {
    const gateway = { service: 'kourier-internal', namespace: 'kourier-system', path: '/' };
    const to = { ...gateway, host: `message-changed.${home}.svc.cluster.local` };
    const own = `${home}/message-changed`;
    assert.equal(await ask(to), 401);
    assert.equal(await ask(to, await tokenOf('first-resync', own)), 403);
    const trigger = 'message-changed-oidc-eventing.knative.dev-trigger';
    assert.equal(await ask(to, await tokenOf(trigger, audience)), 401);
    const believed = await ask(to, await tokenOf(trigger, own));
    assert.ok(![401, 403].includes(believed) && believed < 500, `its Trigger is answered ${String(believed)}`);
  });

  it('takes a Message with a database under the event log too, which has its events', async () => {
    closeDatabase = await openDatabase();
    await apply(withDatabase);
    await allReady();
    await logHas(await aMessageIsProcessed('default'));
  });

  it("takes a Message from Knudge's own source alone, by https and with the token of that source", async () => {
    await apply(withSource);
    await kubectl(['--namespace', home, 'delete', 'apiserversources', '--all', '--timeout=60s']);
    await allReady();
    const [sink = ''] = (await statusOf('containersources', '{.items[*].status.sinkUri}')).split(' ');
    assert.match(sink, /^https:/);
    await aMessageIsProcessed('default');
  });
});

function brokerCa(): Promise<string> {
  return kubectl([
    '--namespace',
    home,
    'get',
    'broker',
    'knudge',
    '--output',
    'jsonpath={.status.addresses[?(@.name=="https")].CACerts}',
  ]);
}

function statusOf(kind: string, path: string): Promise<string> {
  return kubectl(['--namespace', home, 'get', kind, `--output=jsonpath=${path}`]);
}

async function tokenOf(account: string, of: string): Promise<string> {
  return (await kubectl(['--namespace', home, 'create', 'token', account, `--audience=${of}`])).trim();
}
