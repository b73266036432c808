import type { Case } from './case.ts';
import { applyCases } from './cases/apply.ts';
import { applySubresourcesCases } from './cases/apply-subresources.ts';
import { applyTypesCases } from './cases/apply-types.ts';
import { applyUpdatesCases } from './cases/apply-updates.ts';
import { controllerCases } from './cases/controllers.ts';
import { crdBadCases } from './cases/crd-bad.ts';
import { crdFieldsCases } from './cases/crd-fields.ts';
import { crdListsCases } from './cases/crd-lists.ts';
import { crdRulesCases } from './cases/crd-rules.ts';
import { crdSchemaCases } from './cases/crd-schema.ts';
import { crdTransitionsCases } from './cases/crd-transitions.ts';
import { crdsCases } from './cases/crds.ts';
import { createCases } from './cases/create.ts';
import { createOthersCases } from './cases/create-others.ts';
import { deleteCases } from './cases/delete.ts';
import { discoveryCases } from './cases/discovery.ts';
import { dryRunCases } from './cases/dry-run.ts';
import { endpointSlicesCases } from './cases/endpoint-slices.ts';
import { garbageCases } from './cases/garbage.ts';
import { invalidCases } from './cases/invalid.ts';
import { invalidSpecsCases } from './cases/invalid-specs.ts';
import { jobCases } from './cases/jobs.ts';
import { knativeCases } from './cases/knative.ts';
import { kubectlCases } from './cases/kubectl.ts';
import { kubectlChangesCases } from './cases/kubectl-changes.ts';
import { kubectlKindsCases } from './cases/kubectl-kinds.ts';
import { kubectlWriteCases } from './cases/kubectl-writes.ts';
import { listCases } from './cases/list.ts';
import { logsCases } from './cases/logs.ts';
import { namespaceCases } from './cases/namespaces.ts';
import { orphansCases } from './cases/orphans.ts';
import { ownCases } from './cases/own.ts';
import { patchCases } from './cases/patch.ts';
import { patchStrategicCases } from './cases/patch-strategic.ts';
import { policiesCases } from './cases/policies.ts';
import { policyBoundsCases } from './cases/policy-bounds.ts';
import { reviewsCases } from './cases/reviews.ts';
import { selectCases } from './cases/select.ts';
import { selectCustomCases } from './cases/select-custom.ts';
import { selectCustomUseCases } from './cases/select-custom-use.ts';
import { serviceRulesCases } from './cases/service-rules.ts';
import { storedNetworkCases } from './cases/stored-network.ts';
import { storedTablesCases } from './cases/stored-tables.ts';
import { storedVolumesCases } from './cases/stored-volumes.ts';
import { storedWorkloadsCases } from './cases/stored-workloads.ts';
import { tableCases } from './cases/tables.ts';
import { updateCases } from './cases/update.ts';
import { updateRulesCases } from './cases/update-rules.ts';
import { watchCases } from './cases/watch.ts';
import { workloadRulesCases } from './cases/workload-rules.ts';

/** The table, by area; the name of an area is that of its file in cases/ and in expected/. */
export const areas: Readonly<Record<string, readonly Case[]>> = {
  create: createCases,
  'create-others': createOthersCases,
  'stored-workloads': storedWorkloadsCases,
  'stored-network': storedNetworkCases,
  'stored-volumes': storedVolumesCases,
  'stored-tables': storedTablesCases,
  policies: policiesCases,
  'policy-bounds': policyBoundsCases,
  reviews: reviewsCases,
  invalid: invalidCases,
  'invalid-specs': invalidSpecsCases,
  'service-rules': serviceRulesCases,
  'workload-rules': workloadRulesCases,
  update: updateCases,
  'update-rules': updateRulesCases,
  patch: patchCases,
  'patch-strategic': patchStrategicCases,
  apply: applyCases,
  'apply-subresources': applySubresourcesCases,
  'apply-types': applyTypesCases,
  'apply-updates': applyUpdatesCases,
  delete: deleteCases,
  garbage: garbageCases,
  list: listCases,
  select: selectCases,
  'select-custom': selectCustomCases,
  'select-custom-use': selectCustomUseCases,
  watch: watchCases,
  tables: tableCases,
  logs: logsCases,
  'dry-run': dryRunCases,
  namespaces: namespaceCases,
  'crd-schema': crdSchemaCases,
  'crd-lists': crdListsCases,
  'crd-rules': crdRulesCases,
  'crd-transitions': crdTransitionsCases,
  crds: crdsCases,
  'crd-bad': crdBadCases,
  'crd-fields': crdFieldsCases,
  discovery: discoveryCases,
  controllers: controllerCases,
  jobs: jobCases,
  'endpoint-slices': endpointSlicesCases,
  orphans: orphansCases,
  kubectl: kubectlCases,
  'kubectl-kinds': kubectlKindsCases,
  'kubectl-writes': kubectlWriteCases,
  'kubectl-changes': kubectlChangesCases,
  knative: knativeCases,
  own: ownCases,
};
