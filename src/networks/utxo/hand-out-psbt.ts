// Coins that are chosen, as what a person is handed: a PSBT with all that signers ask for, its
// codes, and what is kept of it.
import type { DraftedPsbt } from '#deposit/money-out.ts';
import { writeDraftTerms } from '#networks/draft-terms.ts';
import { urParts } from '#networks/ur.ts';
import { buildPsbt, type OwnCoin } from './build-psbt.ts';
import type { CoreRpc } from './json-rpc.ts';
import type { OwnPlace } from './own-coins.ts';
import type { AddressSource } from './parse-address-source.ts';
import { readPreviousTransactions } from './previous-transactions.ts';
import type { RawChain } from './read-transaction.ts';
import type { CoinSelection, ScriptPayment } from './select-coins.ts';
import type { UtxoChain } from './utxo-chain.ts';

export type PsbtParts = {
  readonly rpc: CoreRpc;
  readonly source: AddressSource;
  readonly chain: UtxoChain & RawChain;
  readonly tipHeight: bigint;
};

type Chosen = CoinSelection<OwnCoin> & {
  readonly payments: readonly ScriptPayment[];
  /** Where what is left goes. */
  readonly change: OwnPlace;
};

/** A code that a hardware wallet scans from a terminal; each part once more, mixed. */
const FRAMES = { fragmentBytes: 200, mixedForEach: 1 };

/** @throws NodeLie, Outage */
export async function handOutPsbt(
  { rpc, source, chain, tipHeight }: PsbtParts,
  { inputs, payments, change, feeUnits, changeUnits, virtualSize }: Chosen,
): Promise<DraftedPsbt> {
  const order = {
    inputs,
    payments,
    change: changeUnits === 0n ? undefined : { ...change, units: changeUnits },
    lockTime: Number(tipHeight),
  };
  // Signatures of taproot are over every amount that is spent: no device asks for more.
  const previous =
    source.script === 'tr' ? new Map() : await readPreviousTransactions(rpc, chain, inputs);
  const whole = inputs.map((coin) => {
    return { ...coin, previousTransaction: previous.get(coin.transaction) };
  });
  const bytes = buildPsbt({ ...order, inputs: whole }, source, chain);
  const text = Buffer.from(bytes).toString('base64');
  return {
    format: 'PSBT',
    text,
    terms: writeDraftTerms({ psbt: text, feeUnits, virtualSize: String(virtualSize) }),
    spends: inputs.map(({ transaction, vout }) => `${transaction}:${vout}`),
    // Without them it is some codes and not hundreds; whoever scans it signs so.
    frames: urParts('crypto-psbt', buildPsbt(order, source, chain), FRAMES),
    feeUnits,
    changeUnits,
    inputs: inputs.length,
    virtualSize,
  };
}
