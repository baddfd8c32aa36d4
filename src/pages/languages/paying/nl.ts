// Dutch of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts, ShopTexts } from './en.ts';

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
  mail: {
    title: 'Laat het me per e-mail weten als het klaar is',
    hint: 'Eén mail als er betaald is, of als u nog iets kunt doen. Het adres wordt nergens anders voor gebruikt.',
    label: 'E-mailadres',
    button: 'Laat het weten',
    asked: 'U hoort het per e-mail',
    again: 'Verkeerd getypt? Geef het adres nog een keer op.',
    fault: 'Geef een adres op zoals ann@mail.example.',
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
  wallets: {
    app: (app) => `Openen in ${app}`,
    with: (wallet) => `Betalen met ${wallet}`,
    browser: 'Betalen met de wallet van deze browser',
    asking: (wallet) => `Bevestig de betaling in ${wallet}.`,
    switching: (network) => `Uw wallet vraagt u over te gaan naar het netwerk ${network}.`,
    missing: (network) =>
      `Uw wallet kent het netwerk ${network} niet. Voeg het daar toe of betaal met de code.`,
    otherNetwork: (network) =>
      `Uw wallet staat op een ander netwerk. Kies daar het netwerk ${network} en probeer het opnieuw.`,
    poor: (account, held, needed) =>
      `Op het account ${account} staat ${held}; er is ${needed} nodig. Kies in uw wallet een ander account.`,
    refused: 'U hebt in uw wallet geweigerd. Er is niets verstuurd.',
    waiting: 'In uw wallet wacht al een vraag. Open haar en antwoord daar.',
    silent: 'Uw wallet antwoordt niet. Open en ontgrendel haar en probeer het opnieuw.',
    failed:
      'Dat kon uw wallet niet. Kijk daar of er iets is verstuurd voordat u het opnieuw probeert.',
    sent: 'Verstuurd. Deze pagina verandert zodra het netwerk uw betaling toont.',
    again: (wallet) => `Opnieuw versturen met ${wallet}`,
  },
};

export const nlShop: ShopTexts = {
  title: 'Alles voor schrijven met de hand',
  hint: 'Een proefwinkel: neem iets, reken af en betaal met de testwallet.',
  embedded: 'Betalen zonder de pagina te verlaten',
  embeddedHint: (product) =>
    `${product}, in een venster boven deze pagina: de betaalpagina, geopend door één script.`,
  howTo: 'Zo gaat het in een winkel',
  payHere: 'Hier betalen',
  states: 'Bekijk elke toestand van de betaalpagina',
  skip: 'Naar de inhoud',
  shop: 'Winkel',
  add: 'In winkelmand',
  addOf: (product) => `In winkelmand: ${product}`,
  less: (product) => `Eén minder: ${product}`,
  more: (product) => `Eén meer: ${product}`,
  cart: 'Winkelmand',
  post: 'Briefpost',
  tax: 'Btw',
  total: 'Totaal zonder btw',
  checkOut: 'Afrekenen met crypto',
  empty: 'Uw winkelmand is leeg.',
  look: 'Rondkijken',
  order: 'Bestelling',
  state: 'Toestand in de laatste webhook',
  none: 'nog geen',
  back: 'Terug naar de winkel',
  webhooks: 'Ontvangen webhooks',
  webhooksHint:
    'Meer weet de winkel niet. Hij gelooft een webhook alleen als de handtekening klopt, en die met het hoogste volgnummer.',
  nothing: 'Er is nog niets aangekomen. Deze pagina vraagt het vanzelf opnieuw.',
  verified: 'handtekening gecontroleerd: ja',
  unverified: 'handtekening gecontroleerd: nee',
  noEvent: 'geen gebeurtenis',
  headers: 'Kopregels',
  body: 'Inhoud',
  told: {
    completed: { title: 'Dank u! Uw bestelling is betaald.', hint: 'We pakken haar al in.' },
    pending: { title: 'Uw betaling is onderweg.', hint: 'Het netwerk bevestigt haar nu.' },
    underpaid: {
      title: 'Er ontbreekt nog een deel.',
      hint: 'De betaalpagina toont hoe u het stuurt.',
    },
    expired: { title: 'Niet op tijd betaald.', hint: 'Hebt u later betaald, dan telt het nog.' },
    cancelled: { title: 'Geannuleerd.', hint: 'Er is niets in rekening gebracht.' },
    waiting: { title: 'We wachten op de betaling.', hint: 'De winkel heeft nog niets gehoord.' },
  },
  madeUp: 'Bestellingen en artikelen zijn verzonnen.',
  about: 'Over deze dienst',
  products: {
    notebook: {
      name: 'Notitieboek met puntjes',
      about: '192 pagina’s die plat liggen, in linnen gebonden',
    },
    pen: { name: 'Messing pen', about: 'Uit één staaf gedraaid, wordt met de jaren mooier' },
    ink: { name: 'Mosgroene inkt', about: '50 ml groen dat bijna zwart opdroogt' },
    cards: {
      name: 'Ansichtkaarten met varens',
      about: 'Acht gedroogde varens, met de hand gedrukt',
    },
  },
};
