// Dutch of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('nl', number, forms);

export const nlPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Bankoverschrijving',
    recommended: 'Aanbevolen',
    lastUsed: 'Laatst gebruikt',
    fits: 'Past bij dit apparaat',
    search: 'Munten en netwerken zoeken',
    nothing: 'Niets past daarbij.',
    fee: (amount) => `netwerkkosten ongeveer ${amount}`,
    feeUnder: (amount) => `netwerkkosten onder ${amount}`,
    feeFrom: (amount) => `netwerkkosten vanaf ${amount}`,
    networks: (number) => count(number, { one: 'netwerk', other: 'netwerken' }),
  },
};
