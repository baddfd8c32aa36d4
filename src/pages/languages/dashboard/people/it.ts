// Italian of people.

import type { PeopleTexts } from './en.ts';

export const itPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'E-mail scritta, in viaggio da',
      SENT: 'Inviata per e-mail',
      PARKED: 'L’e-mail è stata rifiutata',
    },
    title: 'Persone',
    who: 'Chi può fare che cosa',
    you: 'Lei',
    role: 'Ruolo',
    change: 'Modifica',
    invite: 'Invita qualcuno',
    name: 'Nome',
    email: 'Indirizzo e-mail',
    submit: 'Crea l’invito',
    link: 'Dia questo link alla persona. Vale una sola volta, per sette giorni, e viene mostrato solo ora.',
    open: 'Inviti in sospeso',
    until: 'Valido fino al',
    withdraw: 'Ritira',
  },
  signInLink: {
    send: 'Inviami un link',
    sent: 'Un link è in arrivo',
    sentHint:
      'Se qualcuno è conosciuto qui con questo indirizzo, riceve tra un attimo un’e-mail con un link. Funziona una volta, per quindici minuti.',
    title: 'Accedi con un link',
    hint: 'Questo link La fa accedere una volta. Denaro, chiavi e persone chiedono comunque la Sua password o passkey.',
    gone: 'Questo link è già stato usato o è troppo vecchio. Ne chieda un altro.',
  },
  trail: {
    title: 'Registro',
    hint: 'Che cosa hanno fatto le persone e le chiavi di questo negozio, che cosa gli è stato fatto dalla riga di comando e che cosa ha fatto il server per esso, con ciò che fu annotato per ogni atto. Nessuno lo cambia o lo cancella.',
    aboutHint: 'transfer:ID; oppure transfer, key, beneficiary, person: tutto di quel genere',
    sentFrom: 'Da dove',
    asCsv: 'Questi come tabella (CSV)',
    asJson: 'Questi come JSON',
  },
  keyboard: {
    title: 'Tastiera',
    search: 'Cercare',
    help: 'Questi tasti',
    on: 'Usare questi tasti in questo browser',
    close: 'Chiudere',
  },
};
