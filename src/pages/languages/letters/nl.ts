import type { SomeOf } from '#pages/languages/filled.ts';
import type { CustomerLetterTexts, VerifyTexts } from './en.ts';

export const nlLetters: SomeOf<CustomerLetterTexts> = {
  test: 'Testmodus',
  testHint: 'Dit was een test: er ging geen echt geld om.',
  reference: (id) => `Kenmerk: ${id}`,
  contact: (contact) => `Vragen? Neem contact op met de winkel: ${contact}`,
  why: (shop) => `U krijgt deze mail omdat u bij ${shop} betaalt en de winkel uw adres heeft.`,
  whyAsked: (shop) =>
    `U krijgt deze mail omdat iemand uw adres heeft opgegeven op de pagina van een betaling aan ${shop}.`,
  leave: 'Geen mails meer over betalingen aan deze winkel',
  seen: {
    subject: (shop) => `Uw betaling aan ${shop} is gezien`,
    title: 'Uw betaling is gezien',
    body: (amount) =>
      `${amount} is onderweg. Het netwerk bevestigt de betaling nu; u hoeft niets te doen.`,
    button: 'Stand bekijken',
  },
  paid: {
    subject: (shop) => `Uw betaling aan ${shop} is volledig`,
    title: 'Betaald. Hartelijk dank!',
    body: (shop, total) => `${shop} heeft uw betaling van ${total} ontvangen.`,
    button: 'Kwitantie openen',
  },
  underpaid: {
    subject: (shop) => `Een deel van uw betaling aan ${shop} ontbreekt`,
    title: 'Er ontbreekt nog een deel',
    body: (received, remaining) => `${received} is aangekomen, ${remaining} ontbreekt.`,
    todo: 'De pagina zegt wat de rest nu kost en hoe u die betaalt. Wilt u die niet betalen? Vraag de winkel om terugbetaling en noem het kenmerk.',
    button: 'De rest betalen',
  },
  expired: {
    subject: (shop) => `De tijd om ${shop} te betalen is verstreken`,
    title: 'De betaaltijd is verstreken',
    body: 'Er is niets in rekening gebracht. Verstuur niets meer tegen de oude prijs.',
    todo: 'Wilt u toch betalen? De pagina geeft u een nieuwe prijs. Hebt u al verstuurd? Wat aankomt, wordt nog bijgeschreven: bewaar het kenmerk.',
    money: {
      body: 'Er kwam iets binnen dat niet als deze betaling telt: een andere munt, of een overboeking die het netwerk niet heeft bevestigd.',
      todo: 'Het is niet verloren. Wat het netwerk later bevestigt, wordt alsnog bijgeschreven. Vraag bij een andere munt de winkel en noem de referentie. De pagina toont wat er is gezien.',
    },
    button: 'Pagina openen',
  },
  claim: {
    subject: (shop) => `Een terugbetaling van ${shop} wacht op u`,
    title: 'Een terugbetaling wacht op u',
    body: (shop, amount) => `${shop} betaalt u ${amount} terug. De pagina vraagt waarheen.`,
    until: (moment) =>
      `Zij is open tot ${moment}. Geef de link aan niemand door: wie hem heeft, bepaalt waar het geld naartoe gaat.`,
    button: 'Zeggen waarheen',
  },
  sent: {
    subject: (shop) => `Uw terugbetaling van ${shop} is verstuurd`,
    title: 'Uw terugbetaling is verstuurd',
    body: (amount, address) => `${amount} is verstuurd naar ${address}.`,
    transaction: (transaction) => `Transactie: ${transaction}`,
    button: 'Betaling bekijken',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Factuur ${name} van ${shop}`,
      title: 'Uw factuur',
      body: (shop, total) => `${shop} heeft u een factuur van ${total} gestuurd.`,
      due: (day) => `Betaal haar uiterlijk op ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Herinnering: factuur ${name} van ${shop}`,
      title: 'Uw factuur vervalt binnenkort',
      body: (total, day) => `Uw factuur van ${total} vervalt op ${day}.`,
    },
    today: {
      subject: (shop, name) => `Factuur ${name} van ${shop} vervalt vandaag`,
      title: 'Uw factuur vervalt vandaag',
      body: (total, day) => `Uw factuur van ${total} vervalt vandaag, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `Factuur ${name} van ${shop} is achterstallig`,
      title: 'Uw factuur is achterstallig',
      body: (total, day) =>
        `Uw factuur van ${total} verviel op ${day}. Wij zien er nog geen betaling voor.`,
    },
    hint: 'De pagina toont de factuur en neemt de betaling aan, tegen de prijs van dat moment. Al betaald? Dan hoeft u niets te doen.',
    number: (name) => `Factuurnummer: ${name}`,
    button: 'Factuur bekijken en betalen',
  },
  page: {
    title: (shop) => `Mails over betalingen aan ${shop}`,
    gets: 'U krijgt mails over uw betalingen aan deze winkel.',
    leave: 'Geen mails meer',
    left: 'U krijgt geen mails meer over uw betalingen aan deze winkel.',
    again: 'Weer mails ontvangen',
  },
};

export const nlVerify: SomeOf<VerifyTexts> = {
  title: 'Een kwitantie of factuur controleren',
  hint: 'Typ de code die op de kwitantie of de factuur staat. U leest wat onze boeken ervan zeggen, en niets over de koper.',
  code: 'Controlecode',
  at: 'Controleren op',
  check: 'Controleren',
  unknown:
    'Geen kwitantie en geen factuur van ons heeft deze code. Vergelijk haar teken voor teken.',
  compare: 'Vergelijk dit met het papier dat u hebt. Wat hier staat, geldt.',
  issuer: 'Uitgegeven door',
  states: {
    paid: 'Dit is betaald',
    partial: 'Een deel hiervan is betaald',
    open: 'Hiervoor is geen bevestigde betaling',
    reversed: 'Dit was betaald, en het netwerk heeft de betaling teruggedraaid',
    refunded: 'Dit was betaald, en het geld is teruggegeven',
    partlyRefunded: 'Dit was betaald, en een deel is teruggegeven',
    cancelled: 'Deze factuur is vervallen',
    cancellation: 'Dit document laat een factuur vervallen',
  },
  worth: 'Betaald bedrag',
  explorer: 'Op het netwerk',
};
