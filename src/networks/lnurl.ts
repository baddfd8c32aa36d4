import { bech32 } from '@scure/base';

const PREFIX = 'lnurl';

/** LUD-01: a web address in bech32. Lower case; a QR code may hold it in capitals. */
export function encodeLnurl(url: string): string {
  return bech32.encode(PREFIX, bech32.toWords(new TextEncoder().encode(url)), false);
}
