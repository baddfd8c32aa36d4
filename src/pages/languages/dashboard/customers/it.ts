// Italian of customers.

import type { CustomersTexts } from './en.ts';

export const itCustomers: CustomersTexts = {
  customers: {
    title: 'Clienti',
    one: 'Cliente',
    find: 'E-mail, nome o azienda comincia con',
    none: 'Non ci sono ancora clienti. Il negozio li crea o li nomina con un pagamento.',
    noneFound: 'Nessuno si chiama così.',
    more: 'Ce ne sono altri: scriva di più del nome.',
    fields: {
      email: 'Indirizzo e-mail',
      firstname: 'Nome',
      lastname: 'Cognome',
      company: 'Azienda',
      adr1: 'Indirizzo',
      adr2: 'Indirizzo, seconda riga',
      zip: 'CAP',
      city: 'Città',
      countrycode: 'Paese',
      phonenumber: 'Telefono',
      taxid: 'Codice fiscale',
      note: 'Nota',
    },
    history: 'Che cosa è stato comprato',
    noHistory: 'Non è stato ancora comprato nulla.',
    paid: 'Pagato',
    refunded: 'Rimborsato',
    addresses: 'Indirizzi noti',
    noAddresses:
      'Ancora nessuno. Un indirizzo è noto se gli è stato rimborsato qualcosa; chi ha inviato un pagamento non lo sa nessuno.',
    asJson: 'Tutto come JSON',
    asCsv: 'Acquisti come CSV',
    allAsCsv: 'Tutti come CSV',
    allAsJson: 'Tutti come JSON',
    erase: 'Cancellare questo cliente',
    eraseHint:
      'Nome, indirizzi, nota e tutto ciò che è personale sparisce per sempre. Pagamenti e libri tengono solo il riferimento, e i dati propri di un pagamento restano. Le e-mail inviate si dimenticano dopo 90 giorni.',
    sure: 'Sì, per sempre',
    notSure: 'Spunti la casella per dire che è sicuro.',
    erased: 'Il cliente è stato cancellato.',
  },
  merging: {
    title: 'Unisci a un’altra scheda',
    hint: 'Lo stesso cliente è qui due volte? Cerchi l’altra scheda: si vedono una accanto all’altra prima che accada qualcosa.',
    look: 'Cerca',
    pairHint:
      'Ciò che è in grassetto resta. Richieste, pagamenti e indirizzi noti di entrambe si vedono insieme; l’altro riferimento indica da allora questo cliente, anche per i Suoi programmi.',
    stays: 'Resta',
    other: 'Ne diventa parte',
    goes: 'va via per sempre',
    turn: 'Deve restare l’altra',
    forGood:
      'Non si può tornare indietro: ciò che va via non è conservato da nessuna parte, e le due non si possono più distinguere.',
    merge: 'Uniscile',
    changed: 'Una delle due è cambiata da quando ha guardato. Guardi di nuovo.',
    most: 'Questo cliente ha già tutti gli altri riferimenti che si conservano.',
    names: 'Altri riferimenti',
    done: 'Le due schede ora sono una.',
  },
};
