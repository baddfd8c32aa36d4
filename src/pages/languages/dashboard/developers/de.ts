import type { DeveloperTexts } from './en.ts';

export const deDevelopers: DeveloperTexts = {
  authentication: {
    title: 'Authentifizierung',
    hint: 'Wie sich Programme dieses Shops ausweisen. Das gilt für jeden vorhandenen Schlüssel mit dieser Art von Geld und für spätere; was Geld bewegt, wird immer signiert.',
    label: 'Bevorzugtes Verfahren',
    DIGEST: 'Digest: Anfragen werden signiert (empfohlen)',
    BASIC: 'Auch X-Basic: ein fester Wert, zum Ausprobieren',
    submit: 'Festlegen',
  },
  receivers: {
    tellIn: (version) => `Ereignisse in ${version} melden`,
  },
  checkoutSecret: {
    title: 'Geheimnis der Zahlungen',
    hint: 'Damit wird signiert, was an den Webhook geht, den eine Zahlung selbst nennt. Plugins von Shop-Programmen fragen danach.',
    show: 'Geheimnis zeigen',
  },
  chains: {
    title: 'Simulierte Netzwerke',
    hint: 'Was ein Miner und ein Knoten mit Ihren Testzahlungen machen könnten. Es trifft nur Zahlungen dieses Shops: Andere Shops merken nichts davon. Programme tun dasselbe mit POST /sandbox/mine, /sandbox/reorg und /sandbox/freeze.',
    off: 'Die simulierten Netzwerke sind auf diesem Server abgeschaltet.',
    height: 'Neuester Block',
    instant: 'Hier ist jede Zahlung sofort endgültig: Sie ist ein eigener Block.',
    silentUntil: 'Der Knoten schweigt bis',
    blocks: 'Wie viele Blöcke',
    mine: 'Blöcke machen',
    mineAll: 'Überall Blöcke machen',
    reorg: 'Blöcke rückgängig machen',
    silentFor: 'Wie lange der Knoten schweigt',
    stop: 'Netzwerk anhalten',
    goOn: 'Jetzt weiter',
    done: 'Erledigt. So stehen die Netzwerke jetzt.',
    count: (most: string) => `Schreiben Sie eine ganze Zahl von 1 bis ${most}.`,
  },
  requests: {
    title: 'Anfragen',
    hint: 'Was Ihre Programme in den letzten sieben Tagen von der API wollten. Geheimnisse sind herausgeschnitten.',
    looked: (count: string) =>
      `Für diese Seite wurden ${count} durchgesehen; unter den älteren kann es weitere geben.`,
    missed: (count: string) =>
      `${count} Anfragen fehlen hier: Es kamen zu viele auf einmal, oder sie konnten nicht geschrieben werden.`,
    status: 'Antwort',
    succeeded: 'Erfolg (2xx)',
    refused: 'Abgelehnt (4xx)',
    failed: 'Gescheitert (5xx)',
    path: 'Pfad beginnt mit',
    key: 'API-Schlüssel',
    at: 'Zeit',
    duration: 'Dauer',
    address: 'Von',
    asked: 'Was gefragt wurde',
    answered: 'Was geantwortet wurde',
    bytes: (count: string) => `${count} Bytes`,
    unproven:
      'Wer das gesendet hat, hat den Schlüssel nicht bewiesen. Darum wird nichts davon aufbewahrt.',
    notKept: 'Der Inhalt wird nicht aufbewahrt: Er ist kein JSON oder zu lang.',
  },
  testEvent: {
    title: 'Empfänger ausprobieren',
    hint: 'Ein signiertes Ereignis mit erfundenen Daten geht an einen Empfänger. In seinem Text steht "test": true, und nichts davon ist geschehen.',
    receiver: 'Empfänger',
    kind: 'Art',
    send: 'Testereignis senden',
    mark: 'Testereignis: Nichts davon ist geschehen.',
  },
  eventKinds: {
    title: 'Arten von Ereignissen',
    hint: 'Wann jedes gemeldet wird und wie es aussieht. Die Daten sind erfunden.',
    example: 'Beispiel',
    told: {
      CHECKOUT_COMPLETED: 'Ein Checkout wurde ganz bezahlt; das Guthaben ist gebucht',
      CHECKOUT_PENDING: 'Für einen Checkout wurde Geld gesehen, das noch nicht endgültig ist',
      CHECKOUT_UNDERPAID: 'Endgültig kam weniger Geld als nötig',
      CHECKOUT_EXPIRED: 'Die Frist eines Checkouts endete ohne endgültiges Geld',
      CHECKOUT_CANCELLED: 'Ein Checkout wurde vom Shop oder vom Kunden storniert',
      CHECKOUT_REVERSED: 'Das Netzwerk hat gutgeschriebenes Geld zurückgenommen',
      CHECKOUT_RESTORED:
        'Geld, das das Netzwerk zurückgenommen hatte, oder anderes an seiner Stelle ist wieder da',
      CHECKOUT_PAID_AGAIN:
        'Nach dem Abschluss des Checkouts wurde eine weitere Zahlung gutgeschrieben',
      CHECKOUT_PENDING_WITHDRAWN:
        'Das Geld von CHECKOUT_PENDING kommt nicht an: Es wurde nicht gutgeschrieben',
      CHECKOUT_MISDIRECTED:
        'Geld kam in einem anderen Wert oder auf einem anderen Netzwerk als verlangt',
      UNDERPAID_ACCEPTED: 'Ein unterbezahlter Checkout wurde mit dem angenommen, was ankam',
      REFUND_RESTS:
        'Eine Erstattung an eine neue Adresse über einer Grenze wird später gesendet: Bis dahin lässt sie sich stornieren',
      REFUND_COMPLETED: 'Eine Erstattung ist angekommen',
      REFUND_FAILED:
        'Eine Erstattung wurde nicht gesendet und wird es nie; ihr Geld ist wieder dort, wo es war',
      REFUND_REOPENED:
        'Eine Erstattung war angekommen oder gescheitert, und das Netzwerk hat das rückgängig gemacht: Sie ist wieder unterwegs',
      REFUND_RETURNED:
        'Eine Erstattung war angekommen und wurde zurückgeschickt; ihr Geld ist wieder dort, wo es war',
      DEPOSIT_PENDING:
        'An einer Einzahlungsadresse wurde Geld gesehen, das noch nicht endgültig ist',
      DEPOSIT_PENDING_WITHDRAWN:
        'Das Geld von DEPOSIT_PENDING ist nicht mehr im Netzwerk: Es wurde nicht gutgeschrieben',
      DEPOSIT_COMPLETED: 'Geld an einer Einzahlungsadresse wurde gutgeschrieben',
      DEPOSIT_REVERSED:
        'Das Netzwerk hat gutgeschriebenes Geld einer Einzahlungsadresse zurückgenommen',
      DEPOSIT_MISDIRECTED:
        'Geld in einem anderen Wert kam an eine Einzahlungsadresse: Es wartet, bis jemand entscheidet',
      SUSPENSE_RESOLVED:
        'Nicht zugeordnetes Geld wurde Ihnen zugeordnet, dem Zahler zurückgegeben oder abgeschrieben',
      SWAP_COMPLETED: 'Ein Tausch wurde ausgeführt',
      SWAP_FAILED: 'Ein Tausch ließ sich nicht ausführen',
      TRANSFER_COMPLETED: 'Eine Überweisung ist angekommen',
      TRANSFER_FAILED: 'Eine Überweisung kann nicht ankommen; ihr Geld ist wieder verfügbar',
      TRANSFER_REOPENED:
        'Eine Überweisung war angekommen oder gescheitert, und das Netzwerk hat das rückgängig gemacht: Sie ist wieder unterwegs',
      TRANSFER_RETURNED:
        'Eine Überweisung war angekommen und wurde zurückgeschickt; was zurückkam, ist wieder verfügbar',
      SETTLEMENT_SKIPPED:
        'Eine Regel zur Auszahlung war fällig und ließ sich nicht befolgen: einmal je Grund gemeldet, während es weiter versucht wird',
    },
  },
};
