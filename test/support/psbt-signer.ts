// A signer with the private keys of a descriptor, and something for it to sign: what a hardware
// wallet does, without the wallet.
import { randomBytes } from 'node:crypto';
import { HDKey } from '@scure/bip32';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { buildPsbt, type OwnCoin, type PsbtOrder } from '#networks/utxo/build-psbt.ts';
import { outputScript } from '#networks/utxo/output-script.ts';
import { ownScripts } from '#networks/utxo/own-scripts.ts';
import { type AddressSource, parseAddressSource } from '#networks/utxo/parse-address-source.ts';
import type { UtxoChain } from '#networks/utxo/utxo-chain.ts';

export type PsbtSigner = {
  readonly descriptor: string;
  readonly source: AddressSource;
  readonly root: HDKey;
  /** Adds its signatures; gives the PSBT with them. */
  sign(psbt: Uint8Array): Uint8Array;
};

const PURPOSES = { wpkh: 84, tr: 86 } as const;

export function psbtSigner(
  chain: UtxoChain,
  script: 'wpkh' | 'tr' = 'wpkh',
  seed: Uint8Array = randomBytes(32),
): PsbtSigner {
  const versions = { public: chain.extendedPublicVersion, private: 0x04358394 };
  const root = HDKey.fromMasterSeed(seed, versions);
  const path = `${PURPOSES[script]}'/${chain.coinType}'/0'`;
  const account = root.derive(`m/${path}`).publicExtendedKey;
  const fingerprint = root.fingerprint.toString(16).padStart(8, '0');
  const descriptor = `${script}([${fingerprint}/${path}]${account}/0/*)`;
  return {
    descriptor,
    source: parseAddressSource(descriptor, chain),
    root,
    sign(psbt) {
      const transaction = Transaction.fromPSBT(psbt);
      // Taproot signatures without chance, so that a seeded test can be repeated.
      transaction.sign(root as never, undefined, new Uint8Array(32));
      return transaction.toPSBT();
    },
  };
}

/** Two coins of 100,000 pay 120,000 to the address; 79,000 come back. */
export function smallOrder(
  { source }: PsbtSigner,
  chain: UtxoChain,
  payee: string,
  more: Partial<PsbtOrder> = {},
): PsbtOrder {
  const script = outputScript(payee, chain);
  if (script === undefined) throw new Error(`${payee} is no address of ${chain.name}`);
  const inputs = [0n, 1n].map((index) => fundedCoin(source, chain, index));
  return {
    inputs,
    payments: [{ script, units: 120_000n }],
    change: { branch: 'change', index: 3n, units: 79_000n },
    lockTime: 500,
    ...more,
  };
}

/** A coin of 100,000 with a transaction that made it, which nobody ever sent. */
function fundedCoin(source: AddressSource, chain: UtxoChain, index: bigint): OwnCoin {
  const { script } = ownScripts(source, chain)('receiving', index);
  const funding = new Transaction({ allowUnknownInputs: true });
  funding.addInput({ txid: new Uint8Array(32).fill(7), index: Number(index) });
  funding.addOutput({ script, amount: 100_000n });
  return {
    transaction: funding.id,
    vout: 0,
    units: 100_000n,
    kind: source.script === 'tr' ? 'p2tr' : 'p2wpkh',
    confirmations: 10,
    branch: 'receiving',
    index,
    previousTransaction: funding.toBytes(),
  };
}

export function handOut(signer: PsbtSigner, chain: UtxoChain, order: PsbtOrder): Uint8Array {
  return buildPsbt(order, signer.source, chain);
}
