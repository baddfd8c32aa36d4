// How large a transaction will be once it is signed, in the weight and virtual bytes of BIP-141.
// An ECDSA signature counts as the longest a standard one can be (72 bytes with its type, low S),
// one of BIP-340 as 65 (with its type): the real transaction is never larger, and smaller by a
// quarter of a virtual byte for each byte that a signature is shorter.

/** What is spent, and so what its input has to show. */
export type InputKind = 'p2wpkh' | 'p2sh-p2wpkh' | 'p2pkh' | 'p2tr';

/** MAX_STANDARD_TX_WEIGHT of Bitcoin Core and Litecoin Core: 100,000 virtual bytes. */
export const MOST_WEIGHT = 400_000;

type InputBytes = {
  readonly plain: number;
  /** 1 where there is none: its count. */
  readonly witness: number;
};

/** Transaction id 32, index 4, length of the script 1, sequence 4. */
const BARE_INPUT = 41;
const PUSHED_SIGNATURE = 1 + 72;
const PUSHED_KEY = 1 + 33;
const KEY_HASH_WITNESS = 1 + PUSHED_SIGNATURE + PUSHED_KEY;

const INPUT_BYTES: Readonly<Record<InputKind, InputBytes>> = {
  p2wpkh: { plain: BARE_INPUT, witness: KEY_HASH_WITNESS },
  // The script is one push of the 22 bytes of a witness program.
  'p2sh-p2wpkh': { plain: BARE_INPUT + 23, witness: KEY_HASH_WITNESS },
  p2pkh: { plain: BARE_INPUT + PUSHED_SIGNATURE + PUSHED_KEY, witness: 1 },
  p2tr: { plain: BARE_INPUT, witness: 1 + 1 + 65 },
};

/** What the inputs of a transaction weigh together. */
export type InputTally = InputBytes & { readonly count: number };

export const NO_INPUTS: InputTally = { count: 0, plain: 0, witness: 0 };

export function withInput(tally: InputTally, kind: InputKind): InputTally {
  const { plain, witness } = INPUT_BYTES[kind];
  return {
    count: tally.count + 1,
    plain: tally.plain + plain,
    witness: tally.witness + witness,
  };
}

export function withoutInput(tally: InputTally, kind: InputKind): InputTally {
  const { plain, witness } = INPUT_BYTES[kind];
  return {
    count: tally.count - 1,
    plain: tally.plain - plain,
    witness: tally.witness - witness,
  };
}

/** What one input adds, beside the count of inputs. */
export function inputWeight(kind: InputKind): number {
  const { plain, witness } = INPUT_BYTES[kind];
  return 4 * plain + witness;
}

/** `outputs`: the lengths of their scripts, in bytes. */
export function transactionWeight(inputs: InputTally, outputs: readonly number[]): number {
  let plain = 4 + countBytes(inputs.count) + inputs.plain + countBytes(outputs.length) + 4;
  for (const length of outputs) plain += outputBytes(length);
  const hasWitness = inputs.witness > inputs.count;
  return 4 * plain + (hasWitness ? 2 + inputs.witness : 0);
}

/** Virtual bytes: a quarter of the weight, rounded up. */
export function virtualSize(weight: number): number {
  return Math.ceil(weight / 4);
}

/** Of an output whose script is so long: its amount, the length, the script. */
export function outputBytes(scriptLength: number): number {
  return 8 + countBytes(scriptLength) + scriptLength;
}

/** CompactSize. */
function countBytes(count: number): number {
  return count < 0xfd ? 1 : count <= 0xffff ? 3 : 5;
}
