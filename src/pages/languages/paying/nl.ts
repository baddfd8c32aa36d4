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
  pay: {
    showCode: 'De code tonen',
    enlarge: 'De code vergroten',
    close: 'Sluiten',
    noWallet: 'Geen wallet hier? Scan de code met uw telefoon.',
    compare: 'Vergelijk in uw wallet de eerste vier en de laatste vier tekens.',
  },
  steps: {
    title: 'Wat er met uw betaling gebeurt',
    sent: 'U hebt verstuurd',
    seen: 'Het netwerk heeft haar gezien',
    confirmed: 'Bevestigd',
    told: 'De winkel krijgt bericht',
    wasTold: 'De winkel heeft bericht gekregen',
    device: 'Verder op een ander apparaat',
    deviceHint: 'Scan dit met het andere apparaat: daar opent deze pagina.',
    signal: 'Geluid en trilling zodra is betaald',
    share: 'Kwitantie delen',
    calendar: 'Aan agenda toevoegen',
  },
  trust: {
    title: 'Klopt dit adres?',
    signed:
      'Deze installatie heeft het adres ondertekend. Controleer het, liefst op een ander apparaat:',
    check: 'Het adres controleren',
    host: (host) =>
      `Betaal alleen als de adresbalk van uw browser ${host} toont. Niemand die u helpt vraagt naar de woorden van uw wallet.`,
    domain: 'Gecontroleerd domein',
    verified: 'Dit adres is hier uitgegeven',
    verifiedHint: 'Vergelijk het teken voor teken met wat uw wallet toont.',
    unsigned:
      'Dit adres is niet hier uitgegeven, of er is een teken veranderd. Stuur er niets naartoe.',
    key: 'Openbare sleutel (Ed25519)',
    place: 'Adres, of de controlelink die op de betaalpagina staat',
    memo: 'Memo of tag, als die er is',
    signature: 'Handtekening',
    signatureHint:
      'De handtekening staat in die link. Een adres alleen zegt niets: het is de handtekening die niemand anders kan maken.',
  },
};
