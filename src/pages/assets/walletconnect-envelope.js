// What two ends of a WalletConnect session say to each other, sealed so that the relay between them
// reads nothing (specs.walletconnect.com, "Crypto Envelopes", type 0): ChaCha20-Poly1305, whose keys
// come from X25519 and HKDF. Browsers have all of it but the cipher.

import { chacha20poly1305 } from '@noble/ciphers/chacha';

const { subtle } = crypto;
const TYPE = 0;
const NONCE_BYTES = 12;
/** Far more than any wallet says; nobody makes this page decode more. */
const TEXT_MOST = 100_000;

export const randomBytes = (count) => crypto.getRandomValues(new Uint8Array(count));

export const toHex = (bytes) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export const fromHex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));

export const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes));

const fromBase64 = (text) => Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));

/** Where both ends publish: it tells nothing of the key. */
export const topicOf = async (key) => toHex(new Uint8Array(await subtle.digest('SHA-256', key)));

export const newKeyPair = () => subtle.generateKey({ name: 'X25519' }, false, ['deriveBits']);

/** 32 bytes. */
export const publicBytes = async ({ publicKey }) =>
  new Uint8Array(await subtle.exportKey('raw', publicKey));

/** What only the two know. `theirs`: their public key. */
export const sharedKey = async ({ privateKey }, theirs) => {
  const other = await subtle.importKey('raw', theirs, { name: 'X25519' }, false, []);
  const secret = await subtle.deriveBits({ name: 'X25519', public: other }, privateKey, 256);
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits']);
  const none = new Uint8Array();
  const wanted = { name: 'HKDF', hash: 'SHA-256', salt: none, info: none };
  return new Uint8Array(await subtle.deriveBits(wanted, base, 256));
};

export const seal = (key, value, nonce = randomBytes(NONCE_BYTES)) => {
  const text = new TextEncoder().encode(JSON.stringify(value));
  return toBase64([TYPE, ...nonce, ...chacha20poly1305(key, nonce).encrypt(text)]);
};

/**
 * Undefined: it was not sealed with this key, or is no message at all. Anybody who sees a topic can
 * publish on it.
 */
export const open = (key, sealed) => {
  if (typeof sealed !== 'string' || sealed.length > TEXT_MOST) return undefined;
  try {
    const bytes = fromBase64(sealed);
    if (bytes[0] !== TYPE) return undefined;
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES);
    const text = chacha20poly1305(key, nonce).decrypt(bytes.slice(1 + NONCE_BYTES));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(text));
  } catch {
    return undefined;
  }
};
