import type { Texts } from './en.ts';
import { itPaying, itShop } from './paying/it.ts';
import { countedText, type NounForms } from './plural.ts';

const count = (number: number, forms: NounForms) => countedText('it', number, forms);

export const it: Texts = {
  paying: itPaying,
  shop: itShop,
  page: {
    language: 'Lingua',
    skip: 'Vai direttamente al pagamento',
    notInFrame: 'Questa pagina non può essere mostrata dentro un’altra pagina.',
    newWindow: 'Apri in una nuova finestra',
    poweredBy: 'Pagamenti con Quittance',
    testMode: 'Modalità di prova',
    testModeHint: 'Qui non si muove denaro vero.',
    copy: 'Copia',
    copied: 'Copiato',
    back: 'Indietro',
    tryAgain: 'Riprova',
  },
  summary: {
    title: 'Il Suo ordine',
    quantity: (quantity) => `× ${quantity}`,
    discount: 'Sconto',
    shipping: 'Spedizione',
    tax: 'Imposta',
    total: 'Totale',
    seller: 'Venditore',
    order: 'Riferimento del pagamento',
  },
  choose: {
    title: (total) => `Paga ${total}`,
    hint: 'Scelga con che cosa desidera pagare.',
    networkTitle: (group) => `Paga con ${group}`,
    networkHint: 'Scelga la rete su cui invia il Suo wallet o exchange.',
    only: 'Nella pagina successiva vedrà l’importo e dove inviarlo.',
    continue: 'Continua',
    otherGroups: 'Altre valute',
    back: 'Torna al pagamento',
    on: (network) => `sulla rete ${network}`,
    timeInstant: 'confermato in pochi secondi',
    timeMinutes: (minutes) => `confermato in circa ${minutes}`,
    exchanges: 'anche da un exchange',
    none: 'Non è più aperto nessun modo di pagamento. Torni al negozio e ripeta l’ordine.',
    slow: 'al momento i pagamenti compaiono in ritardo',
  },
  pay: {
    title: (total) => `Paga ${total}`,
    amount: 'Invii esattamente',
    amountRest: 'Ancora da inviare',
    address: (network) => `A questo indirizzo ${network}`,
    invoice: 'Paghi questa fattura Lightning',
    memo: 'Con questo memo',
    tag: 'Con questo destination tag',
    memoWarning:
      'Il memo fa parte del Suo pagamento. Senza di esso non possiamo sapere chi ha pagato.',
    tagWarning:
      'Il tag fa parte del Suo pagamento. Senza di esso non possiamo sapere chi ha pagato.',
    onlyNetwork: (assetCode, network) =>
      `Invii ${assetCode} solo sulla rete ${network}. Qualsiasi altra cosa può andare persa.`,
    qrLink: 'Link completo',
    qrAddress: 'Solo indirizzo',
    qrShows: 'Il codice contiene',
    qrAlt: (content) => `Codice QR. Contiene: ${content}`,
    link: 'Link di pagamento come testo',
    wallet: 'Apri nel wallet',
    exchange:
      'Paga da un exchange? La commissione di prelievo si aggiunge: si assicuri che arrivi esattamente questo importo.',
    timeLeft: (time) => `Tempo rimasto a questo prezzo: ${time}`,
    timeShort: 'meno di un minuto',
    windowOver: 'Il tempo per questo prezzo è scaduto.',
    watching: 'Stiamo osservando la rete. Questa pagina cambia appena vediamo il Suo pagamento.',
    change: 'Paga in un altro modo',
    cancel: 'Annulla il pagamento',
    rate: (one, price, time) => `${one} = ${price}, alle ${time}`,
    networkFee: (network) => `Il Suo wallet aggiunge a parte la commissione della rete ${network}.`,
    anchorFee: (fee) => `Di cui ${fee} di commissione del servizio che inoltra il pagamento.`,
    unify: 'Un solo codice per Bitcoin e Lightning',
  },
  bank: {
    time: 'circa un giorno lavorativo',
    holder: 'Intestatario del conto',
    account: 'Numero di conto',
    pixKey: 'Chiave Pix',
    reference: 'Con questa causale',
    referenceWarning:
      'La causale fa parte del Suo pagamento. Senza di essa non possiamo sapere chi ha pagato.',
    duration: 'Un bonifico richiede circa un giorno lavorativo. Vale in qualunque momento arrivi.',
    code: 'Scansioni il codice con la app della Sua banca.',
    fees: 'La Sua banca può applicare una commissione. Deve arrivare esattamente questo importo.',
    watching:
      'Può chiudere questa pagina. Il negozio saprà del Suo bonifico quando la nostra banca lo registra.',
  },
  seen: {
    title: 'Vediamo il Suo pagamento',
    hint: 'Può chiudere questa pagina. Tutto il resto avviene da sé.',
    amount: 'Visto finora',
    confirmations: (have, need) =>
      `${have} di ${count(need, { one: 'conferma', other: 'conferme' })}`,
    waiting: 'in attesa della prima conferma',
    final: 'confermato',
    held: 'confermato, per ora trattenuto',
    heldHint:
      'In questo momento la rete non funziona come dovrebbe. I pagamenti più grandi attendono che torni alla normalità. Non deve fare nulla.',
    wrongAsset: 'valuta diversa da quella richiesta',
    transaction: 'Transazione',
    timeSeconds: 'Di solito bastano pochi secondi, al massimo un minuto.',
    timeMinutes: (range) =>
      `Di solito ci vogliono ${range}. I blocchi arrivano a intervalli irregolari.`,
    short: 'È meno del prezzo. Per favore, invii anche il resto.',
    explorer: (host) => `Vedi su ${host}`,
  },
  partial: {
    title: 'Ne manca ancora una parte',
    hint: 'Il Suo pagamento è arrivato, ma era inferiore al prezzo.',
    received: 'Ricevuto',
    remaining: 'Mancano ancora',
    rest: 'Invii il resto allo stesso modo:',
    windowOver: 'Il tempo per questo prezzo è scaduto: per favore, non invii nulla al vecchio.',
    alternatives:
      'Non vuole pagare il resto? Chieda un rimborso al negozio e indichi il riferimento.',
  },
  paid: {
    title: 'Pagato. Grazie!',
    hint: 'Il pagamento è completo e il negozio è stato avvisato.',
    amount: 'Importo',
    seller: 'Pagato a',
    when: 'Completato',
    reference: 'Riferimento',
    return: 'Torna al negozio',
    print: 'Può stampare o salvare questa pagina come prova di pagamento.',
    leaving: (time) => `Tornerà al negozio tra ${time}.`,
    stay: 'Resta su questa pagina',
  },
  expired: {
    title: 'Il tempo per pagare è scaduto',
    doNotSend: 'Per favore, ora non invii nulla.',
    alreadySent: 'Ha già inviato?',
    alreadySentHint:
      'Continuiamo a osservare l’indirizzo e ciò che arriva viene ancora accreditato. Conservi questo riferimento.',
    wasDue: 'Era richiesto',
    address: 'All’indirizzo',
    newPrice: 'Ottieni un nuovo prezzo',
    again: 'Scegli un altro modo di pagamento',
    return: 'Torna al negozio',
  },
  cancelled: {
    title: 'Pagamento annullato',
    nothing: 'Non è stato addebitato nulla.',
    hint: 'Per favore, non invii nulla all’indirizzo che ha visto.',
    sent: 'Se ha inviato qualcosa prima, viene ancora accreditato al negozio: indichi lì questo riferimento.',
    back: 'Torna al negozio',
  },
  trouble: {
    title: 'Stiamo verificando',
    behindOver: (network) =>
      `Il tempo per pagare è scaduto, ma al momento non vediamo i pagamenti più recenti sulla rete ${network}. Se ha pagato, il Suo pagamento verrà trovato. Altrimenti, per favore, ora non invii nulla.`,
    behind: (network) =>
      `Al momento non vediamo i pagamenti più recenti sulla rete ${network}. Ciò che arriva comparirà qui un po’ più tardi.`,
    replaced:
      'Un pagamento che avevamo visto è stato sostituito o ritirato. Conta solo ciò che la rete conferma.',
    wrongAsset:
      'È arrivata una valuta diversa da quella richiesta. Non è persa, ma non paga questo ordine: chieda al negozio e indichi il riferimento.',
    reversed:
      'La rete ha annullato un pagamento confermato: non conta più. Il negozio è stato avvisato.',
    takenBack: 'Il Suo pagamento è stato annullato',
    takenBackHint:
      'La rete ha annullato un pagamento confermato. Il negozio è stato avvisato: per favore, chieda lì prima di pagare di nuovo.',
    rateMissing: (assets) =>
      `Non c’è un prezzo attuale per ${assets}, perciò al momento non si può scegliere.`,
    wrongNetwork: (amount, network) =>
      `È arrivato ${amount} su ${network}, dove non era richiesto. Non è perso, ma non paga questo ordine: contatti il negozio e indichi il riferimento.`,
  },
  notice: {
    over: (amount) =>
      `Ha inviato ${amount} in più. Anche questo è stato accreditato al negozio: chieda lì la restituzione.`,
    late: 'È arrivato dopo la scadenza ed è stato accreditato al prezzo del momento di arrivo.',
    multiple:
      'Per questo ordine è arrivato più di un pagamento. Chieda al negozio di ciò che è stato pagato in più.',
    acceptedUnderpaid: 'Era meno del prezzo, e il negozio lo ha accettato.',
    refundAwaiting: (amount) =>
      `Il negozio Le restituisce ${amount}. Le darà un link in cui indicare dove inviarlo.`,
    refundUnderWay: (amount) => `Il negozio Le restituisce ${amount}: è in arrivo.`,
    refundCompleted: (amount) => `Il negozio Le ha restituito ${amount}.`,
  },
  contact: {
    hint: 'Domande? Indichi il riferimento.',
    link: 'Contatta il negozio',
  },
  find: {
    title: 'Trova il mio pagamento',
    hint: 'Ha già inviato? Incolli l’hash della transazione dal Suo wallet o exchange.',
    label: 'Hash della transazione',
    button: 'Verifica',
    unreadable:
      'Qui non c’è alcun hash di transazione. Ha 64 lettere e cifre; il Suo wallet lo mostra nei dettagli del pagamento.',
    waiting: (amount) => `Lo vediamo: ${amount}. Attende la prima conferma; non deve fare nulla.`,
    confirming: (amount) =>
      `Lo vediamo: ${amount}. La rete lo sta confermando; non deve fare nulla.`,
    confirmed: (amount) => `È arrivato ed è confermato: ${amount}.`,
    gone: 'Lo avevamo visto, ma la rete lo ha sostituito o scartato. Conta solo ciò che la rete conferma: controlli nel Suo wallet.',
    less: (amount, missing) => `È arrivato: ${amount}. Non basta ancora: manca ${missing}.`,
    lessAsk: (amount) =>
      `È arrivato: ${amount}. È meno del prezzo: chieda al negozio e indichi il riferimento.`,
    more: (amount, excess) =>
      `È arrivato: ${amount}. È ${excess} più del necessario; chieda la restituzione al negozio.`,
    wrongAsset: (asset) =>
      `È arrivato, ma in ${asset}, che non era richiesto. Non è perso: contatti il negozio e indichi il riferimento.`,
    wrongNetwork: (network) =>
      `Questo pagamento è sulla rete ${network}, dove non era richiesto. Non è perso: contatti il negozio e indichi il riferimento.`,
    otherNetwork:
      'Questo hash è di un altro tipo di rete rispetto a quella indicata. Controlli nel Suo wallet su quale rete ha inviato e contatti il negozio.',
    noMemo: (network) =>
      `È arrivato su ${network}, ma senza il memo o il tag che indica il Suo ordine. Non è perso: contatti il negozio con il riferimento e questa transazione.`,
    elsewhere:
      'Questo pagamento non appartiene a questo ordine. Controlli di aver incollato quello giusto.',
    notFound:
      'Non lo vediamo ancora. Se il Suo wallet dice che è stato inviato, controlli lì la rete e l’indirizzo e riprovi tra qualche minuto.',
    notFoundBehind: (networks) =>
      `Non lo vediamo, ma al momento non vediamo nemmeno i pagamenti più recenti su ${networks}. Riprovi un po’ più tardi; nulla è perso.`,
    tooOften: 'È stato chiesto molte volte in poco tempo. Attenda un minuto e riprovi.',
  },
  error: {
    missingTitle: 'Questa pagina non esiste',
    missingHint: 'L’indirizzo è incompleto o non è mai stato nostro.',
    methodGone: 'Questo modo di pagamento non è più aperto. Per favore, ne scelga un altro.',
    hasMoney: 'È già stato visto un pagamento, quindi non è possibile annullare.',
    completed: 'Questo ordine è già pagato.',
    outageTitle: 'Un momento, per favore',
    outageHint:
      'Una parte del nostro sistema non risponde. Non è andato perso nulla. Per favore, riprovi.',
    faultTitle: 'Qualcosa è andato storto da parte nostra',
    faultHint:
      'Non è andato perso nulla. Per favore, riprovi; se accade di nuovo, avvisi il negozio.',
    refusedTitle: 'Non ha funzionato',
    refusedHint: 'Per favore, torni indietro e riprovi.',
    rateAway:
      'Al momento non c’è un prezzo attuale per questo modo di pagamento. Non è stato addebitato nulla: ne scelga un altro o riprovi tra un minuto.',
    networkAway:
      'Al momento questa rete non ci risponde. Non è stato addebitato nulla: ne scelga un’altra o riprovi tra un minuto.',
    addressPending:
      'L’indirizzo è ancora in preparazione. Non è stato addebitato nulla: scelga di nuovo questo metodo tra qualche secondo.',
  },
  link: {
    amount: 'Importo',
    between: (least, most) => `Da ${least} a ${most}.`,
    atLeast: (least) => `Almeno ${least}.`,
    atMost: (most) => `Al massimo ${most}.`,
    pay: 'Continua al pagamento',
    wrong: 'Scrivi un importo come 12,50 che questo link accetta.',
    off: 'Questo link non è in uso in questo momento.',
    over: 'Il tempo di questo link è finito.',
    soldOut: 'Non resta nulla. Può liberarsi un posto: riguarda tra un’ora.',
    closed: 'Ora non si può pagare. Riprova più tardi.',
  },
  refund: {
    title: (amount) => `Rimborso di ${amount}`,
    hint: (network) =>
      `Il negozio Le restituisce questo denaro. Ci indichi dove inviarlo, sulla rete ${network}.`,
    yourAddress: (network) => `Il Suo indirizzo ${network}`,
    lightningAddress:
      'Il Suo indirizzo Lightning (nome@esempio.it), o una fattura per questo importo esatto',
    memoLabel: 'Memo, se il Suo exchange lo chiede',
    tagLabel: 'Destination tag, se il Suo exchange lo chiede',
    memoHint:
      'Gli exchange lo richiedono: senza, il denaro può non arrivare sul Suo conto. Per un wallet proprio lo lasci vuoto.',
    memoType: 'Tipo di memo',
    check: 'Lo controlli bene: ciò che è stato inviato non si può recuperare.',
    claim: 'Invia lì',
    next: 'Avanti',
    review: 'È tutto giusto?',
    edit: 'Modifica',
    none: 'nessuno',
    until: 'Aperto fino al',
    looksLike: (forms) => `Inizia con ${forms}.`,
    whereFrom: (network) =>
      `Da un wallet proprio (un’app o un dispositivo di cui solo Lei ha le chiavi): copi il suo indirizzo di ricezione su ${network}. Da un exchange: copi il suo indirizzo di deposito proprio per questa rete.`,
    bankHint: {
      SEPA: 'L’IBAN del Suo conto presso una banca dell’area SEPA.',
      SWIFT:
        'Quattro parti separate da punto e virgola: IBAN o numero di conto; BIC; nome del titolare; via, città, codice del paese.',
      PIX: 'La Sua chiave Pix: CPF, CNPJ, indirizzo e-mail, telefono con +55 o chiave casuale.',
    },
    noAddress:
      'Questo non è un indirizzo di questa rete. Per favore, lo copi di nuovo dal Suo wallet.',
    badMemo: 'Questo memo non corrisponde al tipo. Per favore, lo copi di nuovo dal Suo exchange.',
    badTag: 'Un destination tag è un numero intero. Per favore, lo copi di nuovo dal Suo exchange.',
    tooDear:
      'In questo momento la rete trattiene per un invio molto più di quando è stato creato questo rimborso. Il denaro resta riservato per Lei: per favore, torni tra qualche ora.',
    underWay: 'Il Suo rimborso è in arrivo. Può chiudere questa pagina.',
    rests: (when: string) =>
      `Per la Sua sicurezza il rimborso sarà inviato dopo il ${when}. Può chiudere questa pagina.`,
    completed: 'Il Suo rimborso è stato inviato ed è arrivato.',
    toClaim: (asset) =>
      `Il Suo rimborso è stato inviato. Il Suo conto non accetta ancora ${asset}, perciò il denaro La attende sulla rete: aggiunga ${asset} nel Suo wallet e poi riscuota il saldo indicato sotto.`,
    claimBefore: (when) =>
      `Lo riscuota prima di questo momento: ${when}. Dopo il negozio può riprenderlo.`,
    failed: 'Non è stato possibile inviare il rimborso. Per favore, chieda al negozio.',
    address: 'A questo indirizzo',
    transaction: 'Transazione',
    uncertain: 'Il rimborso sarà inviato appena la rete avrà confermato di nuovo il pagamento.',
    takenBack:
      'La rete ha annullato il pagamento, quindi non c’è nulla da rimborsare: il denaro è ancora, o di nuovo, dove era quando ha pagato.',
  },
  paper: {
    receipt: 'Ricevuta',
    invoice: 'Fattura',
    date: 'Data',
    buyer: 'Acquirente',
    taxId: 'Codice fiscale o partita IVA',
    description: 'Descrizione',
    amount: 'Importo',
    state: 'Stato',
    states: {
      open: 'Da pagare',
      underWay: 'Pagamento in arrivo',
      partial: 'Pagato in parte',
      paid: 'Pagato',
      over: 'Tempo per pagare scaduto',
      cancelled: 'Annullato',
    },
    due: 'Importo dovuto',
    howToPay: 'Come pagare',
    howToPayHint:
      'Apra questo indirizzo o scansioni il codice. Lì sceglie con che cosa pagare e vede l’importo esatto da inviare.',
    payment: (number) => `Pagamento ${number}`,
    arrived: 'Visto',
    confirmed: 'Confermato',
    notConfirmed: 'non ancora confermato',
    network: 'Rete',
    rate: 'Cambio',
    refund: (number) => `Rimborso ${number}`,
    refunded: 'Rimborsato',
    print: 'Può stampare o salvare questa pagina.',
    pdf: 'Ricevuta in PDF',
    toPayment: 'Vai alla pagina di pagamento',
    page: (page, pages) => `Pagina ${page} di ${pages}`,
    missingTitle: 'Non c’è ancora una ricevuta',
    missingHint: 'Comparirà qui appena il pagamento sarà confermato.',
  },
  bill: {
    number: 'Numero della fattura',
    dueOn: 'Scadenza',
    net: 'Importo netto',
    vatId: 'Partita IVA',
    taxNumber: 'Codice fiscale',
    delivered: 'Consegna o prestazione',
    cancellation: 'Nota di storno',
    cancels: (name, day) => `Annulla la fattura ${name} del ${day}.`,
    cancelledBy: (name) => `Questa fattura è stata annullata da ${name}.`,
    overdue: 'Scaduta',
    pay: 'Paga adesso',
    payHint: 'Lei sceglie con che cosa pagare e vede il prezzo di questo momento.',
    underWay: 'Un pagamento per questa fattura è in corso.',
    pdf: 'Fattura in PDF',
  },
  sandbox: {
    title: 'Wallet di prova',
    hint: 'Faccia la parte di chi paga. Solo in modalità di prova, su reti simulate.',
    payExact: 'Paga l’importo esatto',
    payUnder: 'Paga la metà',
    payOver: 'Paga un quarto in più',
    payParts: 'Paga in due parti',
    payLate: 'Paga troppo tardi',
    replace: 'Sostituisci il pagamento',
    reorg: 'Riorganizza',
    mine: 'Genera un blocco',
    expire: 'Fai scadere ora',
    payRest: 'Paga il resto',
    payOtherAsset: 'Paga in altra valuta',
  },
};
