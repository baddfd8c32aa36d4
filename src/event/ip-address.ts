// Which IP addresses a stranger may make us talk to. Guarantees: works on bytes only, fails closed
// (what cannot be read or is not known to be globally routable is not 'public'), and looks into
// every IPv6 form that carries an IPv4 address. Own code on purpose: the packages for this have
// been wrong before (CVE-2024-29415), and BlockList of Node unwraps only ::ffff:0:0/96.
// Source of the ranges: the special-purpose registries of IANA (RFC 6890, 8190).
import { isIPv4, isIPv6 } from 'node:net';
import { assert } from '#base/assert.ts';

export type AddressClass =
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
  for (let index = 0; index * 8 < bits; index += 1) {
    const mask = 0xff & (0xff << Math.max(0, 8 - (bits - index * 8)));
    if (((address[index] ?? 0) & mask) !== ((bytes[index] ?? 0) & mask)) return false;
  }
  return true;
}

/** ::ffff:a.b.c.d is the same place as a.b.c.d: sockets report either. */
export function unmapAddress(address: Uint8Array): Uint8Array {
  return address.length === 16 && isInRange(address, mapped) ? address.slice(12) : address;
}

export function classifyAddress(address: Uint8Array): AddressClass {
  const bytes = unmapAddress(address);
  if (bytes.length === 4) return classOf(bytes, ipv4Classes) ?? 'public';
  if (bytes.length !== 16) return 'unparsable';
  const named = classOf(bytes, ipv6Classes);
  if (named !== undefined) return named;
  if (isInRange(bytes, compatible)) return embedding([bytes.slice(12)], 'reserved');
  if (isInRange(bytes, nat64)) return embedding([bytes.slice(12)], 'public');
  if (isInRange(bytes, sixToFour)) return embedding([bytes.slice(2, 6)], 'public');
  if (isInRange(bytes, teredo)) {
    const client = bytes.slice(12).map((byte) => byte ^ 0xff);
    return embedding([bytes.slice(4, 8), client], 'public');
  }
  if (isInRange(bytes, protocolAssignments)) return 'reserved';
  return isInRange(bytes, globalUnicast) ? 'public' : 'reserved';
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

const mapped = range('::ffff:0:0/96');
const compatible = range('::/96');
const nat64 = range('64:ff9b::/96');
const sixToFour = range('2002::/16');
const teredo = range('2001::/32');
const protocolAssignments = range('2001::/23');
const globalUnicast = range('2000::/3');

const ipv4Classes = (
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
const ipv6Classes = (
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
