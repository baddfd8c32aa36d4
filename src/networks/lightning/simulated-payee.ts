import { createHash, createHmac } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import type { ChainId } from '#catalog/chain.ts';
import { addressAlone } from '#networks/destination.ts';
import type { PurePayee } from '#networks/network-settings.ts';
import { lightningUri } from '#networks/payment-uri.ts';
import { encodeInvoice } from '#networks/sandbox/bolt11.ts';

const SIGNET_PREFIX = 'tbs';
const EXPIRY_SECONDS = 3600;

/**
 * An invoice for each instruction, matched by its payment hash, without a node: everything in it
 * follows from the id of the instruction, so that asking twice gives the same invoice.
 */
export function simulatedLightningPayee(chain: ChainId, seed: Uint8Array): PurePayee {
  const secretOf = (purpose: string, id: string) =>
    new Uint8Array(createHmac('sha256', seed).update(`${purpose}/${id}`).digest());
  return {
    chain,
    addressSource: secp256k1.getPublicKey(seed).toHex(),
    addressInvoices: { fault: undefined },
    openDestination({ instructionId, units, expiresAt, hashedDescription }) {
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
      return addressAlone(encodeInvoice(invoice, seed), paymentHash.toHex());
    },
    // An invoice is good for one payment: there is no lasting address to be typed.
    canonicalAddress: () => undefined,
    paymentUri: (destination) => lightningUri(destination),
  };
}
