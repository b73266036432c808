import type { Case } from '../case.ts';
import { accepted, refused, withMtls } from '../case.ts';

const own = (secretName: unknown) => withMtls({ enabled: true, autoGenerate: false, secretName });

/** Certificates: made by the controller, or the user's own. */
export const securityCases: readonly Case[] = [
  {
    name: 'mtls that is only switched on makes its own certificates',
    object: withMtls({ enabled: true }),
    expected: 'accepted',
    spec: {
      serviceType: 'http',
      serverProfile: 'default',
      backends: { discovery: 'auto', port: 8080, replicas: 1 },
      loadBalancing: { algorithm: 'round-robin' },
      security: { mtls: { enabled: true, autoGenerate: true } },
    },
  },
  ...accepted({
    'a Secret of the user is accepted': own('client.tls'),
    'a Secret name of 253 characters is accepted': own('a'.repeat(253)),
    'mtls that is off may already name its Secret': withMtls({ autoGenerate: false, secretName: 'client' }),
    'mtls that is off needs no Secret': withMtls({ autoGenerate: false }),
  }),
  ...refused('without autoGenerate a certificate must be given', {
    'mtls with neither its own certificates nor a Secret is refused': withMtls({ enabled: true, autoGenerate: false }),
  }),
  ...refused('secretName is for certificates of your own', {
    'a Secret beside certificates of the controller is refused': withMtls({ enabled: true, secretName: 'client' }),
    'a Secret without autoGenerate: false is refused even if mtls is off': withMtls({ secretName: 'client' }),
  }),
  ...refused('spec.security.mtls.secretName', {
    'a Secret in another namespace is refused': own('other/client'),
    'a Secret in capital letters is refused': own('Client'),
    'a Secret that is a template is refused': own('{{ .A }}'),
    'an empty Secret name is refused': own(''),
    'a Secret name of 254 characters is refused': own('a'.repeat(254)),
  }),
  ...refused('spec.security.mtls.enabled', {
    'yes in quotes is no boolean, so it is refused': withMtls({ enabled: 'true' }),
  }),
];
