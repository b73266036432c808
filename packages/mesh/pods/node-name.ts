/** The name of the node that runs Pods as processes. */
export const nodeName = 'this-machine';
