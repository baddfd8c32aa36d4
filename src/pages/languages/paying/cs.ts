// Czech of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

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
  mail: {
    title: 'Dejte mi vědět e-mailem, až bude hotovo',
    hint: 'Jeden e-mail, až bude zaplaceno, nebo když ještě můžete něco udělat. Adresa se nepoužije k ničemu jinému.',
    label: 'E-mailová adresa',
    button: 'Dát vědět',
    asked: 'Dáme vám vědět e-mailem',
    again: 'Překlep? Zadejte adresu znovu.',
    fault: 'Zadejte adresu jako ann@mail.example.',
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
  wallets: {
    app: (app) => `Otevřít v ${app}`,
    with: (wallet) => `Zaplatit přes ${wallet}`,
    browser: 'Zaplatit peněženkou tohoto prohlížeče',
    asking: (wallet) => `Potvrďte platbu v ${wallet}.`,
    switching: (network) => `Peněženka vás žádá o přepnutí do sítě ${network}.`,
    missing: (network) =>
      `Vaše peněženka síť ${network} nezná. Přidejte ji tam, nebo zaplaťte pomocí kódu.`,
    otherNetwork: (network) =>
      `Vaše peněženka je v jiné síti. Přepněte ji tam do sítě ${network} a zkuste to znovu.`,
    poor: (account, held, needed) =>
      `Na účtu ${account} je ${held}, potřeba je ${needed}. Zvolte v peněžence jiný účet.`,
    refused: 'V peněžence jste odmítli. Nic nebylo odesláno.',
    waiting: 'V peněžence už čeká dotaz. Otevřete ji a odpovězte tam.',
    silent: 'Vaše peněženka neodpovídá. Otevřete ji, odemkněte a zkuste to znovu.',
    failed: 'To peněženka nedokázala. Než to zkusíte znovu, ověřte v ní, zda nebylo něco odesláno.',
    sent: 'Odesláno. Tato stránka se změní, jakmile síť vaši platbu ukáže.',
    again: (wallet) => `Poslat znovu přes ${wallet}`,
  },
};

export const csShop: ShopTexts = {
  title: 'Vše pro psaní rukou',
  hint: 'Ukázkový obchod: něco si vyberte, přejděte k pokladně a zaplaťte testovací peněženkou.',
  embedded: 'Zaplatit bez opuštění stránky',
  embeddedHint: (product) =>
    `${product}, v okně nad touto stránkou: platební stránka, kterou otevře jediný skript.`,
  howTo: 'Jak to udělat v obchodě',
  payHere: 'Zaplatit zde',
  states: 'Prohlédnout všechny stavy platební stránky',
  skip: 'Přejít k obsahu',
  shop: 'Obchod',
  add: 'Do košíku',
  addOf: (product) => `Do košíku: ${product}`,
  less: (product) => `O jeden méně: ${product}`,
  more: (product) => `O jeden více: ${product}`,
  cart: 'Košík',
  post: 'Listovní pošta',
  tax: 'DPH',
  total: 'Celkem bez DPH',
  checkOut: 'Zaplatit kryptem',
  empty: 'Váš košík je prázdný.',
  look: 'Rozhlédnout se',
  order: 'Objednávka',
  state: 'Stav v posledním webhooku',
  none: 'zatím žádný',
  back: 'Zpět do obchodu',
  webhooks: 'Přijaté webhooky',
  webhooksHint:
    'Víc obchod neví. Webhooku věří jen tehdy, když podpis sedí, a to tomu s nejvyšším pořadovým číslem.',
  nothing: 'Zatím nic nepřišlo. Stránka se sama zeptá znovu.',
  verified: 'podpis ověřen: ano',
  unverified: 'podpis ověřen: ne',
  noEvent: 'není událost',
  headers: 'Hlavičky',
  body: 'Tělo',
  told: {
    completed: { title: 'Děkujeme! Vaše objednávka je zaplacena.', hint: 'Už ji balíme.' },
    pending: { title: 'Vaše platba je na cestě.', hint: 'Síť ji potvrzuje.' },
    underpaid: { title: 'Část ještě chybí.', hint: 'Platební stránka ukáže, jak ji poslat.' },
    expired: { title: 'Nezaplaceno včas.', hint: 'Pokud jste zaplatili později, i to platí.' },
    cancelled: { title: 'Zrušeno.', hint: 'Nic nebylo účtováno.' },
    waiting: { title: 'Čekáme na platbu.', hint: 'Obchod zatím nic neví.' },
  },
  madeUp: 'Objednávky a zboží jsou vymyšlené.',
  about: 'O této službě',
  products: {
    notebook: { name: 'Tečkovaný zápisník', about: '192 stran, které leží rovně, vázané v plátně' },
    pen: { name: 'Mosazné pero', about: 'Vysoustružené z jednoho prutu, časem krásní' },
    ink: { name: 'Mechový inkoust', about: '50 ml zelené, která schne téměř do černa' },
    cards: { name: 'Pohlednice s kapradinou', about: 'Osm vylisovaných kapradin, tištěno ručně' },
  },
};
