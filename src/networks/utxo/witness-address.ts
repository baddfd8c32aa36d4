// The address of an output script, for the two kinds of script that we hand out: pay to witness
// public key hash (BIP-141, BIP-173) and taproot (BIP-341, BIP-350). Written for blocks of 12,000
// outputs; witness-address.test.ts compares it with @scure/base.

export type ReadAddress = (script: Uint8Array) => string | undefined;

const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];
const bech32Constant = 1;
const bech32mConstant = 0x2bc830a3;
const TAPROOT_OPCODE = 0x51;

/** Undefined for every other script: nobody was asked to pay there. */
export function addressReader(prefix: string): ReadAddress {
  const prefixState = expand(prefix);
  return (script) => {
    const [opcode, length] = script;
    const isTaproot = opcode === TAPROOT_OPCODE && length === 32;
    if (!isTaproot && (opcode !== 0 || length !== 20)) return undefined;
    if (script.length !== length + 2) return undefined;
    const version = isTaproot ? 1 : 0;
    let state = step(prefixState, version);
    let text = `${prefix}1${CHARACTERS[version]}`;
    let bits = 0;
    let value = 0;
    const add = (word: number) => {
      state = step(state, word);
      text += CHARACTERS[word];
    };
    for (let at = 2; at < script.length; at += 1) {
      value = ((value << 8) | (script[at] ?? 0)) & 0xfff;
      for (bits += 8; bits >= 5; ) {
        bits -= 5;
        add((value >> bits) & 31);
      }
    }
    if (bits > 0) add((value << (5 - bits)) & 31);
    for (let zero = 0; zero < 6; zero += 1) state = step(state, 0);
    state ^= isTaproot ? bech32mConstant : bech32Constant;
    for (let at = 5; at >= 0; at -= 1) text += CHARACTERS[(state >> (5 * at)) & 31];
    return text;
  };
}

function expand(prefix: string): number {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  const words = [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)];
  return words.reduce(step, 1);
}

function step(state: number, word: number): number {
  const top = state >> 25;
  let next = ((state & 0x1ffffff) << 5) ^ word;
  for (let bit = 0; bit < 5; bit += 1) if ((top >> bit) & 1) next ^= GENERATOR[bit] ?? 0;
  return next;
}
