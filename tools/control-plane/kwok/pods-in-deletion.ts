/**
 * Lets kwok delete only Pods that are being deleted. It deletes a Pod by name, sometimes twice, and the second time may meet a
 * new Pod of that name (`PodController.deleteResource` of kwok 0.8); a kubelet names the uid.
 */
export const podsInDeletion = [
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'fake-node-pods-in-deletion' },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: {
          resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['DELETE'], resources: ['pods'] }],
        },
        matchConditions: [{ name: 'kwok', expression: "request.userInfo.username == 'kwok'" }],
        validations: [
          {
            expression: 'has(oldObject.metadata.deletionTimestamp)',
            message: 'this Pod is not being deleted: the fake kubelet means one before it, of the same name',
          },
        ],
      },
    },
  },
  {
    path: '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings',
    object: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'fake-node-pods-in-deletion' },
      spec: { policyName: 'fake-node-pods-in-deletion', validationActions: ['Deny'] },
    },
  },
] as const;
