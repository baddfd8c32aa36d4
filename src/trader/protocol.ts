// What the service asks the trader over its socket, and what the trader answers: one JSON object
// each way. Amounts are exact decimals as text, in whole coins. The service's side (client.ts) and
// the trader's read it from here; no key is near it.

import { z } from 'zod';

/** Of a question. */
export const QUESTION_BYTES_MOST = 64 * 1024;

const AMOUNT = z.string().regex(/^\d{1,78}(?:\.\d{1,78})?$/, 'must be an amount');
const NAME = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, 'must be the name of a provider');
const ASSET = z.string().max(100);
const MOMENT = z.iso.datetime({ offset: false });
/** Of the order at the exchange: what the shortest field of an exchange takes (Kraken). */
const CLIENT_ORDER_ID = z.string().regex(/^[A-Za-z0-9]{1,18}$/, 'must be a client order id');

const ORDER_NAME = z.strictObject({
  provider: NAME,
  clientOrderId: CLIENT_ORDER_ID,
  giveAssetId: ASSET,
  getAssetId: ASSET,
});
const NEW_ORDER = ORDER_NAME.extend({
  giveAmount: AMOUNT,
  /** At least so much of what is bought for one of what is sold. */
  limit: AMOUNT,
  /** Later than this it is not sent any more. */
  notAfter: MOMENT,
});
export type OrderName = z.infer<typeof ORDER_NAME>;
export type NewOrder = z.infer<typeof NEW_ORDER>;

const WITHDRAWAL = z.strictObject({
  provider: NAME,
  /** Of the withdrawal: the same one is made once. */
  name: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, 'must be a name'),
  /** Of a listed address. */
  to: z.string().max(40),
  assetId: ASSET,
  amount: AMOUNT,
});
export type Withdrawal = z.infer<typeof WITHDRAWAL>;

const QUESTION = z.discriminatedUnion('ask', [
  z.strictObject({ ask: z.literal('place'), order: NEW_ORDER }),
  z.strictObject({ ask: z.literal('look'), order: ORDER_NAME }),
  z.strictObject({ ask: z.literal('cancel'), order: ORDER_NAME }),
  z.strictObject({ ask: z.literal('balances'), provider: NAME }),
  z.strictObject({
    ask: z.literal('trades'),
    provider: NAME,
    /** Where an exchange is asked market by market: those of these assets. */
    codes: z.array(z.string().max(20)).max(100),
    since: MOMENT,
  }),
  z.strictObject({
    ask: z.literal('deposit-address'),
    provider: NAME,
    assetId: ASSET,
    network: z.string().max(40),
  }),
  z.strictObject({ ask: z.literal('withdraw'), withdrawal: WITHDRAWAL }),
]);
export type TraderQuestion = z.infer<typeof QUESTION>;

const FILL = z.object({
  /** How the exchange calls the part. */
  id: z.string().regex(/^[A-Za-z0-9._-]{1,64}$/),
  at: MOMENT,
  soldAmount: AMOUNT,
  gotAmount: AMOUNT,
  /** By code of the asset, as the exchange calls it. */
  fees: z.array(z.object({ code: z.string(), amount: AMOUNT })),
});
export type ExchangeFill = z.infer<typeof FILL>;

/** What happened in the account, by an order of ours or not. */
const TRADE = FILL.extend({
  /** How the exchange calls its market: ids may be alike in two. */
  symbol: z.string().regex(/^[A-Z0-9]{1,20}\/[A-Z0-9]{1,20}$/),
  soldCode: z.string(),
  gotCode: z.string(),
  /** Of our own order that it is a part of, as far as the trader knows. */
  clientOrderId: z.string().optional(),
});
export type ExchangeTrade = z.infer<typeof TRADE>;

const ORDER_ANSWER = z.object({
  answer: z.literal('order'),
  /**
   * OPEN: more may be filled. ENDED: no more is. REJECTED: nothing was, nothing will be. NOT_FOUND:
   * the exchange does not know it; where `mayStillCome`, it may know it later.
   */
  state: z.enum(['OPEN', 'ENDED', 'REJECTED', 'NOT_FOUND']),
  mayStillCome: z.boolean(),
  reason: z.string().optional(),
  fills: z.array(FILL),
});
export type OrderAnswer = z.infer<typeof ORDER_ANSWER>;

const ANSWER = z.discriminatedUnion('answer', [
  ORDER_ANSWER,
  z.object({
    answer: z.literal('balances'),
    balances: z.array(z.object({ code: z.string(), amount: AMOUNT })),
  }),
  z.object({
    answer: z.literal('trades'),
    trades: z.array(TRADE),
    /** Else there are more than were asked for: ask since later. */
    isWhole: z.boolean(),
    /** Markets of which the exchange may not have told all. */
    unlisted: z.array(z.string()).default([]),
  }),
  z.object({ answer: z.literal('address'), address: z.string(), tag: z.string().optional() }),
  z.object({
    answer: z.literal('withdrawal'),
    /** UNKNOWN: nobody knows whether it was made; a person looks. */
    state: z.enum(['SENT', 'UNKNOWN']),
    reference: z.string().optional(),
  }),
  /** By its own rules, or because the exchange asked to come back later: nothing was sent. */
  z.object({ answer: z.literal('refused'), code: z.string(), reason: z.string() }),
  /** It cannot say now. */
  z.object({ answer: z.literal('failed'), reason: z.string() }),
]);
export type TraderAnswer = z.infer<typeof ANSWER>;
export type Told<Name extends TraderAnswer['answer']> = Extract<TraderAnswer, { answer: Name }>;

/** Or what is wrong with it. */
export function readTraderQuestion(text: string): TraderQuestion | { readonly fault: string } {
  return readAs(QUESTION, text);
}

export function readTraderAnswer(text: string): TraderAnswer | { readonly fault: string } {
  return readAs(ANSWER, text);
}

function readAs<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
): z.output<Schema> | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: 'it is no JSON' };
  }
  const read = schema.safeParse(value);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return { fault: `${issue?.path.join('.')}: ${issue?.message}` };
}
