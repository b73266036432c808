import type { Resource } from '../../packages/controller/decide/resource.ts';
import { KnudgeError } from '../../packages/controller/domain/errors.ts';
import { resourcesWith } from './resources.ts';

const undecided = (): never => {
  throw new KnudgeError('internal', 'these resources are only looked at: nothing is decided with them');
};

/** All resources for programs that look at their kinds and children, and decide nothing. Apart, so that no function makes them. */
export const declared: readonly Resource[] = resourcesWith({
  images: { frpc: '', envoy: '', message: '' },
  issuer: { authority: undecided, leaf: undecided, inspect: undecided },
  newToken: undecided,
});
