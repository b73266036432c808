import type { About } from '../../packages/image/config.ts';
import { version } from '../../packages/start/version.ts';

export const repository = 'knudge/knudge';

/** What the image of this repository says of itself. */
export const about: About = {
  repository,
  version,
  title: 'knudge',
  license: 'MIT',
  madeBy: 'npm run image',
  description: 'A Kubernetes controller that sleeps until it is nudged',
};
