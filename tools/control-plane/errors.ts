export { BuildError as ClusterError } from '../../packages/image/errors.ts';
