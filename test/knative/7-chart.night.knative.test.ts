import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { knudgeImage } from '../../tools/knative/knudge.ts';
import { helm } from '../chart/helm.ts';
import { commandsIn } from './commands-in.ts';
import { uninstall } from './install-again.ts';
import { allReady, apply, kubectl, noSubscriberIsLeft } from './installed.ts';
import { home, site as openSite } from './site.ts';
import { aMessageIsProcessed, doctorIsContent } from './works.ts';

const site = openSite();
const [commands = ''] = commandsIn('docs/packages.md', 'Helm');
const [install = '', upgrade = '', away = ''] = commands.split('\n');
const image = ['--set', `image.repository=${knudgeImage.name}`, '--set', `image.tag=${knudgeImage.tag}`];

/** A command of the document, with the node's image where it takes one. */
async function carryOut(command: string, ...more: readonly string[]): Promise<void> {
  const [program, ...args] = command.split(' ');
  assert.equal(program, 'helm');
  await helm(...args, ...more, '--kubeconfig', site.kubeconfig);
}

describe('the Helm chart, by the words of docs/packages.md, in a cluster without Knudge', () => {
  before(() => uninstall(site));
  after(async () => {
    await apply({ resources: ['deploy'] });
    await allReady();
    await noSubscriberIsLeft();
  });

  it('is installed, and takes a Message through Knative', async () => {
    // It ends when its hook has had the first resync.
    await carryOut(install, ...image);
    await allReady();
    await aMessageIsProcessed('default');
    await doctorIsContent();
  });

  it('is upgraded, and takes a Message through Knative', async () => {
    await carryOut(upgrade, ...image);
    await allReady();
    await aMessageIsProcessed('default');
    await doctorIsContent();
  });

  it("is upgraded to Knudge's own source, which alone tells of a Message then", async () => {
    await carryOut(upgrade, ...image, '--set', 'source.enabled=true');
    await allReady();
    assert.equal(await kubectl(['--namespace', home, 'get', 'apiserversources', '--output=name']), '');
    await aMessageIsProcessed('default');
    await doctorIsContent('source');
  });

  it('is uninstalled, and leaves the CRDs and nothing that runs', async () => {
    await carryOut(away, '--wait');
    const left = await kubectl([
      '--namespace',
      home,
      'get',
      'ksvc,brokers,triggers,apiserversources,containersources,pvc',
      '--output=name',
    ]);
    assert.equal(left, '');
    const kinds = await kubectl(['get', 'crd', '--output=name']);
    assert.match(kinds, /distributedservices\.frp\.io/);
  });
});
