// A second person looks at an order that waits, and agrees to it. What is shown is what is
// approved: the digest is computed here, from what is shown.

import { Refusal } from '#base/refusal.ts';
import { approve } from './approval.ts';
import { openSignerClient } from './client.ts';
import { openApproverSecret } from './key-file.ts';
import { readSettingsOf, signerFiles } from './run-signer.ts';
import { type Purpose, purposeDigest } from './sign-order.ts';

/** @throws Refusal when nothing waits under the code; Outage when no signer runs there. */
export async function findWaiting(directory: string, code: string): Promise<Purpose> {
  const found = await clientOf(directory).findPending(code);
  if (found.answer === 'pending') return found.purpose;
  throw new Refusal('missing', found.code, found.reasons);
}

/** @throws Refusal, Outage */
export async function approveOrder(
  directory: string,
  purpose: Purpose,
  approver: string,
  passphrase: string,
): Promise<void> {
  const secret = openApproverSecret(signerFiles(directory).keys, approver, passphrase);
  const digest = purposeDigest(purpose);
  const told = await clientOf(directory).approve(digest, approver, approve(digest, secret));
  if (told.answer === 'refused') throw new Refusal('forbidden', told.code, told.reasons);
}

function clientOf(directory: string) {
  return openSignerClient(readSettingsOf(directory).listening.socket);
}
