// What others may use of the engine: README.md.
export { defineResource } from './decide/define.ts';
export type { ResourceDefinition, Seen } from './decide/defined/definition.ts';
export { notYet, type Ready, yes } from './decide/defined/ready.ts';
export { podState } from './decide/pod-state.ts';
export type { Given, Resource } from './decide/resource.ts';
export type { Change } from './domain/change.ts';
export type { Condition } from './domain/conditions.ts';
export { KnudgeError } from './domain/errors.ts';
export { addKinds } from './domain/known-kinds.ts';
export type { KubeObject, ObjectRef } from './domain/kube-object.ts';
export type { Observed, Outcome, Plan } from './domain/plan.ts';
export type { HandlerContext } from './domain/ports.ts';
export { type Controller, defineController } from './functions/define-controller.ts';
export { defineFunction } from './functions/define-function.ts';
export { reconcileAll } from './functions/reconcile-all.ts';
export { ownerOf } from './parents/owner.ts';
export { subjectOf } from './parents/subject.ts';
