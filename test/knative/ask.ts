import { request } from 'node:http';
import { kubectl } from './installed.ts';

interface To {
  readonly service: string;
  readonly namespace: string;
  readonly path: string;
  /** By which the gateway knows a function. */
  readonly host?: string;
}

/** The status of the answer to an event that means nothing, sent to the cluster IP of a Service. */
export async function ask({ service, namespace, path, host }: To, token?: string): Promise<number> {
  const find = ['--namespace', namespace, 'get', 'service', service, '--output=jsonpath={.spec.clusterIP}'];
  const address = await kubectl(find);
  const headers = {
    'ce-specversion': '1.0',
    'ce-id': crypto.randomUUID(),
    'ce-source': '/test',
    'ce-type': 'dev.knudge.test',
    'content-length': '0',
    ...(host !== undefined && { host }),
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  return new Promise((done, failed) => {
    const sent = request({ host: address, port: 80, path, method: 'POST', headers, timeout: 30_000 }, (answer) => {
      answer.resume().once('end', () => done(answer.statusCode ?? 0));
    });
    sent.once('timeout', () => sent.destroy(new Error(`${service} does not answer within 30 s`)));
    sent.once('error', failed).end();
  });
}
