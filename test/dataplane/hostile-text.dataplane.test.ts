import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type FrpcInput, frpcConfig } from '../../resources/distributed-service/frp/frpc-config.ts';
import { installed } from '../../tools/dataplane/install.ts';
import { profiles } from './cells.ts';
import { finish } from './programs.ts';

const tools = await installed();
const total = Number(process.env['HOSTILE_VALUES'] || 1_000_000);
const seed = Number(process.env['KNUDGE_SEED'] || randomInt(2 ** 31));
/** Of each service: the name, the uid, the subdomain, the server's address and name, and these in two lists. */
const inList = 22;
const perService = 5 + 2 * inList;
/** What one process of frp's loader reads. */
const perBatch = 500;

interface Understood {
  readonly error?: string;
  readonly legacy?: boolean;
  readonly common: {
    readonly serverAddr: string;
    readonly auth: object;
    readonly metadatas: object;
    readonly transport: { readonly tls: object };
  };
  readonly proxies: readonly {
    readonly name: string;
    readonly subdomain: string;
    readonly customDomains: readonly string[];
    readonly locations: readonly string[];
  }[];
  readonly visitors: number;
}

/** What frp's own loader makes of configurations, all read by one process. */
async function understand(texts: readonly string[]): Promise<readonly Understood[]> {
  const lines = texts.map((text) => `${JSON.stringify(text)}\n`);
  const { code, output } = await finish(tools.understood, [], lines.join(''));
  assert.equal(code, 0, output);
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Understood);
}

const fragments = [
  ...['{', '{{', '}}', '{{ .Envs.PATH }}', '{{"', '{{- ', '{{`', '"', '\\', '\\u007b', '\\"', '\n', '\r', '\t', '\0'],
  ...['\u2028', '\u0085', '\ufeff', '\ufffd', '💥', '[common]', '# ', '"""', "'''", '`', '=', ';', ':', ',', ']', '}'],
  ...['\n[[proxies]]\n', '"}],"webServer":{"port":1}', '/* */', '../', '$(id)', '%00', '<', '&', '</script>'],
];
const hostile = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({ unit: fc.constantFrom(...fragments), minLength: 1 }),
);
const several = fc.array(hostile, { minLength: inList, maxLength: inList });
const service = fc.tuple(fc.array(hostile, { minLength: 5, maxLength: 5 }), several, several);
type Values = readonly [singles: readonly string[], domains: readonly string[], locations: readonly string[]];

function inputOf([[name = '', uid = '', subdomain = '', address = '', serverName = ''], domains, locations]: Values) {
  const [profile] = profiles;
  assert.ok(profile);
  return {
    namespace: 'shop',
    name,
    uid,
    spec: {
      serviceType: 'http',
      security: { mtls: { enabled: true, autoGenerate: true } },
      expose: { domains, locations, subdomain },
    },
    profile: { ...profile, address, serverName },
  } as const satisfies FrpcInput;
}

/** Every value is where it was put, as it was, and nothing else is there. */
function assertMeant([[name, uid, subdomain, address, serverName], domains, locations]: Values, read: Understood) {
  assert.equal(read.error, undefined);
  assert.deepEqual([read.legacy, read.visitors, read.proxies.length], [undefined, 0, 1]);
  const {
    name: proxyName,
    subdomain: proxySubdomain,
    customDomains,
    locations: paths,
  } = read.proxies[0] ?? assert.fail();
  assert.deepEqual([proxyName, proxySubdomain, read.common.serverAddr], [`shop.${name}`, subdomain, address]);
  assert.deepEqual([customDomains, paths], [sortedSet(domains), sortedSet(locations)]);
  assert.deepEqual(read.common.metadatas, { service: `shop/${name}`, uid });
  assert.deepEqual(read.common.transport.tls, {
    enable: true,
    disableCustomTLSFirstByte: true,
    certFile: '/etc/knudge/tls/tls.crt',
    keyFile: '/etc/knudge/tls/tls.key',
    trustedCaFile: '/etc/knudge/config/server-ca.crt',
    serverName,
  });
}

function sortedSet(values: readonly string[]): readonly string[] {
  return [...new Set(values)].sort();
}

describe('S4: hostile text', () => {
  it(`means to frp what was meant, ${total} values of seed ${seed}, and never a template`, async (context) => {
    const services = Math.ceil(total / perService);
    let values = 0;
    for (let from = 0; from < services; from += perBatch) {
      const numRuns = Math.min(perBatch, services - from);
      const batch = fc.sample(service, { numRuns, seed: seed + from }) as Values[];
      const read = await understand(batch.map((one) => frpcConfig(inputOf(one))));
      assert.equal(read.length, batch.length);
      for (const [index, one] of batch.entries()) assertMeant(one, read[index] ?? assert.fail());
      values += batch.flat(2).length;
    }
    assert.ok(values >= total);
    context.diagnostic(
      `counted: ${values} hostile values in ${services} configurations came out of frp's loader equal (KNUDGE_SEED=${seed})`,
    );
  });

  it('would be taken for a template if it were written as it is', async () => {
    const [plain] = await understand([JSON.stringify({ serverAddr: '{{ .Envs.PATH }}' })]);
    assert.equal(plain?.common.serverAddr, process.env['PATH']);
  });
});
