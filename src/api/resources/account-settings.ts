// What the account itself may set, for the environment of the key that asks.

import { z } from 'zod';
import { preferAuthentication } from '#access/api-key.ts';
import { callerOf, protectedEndpoint } from '#api/endpoint.ts';
import {
  askingFields,
  askingView,
  decideAsking,
  type PayerAsking,
  RETURN_METHODS,
  TERMS_TEXT_MAX,
} from '#ask/ask.ts';
import { doNoted } from '#audit/act.ts';
import { RISK_LEVELS } from '#catalog/asset.ts';
import { LANGUAGES } from '#catalog/language.ts';
import { CONFIRMATIONS_MOST } from '#catalog/network.ts';
import type { Owner } from '#catalog/owner.ts';
import type { Reader } from '#db/db.ts';
import {
  CUSTOMER_MAILS,
  changeCustomerMails,
  changePayerMails,
  listMailWords,
  MAIL_WORDS_MOST,
  mailWordsDetails,
  readCustomerMails,
  readPayerMails,
  setMailWords,
} from '#merchant/customer-mails.ts';
import {
  AUTHENTICATION_METHODS,
  changeMerchant,
  changeRiskTolerance,
  floorOfPercent,
  LATE_DAYS_MOST,
  type PaymentWishes,
  percentOfParts,
  readPaidTerms,
  readPaymentWishes,
  readPreferredAuthentication,
  readRiskTolerance,
  setPaymentWishes,
  toleranceOfPercent,
  wishDetails,
} from '#merchant/merchant.ts';
import { EMBED_ORIGINS_MOST, parseEmbedOrigin } from '#merchant/page-settings.ts';
import { changePageSettings, getSeller } from '#merchant/seller.ts';
import { decimalToText } from '#money/decimal.ts';
import { fields, numeric, omittable, textUpTo, webUrl } from '#money/exact-schema.ts';
import { faulty, inWords, jsonObject, languageField, wholeNumber } from './shared-fields.ts';

const NAME_LENGTH_MAX = 200;
const WAYS_MOST = 500;
const NETWORKS_MOST = 50;

const riskTolerance = z.enum(RISK_LEVELS);
const preferredAuthentication = z.enum(AUTHENTICATION_METHODS);
const customerMails = z
  .array(z.enum(CUSTOMER_MAILS))
  .max(CUSTOMER_MAILS.length)
  .meta({ description: 'Mails that customers get; none unless switched on' });
const payerMails = z.boolean().meta({
  description: 'Whether payers may ask on their page to be told by e-mail how the payment ends',
});
const mailKind = z.enum(CUSTOMER_MAILS);
const ownWords = textUpTo(MAIL_WORDS_MOST);
const customerMailWords = z
  .array(
    fields({
      ...{ kind: mailKind, language: languageField },
      ...{ opening: omittable(ownWords), closing: omittable(ownWords) },
    }).meta({ id: 'MailWords' }),
  )
  .max(CUSTOMER_MAILS.length * LANGUAGES.length)
  .meta({ description: 'Plain text of your own before and after what such a mail says by itself' });
const pageLanguages = z
  .array(languageField)
  .min(1)
  .max(LANGUAGES.length)
  .meta({ description: 'That the pages of the account are offered in' });
const defaultPageLanguage = languageField.describe(
  'One of `pageLanguages`, where the browser of a customer wants none of them',
);
const embedOrigins = z
  .array(textUpTo(NAME_LENGTH_MAX))
  .max(EMBED_ORIGINS_MOST)
  .meta({ description: 'Sites that may show its pages in a frame, such as https://shop.example' });
const settlementAsset = textUpTo(NAME_LENGTH_MAX).meta({
  description:
    'What is sold by hand, by links and invoices is credited in it; ORIGIN: whatever is paid',
});
const ways = (description: string) =>
  z.array(textUpTo(NAME_LENGTH_MAX)).max(WAYS_MOST).meta({ description });
const methodOrder = ways(
  'Ways to pay in the order of customers, such as `BITCOIN BTC:NATIVE`; what is not listed comes after',
);
const methodsOff = ways('Ways to pay that new checkouts do not offer');
const methodsRecommended = ways('Ways to pay that pages show first, in this order, and mark');
const blocks = wholeNumber(CONFIRMATIONS_MOST);
const confirmations = z
  .record(textUpTo(NAME_LENGTH_MAX), z.array(blocks).length(3, 'must have three numbers'))
  .refine((asked) => Object.keys(asked).length <= NETWORKS_MOST, 'names too many networks');
const shownConfirmations = z.record(
  z.string(),
  z.array(z.int().min(1).max(CONFIRMATIONS_MOST)).length(3),
);
const percent = (readPercent: (text: string) => number | undefined, said: string) =>
  numeric((value) =>
    readPercent(decimalToText(value)) === undefined ? `must be ${said}` : undefined,
  );
const lateFloorPercent = percent(floorOfPercent, 'a percentage from 50 to 100');
const underpaidPercent = percent(toleranceOfPercent, 'a percentage from 0 to 2');
const lateDays = wholeNumber(LATE_DAYS_MOST, 0);

const pageSettings = fields({
  ...askingFields,
  termsUrl: webUrl.nullable().optional(),
  termsText: textUpTo(TERMS_TEXT_MAX).nullable().optional(),
  returnMethod: omittable(z.enum(RETURN_METHODS)),
}).meta({ id: 'PageSettings' });
const shownPageSettings = z
  .object({
    asks: z.array(jsonObject),
    termsUrl: z.string().nullable(),
    termsText: z.string().nullable(),
    tipPercents: z.array(z.string()),
    tipAmounts: z.array(z.string()),
    tipOwn: z.boolean(),
    returnMethod: z.enum(RETURN_METHODS),
  })
  .meta({ id: 'PageSettings' });

const request = fields({
  riskTolerance: riskTolerance.optional(),
  preferredAuthentication: preferredAuthentication.optional(),
  customerMails: customerMails.optional(),
  customerMailWords: customerMailWords.optional(),
  payerMails: payerMails.optional(),
  pageLanguages: pageLanguages.optional(),
  defaultPageLanguage: defaultPageLanguage.optional(),
  embedOrigins: embedOrigins.optional(),
  settlementAsset: settlementAsset.optional(),
  methodOrder: methodOrder.optional(),
  methodsOff: methodsOff.optional(),
  methodsRecommended: methodsRecommended.optional(),
  confirmations: confirmations.optional(),
  lateFloorPercent: lateFloorPercent.optional(),
  lateDays: lateDays.optional(),
  underpaidPercent: underpaidPercent.optional(),
  pageSettings: pageSettings.optional(),
}).meta({ id: 'UpdateAccountSettingsRequest' });
const response = z
  .object({
    accountSettings: z
      .object({
        ...{ riskTolerance, preferredAuthentication, customerMails, payerMails, settlementAsset },
        ...{ methodOrder, methodsOff, methodsRecommended },
        customerMailWords: z.array(
          z
            .object({
              ...{ kind: mailKind, language: languageField },
              ...{ opening: z.string().nullable(), closing: z.string().nullable() },
            })
            .meta({ id: 'MailWords' }),
        ),
        pageLanguages: z.array(languageField),
        defaultPageLanguage: languageField,
        embedOrigins: z.array(z.string()),
        confirmations: shownConfirmations,
        lateFloorPercent: z.string(),
        lateDays: z.int(),
        underpaidPercent: z.string(),
        pageSettings: shownPageSettings,
      })
      .meta({ id: 'AccountSettings' }),
  })
  .meta({ id: 'AccountSettingsAnswer' });

export const getAccountSettings = protectedEndpoint({
  method: 'GET',
  path: '/account-settings',
  operationId: 'getAccountSettings',
  auth: 'read',
  scope: 'settings',
  summary: 'Settings of the account for the environment of the key',
  response,
  handle: (app, { caller }) => shown(app.db, caller),
});

export const putAccountSettings = protectedEndpoint({
  method: 'PUT',
  path: '/account-settings',
  operationId: 'updateAccountSettings',
  auth: 'idempotent',
  scope: 'settings',
  summary:
    'Change settings of the account; what is absent stays, and new checkouts follow: assets above ' +
    '`riskTolerance` are neither offered nor settled in; lists are all there is afterwards; what is ' +
    'of both environments is set with a live key',
  request,
  response,
  async handle(app, { caller }, input) {
    if (Object.values(input).every((value) => value === undefined)) {
      throw faulty(['riskTolerance'], 'or another setting is required');
    }
    const { riskTolerance, preferredAuthentication, customerMails, customerMailWords } = input;
    const { payerMails } = input;
    const wishes = wishesOf(input);
    const terms = termsOf(input);
    const page = pageOf(input, (await getSeller(app.db, caller.merchantId)).page.asking);
    const [first] = [...Object.keys(terms.said), ...Object.keys(page.said)];
    if (first !== undefined && caller.environment !== 'live') {
      throw faulty([first], 'is of test and live together: a live key sets it');
    }
    const details = {
      ...{ riskTolerance, preferredAuthentication, customerMails: customerMails?.join(',') },
      payerMails: payerMails?.toString(),
      ...(customerMailWords && mailWordsDetails(customerMailWords)),
      ...{ ...terms.details, ...page.details, ...wishDetails(wishes) },
    };
    const act = { ...callerOf(caller), verb: 'merchant-set', details };
    return doNoted(app, { ...act, subject: `merchant:${caller.merchantId}` }, async (within) => {
      if (riskTolerance !== undefined) await changeRiskTolerance(within, caller, riskTolerance);
      if (preferredAuthentication !== undefined) {
        await preferAuthentication(within, caller, preferredAuthentication);
      }
      if (customerMails !== undefined) await changeCustomerMails(within, caller, customerMails);
      if (payerMails !== undefined) await changePayerMails(within, caller, payerMails);
      if (Object.keys(terms.said).length > 0) {
        await changeMerchant(within, caller.merchantId, terms.changed);
      }
      if (Object.keys(page.said).length > 0) {
        await inWords(() => changePageSettings(within, caller.merchantId, page.changed));
      }
      if (customerMailWords !== undefined) {
        await inWords(() => setMailWords(within, caller, customerMailWords, 'all'));
      }
      if (Object.keys(wishes).length > 0)
        await inWords(() => setPaymentWishes(within, caller, wishes));
      return shown(within.db, caller);
    });
  },
});

type Input = z.output<typeof request>;

function wishesOf(input: Input): Partial<PaymentWishes> {
  const { settlementAsset, methodOrder, methodsOff, methodsRecommended, confirmations } = input;
  const asked = Object.entries(confirmations ?? {}).map(([network, tiers]) => {
    const [small = 0, medium = 0, large = 0] = tiers.map(({ coefficient }) => Number(coefficient));
    return [network, [small, medium, large]] as const;
  });
  return {
    ...(settlementAsset !== undefined && { settlementAsset }),
    ...(methodOrder !== undefined && { methodOrder }),
    ...(methodsOff !== undefined && { methodsOff }),
    ...(methodsRecommended !== undefined && { methodsRecommended }),
    ...(confirmations !== undefined && { confirmations: Object.fromEntries(asked) }),
  };
}

/** Of both environments: as they are stored, as the trail says them, and as they were asked for. */
function termsOf({ lateFloorPercent, lateDays, underpaidPercent }: Input) {
  const [floor, tolerance] = [lateFloorPercent, underpaidPercent].map(
    (value) => value && decimalToText(value),
  );
  const days = lateDays && Number(lateDays.coefficient);
  return {
    changed: {
      lateFloorPartsPerMillion: floor === undefined ? undefined : floorOfPercent(floor),
      lateDays: days,
      underpaidTolerancePartsPerMillion:
        tolerance === undefined ? undefined : toleranceOfPercent(tolerance),
    },
    details: { lateFloor: floor, lateDays: days?.toString(), underpaid: tolerance },
    said: {
      ...(floor !== undefined && { lateFloorPercent: floor }),
      ...(days !== undefined && { lateDays: days }),
      ...(tolerance !== undefined && { underpaidPercent: tolerance }),
    },
  };
}

/** The same of its pages. `asked`: what they ask now, of which what is not named stays. */
function pageOf(input: Input, asked: PayerAsking | null) {
  const { pageLanguages, defaultPageLanguage, embedOrigins, pageSettings } = input;
  const asking = pageSettings && askingOf(pageSettings, asked);
  const returnMethod = pageSettings?.returnMethod;
  const origins = embedOrigins && readOrigins(embedOrigins);
  const languages = LANGUAGES.map(({ languageCode }) => languageCode).filter((one) =>
    pageLanguages?.includes(one),
  );
  // All of them, also those that are added some day.
  const offered = languages.length === LANGUAGES.length ? null : languages;
  return {
    changed: {
      ...(pageLanguages && { languages: offered }),
      ...(defaultPageLanguage && { defaultLanguage: defaultPageLanguage }),
      ...(origins && { embedOrigins: origins }),
      ...(asking && { asking: asking.value }),
      ...(returnMethod && { returnMethod }),
    },
    details: {
      languages: pageLanguages?.join(','),
      defaultLanguage: defaultPageLanguage,
      embedOrigins: origins?.join(','),
      asking: asking && JSON.stringify(askingView(asking.value ?? undefined)),
      returnMethod,
    },
    said: {
      ...(pageLanguages && { pageLanguages }),
      ...(defaultPageLanguage && { defaultPageLanguage }),
      ...(embedOrigins && { embedOrigins }),
      ...(pageSettings && { pageSettings }),
    },
  };
}

/** Of fields, terms and tips each is all there is afterwards, where it is named. */
function askingOf(wishes: z.output<typeof pageSettings>, asked: PayerAsking | null) {
  const { termsUrl, termsText } = wishes;
  const hasTerms = termsUrl !== undefined || termsText !== undefined;
  const before = { ...asked, ...(hasTerms && { termsUrl: undefined, termsText: undefined }) };
  const given = { ...wishes, termsUrl: termsUrl ?? undefined, termsText: termsText ?? undefined };
  return { value: decideAsking(given, before) ?? null };
}

/** @throws Refusal `invalid` that names the first that is none. */
function readOrigins(texts: readonly string[]): readonly string[] {
  const origins = texts.map((text, at) => {
    const origin = parseEmbedOrigin(text);
    if (origin !== undefined) return origin;
    throw faulty(['embedOrigins', String(at)], 'must be an origin such as https://shop.example');
  });
  return [...new Set(origins)];
}

async function shown(reader: Reader, owner: Owner) {
  const [risk, authentication, customerMails, payerMails, words, wishes, terms, { page }] =
    await Promise.all([
      readRiskTolerance(reader, owner),
      readPreferredAuthentication(reader, owner),
      readCustomerMails(reader, owner),
      readPayerMails(reader, owner),
      listMailWords(reader, owner),
      readPaymentWishes(reader, owner),
      readPaidTerms(reader, owner.merchantId),
      getSeller(reader, owner.merchantId),
    ]);
  const { settlementAsset, methodOrder, methodsOff, methodsRecommended, confirmations } = wishes;
  return {
    accountSettings: {
      ...{ riskTolerance: risk, preferredAuthentication: authentication },
      ...{ customerMails: [...customerMails], payerMails, settlementAsset },
      customerMailWords: words.map(({ kind, language, opening, closing }) => ({
        ...{ kind, language, opening: opening ?? null, closing: closing ?? null },
      })),
      ...{ methodOrder: [...methodOrder], methodsOff: [...methodsOff] },
      methodsRecommended: [...methodsRecommended],
      ...{ pageLanguages: [...page.languages], defaultPageLanguage: page.defaultLanguage },
      embedOrigins: [...page.embedOrigins],
      confirmations: Object.fromEntries(
        Object.entries(confirmations).map(([network, tiers]) => [network, [...tiers]]),
      ),
      lateFloorPercent: percentOfParts(terms.lateFloorPartsPerMillion),
      lateDays: terms.lateDays,
      underpaidPercent: percentOfParts(terms.underpaidTolerancePartsPerMillion),
      pageSettings: {
        ...askingView(page.asking ?? undefined),
        returnMethod: page.returnMethod,
      },
    },
  };
}
