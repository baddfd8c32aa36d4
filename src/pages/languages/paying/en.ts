// English of what a payer sees beside the plain words of a page (../en.ts): says which texts
// there are.
import { countedText, type NounForms } from '#pages/languages/plural.ts';

const count = (number: number, forms: NounForms) => countedText('en', number, forms);

export const enPaying = {
  choose: {
    bank: 'Bank transfer',
    recommended: 'Recommended',
    lastUsed: 'Used last time',
    fits: 'Fits this device',
    search: 'Search coins and networks',
    nothing: 'Nothing fits that.',
    fee: (amount: string) => `network fee about ${amount}`,
    feeUnder: (amount: string) => `network fee below ${amount}`,
    feeFrom: (amount: string) => `network fee from ${amount}`,
    networks: (number: number) => count(number, { one: 'network', other: 'networks' }),
  },
  pay: {
    showCode: 'Show the code',
    enlarge: 'Enlarge the code',
    close: 'Close',
    noWallet: 'No wallet here? Scan the code with your phone.',
    compare: 'Compare the first and the last four characters in your wallet.',
  },
  steps: {
    title: 'What happens with your payment',
    sent: 'You sent it',
    seen: 'The network has seen it',
    confirmed: 'Confirmed',
    told: 'The shop hears of it',
    wasTold: 'The shop has heard of it',
    device: 'Continue on another device',
    deviceHint: 'Scan this with the other device: it opens this page there.',
    signal: 'Sound and vibration when it is paid',
    share: 'Share the receipt',
    calendar: 'Add to calendar',
  },
  trust: {
    title: 'Is this address right?',
    signed: 'This installation has signed the address. Check it, best on another device:',
    check: 'Check the address',
    host: (host: string) =>
      `Pay only where the address bar of your browser shows ${host}. Nobody who helps you asks for the words of your wallet.`,
    domain: 'Verified domain',
    verified: 'This address was given out here',
    verifiedHint: 'Compare it with the one your wallet shows, sign by sign.',
    unsigned:
      'This address was not given out here, or a sign of it was changed. Please send nothing to it.',
    key: 'Public key (Ed25519)',
    place: 'Address, or the link to check that stands on the page to pay',
    memo: 'Memo or tag, where there is one',
    signature: 'Signature',
    signatureHint:
      'The signature stands in that link. An address alone says nothing: it is its signature that nobody else can make.',
  },
};

export type PayingTexts = typeof enPaying;
