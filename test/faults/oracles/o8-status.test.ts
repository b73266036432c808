import type { Trace, TracedChange } from '../../../packages/controller/testing/trace.ts';
import { pick } from '../../../packages/controller/testing/trace-words.ts';
import { endsWith, putIn, readAs, told, withoutPods } from './edit-status.ts';
import { callIn, editAnswer, editCalls, editChanges, put, testLies } from './edit-trace.ts';

const service = 'create-generated-mtls';
const message = 'message-create';

function tokenIn({ changes }: Trace): string {
  const secret = changes.find(({ object }) => object.metadata.name === 'frp-web-identity')?.object;
  return String(pick(secret, 'data', 'token'));
}

function keyLineIn({ changes }: Trace): string {
  const secret = changes.find(({ object }) => object.metadata.name === 'frp-web-tls')?.object;
  const pem = Buffer.from(String(pick(secret, 'data', 'tls.key')), 'base64').toString();
  return pem.split('\n')[1] ?? '';
}

const isOfPerson = ({ type, by, object }: TracedChange): boolean =>
  by.who === 'user' && type === 'MODIFIED' && object.kind === 'DistributedService';

const certificateIn = ({ changes }: Trace): string => {
  const secret = changes.find(({ object }) => object.metadata.name === 'frp-web-tls')?.object;
  return Buffer.from(String(pick(secret, 'data', 'tls.crt')), 'base64').toString();
};

testLies('O8', {
  'a status speaks of a generation that is not there yet': {
    of: message,
    tell: (trace) => told(trace, 'Message', putIn(['status', 'observedGeneration'], 2)),
    says: /Message shop\/hello speaks of generation 2 and has only 1/,
  },
  'a condition speaks of a generation that is not there yet': {
    of: message,
    tell: (trace) => told(trace, 'Message', putIn(['status', 'conditions', 0, 'observedGeneration'], 3)),
    says: /speaks of generation 3 and has only 1/,
  },
  'a status goes back to an older generation': {
    of: message,
    tell: (trace) => told(trace, 'Message', putIn(['status', 'observedGeneration'], 0)),
    says: /speaks of generation 0 after it spoke of 1/,
  },
  'a status is told of another generation than was read': {
    of: message,
    tell: (trace) => readAs(trace, 'Message', putIn(['metadata', 'generation'], 7)),
    says: /says generation 1, and 7 was read/,
  },
  'a state follows one that it must not follow': {
    of: service,
    tell: (trace) => told(trace, 'DistributedService', putIn(['status', 'state'], 'Pending')),
    says: /went from Provisioning to Pending/,
  },
  'a phase is none': {
    of: message,
    tell: (trace) => told(trace, 'Message', putIn(['status', 'phase'], 'Done')),
    says: /has the phase Done, which there is not/,
  },
  'a condition has a new time and its old status': {
    of: message,
    tell: (trace) =>
      told(trace, 'Message', (object) => {
        const same = put(object, ['status', 'conditions', 0, 'status'], 'False');
        return put(same, ['status', 'conditions', 0, 'lastTransitionTime'], '2027-01-01T00:00:00Z');
      }),
    says: /has a new time for Ready, which is False as before/,
  },
  'a Message is called ready before its Pod is': {
    of: message,
    tell: (trace) => readAs(trace, 'Pod', putIn(['status', 'conditions'], [])),
    says: /Message shop\/hello is called ready, and its Pod was not/,
  },
  'a Message is called ready while its Pod says something else': {
    of: message,
    tell: (trace) => readAs(trace, 'Pod', putIn(['spec', 'containers', 0, 'env', 0, 'value'], 'other')),
    says: /is called ready, and its Pod was not/,
  },
  'a service is called ready without a tunnel': {
    of: service,
    tell: (trace) => withoutPods(readAs(trace, 'Deployment', putIn(['status', 'availableReplicas'], 0))),
    says: /is called ready, and no replica of its tunnel was available/,
  },
  'a service is called ready whose Pod serves before its Deployment says so': {
    of: service,
    tell: (trace) => readAs(trace, 'Deployment', putIn(['status', 'availableReplicas'], 0)),
    says: /is called Running, and its tunnel was not rolled out/,
  },
  'a service is called Running before the new tunnel is rolled out': {
    of: service,
    tell: (trace) => readAs(trace, 'Deployment', putIn(['metadata', 'generation'], 9)),
    says: /is called Running, and its tunnel was not rolled out/,
  },
  'a service is called Running by the pass that changes its tunnel': {
    of: service,
    tell: (trace) => {
      const write = trace.calls.findLast(({ verb, resource }) => verb === 'apply' && resource.endsWith('/status'));
      const made = callIn(trace, 'create deployments');
      const call = { ...made, run: write?.run ?? 0, at: (write?.at ?? 0) - 0.5 };
      return { ...trace, calls: [...trace.calls, call].sort((one, other) => one.at - other.at) };
    },
    says: /is called Running by the pass that changed its tunnel/,
  },
  'a digest is of another token': {
    of: service,
    tell: (trace) => endsWith(trace, putIn(['status', 'identityDigest'], '0'.repeat(32))),
    says: /DistributedService shop\/web tells a digest of a token that is not its own/,
  },
  'a service that runs tells no digest': {
    of: service,
    tell: (trace) => endsWith(trace, putIn(['status', 'identityDigest'], undefined)),
    says: /DistributedService shop\/web tells a digest of no token/,
  },
  'a service is let in with a port that nobody has looked at': {
    of: 'change-expose-remote-port',
    tell: (trace) => {
      const digestOf = ({ objects }: Trace) =>
        pick(
          objects.find(({ kind }) => kind === 'DistributedService'),
          'status',
          'exposureDigest',
        );
      return editChanges(trace, isOfPerson, (change) =>
        put(change, ['object', 'status', 'exposureDigest'], digestOf(trace)),
      );
    },
    says: /DistributedService shop\/web is let in with what nobody has looked at/,
  },
  'a person takes the configuration away before another change, which lets go of no port': {
    of: 'change-load-balancing-algorithm',
    tell: (trace) => {
      const isConfig = ({ object }: TracedChange): boolean => object.metadata.name === 'frp-web-config';
      const config = trace.changes.find(isConfig);
      const changed = trace.changes.find(isOfPerson);
      if (config === undefined || changed === undefined) throw new Error('the scenario makes and changes no service');
      const gone = { ...config, type: 'DELETED', by: { who: 'user' }, at: changed.at - 0.5 } as const;
      return { ...trace, changes: [...trace.changes, gone].sort((one, other) => one.at - other.at) };
    },
  },
  'a token is shown to a second server': {
    of: 'profile-address',
    tell: (trace) => {
      const isOurs = ({ object }: TracedChange): boolean => object.metadata.name === 'frp-web-identity';
      return editChanges(trace, isOurs, () => undefined);
    },
    says: /the token of Secret shop\/frp-web-identity was shown to frps.* and frps2/,
  },
  'a line of the log holds a token': {
    of: service,
    tell: (trace) => ({ ...trace, output: [...trace.output, `{"msg":"made ${tokenIn(trace)}"}`] }),
    says: /bytes of Secret shop\/frp-web-identity stand in what was said/,
  },
  'a line of the log holds a token as it is meant': {
    of: service,
    tell: (trace) => ({ ...trace, output: [Buffer.from(tokenIn(trace), 'base64').toString()] }),
    says: /bytes of Secret shop\/frp-web-identity stand in what was said/,
  },
  'a line of the log holds a token that was never stored': {
    of: service,
    tell: (trace) => {
      const call = callIn(trace, 'create secrets', 'frp-web-identity');
      const token = 'bmV2ZXItc3RvcmVkLXRva2Vu';
      const unstored = editCalls(
        trace,
        (one) => one === call,
        (one) => put(one, ['body', 'data', 'token'], token),
      );
      return { ...unstored, output: [`could not write ${token}`] };
    },
    says: /bytes of Secret shop\/frp-web-identity stand in what was said/,
  },
  'an answer holds a piece of a key': {
    of: service,
    tell: (trace) => editAnswer(trace, { body: keyLineIn(trace) }),
    says: /bytes of Secret shop\/frp-web-tls stand in the answer of run/,
  },
  'a status holds a token': {
    of: service,
    tell: (trace) => told(trace, 'DistributedService', putIn(['status', 'address'], tokenIn(trace))),
    says: /stand in DistributedService shop\/web/,
  },
  'an Event holds a token': {
    of: service,
    tell: (trace) =>
      editChanges(
        trace,
        ({ object }) => object.kind === 'Event',
        (change) => ({ ...change, object: put(change.object, ['note'], tokenIn(trace)) }),
      ),
    says: /stand in Event/,
  },
  'a certificate is no secret': {
    of: service,
    tell: (trace) => ({ ...trace, output: [certificateIn(trace)] }),
  },
});
