// Generated from the API's schemas of the built-in kinds by `npm run types`; do not edit.
/** The struct of each built-in kind, by `apiVersion/kind`. */
export const structOfKind = {
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy': 'ValidatingAdmissionPolicy',
  'admissionregistration.k8s.io/v1/ValidatingAdmissionPolicyBinding': 'ValidatingAdmissionPolicyBinding',
  'apps/v1/DaemonSet': 'DaemonSet',
  'apps/v1/Deployment': 'Deployment',
  'apps/v1/ReplicaSet': 'ReplicaSet',
  'apps/v1/StatefulSet': 'StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler': 'HorizontalPodAutoscaler',
  'batch/v1/CronJob': 'CronJob',
  'batch/v1/Job': 'Job',
  'discovery.k8s.io/v1/EndpointSlice': 'EndpointSlice',
  'networking.k8s.io/v1/Ingress': 'Ingress',
  'networking.k8s.io/v1/NetworkPolicy': 'NetworkPolicy',
  'policy/v1/PodDisruptionBudget': 'PodDisruptionBudget',
  'v1/PersistentVolume': 'PersistentVolume',
  'v1/PersistentVolumeClaim': 'PersistentVolumeClaim',
  'v1/Pod': 'Pod',
  'v1/PodTemplate': 'PodTemplate',
  'v1/ReplicationController': 'ReplicationController',
  'v1/Service': 'Service',
  'v1/ServiceAccount': 'ServiceAccount',
} as const;
