// What others may use to build an image without Docker: README.md.
export { BuildError } from './errors.ts';
export { buildProjectImage, layProjectRoot, type ProjectImage } from './project.ts';
