import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { HistoryAnswer } from '../../packages/console/model/answers.ts';
import { readState } from '../../packages/mesh/state.ts';
import { until } from '../kube/until.ts';
import { type HopLine, type RunningMesh, startProcess } from '../mesh/running-mesh.ts';
import { bearerOf } from '../mesh/way-in.ts';

/** A real mesh, `knudge dev` as a process of its own, and what a person does to it beside the pages. */
export interface ConsoleMesh {
  /** The console's address now, with a token that one page may use. */
  url(): string;
  /** The same without the token: for a browser that has shown it. */
  readonly pages: string;
  /** Writes a Message, or changes its text. */
  putMessage(name: string, text: string): Promise<void>;
  /** Sends an event about a Message to the Broker, with a body that a function may refuse. */
  sendEvent(name: string, body: string): Promise<string>;
  /** From now on its Trigger calls a server that always fails; gives the way to mend that. */
  breakFunction(name: string): Promise<() => Promise<void>>;
  /** Resolves when the first resync is through, and has no other begin: its events are the newest about an object, and no change of it. */
  endResyncs(): Promise<void>;
  /** What the API below the pages answers, for the cookie of a page. */
  ask<Answer>(page: Page, path: string): Promise<Answer>;
  readonly mesh: RunningMesh;
  close(): Promise<void>;
}

const triggers = '/apis/eventing.knative.dev/v1/namespaces/knudge/triggers';
const messages = '/apis/myorg.dev/v1/namespaces/default/messages';
const pings = '/apis/sources.knative.dev/v1/namespaces/knudge/pingsources';

/** Starts a mesh on free ports; its functions stay awake for as long as a test needs. */
export async function startConsoleMesh(...args: readonly string[]): Promise<ConsoleMesh> {
  const mesh = await startProcess('--idle', '120', ...args);
  const { apiServer, broker, kubeconfig } = mesh.state;
  const url = (): string => {
    const { console: address } = readState(mesh.dir);
    assert.ok(address !== null, 'the mesh serves no console');
    return address;
  };
  const pages = url().replace(/#.*$/, '');
  return {
    url,
    pages,
    mesh,
    putMessage: async (name, text) => {
      const response = await fetch(`${apiServer}${messages}/${name}?fieldManager=a-person&force=true`, {
        method: 'PATCH',
        headers: { ...bearerOf(kubeconfig), 'content-type': 'application/apply-patch+yaml' },
        body: JSON.stringify({ apiVersion: 'myorg.dev/v1', kind: 'Message', metadata: { name }, spec: { text } }),
      });
      assert.ok(response.ok, await response.text());
    },
    sendEvent: async (name, body) => {
      const id = randomUUID();
      const about = {
        'ce-apiversion': 'myorg.dev/v1',
        'ce-kind': 'Message',
        'ce-namespace': 'default',
        'ce-name': name,
      };
      const type = 'dev.knative.apiserver.resource.update';
      const attributes = { 'ce-specversion': '1.0', 'ce-id': id, 'ce-source': '/a/person', 'ce-type': type };
      const headers = { ...attributes, ...about, 'content-type': 'application/json' };
      const response = await fetch(broker, { method: 'POST', headers, body });
      assert.ok(response.ok, await response.text());
      return id;
    },
    breakFunction: async (name) => {
      const broken = createServer((_, response) => response.writeHead(503).end('it is broken')).listen(0, '127.0.0.1');
      await once(broken, 'listening');
      const { port } = broken.address() as AddressInfo;
      const url = `${apiServer}${triggers}/${name}`;
      const reloads = (): number => mesh.hops.filter(({ kind }) => kind === 'reloaded').length;
      const call = async (subscriber: object): Promise<void> => {
        const before = reloads();
        const headers = { ...bearerOf(kubeconfig), 'content-type': 'application/merge-patch+json' };
        const response = await fetch(url, { method: 'PATCH', headers, body: JSON.stringify({ spec: { subscriber } }) });
        assert.ok(response.ok, await response.text());
        await until('the Broker has the Trigger', async () => reloads() > before);
      };
      const ref = { apiVersion: 'serving.knative.dev/v1', kind: 'Service', name };
      await call({ ref: null, uri: `http://127.0.0.1:${port}/${name}` });
      return async () => {
        await call({ ref, uri: null });
        broken.close();
      };
    },
    endResyncs: async () => {
      const isThrough = ({ kind, trigger, status }: HopLine): boolean =>
        kind === 'delivered' && String(trigger).endsWith('/resync-due') && status === 204;
      await until('the first resync is through', async () => mesh.hops.some(isThrough), 60);
      const response = await fetch(`${apiServer}${pings}`, { method: 'DELETE', headers: bearerOf(kubeconfig) });
      assert.ok(response.ok, await response.text());
    },
    ask: async (page, path) => {
      const response = await page.request.get(`${pages}api${path}`);
      assert.ok(response.ok(), await response.text());
      return response.json();
    },
    close: async () => {
      mesh.signal('SIGINT');
      await mesh.ended();
      mesh.remove();
    },
  };
}

/** Waits until the log shows that the Pod of a Message has printed it, after this place. */
export async function untilProcessed(
  { mesh, page }: { readonly mesh: ConsoleMesh; readonly page: Page },
  name: string,
  place = 0,
): Promise<void> {
  const isIt = (of: { field: string; after?: unknown }) => of.field === '/status/phase' && of.after === 'Processed';
  await until('it is Processed', async () => {
    const { versions } = await mesh.ask<HistoryAnswer>(page, `/objects/Message/default/${name}/history`);
    return versions.some(({ event, changes }) => event.seq > place && changes.some(isIt));
  });
}
