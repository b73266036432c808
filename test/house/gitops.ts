import { Application } from '@kubernetes-models/argo-cd/argoproj.io/v1alpha1';
import { HelmRelease } from '@kubernetes-models/flux-cd/helm.toolkit.fluxcd.io/v2';
import { Kustomization } from '@kubernetes-models/flux-cd/kustomize.toolkit.fluxcd.io/v1';
import { GitRepository } from '@kubernetes-models/flux-cd/source.toolkit.fluxcd.io/v1';
import { parseAllDocuments } from 'yaml';
import { textOf } from './files.ts';

interface Patch {
  readonly target: { readonly kind: string };
  readonly patch: string;
}

/** What the tests ask of the objects of Argo CD and Flux. */
export interface GitOpsObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: {
    readonly path?: string;
    readonly patches?: readonly Patch[];
    readonly source?: { readonly path: string; readonly kustomize: { readonly patches: readonly Patch[] } };
    readonly chart?: { readonly spec: { readonly chart: string } };
    readonly values?: unknown;
  };
}

/** The types of Argo CD and Flux, of their CRDs. */
const models: Readonly<Record<string, (object: never) => { validate(): void }>> = {
  'argoproj.io/v1alpha1/Application': (object) => new Application(object),
  'helm.toolkit.fluxcd.io/v2/HelmRelease': (object) => new HelmRelease(object),
  'kustomize.toolkit.fluxcd.io/v1/Kustomization': (object) => new Kustomization(object),
  'source.toolkit.fluxcd.io/v1/GitRepository': (object) => new GitRepository(object),
};

export const gitOpsFiles = [
  'examples/gitops/argo-cd/application.yaml',
  'examples/gitops/flux/kustomization.yaml',
  'examples/gitops/flux/helm-release.yaml',
] as const;

export function gitOpsObjects(path: string): readonly GitOpsObject[] {
  return parseAllDocuments(textOf(path)).map((document) => document.toJS() as GitOpsObject);
}

/** Throws where the object is not what its CRD says. */
export function validate(object: GitOpsObject): void {
  const type = `${object.apiVersion}/${object.kind}`;
  const model = models[type];
  if (model === undefined) throw new Error(`test/house/gitops.ts does not know ${type}: add it`);
  model(object as never).validate();
}
