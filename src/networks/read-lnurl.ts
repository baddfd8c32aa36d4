import { bech32 } from '@scure/base';

type ReadLnurl = {
  /** Lower case. */
  readonly lnurl: string;
  /** The web address in it. */
  readonly url: string;
};

/**
 * LUD-01: a web address in bech32, with or without `lightning:` before it. Undefined when it is
 * none, by its checksum, or leads to anything but a web address over https.
 */
export function readLnurl(text: string): ReadLnurl | undefined {
  const plain = text.replace(/^lightning:/i, '');
  const lnurl = plain.toLowerCase();
  if (plain !== lnurl && plain !== plain.toUpperCase()) return undefined;
  const decoded = bech32.decodeUnsafe(lnurl, false);
  if (decoded?.prefix !== 'lnurl') return undefined;
  const bytes = bech32.fromWordsUnsafe(decoded.words);
  if (!bytes) return undefined;
  const url = URL.parse(new TextDecoder().decode(bytes));
  return url?.protocol === 'https:' ? { lnurl, url: url.href } : undefined;
}
