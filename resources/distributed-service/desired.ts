import { canonical } from '../../packages/controller/decide/canonical.ts';
import { type Belonging, belongsTo, stamp } from '../../packages/controller/decide/owned.ts';
import type { KubeObject } from '../../packages/controller/domain/kube-object.ts';
import type { Observed } from '../../packages/controller/domain/plan.ts';
import type { CertificateFinding } from './certificates/certificate-finding.ts';
import { keyPairOf } from './certificates/key-pair.ts';
import { leafSecret } from './certificates/leaf-secret.ts';
import { configFiles, configMap } from './children/config-map.ts';
import { tunnelDeployment } from './children/deployment.ts';
import { identityMarkOf } from './children/identity-mark.ts';
import { balancedService } from './children/service.ts';
import type { ClaimFinding } from './claims/claims.ts';
import type { ScalerLabels } from './claims/scaler-labels.ts';
import type { Discovery } from './discovery/backends.ts';
import { selectorService } from './discovery/selector-service.ts';
import { fileNames } from './envoy/data-plane.ts';
import { endpointsFile } from './envoy/endpoints.ts';
import { exposedProxy } from './frp/exposed-proxy.ts';
import { identitySecret, isOfAnotherServer, serverOf } from './frp/identity-secret.ts';
import type { ProfileFinding } from './frp/profile.ts';
import type { ServerProfile } from './frp/server-profile.ts';
import type { Given } from './given.ts';
import { inputs } from './inputs.ts';
import { annotations } from './names.ts';
import { problemOf } from './spec/problem.ts';
import type { DistributedService } from './types.ts';

interface Findings {
  readonly profile: ProfileFinding;
  readonly certificates: CertificateFinding;
  readonly discovery: Discovery;
  readonly claims: ClaimFinding;
  readonly scaler: ScalerLabels;
  /** The owner of the children that the Pod of the tunnel mounts. */
  readonly mounts: Belonging;
}

interface Wanted {
  readonly want: (role: string, child: KubeObject | undefined) => void;
  readonly desired: Map<string, KubeObject>;
}

/**
 * Every child that should exist, by role. If the server profile or a certificate is missing, or the Claims are not decided yet, the tunnel
 * stays as it is: Knudge does not tear down a service that runs because something that it was made from is away.
 */
export function desiredChildren(
  observed: Observed<DistributedService>,
  given: Given,
  findings: Findings,
): ReadonlyMap<string, KubeObject> {
  const { owner, children } = observed;
  const desired = new Map<string, KubeObject>();
  const want: Wanted['want'] = (role, child) => {
    if (child !== undefined) desired.set(role, stamp(child, owner, given));
  };
  // Keeps the old endpoints file until discovery has an answer.
  if (findings.discovery.isPending) keep('endpoints', { desired, children });
  const endpoints = { [fileNames.endpoints]: endpointsOf(owner, findings.discovery, given) };
  if (!desired.has('endpoints')) want('endpoints', configMap(owner, 'endpoints', endpoints));
  // The API server would refuse a selector that makes no sense, so the Service stays as it is.
  if (problemOf(owner.spec) === undefined) want('backends', selectorService(owner));
  else keep('backends', { desired, children });
  want('balanced', balancedService(owner, findings.scaler.labels));
  if (findings.certificates.leaf !== undefined) want('tls', leafSecret(owner, findings.certificates.leaf));
  if (findings.profile.is !== 'usable' || findings.certificates.status !== 'True' || findings.claims.pending) {
    for (const role of ['identity', 'tls', 'config', 'tunnel']) keep(role, { desired, children });
    return desired;
  }
  wantTunnel({ observed, given, findings, profile: findings.profile.profile }, { want, desired });
  return desired;
}

interface Tunnel {
  readonly observed: Observed<DistributedService>;
  readonly given: Given;
  readonly findings: Findings;
  readonly profile: ServerProfile;
}

/** Adds the objects that the Pod of the tunnel mounts, and its Deployment. */
function wantTunnel({ observed, given, findings, profile }: Tunnel, { want, desired }: Wanted): void {
  const { owner, children } = observed;
  const live = children.get('identity');
  const isGated = profile.login.kind === 'gate';
  const isAsked = isGated && children.has('identity');
  const identity = isAsked ? identitySecret(owner, live, { profile, newToken: given.newToken }) : undefined;
  // The old server's token is deleted before the configuration names the new server, and only then the new token is made: so no server
  // sees another's token.
  if (identity && isOfAnotherServer(live, profile)) {
    want('identity', identity);
    for (const role of ['config', 'tunnel']) keep(role, { desired, children });
    return;
  }
  const isPublished = findings.claims.mark !== undefined && hasProxy(owner);
  const data = configFiles(owner, { profile, isPublished });
  want('config', marked(configMap(owner, 'config', data), isPublished ? findings.claims.mark : undefined));
  if (identity && mayHaveToken(observed)) want('identity', identity);
  const restartHash = given.hash(canonical({ ...data, server: serverOf(profile), ...suppliedCertificate(observed) }));
  // The Pod mounts objects by name. If one of them is not ours, no tunnel is made or changed.
  if (findings.mounts !== 'ours') keep('tunnel', { desired, children });
  else {
    const parts = { images: given.images, profile, restartHash, isPublished };
    const hashUnmarked = (): string | undefined =>
      stamp(tunnelDeployment(owner, parts), owner, given).metadata.annotations?.[annotations.specHash];
    const mark = isGated ? identityMarkOf(observed, { identity, hash: given.hash, hashUnmarked }) : undefined;
    want('tunnel', tunnelDeployment(owner, { ...parts, ...(mark && { identity: mark }) }));
  }
}

/**
 * Whether the token is there or may be made. Beside a configuration that is not ours none is made: it may name another server, and the
 * tunnel that was made for it may still be there and start a Pod, which mounts both by name.
 */
function mayHaveToken({ owner, children }: Observed<DistributedService>): boolean {
  const config = children.get('config');
  return children.get('identity') !== undefined || config === undefined || belongsTo(config, owner) === 'ours';
}

/** A certificate that a person supplied is a part of the restart hash: without a restart frpc reads a new one only at its next login. */
function suppliedCertificate({ owner, inputs: found }: Observed<DistributedService>): Readonly<Record<string, string>> {
  const { enabled, autoGenerate } = owner.spec.security.mtls;
  const pair = enabled && !autoGenerate ? keyPairOf(found.get(inputs.suppliedCertificate)?.[0]) : undefined;
  return pair === undefined ? {} : { [fileNames.certificate]: pair.certificate };
}

/** Marks the configuration with the Claims that it was made for. If the mark is another one, the next pass reads the Claims of others again. */
function marked({ metadata, ...rest }: KubeObject, mark: string | undefined): KubeObject {
  const annotated = mark === undefined ? {} : { annotations: { ...metadata.annotations, [annotations.claims]: mark } };
  return { ...rest, metadata: { ...metadata, ...annotated } };
}

function keep(role: string, at: { desired: Map<string, KubeObject>; children: Observed['children'] }): void {
  const live = at.children.get(role);
  if (live !== undefined && !at.desired.has(role)) at.desired.set(role, live);
}

/** Whether the service takes anything at its FRP server. */
export function hasProxy({ metadata, spec }: DistributedService): boolean {
  return exposedProxy({ name: metadata.name, namespace: metadata.namespace ?? '', spec }) !== undefined;
}

function endpointsOf({ spec }: DistributedService, { backends }: Discovery, { hash }: Given): string {
  return endpointsFile(backends, hash, spec.loadBalancing.healthCheck?.port);
}
