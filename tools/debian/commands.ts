export { output, run, succeeds } from '../../packages/image/debian/commands.ts';
