// What others may use of the mesh: README.md.
export type { CloudEvent } from './cloud-event.ts';
export type { Hop, Report } from './hop.ts';
export { type Mesh, startMesh } from './mesh.ts';
export type { MeshOptions } from './mesh-parts.ts';
export { type MeshState, readState } from './state.ts';
