import assert from 'node:assert/strict';
import { childName } from '../../../resources/distributed-service/names.ts';
import { messagePodName } from '../../build/message-pod-name.ts';
import * as cast from '../../faults/scenarios/cast.ts';
import { pathOf } from '../install.ts';
import { endpointsOf, type Scenario } from './stage.ts';

/** As many characters as a Message takes, each of them two UTF-16 units, with what breaks quoting among them. */
function hardText(): string {
  const hard = '$(VAR) $$ "\'`\\ \n\t\u202e\u05d0\ufeff\u0085\u007f';
  return hard + '🙂'.repeat(4096 - [...hard].length);
}

/** Names, texts and lists as long as they may be. */
export const sizes: readonly Scenario[] = [
  {
    name: 'a service with a name of 63 letters runs, and each child has a name that Kubernetes takes',
    play: async (stage) => {
      const name = 'w'.repeat(63);
      await stage.put(cast.profile(stage.place), cast.backend(stage.place, 'web-1', name));
      await stage.put(cast.web(stage.place, {}, { name }));
      await stage.runs(name);
      const child = childName(name, 'balanced');
      assert.ok(child.length <= 63);
      await stage.get(cast.refIn(stage.place, 'Service', child));
    },
  },
  {
    name: 'a Message with a name of 240 letters and the hardest text is Processed, and its Pod has exactly that text',
    play: async (stage) => {
      const [name, text] = ['m'.repeat(240), hardText()];
      // An apply is YAML, which takes no DEL.
      const body = cast.hello(stage.place, text, { name });
      const collection = pathOf(body.apiVersion, body.kind, { namespace: stage.namespace });
      const { status: code } = await stage.arena.api('POST', collection, { body });
      assert.equal(code, 201);
      await stage.wait('it is Processed', async () => {
        const { status } = (await stage.arena.message(stage.namespace, name)) ?? {};
        return status?.phase === 'Processed' || status;
      });
      const { spec } = await stage.get(cast.refIn(stage.place, 'Pod', messagePodName(name)));
      const { containers } = spec as { readonly containers: readonly { readonly env: readonly object[] }[] };
      assert.deepEqual(containers[0]?.env, [{ name: 'MESSAGE_TEXT', value: text.replaceAll('$', '$$$$') }]);
    },
  },
  {
    name: 'a service with 256 listed backends runs, and Envoy gets each of them',
    play: async (stage) => {
      const hosts = Array.from({ length: 256 }, (_, at) => `10.1.${String(at)}.1`);
      const endpoints = hosts.map((host) => ({ host, port: 8080, weight: 1 }));
      await stage.put(cast.profile(stage.place));
      await stage.put(cast.web(stage.place, { backends: { discovery: 'manual', replicas: 1, endpoints } }));
      await stage.runs();
      const file = await endpointsOf(stage);
      assert.deepEqual(
        hosts.filter((host) => !file.includes(`"${host}"`)),
        [],
      );
      const { status } = (await stage.arena.service(stage.namespace, 'web')) ?? {};
      assert.equal(status?.activeEndpoints, 256);
    },
  },
];
