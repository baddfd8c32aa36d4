import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const csLetters: SomeOf<CustomerLetterTexts> = {
  test: 'Zkouška',
  testHint: 'Toto byla zkouška: skutečné peníze se nepohnuly.',
  reference: (id) => `Číslo platby: ${id}`,
  contact: (contact) => `Otázky? Zeptejte se obchodu: ${contact}`,
  why: (shop) => `Tento e-mail dostáváte, protože platíte obchodu ${shop} a ten má vaši adresu.`,
  whyAsked: (shop) =>
    `Tento e-mail dostáváte, protože někdo zadal vaši adresu na stránce platby pro ${shop}.`,
  leave: 'Už neposílat e-maily o platbách tomuto obchodu',
  seen: {
    subject: (shop) => `Vaše platba obchodu ${shop} je vidět`,
    title: 'Vaše platba je vidět',
    body: (amount) => `${amount} je na cestě. Síť platbu právě potvrzuje; nemusíte nic dělat.`,
    button: 'Zobrazit stav',
  },
  paid: {
    subject: (shop) => `Vaše platba obchodu ${shop} je kompletní`,
    title: 'Zaplaceno. Děkujeme!',
    body: (shop, total) => `Obchod ${shop} přijal vaši platbu ve výši ${total}.`,
    button: 'Otevřít účtenku',
  },
  underpaid: {
    subject: (shop) => `Část vaší platby obchodu ${shop} chybí`,
    title: 'Část ještě chybí',
    body: (received, remaining) => `Dorazilo ${received}, chybí ${remaining}.`,
    todo: 'Stránka říká, kolik teď zbytek stojí a jak ho zaplatit. Nechcete ho doplatit? Požádejte obchod o vrácení a uveďte číslo platby.',
    button: 'Doplatit zbytek',
  },
  expired: {
    subject: (shop) => `Čas na zaplacení obchodu ${shop} vypršel`,
    title: 'Čas na zaplacení vypršel',
    body: 'Nic vám nebylo účtováno. Za starou cenu už prosím nic neposílejte.',
    todo: 'Chcete přesto zaplatit? Stránka vám dá novou cenu. Už jste poslali? Co dorazí, bude připsáno: uschovejte si číslo platby.',
    money: {
      body: 'Přišlo něco, co se nepočítá jako tato platba: jiná měna, nebo převod, který síť nepotvrdila.',
      todo: 'Není to ztraceno. Co síť potvrdí později, bude připsáno. U jiné měny se zeptejte obchodu a uveďte referenci. Stránka ukazuje, co bylo vidět.',
    },
    button: 'Otevřít stránku',
  },
  claim: {
    subject: (shop) => `Čeká na vás vrácení od ${shop}`,
    title: 'Čeká na vás vrácení peněz',
    body: (shop, amount) => `Obchod ${shop} vám vrací ${amount}. Stránka se zeptá, kam.`,
    until: (moment) =>
      `Je otevřena do ${moment}. Odkaz nikomu nepředávejte: kdo ho má, určuje, kam peníze půjdou.`,
    button: 'Uvést, kam poslat',
  },
  sent: {
    subject: (shop) => `Vrácení od ${shop} bylo odesláno`,
    title: 'Vrácení bylo odesláno',
    body: (amount, address) => `${amount} bylo odesláno na ${address}.`,
    transaction: (transaction) => `Transakce: ${transaction}`,
    button: 'Zobrazit platbu',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Faktura ${name} od ${shop}`,
      title: 'Vaše faktura',
      body: (shop, total) => `Obchod ${shop} vám poslal fakturu na ${total}.`,
      due: (day) => `Zaplaťte ji prosím do ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Připomínka: faktura ${name} od ${shop}`,
      title: 'Vaše faktura bude brzy splatná',
      body: (total, day) => `Vaše faktura na ${total} je splatná ${day}.`,
    },
    today: {
      subject: (shop, name) => `Faktura ${name} od ${shop} je splatná dnes`,
      title: 'Vaše faktura je splatná dnes',
      body: (total, day) => `Vaše faktura na ${total} je splatná dnes, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `Faktura ${name} od ${shop} je po splatnosti`,
      title: 'Vaše faktura je po splatnosti',
      body: (total, day) =>
        `Vaše faktura na ${total} byla splatná ${day}. Její platbu zatím nevidíme.`,
    },
    hint: 'Stránka ukazuje fakturu a přijme platbu za cenu toho okamžiku. Už zaplaceno? Pak nemusíte nic dělat.',
    number: (name) => `Číslo faktury: ${name}`,
    button: 'Zobrazit a zaplatit fakturu',
  },
  page: {
    title: (shop) => `E-maily o platbách obchodu ${shop}`,
    gets: 'Dostáváte e-maily o svých platbách tomuto obchodu.',
    leave: 'Už neposílat',
    left: 'E-maily o svých platbách tomuto obchodu už nedostáváte.',
    again: 'Znovu posílat e-maily',
  },
};

export const csVerify: SomeOf<VerifyTexts> = {
  title: 'Ověřit účtenku nebo fakturu',
  hint: 'Zadejte kód uvedený na účtence nebo faktuře. Dozvíte se, co o ní říkají naše knihy, a nic o kupujícím.',
  code: 'Ověřovací kód',
  at: 'Ověřit na',
  check: 'Ověřit',
  unknown: 'Žádná naše účtenka ani faktura tento kód nemá. Porovnejte ho prosím znak po znaku.',
  compare: 'Porovnejte to s dokladem, který máte. Platí to, co stojí zde.',
  issuer: 'Vystavil',
  states: {
    paid: 'Toto je zaplaceno',
    partial: 'Část je zaplacena',
    open: 'Za toto není žádná potvrzená platba',
    reversed: 'Toto bylo zaplaceno a síť vzala platbu zpět',
    refunded: 'Toto bylo zaplaceno a peníze byly vráceny',
    partlyRefunded: 'Toto bylo zaplaceno a část byla vrácena',
    cancelled: 'Tato faktura byla stornována',
    cancellation: 'Tento doklad stornuje fakturu',
  },
  worth: 'Zaplacená částka',
  explorer: 'V síti',
};
