import { createHash, createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { lightningUri } from '#networks/payment-uri.ts';
import { encodeInvoice } from './bolt11.ts';
import type { SandboxDestinations } from './sandbox-destinations.ts';

const SIGNET_PREFIX = 'tbs';
const EXPIRY_SECONDS = 3600;

/**
 * An invoice for each instruction, matched by its payment hash. Everything in it follows from the
 * id of the instruction: asking twice gives the same invoice.
 */
export function lightningDestinations(seed: Uint8Array): SandboxDestinations {
  const secretOf = (purpose: string, id: string) =>
    new Uint8Array(createHmac('sha256', seed).update(`${purpose}/${id}`).digest());
  const nodeId = secp256k1.getPublicKey(seed).toHex();
  return {
    addressSource: nodeId,
    open: ({ instructionId, units, expiresAt, hashedDescription }) => {
      const preimage = secretOf('preimage', instructionId);
      const paymentHash = new Uint8Array(createHash('sha256').update(preimage).digest());
      const invoice = {
        prefix: SIGNET_PREFIX,
        units,
        createdAt: expiresAt.subtract({ seconds: EXPIRY_SECONDS }),
        expirySeconds: EXPIRY_SECONDS,
        paymentHash,
        paymentSecret: secretOf('payment-secret', instructionId),
        description: `Payment ${instructionId}`,
        descriptionHash:
          hashedDescription === undefined
            ? undefined
            : createHash('sha256').update(hashedDescription).digest('hex'),
      };
      return {
        destination: paymentHash.toHex(),
        address: encodeInvoice(invoice, seed),
        memo: undefined,
        memoType: undefined,
        destinationTag: undefined,
      };
    },
    // An invoice is good for one payment: there is no lasting address to be typed.
    canonicalAddress: () => undefined,
    paymentUri: (destination) => lightningUri(destination),
    isOurs: () => false,
  };
}
