// Italian of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const itToday: TodayTexts = {
  today: {
    title: 'Oggi',
    first: 'Da dove cominciare',
    nothingSold: 'Qui non è ancora stato venduto nulla.',
    tryFirst:
      'Provi tutto prima in modalità di prova: è uguale in tutto, e nessun denaro vero si muove.',
    manual: 'Manuale',
    steps: {
      key: 'Crei una chiave API: il negozio firma con essa le richieste.',
      checkout: 'Chieda un primo pagamento: il manuale mostra la riga da incollare.',
      webhook: 'Faccia sapere al negozio quando qualcuno ha pagato.',
      settings: 'Nome, colore e logo sulle pagine che vedono i clienti.',
      people: 'Inviti chi lavora con Lei, ognuno con un ruolo.',
    },
    needsTitle: 'Che cosa aspetta qualcuno',
    nothingWaits: 'Nulla aspetta nessuno.',
    oldest: 'Il più vecchio',
    needs: {
      underpaid: {
        label: 'Pagato troppo poco',
        hint: 'È arrivato meno di quanto chiesto. Lo accetti o aspetti il resto.',
      },
      late: {
        label: 'Pagato in ritardo',
        hint: 'È arrivato fuori tempo e non basta al prezzo di oggi. Lo accetti o chieda il resto.',
      },
      'bill-again': {
        label: 'Fatture pagate due volte',
        hint: 'Per una fattura sono stati accreditati due pagamenti. Rimborsi quello di troppo o dica come è stato risolto.',
      },
      'wrong-asset': {
        label: 'Altro asset o altra rete di quanto chiesto',
        hint: 'È arrivato ed è tenuto da parte, non accreditato. Chi gestisce questo server lo rimanda o lo assegna.',
      },
      suspense: {
        label: 'Denaro senza proprietario che La nomina',
        hint: 'È tenuto da parte finché chi gestisce questo server non ha deciso.',
      },
      parked: {
        label: 'Pagamenti che non si sono potuti decidere',
        hint: 'Vengono ritentati. Se restano, lo dica a chi gestisce questo server.',
      },
      'parked-address': {
        label: 'Indirizzi di deposito che non si sono potuti decidere',
        hint: 'Lo dica a chi gestisce questo server.',
      },
      'webhook-given-up': {
        label: 'Webhook abbandonati',
        hint: 'Il negozio non è stato avvisato. Veda che cosa ha risposto e li invii di nuovo.',
      },
      'webhook-failing': {
        label: 'Webhook che falliscono',
        hint: 'Il negozio non risponde come dovrebbe. Si ritenta da sé.',
      },
      approval: {
        label: 'In attesa di una seconda persona',
        hint: 'Deve approvare qualcuno che non sia chi ha iniziato.',
      },
      transfer: {
        label: 'Trasferimenti da firmare o inviare',
        hint: 'Chi gestisce questo server li invia a mano o ripara ciò che li trattiene.',
      },
    },
    cameIn: 'Che cosa è entrato',
    cameInHint:
      'I giorni sono quelli di UTC. Le fatture contano come scritte; il resto ai prezzi salvati quel giorno.',
    periods: {
      1: 'Oggi',
      7: '7 giorni',
      30: '30 giorni',
    },
    payments: 'Pagamenti',
    worth: 'Valore',
    withoutPrice: 'E senza prezzo salvato',
    byDay: 'Per giorno',
    byAsset: 'Per mezzo di pagamento',
    byLanguage: 'Per lingua del cliente',
    asTable: 'Come tabella',
    day: 'Giorno',
    asset: 'Asset',
    language: 'Lingua',
    noLanguage: 'Senza pagina di pagamento',
    notKnown: 'Non noto',
  },
};
