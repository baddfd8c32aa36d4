// Asks a Lightning address or LNURL for an invoice (LUD-06, LUD-16). The address comes from a payer
// or a merchant, and the second one from whoever answers at the first: both are asked through the
// guard (webhook/ask-guarded.ts). Guarantees: the amount asked for is one the receiver takes; what
// is answered is read and never trusted: whether the invoice is the one asked for is checked by
// lightning-payer.ts.

import { Refusal } from '#base/refusal.ts';
import { isJsonObject, parseExactJson } from '#money/exact-json.ts';
import { askGuarded, type GuardedVia } from '#webhook/ask-guarded.ts';
import { MILLISATOSHIS, MILLISATOSHIS_MAX } from './lightning-backend.ts';

type InvoiceOffer = {
  /** BOLT 11, as it was answered. */
  readonly invoice: string;
  /** Its SHA-256 has to stand in the invoice. */
  readonly metadata: string;
};

/** The pictures in the metadata have up to 136,536 characters (LUD-06). */
export const LNURL_BYTES_MOST = 512 * 1024;
export const LNURL_TIMEOUT_MS = 10_000;
const REASON_MOST = 200;

/** LUD-16: https://domain/.well-known/lnurlp/name. */
export function urlOfAddress(lightningAddress: string): string {
  const [name = '', domain = ''] = lightningAddress.split('@');
  return `https://${domain}/.well-known/lnurlp/${encodeURIComponent(name)}`;
}

/**
 * @throws Refusal conflict `invoice_refused` with what the receiver says, or what is wrong with it,
 * also when nobody answers: our node is not to blame.
 */
export async function askLnurl(via: GuardedVia, url: string, units: bigint): Promise<InvoiceOffer> {
  const offer = await askJson(via, url);
  if (offer.tag !== 'payRequest')
    throw invoiceRefused('its web address takes no payments (LUD-06)');
  const { metadata, callback } = offer;
  if (typeof metadata !== 'string' || typeof callback !== 'string') {
    throw invoiceRefused('its web address leaves out the metadata or the callback (LUD-06)');
  }
  const asked = units * MILLISATOSHIS;
  const [least, most] = [readAmount(offer.minSendable), readAmount(offer.maxSendable)];
  if (least === undefined || most === undefined || asked < least || asked > most) {
    throw invoiceRefused(`it takes from ${least ?? '?'} to ${most ?? '?'} msat, not ${asked} msat`);
  }
  const back = URL.parse(callback);
  if (back === null) throw invoiceRefused('its callback is no web address');
  back.searchParams.set('amount', String(asked));
  const { pr } = await askJson(via, back.href);
  if (typeof pr !== 'string') throw invoiceRefused('it answered without an invoice');
  return { invoice: pr, metadata };
}

async function askJson(via: GuardedVia, url: string): Promise<Readonly<Record<string, unknown>>> {
  const answer = await askGuarded(via, { url });
  switch (answer.kind) {
    case 'refused':
      throw invoiceRefused(`its web address is not asked: ${answer.reason}`);
    case 'failed':
      throw invoiceRefused(`${hostOf(url)} does not answer now (${answer.code})`);
    case 'answered': {
      const parsed = parseExactJson(answer.text);
      const fields = parsed.ok && isJsonObject(parsed.value) ? parsed.value : undefined;
      if (fields?.status === 'ERROR') {
        throw invoiceRefused(`its web address says: ${printable(fields.reason)}`);
      }
      if (answer.status === 404) throw invoiceRefused('nobody has it: its web address says 404');
      if (answer.status !== 200 || fields === undefined) {
        throw invoiceRefused(`${hostOf(url)} gives no answer now (HTTP status ${answer.status})`);
      }
      return fields;
    }
  }
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? 'its host';
}

function printable(reason: unknown): string {
  return String(reason).replace(/\p{C}/gu, ' ').slice(0, REASON_MOST);
}

/** A JSON number, of which the text is kept. */
function readAmount(value: unknown): bigint | undefined {
  const text = String(value);
  if (!/^\d{1,19}$/.test(text)) return undefined;
  const amount = BigInt(text);
  return amount < MILLISATOSHIS_MAX ? amount : MILLISATOSHIS_MAX;
}

/** What the receiver gave us cannot be paid, as it is. */
export function invoiceRefused(sentence: string): Refusal {
  return new Refusal('conflict', 'invoice_refused', sentence);
}
