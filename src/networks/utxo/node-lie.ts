/** What the node says cannot be so. The message is one sentence for the operator. */
export class NodeLie extends Error {}
