import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const roLetters: SomeOf<CustomerLetterTexts> = {
  test: 'Probă',
  testHint: 'Aceasta a fost o probă: nu s-au mișcat bani adevărați.',
  reference: (id) => `Referința: ${id}`,
  contact: (contact) => `Întrebări? Întrebați magazinul: ${contact}`,
  why: (shop) => `Primiți acest e-mail fiindcă plătiți la ${shop}, care are adresa dumneavoastră.`,
  whyAsked: (shop) =>
    `Primiți acest e-mail pentru că cineva a dat adresa dvs. pe pagina unei plăți către ${shop}.`,
  leave: 'Fără alte e-mailuri despre plățile la acest magazin',
  seen: {
    subject: (shop) => `Plata dumneavoastră către ${shop} a fost văzută`,
    title: 'Plata dumneavoastră a fost văzută',
    body: (amount) => `${amount} este pe drum. Rețeaua confirmă plata; nu trebuie să faceți nimic.`,
    button: 'Vedeți starea',
  },
  paid: {
    subject: (shop) => `Plata dumneavoastră către ${shop} este completă`,
    title: 'Plătit. Vă mulțumim!',
    body: (shop, total) => `${shop} a primit plata dumneavoastră de ${total}.`,
    button: 'Deschideți chitanța',
  },
  underpaid: {
    subject: (shop) => `Lipsește o parte din plata către ${shop}`,
    title: 'Mai lipsește o parte',
    body: (received, remaining) => `A ajuns ${received}, lipsește ${remaining}.`,
    todo: 'Pagina spune cât costă acum restul și cum se plătește. Nu doriți să-l plătiți? Cereți magazinului rambursarea și spuneți referința.',
    button: 'Plătiți restul',
  },
  expired: {
    subject: (shop) => `Timpul de plată către ${shop} a expirat`,
    title: 'Timpul de plată a expirat',
    body: 'Nu s-a încasat nimic. Vă rugăm să nu trimiteți nimic la prețul vechi.',
    todo: 'Doriți totuși să plătiți? Pagina vă dă un preț nou. Ați trimis deja? Ce ajunge este încă înregistrat: păstrați referința.',
    money: {
      body: 'A sosit ceva care nu contează ca această plată: altă monedă sau un transfer pe care rețeaua nu l-a confirmat.',
      todo: 'Nu este pierdut. Ce confirmă rețeaua mai târziu va fi totuși creditat. Pentru altă monedă întrebați magazinul și menționați referința. Pagina arată ce s-a văzut.',
    },
    button: 'Deschideți pagina',
  },
  claim: {
    subject: (shop) => `O rambursare de la ${shop} vă așteaptă`,
    title: 'O rambursare vă așteaptă',
    body: (shop, amount) => `${shop} vă înapoiază ${amount}. Pagina întreabă unde.`,
    until: (moment) =>
      `Este deschisă până la ${moment}. Nu dați linkul nimănui: cine îl are spune unde merg banii.`,
    button: 'Spuneți unde',
  },
  sent: {
    subject: (shop) => `Rambursarea de la ${shop} a fost trimisă`,
    title: 'Rambursarea a fost trimisă',
    body: (amount, address) => `${amount} a fost trimis la ${address}.`,
    transaction: (transaction) => `Tranzacție: ${transaction}`,
    button: 'Vedeți plata',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Factura ${name} de la ${shop}`,
      title: 'Factura dumneavoastră',
      body: (shop, total) => `${shop} v-a trimis o factură de ${total}.`,
      due: (day) => `Vă rugăm să o plătiți până la ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Memento: factura ${name} de la ${shop}`,
      title: 'Factura este scadentă în curând',
      body: (total, day) => `Factura dumneavoastră de ${total} este scadentă la ${day}.`,
    },
    today: {
      subject: (shop, name) => `Factura ${name} de la ${shop} este scadentă astăzi`,
      title: 'Factura este scadentă astăzi',
      body: (total, day) => `Factura dumneavoastră de ${total} este scadentă astăzi, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `Factura ${name} de la ${shop} este restantă`,
      title: 'Factura este restantă',
      body: (total, day) =>
        `Factura dumneavoastră de ${total} era scadentă la ${day}. Încă nu vedem plata ei.`,
    },
    hint: 'Pagina arată factura și primește plata, la prețul din acel moment. Ați plătit deja? Atunci nu trebuie să faceți nimic.',
    number: (name) => `Numărul facturii: ${name}`,
    button: 'Vedeți și plătiți factura',
  },
  page: {
    title: (shop) => `E-mailuri despre plățile către ${shop}`,
    gets: 'Primiți e-mailuri despre plățile la acest magazin.',
    leave: 'Fără alte e-mailuri',
    left: 'Nu mai primiți e-mailuri despre plățile la acest magazin.',
    again: 'Trimiteți-mi din nou e-mailuri',
  },
};

export const roVerify: SomeOf<VerifyTexts> = {
  title: 'Verificați o chitanță sau o factură',
  hint: 'Scrieți codul de pe chitanță sau factură. Aflați ce spun registrele noastre despre ea, și nimic despre cumpărător.',
  code: 'Cod de verificare',
  at: 'Verificați la',
  check: 'Verificați',
  unknown: 'Nicio chitanță și nicio factură a noastră nu are acest cod. Comparați semn cu semn.',
  compare: 'Comparați cu documentul pe care îl aveți. Contează ce scrie aici.',
  issuer: 'Emisă de',
  states: {
    paid: 'Este plătită',
    partial: 'Este plătită parțial',
    open: 'Nu există o plată confirmată pentru aceasta',
    reversed: 'A fost plătită, iar rețeaua a retras plata',
    refunded: 'A fost plătită, iar banii au fost înapoiați',
    partlyRefunded: 'A fost plătită, iar o parte a fost înapoiată',
    cancelled: 'Această factură a fost stornată',
    cancellation: 'Acest document stornează o factură',
  },
  worth: 'Suma plătită',
  explorer: 'Pe rețea',
};
