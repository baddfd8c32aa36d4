// French of what a payer sees beside the plain words of a page.
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('fr', number, forms);

export const frPaying: PayingTexts = {
  choose: {
    bank: 'Virement bancaire',
    recommended: 'Recommandé',
    lastUsed: 'Utilisé la dernière fois',
    fits: 'Convient à cet appareil',
    search: 'Chercher une monnaie ou un réseau',
    nothing: 'Rien ne correspond.',
    fee: (amount) => `frais de réseau d’environ ${amount}`,
    feeUnder: (amount) => `frais de réseau inférieurs à ${amount}`,
    feeFrom: (amount) => `frais de réseau à partir de ${amount}`,
    networks: (number) => count(number, { one: 'réseau', many: 'réseaux', other: 'réseaux' }),
  },
};
