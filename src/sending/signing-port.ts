// The port to whoever signs what the service drafts: the signer process, the wallet of a node, the
// owners of a Safe. What all of them promise: the same question is answered with the same bytes, or
// with bytes that cannot land beside those. What comes back is held against the draft and the
// sealed order wherever it came from (send-signed.ts); nobody here is believed.
import type { SignOrder } from '#signer/sign-order.ts';

export type SigningPort = {
  /** `order.unsigned`, signed, as the sender of its network reads it. */
  sign(order: SignOrder): Promise<SigningOutcome>;
  /** For `doctor`: what it is and has. @throws Outage or Refusal that says why it cannot sign. */
  check(): Promise<string>;
};

type SigningOutcome =
  | { readonly outcome: 'SIGNED'; readonly signedTransaction: string }
  /** It is asked again later; `reason`: what a person has to do, or what has to change before. */
  | { readonly outcome: 'NOT_NOW'; readonly reason: string }
  /** It gave no answer: the same is asked again at once. */
  | { readonly outcome: 'AWAY'; readonly reason: string };
