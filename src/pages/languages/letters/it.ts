import type { LetterTexts, VerifyTexts } from './en.ts';

export const itLetters: LetterTexts = {
  test: 'Prova',
  testHint: 'Era una prova: non si è mosso denaro vero.',
  reference: (id) => `Riferimento: ${id}`,
  contact: (contact) => `Domande? Si rivolga al negozio: ${contact}`,
  why: (shop) => `Riceve questa e-mail perché paga ${shop} e il negozio ha il Suo indirizzo.`,
  whyAsked: (shop) =>
    `Riceve questa mail perché qualcuno ha indicato il suo indirizzo sulla pagina di un pagamento a ${shop}.`,
  leave: 'Non ricevere più e-mail sui pagamenti a questo negozio',
  seen: {
    subject: (shop) => `Il Suo pagamento a ${shop} è stato visto`,
    title: 'Il Suo pagamento è stato visto',
    body: (amount) => `${amount} sono in arrivo. La rete li sta confermando; non deve fare nulla.`,
    button: 'Vedere a che punto è',
  },
  paid: {
    subject: (shop) => `Il Suo pagamento a ${shop} è completo`,
    title: 'Pagato. Grazie!',
    body: (shop, total) => `${shop} ha ricevuto il Suo pagamento di ${total}.`,
    button: 'Aprire la ricevuta',
  },
  underpaid: {
    subject: (shop) => `Manca una parte del Suo pagamento a ${shop}`,
    title: 'Manca ancora una parte',
    body: (received, remaining) => `Sono arrivati ${received}, mancano ${remaining}.`,
    todo: 'La pagina dice quanto costa il resto adesso e come pagarlo. Non vuole pagarlo? Chieda un rimborso al negozio indicando il riferimento.',
    button: 'Pagare il resto',
  },
  expired: {
    subject: (shop) => `Il tempo per pagare ${shop} è scaduto`,
    title: 'Il tempo per pagare è scaduto',
    body: 'Non è stato addebitato nulla. Non invii nulla al vecchio prezzo.',
    todo: 'Vuole ancora pagare? La pagina Le dà un nuovo prezzo. Ha già inviato? Ciò che arriva viene comunque accreditato: conservi il riferimento.',
    money: {
      body: 'È arrivato qualcosa che non vale come questo pagamento: un’altra moneta, o un trasferimento che la rete non ha confermato.',
      todo: 'Non è perso. Ciò che la rete confermerà dopo sarà comunque accreditato. Per un’altra moneta chieda al negozio e indichi il riferimento. La pagina mostra ciò che si è visto.',
    },
    button: 'Aprire la pagina',
  },
  claim: {
    subject: (shop) => `Un rimborso di ${shop} La aspetta`,
    title: 'Un rimborso La aspetta',
    body: (shop, amount) => `${shop} Le restituisce ${amount}. La pagina chiede dove inviarlo.`,
    until: (moment) =>
      `È aperto fino al ${moment}. Non dia il link a nessuno: chi lo ha decide dove va il denaro.`,
    button: 'Dire dove inviarlo',
  },
  sent: {
    subject: (shop) => `Il Suo rimborso di ${shop} è stato inviato`,
    title: 'Il Suo rimborso è stato inviato',
    body: (amount, address) => `${amount} sono stati inviati a ${address}.`,
    transaction: (transaction) => `Transazione: ${transaction}`,
    button: 'Vedere il pagamento',
  },
  bill: {
    sent: {
      subject: (shop, name) => `Fattura ${name} di ${shop}`,
      title: 'La Sua fattura',
      body: (shop, total) => `${shop} Le ha inviato una fattura di ${total}.`,
      due: (day) => `La paghi entro il giorno ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Promemoria: fattura ${name} di ${shop}`,
      title: 'La Sua fattura scade presto',
      body: (total, day) => `La Sua fattura di ${total} scade il giorno ${day}.`,
    },
    today: {
      subject: (shop, name) => `La fattura ${name} di ${shop} scade oggi`,
      title: 'La Sua fattura scade oggi',
      body: (total, day) => `La Sua fattura di ${total} scade oggi, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `La fattura ${name} di ${shop} è scaduta`,
      title: 'La Sua fattura è scaduta',
      body: (total, day) =>
        `La Sua fattura di ${total} è scaduta il giorno ${day}. Non vediamo ancora alcun pagamento.`,
    },
    hint: 'La pagina mostra la fattura e riceve il pagamento, al prezzo di quel momento. Ha già pagato? Allora non deve fare nulla.',
    number: (name) => `Numero della fattura: ${name}`,
    button: 'Vedere e pagare la fattura',
  },
  page: {
    title: (shop) => `E-mail sui pagamenti a ${shop}`,
    gets: 'Riceve e-mail sui Suoi pagamenti a questo negozio.',
    leave: 'Niente più e-mail',
    left: 'Non riceve più e-mail sui Suoi pagamenti a questo negozio.',
    again: 'Ricevere di nuovo le e-mail',
  },
  staff: {
    why: (shop) => `Riceve questa e-mail perché lavora con ${shop}.`,
    choose: 'Scegliere quali e-mail riceve',
    paid: {
      subject: (shop, total) => `${shop}: pagati ${total}`,
      title: 'Pagato',
      body: (total) => `Un pagamento di ${total} è completo.`,
      button: 'Aprire il pagamento',
    },
    needs: {
      subject: (shop) => `${shop}: un pagamento ha bisogno di Lei`,
      title: 'Un pagamento ha bisogno di Lei',
      reasons: {
        underpaid:
          'È arrivato meno di quanto richiesto. Lo accetti, lo rimborsi o aspetti il resto.',
        misdirected:
          'È arrivato denaro in un altro asset o su un’altra rete rispetto a quanto richiesto. Decida che cosa farne.',
        again: 'Un pagamento già completo è stato pagato di nuovo. Rimborsi ciò che è di troppo.',
        billAgain:
          'Una fattura già pagata è stata pagata un’altra volta. Rimborsi ciò che è di troppo.',
        reversed: 'La rete ha ripreso un pagamento che era accreditato. Veda se ha già consegnato.',
        failed: 'Denaro che doveva uscire non è uscito, o è tornato. Veda perché.',
      },
      button: 'Vederlo',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `La Sua giornata: ${day}`,
      paid: (count) => `Pagamenti completi: ${count}`,
      total: (sums) => `In totale: ${sums}`,
      needs: (count) => `Avevano bisogno di qualcuno: ${count}`,
      button: 'Aprire il pannello',
    },
  },
};

export const itVerify: VerifyTexts = {
  title: 'Verificare una ricevuta o una fattura',
  hint: 'Inserisca il codice che si trova sulla ricevuta o sulla fattura. Saprà che cosa ne dicono i nostri libri, e niente dell’acquirente.',
  code: 'Codice di verifica',
  at: 'Verificare su',
  check: 'Verifica',
  unknown: 'Nessuna nostra ricevuta o fattura ha questo codice. Lo confronti segno per segno.',
  compare: 'Lo confronti con il documento che ha in mano. Vale ciò che si legge qui.',
  issuer: 'Emessa da',
  states: {
    paid: 'È pagato',
    partial: 'È pagato in parte',
    open: 'Per questo non c’è un pagamento confermato',
    reversed: 'Era pagato, e la rete ha annullato il pagamento',
    refunded: 'Era pagato, e il denaro è stato restituito',
    partlyRefunded: 'Era pagato, e una parte è stata restituita',
    cancelled: 'Questa fattura è stata annullata',
    cancellation: 'Questo documento annulla una fattura',
  },
  worth: 'Importo pagato',
  explorer: 'Sulla rete',
};
