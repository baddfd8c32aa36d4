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
  },
};

export type PayingTexts = typeof enPaying;
