// What a page says about the state of the payment: every sentence that claims something about the
// money, decided in one place, so that no two of them contradict each other. Views only put them
// into words and in order. Guarantees: a page asks for money, forbids to send it, or does neither,
// and its sentences go with that; nothing leaves by itself while a notice is unread.
import { unreachable } from '#base/assert.ts';
import { getNetwork } from '#catalog/network.ts';
import type { CheckoutRecord } from '#checkout/checkout.ts';
import { isStanding } from '#checkout-settlement/payment-progress.ts';
import type { Texts } from '#pages/languages/en.ts';
import type { FoundPayment } from './decide-found-payment.ts';
import type { Notice } from './decide-notices.ts';
import type { Due, PageState } from './decide-page.ts';

/** Sentences that have no amounts or names in them. */
export const SENTENCES = {
  watching: ({ pay }: Texts) => pay.watching,
  'bank-watching': ({ bank }: Texts) => bank.watching,
  'may-close': ({ seen }: Texts) => seen.hint,
  short: ({ seen }: Texts) => seen.short,
  less: ({ partial }: Texts) => partial.hint,
  'rest-same-way': ({ partial }: Texts) => partial.rest,
  'rest-price-over': ({ partial }: Texts) => partial.windowOver,
  'rest-or-refund': ({ partial }: Texts) => partial.alternatives,
  complete: ({ paid }: Texts) => paid.hint,
  'taken-back': ({ trouble }: Texts) => trouble.takenBackHint,
  'do-not-send': ({ expired }: Texts) => expired.doNotSend,
  'still-credited': ({ expired }: Texts) => expired.alreadySentHint,
  'nothing-charged': ({ cancelled }: Texts) => cancelled.nothing,
  'do-not-send-there': ({ cancelled }: Texts) => cancelled.hint,
  'sent-before': ({ cancelled }: Texts) => cancelled.sent,
} as const satisfies Record<string, (texts: Texts) => string>;
export type SentenceName = keyof typeof SENTENCES;

type PageWords = {
  readonly sentences: ReadonlySet<SentenceName>;
  readonly notices: readonly Notice[];
  /** What is asked for now; undefined: nothing is to be sent. */
  readonly due: Due | undefined;
  /** How long the rest usually takes: only where nothing is left to do but wait. */
  readonly hasEstimate: boolean;
  /** Back to the shop after a while. */
  readonly leavesByItself: boolean;
};

type WordsFacts = {
  readonly state: PageState;
  readonly record: Pick<CheckoutRecord, 'receipts' | 'commitments'>;
  readonly found?: FoundPayment | undefined;
};

type Said = {
  readonly sentences: readonly (SentenceName | false)[];
  readonly due?: Due | undefined;
  readonly hasEstimate?: boolean;
};

export function decideWords(facts: WordsFacts): PageWords {
  const { state } = facts;
  const { sentences, due, hasEstimate = false } = saidOf(facts);
  const notices = noticesBeside(state);
  return {
    sentences: new Set(sentences.filter((name) => name !== false)),
    notices,
    due,
    hasEstimate,
    leavesByItself: state.kind === 'paid' && notices.length === 0,
  };
}

function saidOf(facts: WordsFacts): Said {
  const { state, record } = facts;
  const hasArrived = record.receipts.some(isStanding);
  switch (state.kind) {
    case 'ask':
    case 'choose':
      return { sentences: [] };
    case 'pay': {
      const isBank = isByBank(state.due);
      const sees = !isBehind(state);
      return {
        sentences: [isBank && 'bank-watching', !isBank && sees && 'watching'],
        due: state.due,
      };
    }
    case 'seen':
      if (state.rest !== undefined) return { sentences: ['short'], due: state.rest };
      if (state.isShort) return { sentences: ['less', 'rest-price-over'] };
      return { sentences: ['may-close'], hasEstimate: !isAllByBank(state) || isHeld(state) };
    case 'partial':
      if (state.isReturned) return { sentences: ['less'] };
      if (state.isWindowOver) {
        return {
          sentences: ['less', 'rest-price-over', state.renewal !== undefined && 'rest-or-refund'],
        };
      }
      return { sentences: ['less', 'rest-same-way', 'rest-or-refund'], due: state.rest };
    case 'paid': {
      const isAccepted = state.notices.some(({ kind }) => kind === 'accepted-underpaid');
      return { sentences: [!isAccepted && 'complete'] };
    }
    case 'trouble':
      return { sentences: [state.cause === 'taken-back' && 'taken-back'] };
    case 'expired': {
      const wasAsked = state.commitment !== undefined;
      return { sentences: ['do-not-send', wasAsked && !isAnswered(facts) && 'still-credited'] };
    }
    case 'cancelled': {
      const wasAsked = record.commitments.length > 0;
      return {
        sentences: [
          !hasArrived && 'nothing-charged',
          'do-not-send-there',
          wasAsked && !hasArrived && 'sent-before',
        ],
      };
    }
    default:
      return unreachable(state);
  }
}

/** A notice is left out where the state of the page already says it. */
function noticesBeside(state: PageState): readonly Notice[] {
  return state.notices.filter(({ kind }) => !(kind === 'behind' && state.kind === 'trouble'));
}

function isBehind({ notices }: PageState): boolean {
  return notices.some(({ kind }) => kind === 'behind');
}

/** Banks have no blocks, and the page has said how long a transfer takes before it was sent. */
function isAllByBank({ payments }: PageState): boolean {
  return payments.every(({ network }) => getNetwork(network).type === 'BANK');
}

/** Held by the brake of its chain. Nobody can say how long that lasts, and the page says so. */
function isHeld({ payments }: PageState): boolean {
  return payments.some((payment) => payment.isHeld);
}

export function isByBank({ commitment }: Pick<Due, 'commitment'>): boolean {
  return getNetwork(commitment.network).type === 'BANK';
}

/**
 * When we know the customer's payment, the page need not say what happens to payments in general.
 */
function isAnswered({ found }: WordsFacts): boolean {
  return found !== undefined && !['unreadable', 'elsewhere', 'not-found'].includes(found.kind);
}
