// What is said over the signer's socket: a line of JSON for each question, a line for each answer,
// in order. Amounts and numbers are texts. The service's side (client.ts) and the signer's read it
// from here; no key is near it.

import { z } from 'zod';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import { parseExactJson } from '#money/exact-json.ts';
import { checkShape, fields, textUpTo } from '#money/exact-schema.ts';
import { ORDER_KINDS, type SignOrder } from './sign-order.ts';

/** Of a line: a PSBT of a thousand inputs fits. */
export const LINE_MOST = 1024 * 1024;

const MANY = 500;
const units = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,77})$/, 'must be units as text')
  .transform((text) => BigInt(text));
const number64 = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,18})$/, 'must be a whole number as text')
  .transform((text) => BigInt(text));
const index = number64.refine((number) => number < 2n ** 31n, 'is no index');
const hex64 = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits');
const code = z
  .string()
  .regex(/^(?:[0-9a-f]{4}-){3}[0-9a-f]{4}$/, 'must be a code as 0123-4567-89ab-cdef');

const payment = fields({
  assetId: textUpTo(100),
  units,
  account: z.record(textUpTo(40), textUpTo(200)),
  index: index.optional(),
});
const orderId = z
  .string()
  .regex(/^[\w:.-]{1,100}$/, 'must be an id of letters, digits and _ : . -');
const order = fields({
  id: orderId,
  beside: z.array(orderId).max(MANY).optional(),
  environment: z.enum(ENVIRONMENTS),
  network: textUpTo(40),
  kind: z.enum(ORDER_KINDS),
  payments: z.array(payment).max(MANY),
  buys: fields({ assetId: textUpTo(100), leastUnits: units }).optional(),
  feeUnits: units,
  facts: fields({
    source: textUpTo(100).optional(),
    index: index.optional(),
    sequence: number64.optional(),
    ticket: number64.optional(),
    spends: z.array(textUpTo(100)).max(10_000).optional(),
    isAnew: z.boolean().optional(),
    isSweep: z.boolean().optional(),
  }),
  unsigned: z.string(),
});

const QUESTION = z.discriminatedUnion('ask', [
  z.object({ ask: z.literal('info') }),
  z.object({ ask: z.literal('sign'), order }),
  z.object({ ask: z.literal('pending'), code }),
  z.object({
    ask: z.literal('approve'),
    digest: hex64,
    approver: textUpTo(40),
    signature: z.string().regex(/^[0-9a-f]{128}$/, 'must be a signature'),
  }),
]);
export type SignerQuestion = z.output<typeof QUESTION>;

const text = z.string();
const shownKey = z.object({
  name: text,
  environment: z.enum(ENVIRONMENTS),
  network: text,
  chain: text,
  address: text,
  descriptor: text.optional(),
});
const purpose = z.object({
  id: text,
  environment: z.enum(ENVIRONMENTS),
  network: text,
  payments: z.array(z.object({ assetId: text, units, account: z.record(z.string(), z.string()) })),
  buys: z.object({ assetId: text, leastUnits: units }).optional(),
  before: z.array(text).optional(),
});

const ANSWER = z.discriminatedUnion('answer', [
  z.object({
    answer: z.literal('info'),
    keys: z.array(shownKey),
    log: z.object({ lines: number64, digest: hex64 }),
  }),
  z.object({ answer: z.literal('signed'), signedTransaction: text, transaction: text }),
  z.object({ answer: z.literal('needs-approval'), code }),
  z.object({ answer: z.literal('pending'), digest: hex64, purpose }),
  z.object({ answer: z.literal('approved') }),
  z.object({ answer: z.literal('refused'), code: text, reasons: z.array(text) }),
  /** The signer cannot say now: nothing was signed for this that it will not give out again. */
  z.object({ answer: z.literal('failed'), reason: text }),
]);
export type SignerAnswer = z.output<typeof ANSWER>;

/** Or a sentence for each fault. */
export function readQuestion(
  line: string,
): SignerQuestion | { readonly faults: readonly string[] } {
  return readAs(QUESTION, line);
}

export function readAnswer(line: string): SignerAnswer | { readonly faults: readonly string[] } {
  return readAs(ANSWER, line);
}

function readAs<Schema extends z.ZodType>(
  schema: Schema,
  line: string,
): z.output<Schema> | { readonly faults: readonly string[] } {
  const parsed = parseExactJson(line);
  if (!parsed.ok) return { faults: [parsed.message] };
  const faults: string[] = [];
  const read = checkShape(schema, parsed.value, faults);
  return read ?? { faults: faults.slice(0, 10) };
}

/** One line. Whole numbers become texts. */
export function writeLine(message: SignerQuestion | SignerAnswer): string {
  const line = JSON.stringify(message, (_, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  return `${line}\n`;
}

export function signQuestion(asked: SignOrder): SignerQuestion {
  return { ask: 'sign', order: asked as Extract<SignerQuestion, { ask: 'sign' }>['order'] };
}
