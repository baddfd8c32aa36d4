// A payment as a link of Coinbase Wallet: `wallet_sendCalls` (EIP-5792) with one call, in the form
// that its maker calls prolink (docs.cdp.coinbase.com, "encodeProlink"; the numbers of the fields
// in the source of @base-org/account, prolink/utils/protobuf.ts): protocol buffers behind a byte
// that says that nothing is compressed, in base64url. What is sent is what the payment link says
// (EIP-681). Pure.

const COIN = /^ethereum:0x([0-9a-fA-F]{40})@(\d+)\?value=(\d+)$/;
const TOKEN =
  /^ethereum:0x([0-9a-fA-F]{40})@(\d+)\/transfer\?address=0x([0-9a-fA-F]{40})&uint256=(\d+)$/;

const PLAIN = 0;
const PROTOCOL_VERSION = 1n;
const SEND_CALLS = 1n;
const [TOKEN_TRANSFER, COIN_TRANSFER] = [1n, 2n];
const CALLS_VERSION = Buffer.from('1.0');

/** Undefined for a link that is none of EIP-681 with an amount. */
export function prolink(paymentUri: string): string | undefined {
  const [, receiver, coinChain = '', value = ''] = COIN.exec(paymentUri) ?? [];
  if (receiver !== undefined) {
    const transfer = bytes(11, [bytes(1, [address(receiver)]), bytes(2, [amount(value)])]);
    return linkOf(coinChain, [number(1, COIN_TRANSFER), transfer]);
  }
  const [, token, chain = '', to = '', units = ''] = TOKEN.exec(paymentUri) ?? [];
  if (token === undefined) return undefined;
  const parts = [bytes(1, [address(token)]), bytes(2, [address(to)]), bytes(3, [amount(units)])];
  return linkOf(chain, [number(1, TOKEN_TRANSFER), bytes(10, parts)]);
}

function linkOf(chain: string, calls: readonly Buffer[]): string {
  const payload = Buffer.concat([
    Buffer.of(PLAIN),
    number(1, PROTOCOL_VERSION),
    number(2, BigInt(chain)),
    number(3, SEND_CALLS),
    bytes(11, [...calls, bytes(4, [CALLS_VERSION])]),
  ]);
  return payload.toString('base64url');
}

function address(digits: string): Buffer {
  return Buffer.from(digits, 'hex');
}

/** As few bytes as hold it, the highest first. */
function amount(units: string): Buffer {
  const digits = BigInt(units).toString(16);
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}

const [VARINT, DELIMITED] = [0n, 2n];

function number(field: number, value: bigint): Buffer {
  return Buffer.concat([varint((BigInt(field) << 3n) | VARINT), varint(value)]);
}

function bytes(field: number, parts: readonly Buffer[]): Buffer {
  const value = Buffer.concat(parts);
  const head = varint((BigInt(field) << 3n) | DELIMITED);
  return Buffer.concat([head, varint(BigInt(value.length)), value]);
}

/** Seven bits a byte, the lowest first. */
function varint(value: bigint): Buffer {
  const low = Number(value & 0x7fn);
  return value < 0x80n
    ? Buffer.of(low)
    : Buffer.concat([Buffer.of(low | 0x80), varint(value >> 7n)]);
}
