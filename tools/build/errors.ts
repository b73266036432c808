export { BuildError } from '../../packages/image/errors.ts';
