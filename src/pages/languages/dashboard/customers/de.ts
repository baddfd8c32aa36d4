// German of customers.

import type { CustomersTexts } from './en.ts';

export const deCustomers: CustomersTexts = {
  customers: {
    title: 'Kunden',
    one: 'Kunde',
    find: 'E-Mail-Adresse, Name oder Firma beginnt mit',
    none: 'Es gibt noch keine Kunden. Ihr Shop legt sie an oder nennt sie bei einem Checkout.',
    noneFound: 'Niemand heißt so.',
    more: 'Es gibt mehr: Schreiben Sie mehr vom Namen.',
    fields: {
      email: 'E-Mail-Adresse',
      firstname: 'Vorname',
      lastname: 'Nachname',
      company: 'Firma',
      adr1: 'Anschrift',
      adr2: 'Anschrift, zweite Zeile',
      zip: 'Postleitzahl',
      city: 'Ort',
      countrycode: 'Land',
      phonenumber: 'Telefon',
      taxid: 'Steuernummer',
      note: 'Notiz',
    },
    history: 'Was gekauft wurde',
    noHistory: 'Noch nichts gekauft.',
    paid: 'Bezahlt',
    refunded: 'Erstattet',
    addresses: 'Bekannte Adressen',
    noAddresses:
      'Noch keine. Bekannt ist eine Adresse, an die etwas erstattet wurde; wer eine Zahlung sandte, erfährt niemand.',
    asJson: 'Alles als JSON',
    asCsv: 'Käufe als CSV',
    allAsCsv: 'Alle als CSV',
    allAsJson: 'Alle als JSON',
    erase: 'Diesen Kunden löschen',
    eraseHint:
      'Name, Anschrift, Notiz und alles andere Persönliche geht für immer. Checkouts und Bücher behalten nur die Kennung, und Ihre eigenen Daten zu einem Checkout bleiben. Gesendete Mails werden nach 90 Tagen vergessen.',
    sure: 'Ja, für immer',
    notSure: 'Setzen Sie das Häkchen, wenn Sie sicher sind.',
    erased: 'Der Kunde wurde gelöscht.',
  },
  merging: {
    title: 'Mit einem anderen Eintrag zusammenführen',
    hint: 'Ist derselbe Kunde zweimal da? Suchen Sie den anderen Eintrag: Beide stehen nebeneinander, bevor etwas geschieht.',
    look: 'Suchen',
    pairHint:
      'Was fett ist, bleibt. Zahlungsvorgänge, Zahlungen und bekannte Adressen beider stehen danach zusammen; die andere Referenz meint von da an diesen Kunden, auch für Ihre Programme.',
    stays: 'Bleibt',
    other: 'Geht darin auf',
    goes: 'geht für immer',
    turn: 'Der andere soll bleiben',
    forGood:
      'Das lässt sich nicht rückgängig machen: Was geht, ist nirgends aufbewahrt, und die beiden lassen sich nicht mehr trennen.',
    merge: 'Zusammenführen',
    changed:
      'Einer der beiden hat sich geändert, seit Sie hingesehen haben. Sehen Sie noch einmal hin.',
    most: 'Dieser Kunde hat so viele andere Referenzen, wie aufbewahrt werden.',
    names: 'Andere Referenzen',
    done: 'Die beiden Einträge sind jetzt einer.',
  },
};
