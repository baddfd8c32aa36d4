// IP addresses and ranges: which of them lists allow, and which a stranger may make us talk to.
// Guarantees: works on bytes only, reads the plain forms only (Node says what an address is), and
// fails closed: what cannot be read is in no list, and what is not known to be globally routable is
// not 'public'. It looks into every IPv6 form that carries an IPv4 address. Why this is our own
// code: docs/decisions/0036-own-or-taken.md.
// Source of the ranges: the special-purpose registries of IANA (RFC 6890, 8190).
import { isIPv4, isIPv6 } from 'node:net';
import { assert } from '#base/assert.ts';

type AddressClass =
  | 'public'
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'carrier'
  | 'link-local'
  | 'multicast'
  | 'benchmark'
  | 'documentation'
  | 'reserved'
  | 'broadcast'
  /** An IPv6 form around an IPv4 address that is not public. */
  | 'embedded'
  | 'unparsable';

/** First bytes and number of bits that must agree. */
export type AddressRange = { readonly bytes: Uint8Array; readonly bits: number };

/** 4 or 16 bytes; undefined for all but the plain forms, and for a scoped address (`%eth0`). */
export function parseAddress(text: string): Uint8Array | undefined {
  if (isIPv4(text)) return Uint8Array.from(text.split('.'), Number);
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return parseIpv6(text);
}

/** `10.0.0.0/8`, `fd00::/8`; a single address is a range of its own. */
export function parseRange(text: string): AddressRange | undefined {
  const [address = '', bitsText, ...rest] = text.trim().split('/');
  const bytes = parseAddress(address);
  if (bytes === undefined || rest.length > 0) return undefined;
  if (bitsText === undefined) return { bytes, bits: bytes.length * 8 };
  if (!/^(0|[1-9]\d{0,2})$/.test(bitsText)) return undefined;
  const bits = Number(bitsText);
  return bits <= bytes.length * 8 ? { bytes, bits } : undefined;
}

export function isInRange(address: Uint8Array, { bytes, bits }: AddressRange): boolean {
  if (address.length !== bytes.length) return false;
  return bytes.every((byte, index) => {
    const mask = maskOf(bits, index);
    return ((address[index] ?? 0) & mask) === (byte & mask);
  });
}

/** Of the byte at that place, the bits that belong to the range. */
function maskOf(bits: number, index: number): number {
  return 0xff & (0xff00 >> Math.min(8, Math.max(0, bits - index * 8)));
}

/**
 * Whether the address lies in one of the addresses and CIDR ranges. IPv4 mapped into IPv6 counts as
 * the IPv4 it is, on both sides. What does not parse matches nothing. An empty list allows nothing
 * here: what an empty list means is the caller's rule (api-contract.md 3).
 */
export function addressAllowed(list: readonly string[], address: string): boolean {
  if (list.length === 0) return false;
  const bytes = parseAddress(address);
  if (bytes === undefined) return false;
  const plain = unmapAddress(bytes);
  return list.some((text) => {
    const range = parsePlainRange(text);
    return range !== undefined && isInRange(plain, range);
  });
}

/** Canonical form of an address or range, its host bits cleared; undefined when it is neither. */
export function parseAllowedRange(text: string): string | undefined {
  const range = parsePlainRange(text);
  if (range === undefined) return undefined;
  const bytes = range.bytes.map((byte, index) => byte & maskOf(range.bits, index));
  return `${addressText(bytes)}/${range.bits}`;
}

/** The one spelling of an address; IPv4 mapped into IPv6 is that IPv4. */
export function canonicalIp(text: string): string | undefined {
  const bytes = parseAddress(text);
  return bytes === undefined ? undefined : addressText(unmapAddress(bytes));
}

/** A range of mapped addresses is one of IPv4; one wider than those is about IPv6 as a whole. */
function parsePlainRange(text: string): AddressRange | undefined {
  const range = parseRange(text);
  if (range === undefined || range.bits < MAPPED.bits) return range;
  const bytes = unmapAddress(range.bytes);
  return bytes.length === range.bytes.length ? range : { bytes, bits: range.bits - MAPPED.bits };
}

/** As RFC 5952 writes it. */
function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.slice(2 * at, 2 * at + 2).toHex());
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}

/** ::ffff:a.b.c.d is the same place as a.b.c.d: sockets report either. */
export function unmapAddress(address: Uint8Array): Uint8Array {
  return address.length === 16 && isInRange(address, MAPPED) ? address.slice(12) : address;
}

export function classifyAddress(address: Uint8Array): AddressClass {
  const bytes = unmapAddress(address);
  if (bytes.length === 4) return classOf(bytes, IPV4_CLASSES) ?? 'public';
  if (bytes.length !== 16) return 'unparsable';
  const named = classOf(bytes, IPV6_CLASSES);
  if (named !== undefined) return named;
  if (isInRange(bytes, COMPATIBLE)) return embedding([bytes.slice(12)], 'reserved');
  if (isInRange(bytes, NAT64)) return embedding([bytes.slice(12)], 'public');
  if (isInRange(bytes, SIX_TO_FOUR)) return embedding([bytes.slice(2, 6)], 'public');
  if (isInRange(bytes, TEREDO)) {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff);
    return embedding([bytes.slice(4, 8), client], 'public');
  }
  if (isInRange(bytes, PROTOCOL_ASSIGNMENTS)) return 'reserved';
  return isInRange(bytes, GLOBAL_UNICAST) ? 'public' : 'reserved';
}

function embedding(inner: readonly Uint8Array[], otherwise: AddressClass): AddressClass {
  return inner.every((bytes) => classifyAddress(bytes) === 'public') ? otherwise : 'embedded';
}

function classOf(
  bytes: Uint8Array,
  classes: readonly (readonly [AddressRange, AddressClass])[],
): AddressClass | undefined {
  return classes.find(([range]) => isInRange(bytes, range))?.[1];
}

function parseIpv6(text: string): Uint8Array {
  const [head = '', tail] = text.split('::');
  const before = groupBytes(head);
  const after = groupBytes(tail ?? '');
  const bytes = new Uint8Array(16);
  bytes.set(before, 0);
  bytes.set(after, 16 - after.length);
  return bytes;
}

function groupBytes(text: string): number[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    if (group.includes('.')) return group.split('.').map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

function range(text: string): AddressRange {
  const parsed = parseRange(text);
  assert(parsed !== undefined, `not a range: ${text}`);
  return parsed;
}

const MAPPED = range('::ffff:0:0/96');
const COMPATIBLE = range('::/96');
const NAT64 = range('64:ff9b::/96');
const SIX_TO_FOUR = range('2002::/16');
const TEREDO = range('2001::/32');
const PROTOCOL_ASSIGNMENTS = range('2001::/23');
const GLOBAL_UNICAST = range('2000::/3');

const IPV4_CLASSES = (
  [
    ['0.0.0.0/8', 'unspecified'],
    ['10.0.0.0/8', 'private'],
    ['100.64.0.0/10', 'carrier'],
    ['127.0.0.0/8', 'loopback'],
    ['169.254.0.0/16', 'link-local'],
    ['172.16.0.0/12', 'private'],
    ['192.0.0.0/24', 'reserved'],
    ['192.0.2.0/24', 'documentation'],
    ['192.88.99.0/24', 'reserved'],
    ['192.168.0.0/16', 'private'],
    ['198.18.0.0/15', 'benchmark'],
    ['198.51.100.0/24', 'documentation'],
    ['203.0.113.0/24', 'documentation'],
    ['224.0.0.0/4', 'multicast'],
    ['255.255.255.255/32', 'broadcast'],
    ['240.0.0.0/4', 'reserved'],
  ] as const
).map(([text, kind]) => [range(text), kind] as const);

// 64:ff9b:1::/48 is translated to IPv4 too, but where in it the address stands is up to the local
// operator (RFC 8215), so the whole of it is refused.
const IPV6_CLASSES = (
  [
    ['::/128', 'unspecified'],
    ['::1/128', 'loopback'],
    ['64:ff9b:1::/48', 'embedded'],
    ['2001:2::/48', 'benchmark'],
    ['2001:db8::/32', 'documentation'],
    ['3fff::/20', 'documentation'],
    ['fc00::/7', 'private'],
    ['fe80::/10', 'link-local'],
    ['fec0::/10', 'private'],
    ['ff00::/8', 'multicast'],
  ] as const
).map(([text, kind]) => [range(text), kind] as const);

/** Of whoever is counted by his address: who has one of IPv6 has a whole /64 of them. */
export function addressNeighbours(address: string): string {
  return address.includes(':') ? (parseAllowedRange(`${address}/64`) ?? address) : address;
}
