// What a merchant asks of whoever pays before a way to pay is offered: fields of its own, its
// terms, a tip. Defined with a checkout, with a payment link, or for the whole account.
//
// Guarantees: what was read here can be asked as it stands: every key once, every choice once, a
// range that holds something. It is kept as JSON whose numbers are texts.

import { z } from 'zod';
import { LANGUAGES, type LanguageCode } from '#catalog/language.ts';
import { coded, fractional, json, jsonText, moment, optional, selectOnly } from '#db/table.ts';
import {
  compare,
  type Decimal,
  decimalToText,
  isNegative,
  isZero,
  ONE,
  parseDecimal,
} from '#money/decimal.ts';
import { parseExactJson } from '#money/exact-json.ts';
import {
  checkShape,
  fields,
  metaObject,
  numeric,
  omittable,
  type Path,
  textUpTo,
  webUrl,
} from '#money/exact-schema.ts';

export const ASK_KINDS = ['TEXT', 'EMAIL', 'NUMBER', 'CHOICE', 'CHECKBOX'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** One field of the form. */
export type Ask = {
  /** Its name in answers. */
  readonly key: string;
  readonly kind: AskKind;
  readonly label: string;
  /** By language, where that is not `label`. */
  readonly labels: Partial<Readonly<Record<LanguageCode, string>>>;
  /** A checkbox has to be ticked, everything else filled in. */
  readonly isRequired: boolean;
  /** Of a number its bounds, of a text its length in characters; a decimal. */
  readonly least?: string | undefined;
  readonly most?: string | undefined;
  /** What is answered is one of these, in whichever language it was read. */
  readonly choices: readonly string[];
  /** By language, one for each of `choices` and in their order. */
  readonly choiceLabels?: Partial<Readonly<Record<LanguageCode, readonly string[]>>> | undefined;
};

export type PayerAsking = {
  readonly asks: readonly Ask[];
  readonly termsUrl?: string | undefined;
  /** In place of our own words. */
  readonly termsText?: string | undefined;
  /** In decimal notation, of the total: 0.1 is ten percent. */
  readonly tipPercents: readonly string[];
  /** In the currency of the bill. */
  readonly tipAmounts: readonly string[];
  /** Whether the payer may name an amount. */
  readonly isTipOwn: boolean;
};

/** How customers come back to the shop: by a link, or by a form that is signed. */
export const RETURN_METHODS = ['GET', 'POST'] as const;
export type ReturnMethod = (typeof RETURN_METHODS)[number];

export const NOTHING_ASKED: PayerAsking = {
  ...{ asks: [], tipPercents: [], tipAmounts: [], isTipOwn: false },
};

export const ASKS_MOST = 20;
const LABEL_MAX = 200;
export const TERMS_TEXT_MAX = 500;
const TIPS_MOST = 6;
/** Of an answer, whatever a merchant allows. */
export const ANSWER_MAX = 2_000;
const CHOICES_MOST = 50;
const CHOICE_MAX = 100;
const KEY = /^[A-Za-z][A-Za-z0-9_-]{0,39}$/;

const label = textUpTo(LABEL_MAX).refine((text) => text.trim() !== '', 'must not be empty');
const language = z.enum(LANGUAGES.map(({ languageCode }) => languageCode));
const choice = textUpTo(CHOICE_MAX).refine((text) => text.trim() !== '', 'must not be empty');

const askSchema = fields({
  key: z
    .string()
    .refine((key) => KEY.test(key), 'must be a letter and up to 39 letters, digits, _ or -'),
  kind: omittable(z.enum(ASK_KINDS)).transform((kind) => kind ?? 'TEXT'),
  label,
  labels: omittable(z.partialRecord(language, label)).transform((labels) => labels ?? {}),
  required: omittable(z.boolean()).transform((required) => required ?? false),
  least: omittable(numeric()),
  most: omittable(numeric()),
  choices: omittable(z.array(choice).max(CHOICES_MOST)).transform((choices) => choices ?? []),
  choiceLabels: omittable(z.partialRecord(language, z.array(choice))),
}).superRefine(({ kind, choices, choiceLabels = {}, least, most }, context) => {
  const refuse = (path: string, message: string) =>
    context.addIssue({ code: 'custom', path: [path], message });
  if (kind === 'CHOICE' && choices.length === 0) refuse('choices', 'is required of a CHOICE');
  if (kind !== 'CHOICE' && choices.length > 0) refuse('choices', 'is of a CHOICE alone');
  if (new Set(choices).size < choices.length) refuse('choices', 'must have each once');
  if (Object.values(choiceLabels).some((labels) => labels.length !== choices.length)) {
    refuse('choiceLabels', 'must have one for each of choices');
  }
  if (kind !== 'TEXT' && kind !== 'NUMBER') {
    if (least ?? most) refuse(least ? 'least' : 'most', 'is of a TEXT or a NUMBER alone');
    return;
  }
  if (least && most && compare(least, most) > 0) refuse('most', 'must not be below least');
  if (kind === 'NUMBER') return;
  for (const [name, limit] of Object.entries({ least, most })) {
    if (limit !== undefined && !isLength(limit)) {
      refuse(name, `must be a whole number of characters from 1 to ${ANSWER_MAX}`);
    }
  }
});

function isLength({ coefficient, scale }: Decimal): boolean {
  return scale === 0 && coefficient >= 1n && coefficient <= BigInt(ANSWER_MAX);
}

const tipPercent = numeric((value) =>
  isNegative(value) || isZero(value) || compare(value, ONE) > 0
    ? 'must be above 0 and up to 1: ten percent is written as 0.1'
    : undefined,
);
const tipAmount = numeric((value) =>
  isNegative(value) || isZero(value) ? 'must be greater than 0' : undefined,
);

/** Beside the other wishes of a request about its page. In the document an ask is any object. */
export const askingFields = {
  asks: omittable(
    z
      .array(metaObject.transform((ask): unknown => ask).pipe(askSchema))
      .max(ASKS_MOST)
      .superRefine((asks, context) => {
        asks.forEach(({ key }, index) => {
          if (asks.findIndex((one) => one.key === key) === index) return;
          context.addIssue({ code: 'custom', path: [index, 'key'], message: 'is there already' });
        });
      }),
  ),
  termsUrl: omittable(webUrl),
  termsText: omittable(textUpTo(TERMS_TEXT_MAX)),
  tipPercents: omittable(z.array(tipPercent).max(TIPS_MOST)),
  tipAmounts: omittable(z.array(tipAmount).max(TIPS_MOST)),
  tipOwn: omittable(z.boolean()),
};
const askingSchema = fields(askingFields);
type AskingWishes = Partial<z.output<typeof askingSchema>>;

/**
 * What is asked: of fields, terms and tips each as the request says it, else as the account does.
 * Undefined: nothing.
 */
export function decideAsking(
  wishes: AskingWishes,
  account: Partial<PayerAsking> | undefined,
): PayerAsking | undefined {
  const { termsUrl, termsText, tipPercents, tipAmounts, tipOwn } = wishes;
  const terms =
    termsUrl !== undefined || termsText !== undefined ? { termsUrl, termsText } : account;
  const hasTips = [tipPercents, tipAmounts, tipOwn].some((one) => one !== undefined);
  const tips = hasTips
    ? {
        tipPercents: (tipPercents ?? []).map(decimalToText),
        tipAmounts: (tipAmounts ?? []).map(decimalToText),
        isTipOwn: tipOwn ?? false,
      }
    : account;
  const asking = {
    asks: wishes.asks?.map(askOf) ?? account?.asks ?? [],
    ...(terms?.termsUrl !== undefined && { termsUrl: terms.termsUrl }),
    ...(terms?.termsText !== undefined && { termsText: terms.termsText }),
    tipPercents: tips?.tipPercents ?? [],
    tipAmounts: tips?.tipAmounts ?? [],
    isTipOwn: tips?.isTipOwn ?? false,
  };
  return asking.asks.length > 0 || hasTerms(asking) || offersTips(asking) ? asking : undefined;
}

function askOf({ required, least, most, choiceLabels, ...ask }: z.output<typeof askSchema>): Ask {
  return {
    ...ask,
    isRequired: required,
    ...(choiceLabels !== undefined && { choiceLabels }),
    ...(least !== undefined && { least: decimalToText(least) }),
    ...(most !== undefined && { most: decimalToText(most) }),
  };
}

/** As it is kept. */
export const askingColumn = coded(jsonText(), {
  decode: (text) => JSON.parse(text) as PayerAsking,
  encode: (asking) => JSON.stringify(asking),
});

/** By key: texts as they were typed, numbers as their text, checkboxes as true or false. */
export type KeptAnswers = { readonly [key: string]: string | boolean };

/** Columns of a checkout. */
export const ANSWERED = {
  /** Undefined: nothing is asked. */
  asking: optional(askingColumn),
  /** Undefined: nothing was answered yet, or it was erased. */
  answers: selectOnly(optional(json<KeptAnswers>())),
  answeredAt: selectOnly(optional(moment)),
  termsAcceptedAt: selectOnly(optional(moment)),
  /** Part of the total. */
  tip: selectOnly(
    coded(fractional, {
      decode: (stored) => parseDecimal(String(stored)),
      encode: decimalToText,
    }),
  ),
};

/** In the words of a request. */
export function askingView(asking: PayerAsking | undefined) {
  const { asks = [], termsUrl = null, termsText = null, tipPercents = [] } = asking ?? {};
  const { tipAmounts = [], isTipOwn = false } = asking ?? {};
  return {
    asks: asks.map(askView),
    ...{ termsUrl, termsText, tipPercents: [...tipPercents], tipAmounts: [...tipAmounts] },
    tipOwn: isTipOwn,
  };
}

export function askView({ isRequired, least, most, choices, labels, choiceLabels, ...ask }: Ask) {
  return {
    ...ask,
    ...(Object.keys(labels).length > 0 && { labels }),
    required: isRequired,
    ...(least !== undefined && { least }),
    ...(most !== undefined && { most }),
    ...(choices.length > 0 && { choices: [...choices] }),
    ...(choiceLabels !== undefined && { choiceLabels }),
  };
}

/** What somebody wrote as JSON in the words of a request; `{}` asks nothing. */
export function readAsking(
  text: string,
): { readonly value: PayerAsking | null } | { readonly fault: string } {
  const parsed = parseExactJson(text);
  if (!parsed.ok) return { fault: 'must be JSON' };
  const faults: string[] = [];
  const wishes = checkShape(askingSchema, parsed.value, faults);
  if (wishes === undefined) return { fault: `must be what a page can ask: ${faults.join('; ')}` };
  return { value: decideAsking(wishes, undefined) ?? null };
}

/** What a form of ours says, in the words of a request; `faults`: where something is wrong. */
export function checkAsking(
  wishes: unknown,
): { readonly value: PayerAsking | undefined } | { readonly faults: readonly Path[] } {
  const read = askingSchema.safeParse(wishes);
  if (!read.success) return { faults: read.error.issues.map(({ path }) => path) };
  return { value: decideAsking(read.data, undefined) };
}

export function hasTerms({ termsUrl, termsText }: PayerAsking): boolean {
  return termsUrl !== undefined || termsText !== undefined;
}

export function offersTips({ tipPercents, tipAmounts, isTipOwn }: PayerAsking): boolean {
  return isTipOwn || tipPercents.length + tipAmounts.length > 0;
}

/** Whether nobody may choose a way to pay before something of it was answered. */
export function mustAnswer(asking: PayerAsking): boolean {
  return hasTerms(asking) || asking.asks.some(({ isRequired }) => isRequired);
}

/** What it is called in that language. */
export function labelOf({ label, labels }: Ask, code: LanguageCode): string {
  return labels[code] ?? label;
}

/** Its choices, each with what it is called in that language. */
export function choicesOf(
  { choices, choiceLabels }: Ask,
  code: LanguageCode,
): readonly (readonly [choice: string, label: string])[] {
  return choices.map((one, index) => [one, choiceLabels?.[code]?.[index] ?? one]);
}

/** A bound as a number. */
export function boundOf(bound: string | undefined): Decimal | undefined {
  return bound === undefined ? undefined : parseDecimal(bound);
}
