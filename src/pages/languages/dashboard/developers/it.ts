import type { DeveloperTexts } from './en.ts';

export const itDevelopers: DeveloperTexts = {
  authentication: {
    title: 'Autenticazione',
    hint: 'Come si identificano i programmi di questo negozio. Vale per tutte le chiavi esistenti con questo tipo di denaro e per quelle future; ciò che muove denaro è sempre firmato.',
    label: 'Metodo preferito',
    DIGEST: 'Digest: le richieste sono firmate (consigliato)',
    BASIC: 'Anche X-Basic: un valore fisso, per prove',
    submit: 'Scegli',
  },
  receivers: {
    tellIn: (version) => `Avvisa nella versione ${version}`,
  },
  checkoutSecret: {
    title: 'Segreto dei pagamenti',
    hint: 'Firma ciò che va al webhook indicato dal pagamento stesso. I plugin dei programmi per negozi lo chiedono.',
    show: 'Mostra il segreto',
  },
  chains: {
    title: 'Reti simulate',
    hint: 'Che cosa un miner e un nodo potrebbero fare ai suoi pagamenti di prova. Riguarda solo i pagamenti di questo negozio: gli altri non se ne accorgono. I programmi fanno lo stesso con POST /sandbox/mine, /sandbox/reorg e /sandbox/freeze.',
    off: 'Le reti simulate sono disattivate su questo server.',
    height: 'Blocco più recente',
    instant: 'Qui ogni pagamento è subito definitivo: è un blocco a sé.',
    silentUntil: 'Il suo nodo tace fino a',
    blocks: 'Quanti blocchi',
    mine: 'Creare blocchi',
    mineAll: 'Creare blocchi ovunque',
    reorg: 'Annullare blocchi',
    silentFor: 'Per quanto tempo il nodo tace',
    stop: 'Fermare la rete',
    goOn: 'Riprendere ora',
    done: 'Fatto. Ecco come stanno ora le reti.',
    count: (most: string) => `Scriva un numero intero da 1 a ${most}.`,
  },
  requests: {
    title: 'Richieste',
    hint: 'Ciò che i suoi programmi hanno chiesto all’API negli ultimi sette giorni. I segreti sono tagliati.',
    looked: (count: string) =>
      `Per questa pagina ne sono stati esaminati ${count}; tra i più vecchi possono essercene altri.`,
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
    told: {
      CHECKOUT_COMPLETED: 'Un checkout è stato pagato per intero; il saldo è aggiornato',
      CHECKOUT_PENDING: 'È stato visto denaro per un checkout che non è ancora definitivo',
      CHECKOUT_UNDERPAID: 'Il denaro definitivo è meno di quanto serve',
      CHECKOUT_EXPIRED: 'Il tempo di un checkout è finito senza denaro definitivo',
      CHECKOUT_CANCELLED: 'Un checkout è stato annullato dal negozio o dal cliente',
      CHECKOUT_REVERSED: 'La rete ha ripreso denaro già accreditato',
      CHECKOUT_RESTORED: 'Il denaro che la rete aveva ripreso, o altro al suo posto, è tornato',
      CHECKOUT_PAID_AGAIN:
        'Un altro pagamento è stato accreditato dopo il completamento del checkout',
      CHECKOUT_PENDING_WITHDRAWN:
        'Il denaro di CHECKOUT_PENDING non arriverà: non è stato accreditato',
      CHECKOUT_MISDIRECTED:
        'È arrivato denaro in un altro asset o su un’altra rete rispetto alla richiesta',
      UNDERPAID_ACCEPTED: 'Un checkout pagato di meno è stato accettato con quanto è arrivato',
      REFUND_RESTS:
        'Un rimborso a un indirizzo nuovo sopra un limite parte più tardi: fino ad allora si può annullare',
      REFUND_COMPLETED: 'Un rimborso è arrivato',
      REFUND_FAILED: 'Un rimborso non è stato inviato né lo sarà; il denaro è di nuovo dov’era',
      REFUND_REOPENED:
        'Un rimborso era arrivato, o fallito, e la rete l’ha disfatto: è di nuovo in viaggio',
      REFUND_RETURNED:
        'Un rimborso era arrivato ed è stato rimandato indietro; il denaro è di nuovo dov’era',
      DEPOSIT_PENDING:
        'È stato visto denaro a un indirizzo di deposito che non è ancora definitivo',
      DEPOSIT_PENDING_WITHDRAWN:
        'Il denaro di DEPOSIT_PENDING non è più nella rete: non è stato accreditato',
      DEPOSIT_COMPLETED: 'Il denaro a un indirizzo di deposito è stato accreditato',
      DEPOSIT_REVERSED: 'La rete ha ripreso denaro accreditato di un indirizzo di deposito',
      DEPOSIT_MISDIRECTED:
        'È arrivato denaro in un altro asset a un indirizzo di deposito: aspetta che qualcuno decida',
      SUSPENSE_RESOLVED:
        'Denaro non assegnato è stato assegnato a lei, restituito a chi ha pagato o stralciato',
      SWAP_COMPLETED: 'Uno scambio è stato eseguito',
      SWAP_FAILED: 'Uno scambio non si è potuto eseguire',
      TRANSFER_COMPLETED: 'Un trasferimento è arrivato',
      TRANSFER_FAILED: 'Un trasferimento non può arrivare; il denaro è di nuovo disponibile',
      TRANSFER_REOPENED:
        'Un trasferimento era arrivato, o fallito, e la rete l’ha disfatto: è di nuovo in viaggio',
      TRANSFER_RETURNED:
        'Un trasferimento era arrivato ed è stato rimandato indietro; quanto è tornato è di nuovo disponibile',
      SETTLEMENT_SKIPPED:
        'Una regola di liquidazione era dovuta e non si è potuta seguire: detto una volta per motivo, mentre si riprova',
    },
  },
};
