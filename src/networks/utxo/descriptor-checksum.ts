// The checksum behind '#' of an output descriptor: BIP-380, a BCH code over 40 bits that finds any
// three wrong characters in descriptors of up to 49,154 characters.

const inputCharacters =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHARACTERS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATOR = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];

/** Eight characters, or undefined when the text holds one that no descriptor may hold. */
export function descriptorChecksum(descriptor: string): string | undefined {
  let state = 1n;
  let groups = 0;
  let groupSize = 0;
  for (const character of descriptor) {
    const position = inputCharacters.indexOf(character);
    if (position === -1) return undefined;
    state = step(state, BigInt(position & 31));
    groups = groups * 3 + (position >> 5);
    groupSize += 1;
    if (groupSize === 3) {
      state = step(state, BigInt(groups));
      groups = 0;
      groupSize = 0;
    }
  }
  if (groupSize > 0) state = step(state, BigInt(groups));
  for (let i = 0; i < 8; i += 1) state = step(state, 0n);
  state ^= 1n;
  let checksum = '';
  for (let i = 7n; i >= 0n; i -= 1n) {
    checksum += CHARACTERS[Number((state >> (5n * i)) & 31n)];
  }
  return checksum;
}

function step(state: bigint, value: bigint): bigint {
  const top = state >> 35n;
  let next = ((state & 0x7ffffffffn) << 5n) ^ value;
  for (const [bit, constant] of GENERATOR.entries()) {
    if ((top >> BigInt(bit)) & 1n) next ^= constant;
  }
  return next;
}
