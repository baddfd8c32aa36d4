// Czech of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('cs', number, forms);

export const csPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Bankovní převod',
    recommended: 'Doporučeno',
    lastUsed: 'Použito minule',
    fits: 'Hodí se k tomuto zařízení',
    search: 'Hledat mince a sítě',
    nothing: 'Nic neodpovídá.',
    fee: (amount) => `poplatek sítě asi ${amount}`,
    feeUnder: (amount) => `poplatek sítě pod ${amount}`,
    feeFrom: (amount) => `poplatek sítě od ${amount}`,
    networks: (number) => count(number, { one: 'síť', few: 'sítě', many: 'sítě', other: 'sítí' }),
  },
  pay: {
    showCode: 'Zobrazit kód',
    enlarge: 'Zvětšit kód',
    close: 'Zavřít',
    noWallet: 'Nemáte zde peněženku? Naskenujte kód telefonem.',
    compare: 'Porovnejte v peněžence první čtyři a poslední čtyři znaky.',
  },
  steps: {
    title: 'Co se děje s vaší platbou',
    sent: 'Odeslali jste',
    seen: 'Síť ji viděla',
    confirmed: 'Potvrzeno',
    told: 'Obchod se to dozvídá',
    wasTold: 'Obchod to už ví',
    device: 'Pokračovat na jiném zařízení',
    deviceHint: 'Naskenujte toto druhým zařízením: otevře se na něm tato stránka.',
    signal: 'Zvuk a vibrace po zaplacení',
    share: 'Sdílet účtenku',
    calendar: 'Přidat do kalendáře',
  },
  trust: {
    title: 'Je tato adresa správná?',
    signed: 'Tato instalace adresu podepsala. Ověřte ji, nejlépe na jiném zařízení:',
    check: 'Ověřit adresu',
    host: (host) =>
      `Plaťte jen tehdy, když adresní řádek prohlížeče ukazuje ${host}. Kdo vám pomáhá, neptá se na slova vaší peněženky.`,
    domain: 'Ověřená doména',
    verified: 'Tato adresa byla vydána zde',
    verifiedHint: 'Porovnejte ji znak po znaku s tou, kterou ukazuje peněženka.',
    unsigned: 'Tato adresa nebyla vydána zde, nebo v ní byl změněn znak. Nic na ni neposílejte.',
    key: 'Veřejný klíč (Ed25519)',
    place: 'Adresa nebo odkaz k ověření ze stránky platby',
    memo: 'Memo nebo tag, pokud existuje',
    signature: 'Podpis',
    signatureHint:
      'Podpis je v tomto odkazu. Adresa sama nic neříká: je to její podpis, který nikdo jiný nedokáže vytvořit.',
  },
};
