import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** `::ffff:1.2.3.4` is 1.2.3.4 with 96 more bits. */
const mappedBits = 96;

/**
 * Whether the address lies in one of the addresses and CIDR ranges. IPv4 mapped into IPv6 counts as
 * the IPv4 it is, on both sides. What does not parse matches nothing. An empty list allows nothing
 * here: what an empty list means is the caller's rule (api-contract.md 3).
 */
export function addressAllowed(list: readonly string[], address: string): boolean {
  const parsed = parseAddress(address);
  return parsed !== undefined && list.some((text) => contains(text, parsed));
}

/** The one spelling of an address; IPv4 mapped into IPv6 is that IPv4. */
export function canonicalAddress(text: string): string | undefined {
  return parseAddress(text)?.toString();
}

/** Canonical form of an address or range, its host bits cleared; undefined when it is neither. */
export function parseAllowedRange(text: string): string | undefined {
  const range = parseRange(text);
  if (range === undefined) return undefined;
  const [address, bits] = range;
  const bytes = address.toByteArray().map((byte, index) => {
    const kept = Math.min(8, Math.max(0, bits - index * 8));
    return byte & (0xff00 >> kept) & 0xff;
  });
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`;
}

function contains(text: string, address: Address): boolean {
  const range = parseRange(text);
  if (range === undefined) return false;
  const [base, bits] = range;
  if (base.kind() !== address.kind()) return false;
  return address.match(base as never, bits);
}

function parseRange(text: string): readonly [Address, number] | undefined {
  const [addressText = '', bitsText, ...rest] = text.trim().split('/');
  if (rest.length > 0) return undefined;
  const raw = parseRaw(addressText);
  if (raw === undefined) return undefined;
  const width = raw.kind() === 'ipv4' ? 32 : 128;
  if (bitsText !== undefined && !/^(0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
  const bits = bitsText === undefined ? width : Number(bitsText);
  if (bits > width) return undefined;
  const address = normalise(raw);
  if (address.kind() === raw.kind()) return [address, bits];
  // A range wider than the mapped block is about IPv6 as a whole.
  return bits >= mappedBits ? [address, bits - mappedBits] : [raw, bits];
}

function parseAddress(text: string): Address | undefined {
  const raw = parseRaw(text);
  return raw && normalise(raw);
}

/** Only the usual forms: no octal or hexadecimal parts, no short forms, no zone. */
function parseRaw(text: string): Address | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text)) return ipaddr.IPv4.parse(text);
  const isPlain = /^[0-9A-Fa-f:.]+$/.test(text) && text.includes(':');
  return isPlain && ipaddr.IPv6.isValid(text) ? ipaddr.IPv6.parse(text) : undefined;
}

function normalise(address: Address): Address {
  const isMapped = address instanceof ipaddr.IPv6 && address.isIPv4MappedAddress();
  return isMapped ? address.toIPv4Address() : address;
}
