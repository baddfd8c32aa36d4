import type { DeveloperTexts } from './en.ts';

export const itDevelopers: DeveloperTexts = {
  requests: {
    title: 'Richieste',
    hint: 'Ciò che i suoi programmi hanno chiesto all’API negli ultimi sette giorni. I segreti sono tagliati.',
    missed: (count: string) =>
      `${count} richieste mancano qui: erano troppe insieme, o non si sono potute scrivere.`,
    status: 'Risposta',
    succeeded: 'Riuscita (2xx)',
    refused: 'Rifiutata (4xx)',
    failed: 'Fallita (5xx)',
    path: 'Il percorso inizia con',
    key: 'Chiave API',
    at: 'Ora',
    duration: 'Durata',
    address: 'Da',
    asked: 'Che cosa è stato chiesto',
    answered: 'Che cosa è stato risposto',
    bytes: (count: string) => `${count} byte`,
    unproven:
      'Chi l’ha inviata non ha provato la chiave: nulla di ciò che ha inviato è conservato.',
    notKept: 'Il corpo non è conservato: non è JSON, o è troppo lungo.',
  },
  testEvent: {
    title: 'Provare un destinatario',
    hint: 'Un evento firmato con dati inventati va a un destinatario. Il suo testo dice "test": true e nulla di ciò è accaduto.',
    receiver: 'Destinatario',
    kind: 'Tipo',
    send: 'Inviare un evento di prova',
    mark: 'Evento di prova: nulla di ciò è accaduto.',
  },
  eventKinds: {
    title: 'Tipi di eventi',
    hint: 'Quando ciascuno viene comunicato e come appare. I dati sono inventati.',
    example: 'Esempio',
  },
};
