// What an account says of payment, for whoever has no browser: the same settings with the same
// checks, and the same in the trail.

import { doNoted } from '#audit/act.ts';
import { Refusal } from '#base/refusal.ts';
import { RISK_LEVELS, type RiskLevel } from '#catalog/asset.ts';
import { ENVIRONMENTS } from '#catalog/chain.ts';
import type { ConfirmationTiers } from '#catalog/network.ts';
import {
  changeMerchant,
  changeRiskTolerance,
  floorOfPercent,
  LATE_DAYS_MOST,
  lateDaysOf,
  type PaymentWishes,
  percentOfParts,
  readPaidTerms,
  readPaymentWishes,
  readRiskTolerance,
  setPaymentWishes,
  toleranceOfPercent,
  wishDetails,
} from '#merchant/merchant.ts';
import {
  BY_OPTION,
  BY_USAGE,
  type Command,
  chooseEnvironment,
  textOption,
  type Values,
  whoOf,
} from './command.ts';
import { chooseMerchant } from './merchant.ts';

/** Of both environments: by option, what is changed, and how it is said. */
type Change = {
  readonly terms?: Parameters<typeof changeMerchant>[2];
  readonly riskTolerance?: RiskLevel;
  /** Of one environment. */
  readonly wishes?: Partial<PaymentWishes>;
  readonly details: Readonly<Record<string, string>>;
  said(merchantId: string): string;
};

const FLOOR = 'a percentage from 50 to 100';
const DAYS = `a whole number from 0 to ${LATE_DAYS_MOST}`;
const TOLERANCE = 'a percentage from 0 to 2';

const SETTINGS: Readonly<Record<string, (text: string) => Change>> = {
  'late-floor': (text) => ({
    terms: { lateFloorPartsPerMillion: known(floorOfPercent(text), 'late-floor', FLOOR) },
    details: { lateFloor: text },
    said: (id) => `Late money completes new checkouts of ${id} when it is worth ${text} %`,
  }),
  'late-days': (text) => {
    const lateDays = known(lateDaysOf(text), 'late-days', DAYS);
    return {
      terms: { lateDays },
      details: { lateDays: text },
      said: (id) => `Money up to ${lateDays} days late completes new checkouts of ${id}`,
    };
  },
  underpaid: (text) => {
    const parts = known(toleranceOfPercent(text), 'underpaid', TOLERANCE);
    return {
      terms: { underpaidTolerancePartsPerMillion: parts },
      details: { underpaid: text },
      said: (id) => `New checkouts of ${id} are paid with up to ${text} % missing`,
    };
  },
  'risk-tolerance': (text) => {
    const risk = RISK_LEVELS.find((level) => level === text);
    const riskTolerance = known(risk, 'risk-tolerance', `one of ${RISK_LEVELS.join(', ')}`);
    return {
      ...{ riskTolerance, details: { riskTolerance } },
      said: (id) => `${id} takes assets up to risk level ${riskTolerance}`,
    };
  },
  settlement: (text) => ofWishes({ settlementAsset: text }, (id) => `${id} is credited in ${text}`),
  ways: (text) =>
    ofWishes(
      { methodOrder: namesIn(text) },
      (id) => `Customers of ${id} see ways to pay so: ${text}`,
    ),
  'ways-off': (text) =>
    ofWishes(
      { methodsOff: namesIn(text) },
      (id) => `${id} does not offer: ${text || 'nothing less'}`,
    ),
  'ways-recommended': (text) =>
    ofWishes(
      { methodsRecommended: namesIn(text) },
      (id) => `Pages of ${id} recommend: ${text || 'nothing'}`,
    ),
  confirmations: (text) =>
    ofWishes(
      { confirmations: tiersIn(text) },
      (id) => `${id} waits for confirmations: ${text || 'as usual'}`,
    ),
};

function ofWishes(wishes: Partial<PaymentWishes>, said: Change['said']): Change {
  return { wishes, said, details: wishDetails(wishes) };
}

/** @throws Refusal */
function known<Value>(value: Value | undefined, option: string, what: string): Value {
  if (value !== undefined) return value;
  throw new Refusal('invalid', 'usage', [`--${option}: must be ${what}`]);
}

/** `BITCOIN BTC:NATIVE, LITECOIN LTC:NATIVE`; empty: none. */
function namesIn(text: string): string[] {
  const names = text.split(',').map((name) => name.trim().replaceAll(/\s+/g, ' '));
  return names.filter((name) => name !== '');
}

/** `BITCOIN=2/4/8, LITECOIN=6/12/24`; empty: as usual. @throws Refusal */
function tiersIn(text: string): Record<string, ConfirmationTiers> {
  const asked = namesIn(text).map((part): [string, ConfirmationTiers] => {
    const [, network = '', ...tiers] =
      /^([A-Z_]+)=(\d{1,4})\/(\d{1,4})\/(\d{1,4})$/.exec(part) ?? [];
    if (network === '') throw usage('confirmations', 'like BITCOIN=2/4/8, LITECOIN=6/12/24');
    const [small = 0, medium = 0, large = 0] = tiers.map(Number);
    return [network, [small, medium, large]];
  });
  return Object.fromEntries(asked);
}

function usage(option: string, what: string): Refusal {
  return new Refusal('invalid', 'usage', [`--${option}: must be ${what}`]);
}

export const merchantSet: Command = {
  name: 'merchant set',
  summary: 'change what a merchant takes, is credited in, and counts as paid',
  usage: [
    `[--late-floor PERCENT] [--late-days DAYS] [--underpaid PERCENT] [--risk-tolerance LEVEL]`,
    `  [--settlement ASSET] [--ways LIST] [--ways-off LIST] [--ways-recommended LIST]`,
    `  [--confirmations LIST] [--environment test|live] [--merchant ID] ${BY_USAGE}`,
    '  --late-floor PERCENT  what money that comes late must be worth, of the total, to complete',
    '                        a sale by itself; 50 to 100, 90 unless set. Less waits for you',
    '  --late-days DAYS      after the end of a window in which such money completes it by itself;',
    '                        0 to 36500, any time unless set. What comes later waits for you',
    '  --underpaid PERCENT   what may be missing, of the total, of money in time; 0 to 2',
    '  --risk-tolerance LEVEL  LOW, MEDIUM or HIGH: riskier assets are neither offered nor settled',
    '                        in (riskLevel of GET /assets), with test and live keys;',
    '                        MEDIUM unless set',
    '  of one environment (--environment test or live):',
    '  --settlement ASSET    in which sales by hand, by links and invoices are credited; ORIGIN is',
    '                        whatever the customer pays',
    '  --ways LIST           the order that customers see, such as',
    '                        "BITCOIN BTC:NATIVE, LITECOIN LTC:NATIVE"; what is not listed comes after',
    '  --ways-off LIST       what new checkouts do not offer; "" offers everything',
    '  --ways-recommended LIST  what pages show first and mark, open ones at once; "" is nothing',
    '  --confirmations LIST  more blocks than the server asks, for small, medium and large amounts,',
    '                        such as "BITCOIN=2/4/8"; "" is as usual everywhere',
  ].join('\n'),
  options: {
    ...BY_OPTION,
    merchant: { type: 'string' },
    environment: { type: 'string' },
    ...Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, { type: 'string' } as const])),
  },
  async run(context, { positionals, values }) {
    const changes = changesIn(values);
    if (changes.length === 0 || positionals.length > 0) {
      const names = Object.keys(SETTINGS).map((name) => `--${name}`);
      throw new Refusal('invalid', 'usage', [`one of ${names.join(', ')} is missing`]);
    }
    const wishes = changes.some((change) => change.wishes !== undefined)
      ? Object.assign({}, ...changes.map((change) => change.wishes))
      : undefined;
    const environment = wishes === undefined ? undefined : chooseEnvironment(values);
    const terms = Object.assign({}, ...changes.map((change) => change.terms));
    const riskTolerance = changes.find((change) => change.riskTolerance)?.riskTolerance;
    const app = await context.openApp();
    const merchantId = await chooseMerchant(app, values);
    const details = Object.assign({}, ...changes.map((change) => change.details));
    const act = { actor: whoOf(values), verb: 'merchant-set', subject: `merchant:${merchantId}` };
    await doNoted(app, { ...act, merchantId, environment, details }, async (within) => {
      if (Object.keys(terms).length > 0) await changeMerchant(within, merchantId, terms);
      for (const one of riskTolerance === undefined ? [] : ENVIRONMENTS) {
        await changeRiskTolerance(within, { merchantId, environment: one }, riskTolerance ?? 'LOW');
      }
      if (environment === undefined || wishes === undefined) return;
      await setPaymentWishes(within, { merchantId, environment }, wishes);
    });
    const json = { merchantId, environment, ...terms, riskTolerance, ...wishes };
    return { text: changes.map(({ said }) => said(merchantId)).join('\n'), json };
  },
};

/** @throws Refusal */
function changesIn(values: Values): Change[] {
  return Object.entries(SETTINGS).flatMap(([name, read]) => {
    const text = textOption(values, name);
    return text === undefined ? [] : [read(text.trim())];
  });
}

export const merchantShow: Command = {
  name: 'merchant show',
  summary: 'show what a merchant takes, is credited in, and counts as paid',
  usage: '--environment test|live [--merchant ID]',
  options: { merchant: { type: 'string' }, environment: { type: 'string' } },
  async run(context, { values }) {
    const environment = chooseEnvironment(values);
    const { db } = await context.openApp();
    const merchantId = await chooseMerchant({ db }, values);
    const owner = { merchantId, environment };
    const [riskTolerance, wishes, terms] = await Promise.all([
      readRiskTolerance(db, owner),
      readPaymentWishes(db, owner),
      readPaidTerms(db, merchantId),
    ]);
    const tiers = Object.entries(wishes.confirmations).map(
      ([network, asked]) => `${network}=${asked.join('/')}`,
    );
    const lines: readonly (readonly [option: string, value: string])[] = [
      ['late-floor', percentOfParts(terms.lateFloorPartsPerMillion)],
      ['late-days', `${terms.lateDays}`],
      ['underpaid', percentOfParts(terms.underpaidTolerancePartsPerMillion)],
      ['risk-tolerance', riskTolerance],
      ['settlement', wishes.settlementAsset],
      ['ways', wishes.methodOrder.join(', ')],
      ['ways-off', wishes.methodsOff.join(', ')],
      ['ways-recommended', wishes.methodsRecommended.join(', ')],
      ['confirmations', tiers.join(', ')],
    ];
    const text = lines.map(([name, value]) => `${name.padEnd(16)} ${value || '-'}`).join('\n');
    return { text, json: { ...owner, riskTolerance, ...wishes, ...terms } };
  },
};
