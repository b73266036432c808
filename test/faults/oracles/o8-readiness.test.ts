import { putIn, readAs, written } from './edit-status.ts';
import { testLies } from './edit-trace.ts';

const service = 'create-generated-mtls';

testLies('O8', {
  'a service is called Ready in another state than Running': {
    of: service,
    tell: (trace) => written(trace, putIn(['body', 'status', 'state'], 'Updating')),
    says: /is Updating, and says of Ready that it is true/,
  },
  'a service that is stuck looks as if it were on its way': {
    of: service,
    tell: (trace) => written(trace, putIn(['body', 'status', 'state'], 'Failed')),
    says: /is Failed, and says of Ready that it is true/,
  },
  'a service is called Running whose tunnel is configured for an older spec': {
    of: service,
    tell: (trace) => readAs(trace, 'DistributedService', putIn(['spec', 'expose', 'remotePort'], 7999)),
    says: /is called Running, and the remotePort of its tunnel is 7001, not 7999/,
  },
});
